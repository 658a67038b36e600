package client

import (
	"fmt"

	"docket/domain/canonical"
)

// A member is a member of an answer.
type member[T any] struct {
	name     string
	optional bool
	read     func(into *T, v canonical.Value) bool // false if the value cannot be one
}

// A shape is what an answer is read by.
type shape[T any] struct {
	members []member[T]
	open    bool // members that are not known are passed over, as RFC 9457 has it for problems
}

// mostDepth is how deep an answer may be nested: a packet within its page.
const mostDepth = 64 + 2

// readAnswer reads an answer. The error wraps ErrUnreadable and names members of the shape at most.
func readAnswer[T any](text []byte, s shape[T]) (T, error) {
	var none T
	var doc canonical.Document
	if fault := doc.Parse(text, canonical.Limits{Depth: mostDepth}); fault != nil {
		return none, fmt.Errorf("%w: it is not JSON that everybody reads alike: %s", ErrUnreadable, fault.Reason)
	}
	var into T
	if name, ok := s.read(&into, doc.Root()); !ok {
		return none, fmt.Errorf("%w: %s", ErrUnreadable, name)
	}
	return into, nil
}

// read reads an object; what is wrong with it if it cannot.
func (s shape[T]) read(into *T, v canonical.Value) (wrong string, ok bool) {
	if v.Kind() != canonical.Object {
		return "it is no object", false
	}
	known := 0
	for i := range s.members {
		m := &s.members[i]
		value := v.Member(m.name)
		if !value.Exists() {
			if m.optional {
				continue
			}
			return m.name + " is absent", false
		}
		known++
		if !m.read(into, value) {
			return m.name + " cannot be read", false
		}
	}
	if !s.open && known != v.Len() {
		return "it has a member that is not known", false
	}
	return "", true
}

// opt is the member as one that may be absent.
func opt[T any](m member[T]) member[T] {
	m.optional = true
	return m
}

// parsed reads a string that parse takes.
func parsed[T, W any](name string, at func(*T) *W, parse func(string) (W, bool)) member[T] {
	return member[T]{name: name, read: func(into *T, v canonical.Value) (ok bool) {
		if v.Kind() != canonical.String {
			return false
		}
		*at(into), ok = parse(v.Text())
		return ok
	}}
}

// text reads a string.
func text[T any](name string, at func(*T) *string) member[T] {
	return parsed(name, at, func(s string) (string, bool) { return s, true })
}

// count reads an integer of 0 or more.
func count[T any](name string, at func(*T) *int64) member[T] {
	return member[T]{name: name, read: func(into *T, v canonical.Value) bool {
		number, ok := v.Integer()
		*at(into) = number
		return ok && number >= 0
	}}
}

// list reads an array, element by element.
func list[T, E any](name string, at func(*T) *[]E, element func(canonical.Value) (E, bool)) member[T] {
	return member[T]{name: name, read: func(into *T, v canonical.Value) bool {
		if v.Kind() != canonical.Array {
			return false
		}
		elements := make([]E, 0, v.Len())
		for e := v.First(); e.Exists(); e = e.Next() {
			read, ok := element(e)
			if !ok {
				return false
			}
			elements = append(elements, read)
		}
		*at(into) = elements
		return true
	}}
}
