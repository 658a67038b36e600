package packets

import (
	"bytes"
	"strings"

	"docket/domain/json"
	"docket/domain/terms"
)

// A Field is a member of a document that this program writes: how it is read and written.
type Field[R any] struct {
	Member[R]
	Put func(R, *json.Writer)
}

// A Codec reads and writes documents of one kind: objects in canonical form with every field.
type Codec[R any] struct {
	*ShapeOf[R]
	fields []Field[R] // in the order of RFC 8785
}

// NewCodec returns the codec of documents with these fields, in the order of their documentation.
func NewCodec[R any](fields ...Field[R]) *Codec[R] {
	read := make([]Member[R], len(fields))
	for i := range fields {
		fields[i].Required = true
		read[i] = fields[i].Member
	}
	json.Sort(fields, func(a, b Field[R]) int { return strings.Compare(a.Name, b.Name) })
	return &Codec[R]{json.NewReader(read...), fields}
}

// Append appends the document to dst.
func (c *Codec[R]) Append(dst []byte, of R) []byte {
	w := json.Append(dst)
	c.Write(of, &w)
	return w.Text()
}

// Write writes the document.
func (c *Codec[R]) Write(of R, w *json.Writer) {
	w.Open()
	for i := range c.fields {
		c.fields[i].Put(of, w.Name(c.fields[i].Name))
	}
	w.Close()
}

// Decode reads what Append wrote into what an R points to; false for a text of any other bytes.
func (c *Codec[R]) Decode(r *Reader, document []byte, into R) bool {
	root, fault := r.Parse(document)
	return fault == nil && c.Read(into, root, &Reading{}) == nil &&
		bytes.Equal(c.Append(nil, into), document)
}

// Null returns the field as one that may be null.
func (f Field[R]) Null() Field[R] {
	f.Nullable = true
	return f
}

// ObjectField is an object within the document.
func ObjectField[R, O any](name string, of *Codec[O], at func(R) O) Field[R] {
	return Field[R]{json.ObjectMember(name, of.ShapeOf, at),
		func(r R, w *json.Writer) { of.Write(at(r), w) }}
}

// ScannedField is a string that is refused if it holds private details.
func ScannedField[R any](name string, at func(R) *string) Field[R] {
	return Field[R]{readMember(name, json.Form{Kind: json.FormString}, at, readString),
		func(r R, w *json.Writer) { w.String(*at(r)) }}
}

// SaltField is a salt.
func SaltField[R any](name string, at func(R) *Salt) Field[R] {
	return Field[R]{saltMember(name, at), func(r R, w *json.Writer) { w.String(string(*at(r))) }}
}

// CountField is an integer of 0 or more.
func CountField[R any](name string, at func(R) *int64) Field[R] {
	return Field[R]{json.CountMember[Reading](name, at),
		func(r R, w *json.Writer) { w.Int(*at(r)) }}
}

// NumberField is an integer of 1 or more; 0 is null.
func NumberField[R any](name string, at func(R) *int64) Field[R] {
	return Field[R]{json.VersionMember[Reading](name, at),
		func(r R, w *json.Writer) { w.IntOrNull(*at(r)) }}
}

// IDField is an id.
func IDField[R any](name string, at func(R) *terms.ID) Field[R] {
	return Field[R]{IDMember(name, at), func(r R, w *json.Writer) { w.StringOrNull(string(*at(r))) }}
}

// HashField is a hash.
func HashField[R any](name string, at func(R) *terms.Hash) Field[R] {
	return Field[R]{HashMember(name, at), func(r R, w *json.Writer) { w.StringOrNull(at(r).String()) }}
}

// TermField is a word of a vocabulary.
func TermField[R any, K terms.Kind](name string, at func(R) *terms.Term[K]) Field[R] {
	return Field[R]{TermMember(name, at), func(r R, w *json.Writer) { WriteTerm(w, *at(r)) }}
}

// TermsField is a list of words in its own order.
func TermsField[R any, K terms.Kind](name string, at func(R) *[]terms.Term[K]) Field[R] {
	return Field[R]{TermListMember(name, at), func(r R, w *json.Writer) { WriteTerms(w, *at(r)) }}
}
