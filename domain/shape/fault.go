package shape

import (
	"strconv"

	"docket/domain/canonical"
)

// A Fault says why an object was refused: the place, and the form expected there. It never holds a value or an unknown member
// name, because either might be private.
type Fault struct {
	Pointer string // RFC 6901, from the value that was read down; "" for the whole
	Reason  string // one clause, lower case
	Offset  int    // of the byte in the text that was read
}

// Error returns the pointer and the reason.
func (f *Fault) Error() string {
	if f.Pointer == "" {
		return f.Reason
	}
	return f.Pointer + ": " + f.Reason
}

// The reasons for which the shape of an object refuses it. Those of its JSON are canonical's.
const (
	WantObject  = "must be an object"
	WantList    = "must be an array"
	WantString  = "must be a string"
	WantNumber  = "must be a number"
	WantID      = "must be an id: a letter or digit, then up to 127 letters, digits or . _ : -"
	WantTime    = "must be a time in UTC such as 2026-01-31T09:00:00Z"
	WantHash    = "must be sha256: and 64 lower-case hex digits"
	WantVersion = "must be an integer of 1 or more, below 2^53"
	WantCount   = "must be an integer of 0 or more, below 2^53"
	WantFlag    = "must be true or false"
	WantWord    = "is not in the vocabulary: " // with the name of the vocabulary behind it
	TextLength  = "must have 1 to 2,000 characters"
	Printable   = "must have 1 to 200 printable ASCII characters"
	HoldsNUL    = "holds the character U+0000"
	Empty       = "has no item"
	Repeated    = "holds one value twice"
	Absent      = "is required and absent"
	Null        = "may not be null; leave it out if there is none"
	Unknown     = "has a member that is not known; it is not shown, because it may be private"
	MemberCase  = "has a member name in the wrong case; it must be " // with the right name behind it
)

// FaultAt is a fault of the value itself.
func FaultAt(v canonical.Value, reason string) *Fault {
	return &Fault{Reason: reason, Offset: v.Offset()}
}

// FaultUnless is nil if the condition holds.
func FaultUnless(holds bool, v canonical.Value, reason string) *Fault {
	if holds {
		return nil
	}
	return FaultAt(v, reason)
}

// Under says that the fault lies in the member of that name, which must be a known one, and returns the fault.
func (f *Fault) Under(name string) *Fault {
	f.Pointer = "/" + name + f.Pointer
	return f
}

// UnderIndex says that the fault lies in the element of that index, and returns the fault.
func (f *Fault) UnderIndex(index int) *Fault { return f.Under(strconv.Itoa(index)) }

// FaultOf takes over a fault of the JSON itself. Its pointer leads down to the first step that shown does not accept.
func FaultOf(fault *canonical.Fault, shown func(depth int, step canonical.Step) bool) *Fault {
	return &Fault{Pointer: canonical.Pointer(fault.Path, shown), Reason: fault.Reason, Offset: fault.Offset}
}

// Shown returns a function for FaultOf that accepts what the shape describes: the names of its members, and indices and names
// within them. It serves one fault.
func (s *Shape) Shown() func(depth int, step canonical.Step) bool {
	within := s
	return func(_ int, step canonical.Step) bool {
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

// NamesOrIndices returns a function for FaultOf that accepts indices, and the names that known accepts.
func NamesOrIndices(known func(name string) bool) func(depth int, step canonical.Step) bool {
	return func(_ int, step canonical.Step) bool { return step.IsIndex || known(step.Name) }
}
