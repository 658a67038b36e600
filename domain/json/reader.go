package json

import (
	"sort"
	"strconv"
	"strings"
)

// A Member is a MemberShape and the functions that read its value into what an R points to. R is a
// pointer: Go compiles one reader for all pointers, but one for each struct, a megabyte in all. C
// is the state of reading one document, struct{} for none.
type Member[C, R any] struct {
	MemberShape
	read  func(into R, v Value, in *C) *Fault
	check func(into R, v Value, in *C, at string, tell Tell) bool // of lists and objects; else nil
	// null reports whether null counts as absent in this reading; nil: where Nullable says so.
	null func(in *C) bool
}

// A Reader reads objects into what an R points to.
type Reader[C, R any] struct {
	described Shape
	members   []*Member[C, R] // of listed, in canonical order of names
	listed    []Member[C, R]  // as they are documented
	open      bool
}

// NewReader describes an object by its members, in the order in which they are documented.
func NewReader[C, R any](members ...Member[C, R]) *Reader[C, R] {
	s := &Reader[C, R]{listed: members}
	for i := range members {
		s.described.Members = append(s.described.Members, members[i].MemberShape)
		s.members = append(s.members, &members[i])
	}
	sort.Slice(s.members, func(i, j int) bool { return s.members[i].Name < s.members[j].Name })
	return s
}

// Open makes the reader pass over unknown members, as RFC 9457 has it for problems, and returns it.
func (s *Reader[C, R]) Open() *Reader[C, R] {
	s.open = true
	return s
}

// Shape describes the object.
func (s *Reader[C, R]) Shape() *Shape { return &s.described }

// Read reads the object into what the R points to, and returns the first fault in the order of the
// names, nil for none. One walk along both sorted lists finds unknown and missing members.
func (s *Reader[C, R]) Read(into R, object Value, in *C) *Fault {
	if object.Kind() != KindObject {
		return FaultAt(object, WantObject)
	}
	next := 0
	for value := object.First(); value.Exists(); value = value.Next() {
		name := value.NameBytes()
		for next < len(s.members) && s.members[next].Name < string(name) {
			if s.members[next].Required {
				return FaultAt(object, ReasonAbsent).Under(s.members[next].Name)
			}
			next++
		}
		if next == len(s.members) || s.members[next].Name != string(name) {
			if s.open {
				continue
			}
			return s.unknown(object, value)
		}
		m := s.members[next]
		next++
		if value.Kind() == KindNull {
			if m.Nullable || m.null != nil && m.null(in) {
				continue
			}
			return FaultAt(value, ReasonNull).Under(m.Name)
		}
		if fault := m.read(into, value, in); fault != nil {
			return fault.Under(m.Name)
		}
	}
	for ; next < len(s.members); next++ {
		if s.members[next].Required {
			return FaultAt(object, ReasonAbsent).Under(s.members[next].Name)
		}
	}
	return nil
}

// unknown refuses a member without its name, which may be private, but names a known one like it.
func (s *Reader[C, R]) unknown(object, value Value) *Fault {
	fault := FaultAt(object, ReasonUnknown)
	fault.Offset = value.Offset()
	for i := range s.members {
		if strings.EqualFold(s.members[i].Name, value.Name()) {
			fault.Reason = ReasonCase + s.members[i].Name
		}
	}
	return fault
}

// A Cause says which part of a shape a Finding is about.
type Cause uint8

// The causes.
const (
	Refused  Cause = iota + 1 // the member's own reader refuses the value
	NotKind                   // an object or an array has to stand there, or the value is null
	NoItem                    // the array has no element and needs one
	Missing                   // a required member is absent
	NotKnown                  // the shape does not describe these members: one Finding for all
)

// A Finding is one thing that is wrong with an object.
type Finding struct {
	Fault
	Cause Cause
	Value Value // the value that is wrong; the object, where a member is missing or not known
	Form  *Form // what should stand there; nil for Check's own object and for elements
	Count int   // of members that are not known
}

func finding(cause Cause, at, reason string, v Value, form *Form) Finding {
	return Finding{Fault: Fault{at, reason, v.Offset()}, Cause: cause, Value: v, Form: form}
}

// A Tell receives a Finding and says whether to go on.
type Tell func(Finding) bool

// Check is Read, but reports every fault to tell: in each object unknown members first, then the
// others as documented. at is the object's pointer. It returns false if tell did.
func (s *Reader[C, R]) Check(into R, object Value, in *C, at string, tell Tell) bool {
	return s.check(into, object, in, at, nil, tell)
}

func (s *Reader[C, R]) check(into R, object Value, in *C, at string, form *Form, tell Tell) bool {
	if object.Kind() != KindObject {
		return tell(finding(NotKind, at, WantObject, object, form))
	}
	if f := s.unknowns(object, at, form); f.Count > 0 && !tell(f) {
		return false
	}
	for i := range s.listed {
		m := &s.listed[i]
		if !m.checkIn(into, object, in, at, tell) {
			return false
		}
	}
	return true
}

