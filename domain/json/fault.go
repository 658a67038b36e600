package json

import (
	"bytes"
	"strconv"
	"strings"
)

// The reasons that refuse a text: constant phrases that never hold a piece of the input.
const (
	ReasonEmpty         = "empty input"
	ReasonByteOrderMark = "byte order mark"
	ReasonSize          = "input too large"
	ReasonValues        = "too many values"
	ReasonEnd           = "the JSON stops early; it may be cut off"
	ReasonUnexpected    = "unexpected character"
	ReasonTrailing      = "bytes after the value"
	ReasonDepth         = "nested too deep"
	ReasonDuplicate     = "duplicate member name"
	ReasonUTF8          = "invalid UTF-8"
	ReasonControl       = "raw control character in a string"
	ReasonEscape        = "bad escape in a string"
	ReasonSurrogate     = "lone surrogate in a string"
	ReasonNumber        = "malformed number"
	ReasonNumberLength  = "a number of more than 64 bytes"
	ReasonNumberLarge   = "a number of 2^53 or more"
	ReasonNumberRounded = "a fraction that would round to an integer"
)

// Line gives the line, counted from 1, on which the byte at offset stands. A
// line ends with a line feed. An offset past the end counts as the end.
func Line(src []byte, offset int) int {
	offset = max(0, min(offset, len(src)))
	return 1 + bytes.Count(src[:offset], []byte{'\n'})
}

// A Fault says why a text or an object was refused: the place, and the form expected there. It
// never holds a value or an unknown member name, because either might be private.
type Fault struct {
	// RFC 6901 from the value read; "" for the whole, and for JSON faults: see [Document.Where].
	Pointer string
	Reason  string // one clause, lower case
	// Offset is the byte at which the offending piece begins: the later name's quote for a
	// duplicate, the bracket for nesting, the length of the text if it ends early.
	Offset int
}

// Error returns the pointer and the reason.
func (f *Fault) Error() string {
	if f.Pointer == "" {
		return f.Reason
	}
	return f.Pointer + ": " + f.Reason
}

// The reasons for which the shape of an object refuses it. Those of its JSON are above.
const (
	WantObject     = "must be an object"
	WantList       = "must be an array"
	WantString     = "must be a string"
	WantNumber     = "must be a number"
	WantID         = "must be an id: a letter or digit, then up to 127 letters, digits or . _ : -"
	WantTime       = "must be a time in UTC such as 2026-01-31T09:00:00Z"
	WantHash       = "must be sha256: and 64 lower-case hex digits"
	WantVersion    = "must be an integer of 1 or more, below 2^53"
	WantCount      = "must be an integer of 0 or more, below 2^53"
	WantFlag       = "must be true or false"
	WantWord       = "is not in the vocabulary: " // with the name of the vocabulary behind it
	WantText       = "must have 1 to 2,000 characters"
	WantPrintable  = "must have 1 to 200 printable ASCII characters"
	ReasonNUL      = "holds the character U+0000"
	ReasonNoItem   = "has no item"
	ReasonRepeated = "holds one value twice"
	ReasonAbsent   = "is required and absent"
	ReasonNull     = "may not be null; leave it out if there is none"
	ReasonUnknown  = "has a member that is not known; it is not shown, because it may be private"
	ReasonCase     = "has a member name in the wrong case; it must be " // followed by the right name
)

// FaultAt is a fault of the value itself.
func FaultAt(v Value, reason string) *Fault {
	return &Fault{Reason: reason, Offset: v.Offset()}
}

// FaultUnless is nil if the condition holds.
func FaultUnless(holds bool, v Value, reason string) *Fault {
	if holds {
		return nil
	}
	return FaultAt(v, reason)
}

// Under says that the fault lies in the member of that known name, and returns the fault.
func (f *Fault) Under(name string) *Fault {
	f.Pointer = "/" + name + f.Pointer
	return f
}

// UnderIndex says that the fault lies in the element of that index, and returns the fault.
func (f *Fault) UnderIndex(index int) *Fault { return f.Under(strconv.Itoa(index)) }

// A Step leads to the member Name of an object or, if IsIndex, to the array element Index, from 0.
type Step struct {
	Name    string
	Index   int
	IsIndex bool
}

// refuse faults the value begun last if inside, else the innermost open container.
func (d *Document) refuse(offset int, reason string, inside bool) *Fault {
	for i := range d.open {
		if i == len(d.open)-1 && !inside {
			break
		}
		frame := &d.open[i]
		if d.nodes[frame.node].kind == KindArray {
			d.fault = append(d.fault, Step{Index: int(frame.count) - 1, IsIndex: true})
			continue
		}
		d.fault = append(d.fault, Step{Name: string(d.name(&d.nodes[frame.last]))})
	}
	return &Fault{Reason: reason, Offset: offset}
}

// Where returns the pointer to the value with the fault of the latest Parse. It ends before the
// first step that shown does not accept, because an unknown member name may be private.
func (d *Document) Where(shown func(Step) bool) string {
	var pointer strings.Builder
	for _, step := range d.fault {
		if !shown(step) {
			break
		}
		if step.IsIndex {
			step.Name = strconv.Itoa(step.Index)
		}
		pointer.WriteString("/" + step.Name)
	}
	return pointer.String()
}

// Shown returns a function for Where that accepts what the shape describes: the names of its
// members, and indices and names within them. It serves one fault.
func (s *Shape) Shown() func(Step) bool {
	within := s
	return func(step Step) bool {
		if step.IsIndex {
			return true
		}
		m := within.Member(step.Name)
		if m == nil {
			return false
		}
		within = m.Form.Shape
		return true
	}
}

// NamesOrIndices returns a function for Where that accepts indices and the known names.
func NamesOrIndices(known func(name string) bool) func(Step) bool {
	return func(step Step) bool { return step.IsIndex || known(step.Name) }
}
