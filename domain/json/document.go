package json

import (
	"bytes"
	stdjson "encoding/json"
)

// defaultDepth is the nesting that Parse allows if Limits names none.
const defaultDepth = 64

// largestText keeps every offset and every count of values within 32 bits.
const largestText = 1 << 30

// Limits bounds what Parse accepts.
type Limits struct {
	// Depth is the number of containers that may stand inside each other; 0
	// or less means 64. A scalar in the innermost one is fine.
	Depth int
	// Bytes is the length of the longest text; 0 or less, or more than 1 GiB, means 1 GiB.
	Bytes int
	// Values is the largest number of values, containers included, and so
	// bounds the memory of a Document; 0 or less means any number.
	Values int
}

// Document is one parsed JSON text. The zero Document is ready to Parse.
type Document struct {
	src   []byte
	texts []byte   // decoded texts of the strings that hold escapes
	nodes []node   // every value, in the order of the text; the first is unused
	open  []frame  // the containers that are open while Parse runs
	order []uint32 // room for sorting the members of one object
	fault []Step   // from the root to the value in which the latest fault lies

	generation uint32 // tells the values of this parse from earlier ones
}

// node is one value on the tape; next links children, the members of an object in canonical order.
type node struct {
	start, end uint32 // the span in src
	next       uint32 // the following sibling, or 0
	leaves     uint32

	// The meaning of these two depends on the kind: a container has its first child and its number
	// of children, a string the place in texts (if decoded) and the length of its text, a number
	// the halves of its bits.
	low, high uint32

	nameAt   uint32 // the opening quote of the member name in src
	nameText uint32 // the place of the name in texts, if it was decoded
	nameLen  uint32

	kind  Kind
	flags uint8
}

const (
	hasName  uint8 = 1 << iota // it has a name
	nameCopy                   // the name held escapes and was decoded into texts
	textCopy                   // the text held escapes and was decoded into texts
	verbatim                   // the number stands in src in its canonical form
)

type frame struct {
	node     uint32
	last     uint32 // the child begun last, or 0
	count    uint32
	leaves   uint32
	unsorted bool // some member name is not greater than the one before it
}

// Parse reads src, which must be exactly one JSON value with nothing but JSON
// white space around it. It returns nil if src is accepted; otherwise the
// Document is empty and its Root does not exist.
//
// Texts without escapes stay in src: it must not change while the values of
// this Document are in use. All values of an earlier Parse cease to exist.
//
// Compare the result with nil as it is: turned into an error first, a nil
// *Fault would be an error that is not nil.
func (d *Document) Parse(src []byte, limits Limits) *Fault {
	if limits.Depth <= 0 {
		limits.Depth = defaultDepth
	}
	if limits.Bytes <= 0 {
		limits.Bytes = largestText
	}
	limits.Bytes = min(limits.Bytes, largestText)
	d.clear()
	d.fault = nil
	d.generation++
	if len(src) > limits.Bytes {
		return d.refuse(limits.Bytes, ReasonSize, false)
	}
	d.src = src
	d.nodes = append(d.nodes, node{})
	if limits.Values <= 0 {
		limits.Values = largestText
	}
	fault := d.read(&limits)
	if fault != nil {
		d.clear()
	}
	return fault
}

// Root gives the outermost value; it does not exist if the latest Parse
// refused its text or there was none.
func (d *Document) Root() Value {
	if len(d.nodes) < 2 {
		return Value{}
	}
	return Value{doc: d, at: 1, generation: d.generation}
}

func (d *Document) clear() {
	d.src = nil
	d.texts = d.texts[:0]
	d.nodes = d.nodes[:0]
	d.open = d.open[:0]
}

func (d *Document) name(n *node) []byte {
	if n.flags&nameCopy != 0 {
		return d.texts[n.nameText : n.nameText+n.nameLen : n.nameText+n.nameLen]
	}
	from, to := n.nameAt+1, n.nameAt+1+n.nameLen
	return d.src[from:to:to]
}

func (d *Document) text(n *node) []byte {
	if n.flags&textCopy != 0 {
		return d.texts[n.low : n.low+n.high : n.low+n.high]
	}
	from, to := n.start+1, n.start+1+n.high
	return d.src[from:to:to]
}

// Canonical returns a value of the program in canonical form; it panics on one it cannot write.
func Canonical(value any) []byte {
	text, err := canonical(value)
	if err != nil {
		panic("json: a document cannot be written: " + err.Error())
	}
	return text
}

func canonical(value any) ([]byte, error) {
	text, err := stdjson.Marshal(value)
	if err != nil {
		return nil, err
	}
	var doc Document
	if fault := doc.Parse(text, Limits{}); fault != nil {
		return nil, fault
	}
	return doc.Root().AppendCanonical(nil, ""), nil
}

// ReadCanonical reads what Canonical wrote of a T; false for a text of any other bytes.
func ReadCanonical[T any](document []byte) (value T, ok bool) {
	if stdjson.Unmarshal(document, &value) == nil {
		if again, err := canonical(value); err == nil && bytes.Equal(again, document) {
			return value, true
		}
	}
	return *new(T), false
}
