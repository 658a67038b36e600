package json

import "math"

// Kind is the kind of a value. The zero Kind is that of a value that does not exist.
type Kind uint8

// The kinds of JSON values.
const (
	KindInvalid Kind = iota
	KindNull
	KindFalse
	KindTrue
	KindNumber
	KindString
	KindArray
	KindObject
)

var kindNames = [...]string{"invalid", "null", "false", "true", "number", "string", "array", "object"}

// String gives the kind as a word.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return kindNames[KindInvalid]
}

// Value stands for one value of a Document until its next Parse. Values are
// small and are passed and kept as they are.
type Value struct {
	doc        *Document
	at         uint32
	generation uint32
}

var absent node

// node is absent for the zero Value and for values of an earlier Parse.
func (v Value) node() *node {
	if v.doc == nil || v.generation != v.doc.generation || int(v.at) >= len(v.doc.nodes) {
		return &absent
	}
	return &v.doc.nodes[v.at]
}

func (v Value) sibling(at uint32) Value {
	if at == 0 {
		return Value{}
	}
	return Value{doc: v.doc, at: at, generation: v.generation}
}

// Exists reports whether there is such a value.
func (v Value) Exists() bool { return v.node().kind != KindInvalid }

// Kind gives the kind of v.
func (v Value) Kind() Kind { return v.node().kind }

// Name gives the member name, decoded, under which v stands in its object; "" if it stands in none.
func (v Value) Name() string { return string(v.NameBytes()) }

// NameBytes is Name without the copy. It is valid until the next Parse and must not be changed.
func (v Value) NameBytes() []byte {
	n := v.node()
	if n.flags&hasName == 0 {
		return nil
	}
	return v.doc.name(n)
}

// Bytes gives the decoded text of a String, nil for other kinds. It is valid
// until the next Parse and must not be changed.
func (v Value) Bytes() []byte {
	n := v.node()
	if n.kind != KindString {
		return nil
	}
	return v.doc.text(n)
}

// Text gives the decoded text of a String as a string of its own, "" for other kinds.
func (v Value) Text() string { return string(v.Bytes()) }

// Integer gives a Number that is an integer, however it is written: 1.0 and 1e2
// are. Its magnitude is below 2^53, as Parse refuses others.
func (v Value) Integer() (int64, bool) {
	f, ok := v.Float()
	if !ok || f != math.Trunc(f) {
		return 0, false
	}
	return int64(f), true
}

// Float gives the double nearest to a Number; it is never -0.
func (v Value) Float() (float64, bool) {
	n := v.node()
	if n.kind != KindNumber {
		return 0, false
	}
	return n.float(), true
}

// Len gives the number of elements or members, 0 for other kinds.
func (v Value) Len() int {
	n := v.node()
	if n.kind < KindArray {
		return 0
	}
	return int(n.high)
}

// First gives the first element of an Array, or the member of an Object whose
// name comes first in the canonical order.
func (v Value) First() Value {
	n := v.node()
	if n.kind < KindArray {
		return Value{}
	}
	return v.sibling(n.low)
}

// Next gives the element after v, or the member whose name comes after that of
// v in the canonical order, which is that of UTF-16 code units.
func (v Value) Next() Value { return v.sibling(v.node().next) }

// Member gives the member of an Object that is called name, exactly. It looks
// at one member after the other.
func (v Value) Member(name string) Value {
	if v.Kind() != KindObject {
		return Value{}
	}
	for m := v.First(); m.at != 0; m = m.Next() {
		if string(m.NameBytes()) == name {
			return m
		}
	}
	return Value{}
}

// Offset gives the place of the first byte of v in the parsed text.
func (v Value) Offset() int { return int(v.node().start) }

// End gives the place after the last byte of v in the parsed text.
func (v Value) End() int { return int(v.node().end) }

// Leaves counts the scalars at or below v: 1 for a scalar, null included, and 0
// for an empty container.
func (v Value) Leaves() int { return int(v.node().leaves) }

func (n *node) setFloat(f float64) {
	b := math.Float64bits(f)
	n.low, n.high = uint32(b), uint32(b>>32)
}

func (n *node) float() float64 {
	return math.Float64frombits(uint64(n.high)<<32 | uint64(n.low))
}
