// Package json is the one reader and the one writer of JSON: strict reading (RFC 8259), the shapes
// of objects, JSON in a given order, and the canonical form (RFC 8785), which docket hashes, signs
// and compares.
//
// # Reading
//
// A [Document] holds one parsed text. Parsing refuses everything that two readers could understand
// differently: a member name that stands twice, broken UTF-8, half a surrogate pair, a number that
// a double cannot hold without changing what it says, bytes after the value. No fault repeats a
// piece of the input, because the input may be private.
//
//	var doc json.Document
//	if fault := doc.Parse(line, json.Limits{}); fault != nil {
//		return fmt.Errorf("line %d: %w", n, fault)
//	}
//	status := doc.Root().Member("status")
//
// A Document keeps its memory, so that a stream of similar lines is read without allocating: as
// much as the largest text so far needed, about forty bytes for each value. Drop it after an
// unusually large text. One Document serves one goroutine at a time; after Parse, any number of
// goroutines may read its values.
//
// A [Value] is a small handle. The zero Value stands for "there is no such value": its Kind is
// KindInvalid and every method answers it with nothing, so look-ups can be chained. A Value that
// was taken before the latest Parse of its Document has become such a zero Value too.
//
// # Shapes
//
// An object is described once, member by member: name, form, whether it is required, whether null
// counts as absent, and where its value goes. Packets, request bodies, answers, profiles and
// records are all read by such a [Reader].
//
//	var headReader = json.NewReader(
//		json.Required(json.CountMember[none]("size", func(h *head) *int64 { return &h.size })),
//		json.StringMember[none]("origin", func(h *head) *string { return &h.origin }),
//	)
//
// It refuses a member in the wrong case, one that is not described, and one that is required and
// missing. [Reader.Read] stops at the first fault and is made for speed; [Reader.Check] tells all
// of them. JSON Schemas and tables are written from the description, a [Shape].
//
// # Writing
//
// A [Writer] writes members in the order of the calls, without white space; called in the order of
// RFC 8785, it writes the canonical form. An [Object] is a document as a value, for texts that are
// put together from parts. [Value.AppendCanonical] writes back what was read, if asked without one
// member of the outermost object: the form over which a record's own hash is taken, as the hash is
// a member of it.
//
// # Numbers
//
// The canonical form of a number is that of the nearest double, printed as ECMAScript prints it. To
// keep that from changing what a text says, numbers of 2^53 or more are refused, and so are numbers
// that are not integers but become one by rounding: 1e-400 would become 0, and
// 1.00000000000000000001 would become 1. Fractions may be rounded as doubles always are.
package json