func (s *Reader[C, R]) unknowns(object Value, at string, form *Form) Finding {
	f := Finding{Cause: NotKnown, Value: object, Form: form}
	for value := object.First(); !s.open && value.Exists(); value = value.Next() {
		if s.described.member(value.NameBytes()) != nil {
			continue
		}
		if f.Count++; f.Count == 1 {
			f.Fault = *s.unknown(object, value)
			f.Pointer = at
		}
	}
	return f
}

func (m *Member[C, R]) checkIn(into R, object Value, in *C, at string, tell Tell) bool {
	value, place := object.Member(m.Name), at+"/"+m.Name
	switch {
	case !value.Exists():
		return !m.Required || tell(finding(Missing, place, ReasonAbsent, object, &m.Form))
	case value.Kind() == KindNull:
		return m.Nullable || tell(finding(NotKind, place, ReasonNull, value, &m.Form))
	case m.check != nil:
		return m.check(into, value, in, place, tell)
	}
	fault := m.read(into, value, in)
	return fault == nil || tell(found(fault, place, value, &m.Form))
}

func found(fault *Fault, at string, v Value, form *Form) Finding {
	return Finding{Fault: Fault{at + fault.Pointer, fault.Reason, fault.Offset}, Cause: Refused, Value: v, Form: form}
}

// ObjectMember reads an object within the object.
//
//go:noinline
func ObjectMember[C, R, O any](name string, of *Reader[C, O], at func(R) O) Member[C, R] {
	m := NewMember(name, Form{Kind: FormObject, Shape: &of.described}, func(r R, v Value, in *C) *Fault {
		return of.Read(at(r), v, in)
	})
	form := &m.Form
	m.check = func(r R, v Value, in *C, place string, tell Tell) bool {
		return of.check(at(r), v, in, place, form, tell)
	}
	return m
}

// ListMember reads a list of objects, of at least one if it is filled.
func ListMember[C, R, O any](name string, filled bool, of *Reader[C, *O], at func(R) *[]O) Member[C, R] {
	l := &listReader[C, R]{form: Form{Kind: FormList, Shape: &of.described, NotEmpty: filled}}
	readList(l, at, of.Read)
	l.check = func(r R, i int, v Value, in *C, place string, tell Tell) bool {
		return of.check(&(*at(r))[i], v, in, place, nil, tell)
	}
	return l.member(name)
}

// ElementsMember reads a list, element by element. The list is empty only if the form allows it.
func ElementsMember[C, R, E any](name string, form Form, at func(R) *[]E,
	element func(*E, Value, *C) *Fault) Member[C, R] {
	l := &listReader[C, R]{form: form}
	readList(l, at, element)
	l.check = l.checkOne
	return l.member(name)
}

// A listReader lacks the element type, so that Go compiles one for all lists.
type listReader[C, R any] struct {
	form  Form
	size  func(r R, n int) // makes the list, of n elements
	read  func(r R, i int, v Value, in *C) *Fault
	check func(r R, i int, v Value, in *C, place string, tell Tell) bool
}

func readList[C, R, E any](l *listReader[C, R], at func(R) *[]E, element func(*E, Value, *C) *Fault) {
	l.size = func(r R, n int) { *at(r) = make([]E, n) }
	l.read = func(r R, i int, v Value, in *C) *Fault { return element(&(*at(r))[i], v, in) }
}

func (l *listReader[C, R]) member(name string) Member[C, R] {
	m := NewMember(name, l.form, l.readAll)
	m.check = l.checkAll
	return m
}

func (l *listReader[C, R]) readAll(r R, v Value, in *C) *Fault {
	if v.Kind() != KindArray {
		return FaultAt(v, WantList)
	}
	if l.form.NotEmpty && v.Len() == 0 {
		return FaultAt(v, ReasonNoItem)
	}
	l.size(r, v.Len())
	index := 0
	for e := v.First(); e.Exists(); e = e.Next() {
		if fault := l.read(r, index, e, in); fault != nil {
			return fault.UnderIndex(index)
		}
		index++
	}
	return nil
}

func (l *listReader[C, R]) checkAll(r R, v Value, in *C, place string, tell Tell) bool {
	switch {
	case v.Kind() != KindArray:
		return tell(finding(NotKind, place, WantList, v, &l.form))
	case l.form.NotEmpty && v.Len() == 0:
		return tell(finding(NoItem, place, ReasonNoItem, v, &l.form))
	}
	l.size(r, v.Len())
	index := 0
	for e := v.First(); e.Exists(); e = e.Next() {
		if !l.check(r, index, e, in, place+"/"+strconv.Itoa(index), tell) {
			return false
		}
		index++
	}
	return true
}

func (l *listReader[C, R]) checkOne(r R, i int, v Value, in *C, place string, tell Tell) bool {
	fault := l.read(r, i, v, in)
	return fault == nil || tell(found(fault, place, v, nil))
}
