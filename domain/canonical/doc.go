// Package canonical reads JSON strictly and writes it back in the canonical
// form of RFC 8785, the form that docket hashes, signs and compares.
//
// # Reading
//
// A [Document] holds one parsed text. Parsing refuses everything that two
// readers could understand differently: a member name that stands twice,
// broken UTF-8, half a surrogate pair, a number that a double cannot hold
// without changing what it says, bytes after the value. A refusal is a [Fault]
// with the place, the path and one of the constant reasons of this package; it
// never repeats a piece of the input, because the input may be private.
//
//	var doc canonical.Document
//	if fault := doc.Parse(line, canonical.Limits{}); fault != nil {
//		return fmt.Errorf("line %d: %w", n, fault)
//	}
//	status := doc.Root().Member("status")
//
// A Document is meant to be used again and again: it keeps its memory, so that
// a stream of similar lines is read without allocating. It keeps as much as the
// largest text so far needed, about forty bytes for each value; drop the
// Document after an unusually large text. One Document serves one goroutine at
// a time; after Parse, any number of goroutines may read its values.
//
// # Values
//
// A [Value] is a small handle. The zero Value stands for "there is no such
// value": its Kind is Invalid and every method answers it with nothing, so
// look-ups can be chained without checks in between. A Value that was taken
// before the latest Parse of its Document has become such a zero Value too.
//
//	for m := root.First(); m.Exists(); m = m.Next() { ... }
//
// # Writing
//
// [Value.AppendCanonical] appends the canonical form, if asked without one
// member of the outermost object: the form over which a record's own hash is
// taken, as the hash is a member of it. [Value.AppendMembers] writes chosen
// members only, and [Value.AppendCanonicalWith] puts other texts in the place
// of texts that must not be shown. [AppendString] and [AppendInt] serve those
// who write canonical JSON by hand.
//
// # Numbers
//
// The canonical form of a number is that of the nearest double, printed as
// ECMAScript prints it. To keep that from changing what a text says, numbers of
// 2^53 or more are refused, whichever way they are written, and so are numbers
// that are not integers but become one by rounding: 1e-400 would become 0, and
// 1.00000000000000000001 would become 1. Fractions may be rounded as doubles
// always are.
package canonical
