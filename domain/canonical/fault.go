package canonical

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// The reasons for which a text is refused. They are constant phrases: nothing
// of the input is ever part of one.
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

// Fault says why and where a text was refused.
//
// Offset is the byte at which the offending piece begins: the first byte of
// the number for the reasons about numbers, the opening quote of the later name
// for a duplicate, the bracket for nesting, the length of the text where it
// ends too early.
//
// Path leads from the root to the value in which the fault lies. A fault in a
// member name, a duplicate included, lies in the object that holds it. The
// names in Path come from the input: a caller decides which of them it may show.
type Fault struct {
	Offset int
	Path   []Step
	Reason string
}

// Step is one step down: to the member Name of an object or, if IsIndex, to
// the element Index of an array, counted from 0.
type Step struct {
	Name    string
	Index   int
	IsIndex bool
}

// Error gives the reason and the offset and nothing of the input.
func (f *Fault) Error() string {
	return fmt.Sprintf("%s at byte %d", f.Reason, f.Offset)
}

// Line gives the line, counted from 1, on which the byte at offset stands. A
// line ends with a line feed. An offset past the end counts as the end.
func Line(src []byte, offset int) int {
	offset = max(0, min(offset, len(src)))
	return 1 + bytes.Count(src[:offset], []byte{'\n'})
}

// refuse builds the fault. With inside, the fault lies in the value that was
// begun last; otherwise in the innermost open container.
func (d *Document) refuse(offset int, reason string, inside bool) *Fault {
	fault := &Fault{Offset: offset, Reason: reason}
	for i := range d.open {
		if i == len(d.open)-1 && !inside {
			break
		}
		frame := &d.open[i]
		if d.nodes[frame.node].kind == Array {
			fault.Path = append(fault.Path, Step{Index: int(frame.count) - 1, IsIndex: true})
			continue
		}
		name := d.name(&d.nodes[frame.last])
		fault.Path = append(fault.Path, Step{Name: string(name)})
	}
	return fault
}

// Pointer returns a path as a JSON pointer. The pointer ends before the first step that shown does not accept, because an unknown
// member name may be private. shown is called for each step with the number of steps above it.
func Pointer(path []Step, shown func(depth int, step Step) bool) string {
	var pointer strings.Builder
	for depth, step := range path {
		if !shown(depth, step) {
			break
		}
		if step.IsIndex {
			step.Name = strconv.Itoa(step.Index)
		}
		pointer.WriteString("/" + step.Name)
	}
	return pointer.String()
}
