package packets

import (
	"slices"
	"strings"
	"unicode/utf8"

	"docket/domain/canonical"
	"docket/domain/ordered"
	"docket/domain/private"
	"docket/domain/shape"
	"docket/domain/terms"
)

// A Member is one of an object that is read into what R, a pointer, points to. A ShapeOf is the shape of such an object.
type (
	Member[R any]  = shape.Member[Reading, R]
	ShapeOf[R any] = shape.Of[Reading, R]
)

// Reading is what the reading of one record carries along.
type Reading struct {
	stored bool            // masks and places of texts are allowed: the record comes from a store, not from a file
	texts  canonical.Value // that are kept apart from a stored record
	masked bool            // a text held private details, or is withheld
	leaked bool            // one in a stored record does, or ought to be
	erased bool            // a text is no longer there
	// withheld says that the source does not call the case redacted: every text of it is masked.
	withheld bool
	placed   int     // texts that were put back into their places
	sums     Digests // over the record as it came, without Record
}

// restore puts the texts that are kept apart back into their places; it implements canonical.Replace.
func (in *Reading) restore(dst []byte, v canonical.Value) ([]byte, bool) {
	if v.Kind() != canonical.Object || !freeTexts[v.Name()] {
		return dst, false
	}
	text := in.texts.Member(v.Name())
	if !text.Exists() {
		return dst, false
	}
	return text.AppendCanonical(dst, ""), true
}

// The constructors of the members of records follow; see package shape.

func readMember[R, T any](name string, form shape.Form, at func(R) *T, read func(canonical.Value, *Reading) (T, *shape.Fault)) Member[R] {
	return shape.NewMember(name, form, func(r R, v canonical.Value, in *Reading) (fault *shape.Fault) {
		*at(r), fault = read(v, in)
		return fault
	})
}

func IDMember[R any](name string, at func(R) *terms.ID) Member[R] {
	return readMember(name, shape.Form{Kind: shape.FormID}, at, readID)
}

func TimeMember[R any](name string, at func(R) *terms.Instant) Member[R] {
	return shape.NewMember(name, shape.Form{Kind: shape.FormTime}, func(r R, v canonical.Value, _ *Reading) *shape.Fault {
		instant, ok := terms.ParseInstantBytes(v.Bytes())
		*at(r) = instant
		return shape.FaultUnless(ok && v.Kind() == canonical.String, v, shape.WantTime)
	})
}

func HashMember[R any](name string, at func(R) *terms.Hash) Member[R] {
	return shape.NewMember(name, shape.Form{Kind: shape.FormHash}, func(r R, v canonical.Value, _ *Reading) *shape.Fault {
		hash, ok := terms.ParseHashBytes(v.Bytes())
		*at(r) = hash
		return shape.FaultUnless(ok && v.Kind() == canonical.String, v, shape.WantHash)
	})
}

// versionMember is the contract version of a record; the rules of a case ask whether it holds private details.
func versionMember[R any](at func(R, Text)) Member[R] {
	return shape.NewMember("contractVersion", shape.Form{Kind: shape.FormString}, func(r R, v canonical.Value, in *Reading) *shape.Fault {
		read, fault := readVersion(v, in)
		at(r, read)
		return fault
	})
}

func flagMember[R any](name string, at func(R) *terms.Flag) Member[R] {
	return shape.NewMember(name, shape.Form{Kind: shape.FormFlag}, func(r R, v canonical.Value, _ *Reading) *shape.Fault {
		switch v.Kind() {
		case canonical.True:
			*at(r) = terms.FlagYes
		case canonical.False:
			*at(r) = terms.FlagNo
		default:
			return shape.FaultAt(v, shape.WantFlag)
		}
		return nil
	})
}

func textMember[R any](name string, at func(R) *Text) Member[R] {
	return readMember(name, shape.Form{Kind: shape.FormText}, at, readText)
}

func TermMember[R any, K terms.Kind](name string, at func(R) *terms.Term[K]) Member[R] {
	return readMember(name, shape.Form{Kind: shape.FormWord, Words: terms.Terms[K]{}.Texts()}, at, readTerm[K])
}

func TermsMember[R any, K terms.Kind](name string, at func(R) *terms.Set[K]) Member[R] {
	return readMember(name, setOfWords[K](), at, readTerms[K])
}

func declaredMember[R any, K terms.Kind](name string, at func(R) *terms.Declared[K]) Member[R] {
	return shape.NewMember(name, setOfWords[K](), func(r R, v canonical.Value, in *Reading) *shape.Fault {
		words, fault := readTerms[K](v, in)
		if fault == nil {
			*at(r) = terms.Declare(words)
		}
		return fault
	})
}

func idsMember[R any](name string, at func(R) *[]terms.ID) Member[R] {
	return readMember(name, shape.Form{Kind: shape.FormIDs, Unique: true}, at, readIDs)
}

func setOfWords[K terms.Kind]() shape.Form {
	return shape.Form{Kind: shape.FormWords, Words: terms.Terms[K]{}.Texts(), Unique: true}
}

func readID(v canonical.Value, _ *Reading) (terms.ID, *shape.Fault) {
	if v.Kind() != canonical.String || !terms.IsID(v.Bytes()) {
		return "", shape.FaultAt(v, shape.WantID)
	}
	return terms.ID(v.Text()), nil
}

// readIDs reads a list of ids, none of them twice. A record that was stored before that was asked for may hold one twice.
func readIDs(v canonical.Value, in *Reading) ([]terms.ID, *shape.Fault) {
	ids, fault := readList(v, in, readID)
	if fault != nil {
		return nil, fault
	}
	if !in.stored && len(ids) > 1 {
		sorted := slices.Sorted(slices.Values(ids))
		if len(slices.Compact(sorted)) < len(ids) {
			return nil, shape.FaultAt(v, shape.Repeated)
		}
	}
	return ids, nil
}

func readTerm[K terms.Kind](v canonical.Value, _ *Reading) (terms.Term[K], *shape.Fault) {
	if v.Kind() != canonical.String {
		return 0, shape.FaultAt(v, shape.WantString)
	}
	word := terms.Terms[K]{}.ParseBytes(v.Bytes())
	if !word.Present() {
		return 0, shape.FaultAt(v, shape.WantWord+terms.Terms[K]{}.Name())
	}
	return word, nil
}

func readTerms[K terms.Kind](v canonical.Value, in *Reading) (terms.Set[K], *shape.Fault) {
	if v.Kind() != canonical.Array {
		return 0, shape.FaultAt(v, shape.WantList)
	}
	var set terms.Set[K]
	index := 0
	for element := v.First(); element.Exists(); element = element.Next() {
		word, fault := readTerm[K](element, in)
		if fault != nil {
			return 0, fault.UnderIndex(index)
		}
		set = set.With(word)
		index++
	}
	if !in.stored && set.Len() < index {
		return 0, shape.FaultAt(v, shape.Repeated)
	}
	return set, nil
}

// readText scans the text before anything else can see it. A text with private details leaves only their kinds.
func readText(v canonical.Value, in *Reading) (Text, *shape.Fault) {
	if in.stored && v.Kind() == canonical.Object {
		if v.Member(placeMember).Exists() {
			return readPlace(v, in)
		}
		in.masked = true
		return readMask(v)
	}
	if v.Kind() != canonical.String {
		return Text{}, shape.FaultAt(v, shape.WantString)
	}
	text := v.Bytes()
	if length := utf8.RuneCount(text); length < 1 || length > MaxTextLength {
		return Text{}, shape.FaultAt(v, shape.TextLength)
	}
	if slices.Contains(text, 0) {
		return Text{}, shape.FaultAt(v, shape.HoldsNUL)
	}
	value := v.Text()
	if kinds := keptBack(value, in.withheld); !kinds.Empty() {
		in.masked, in.leaked = true, in.stored
		return Text{kinds: kinds, present: Legible(value)}, nil
	}
	return Text{value: value, present: Legible(value)}, nil
}

// keptBack returns why a text is not kept: the private details in it, and that all texts of the record are withheld.
func keptBack(text string, withheld bool) private.Kinds {
	kinds := private.ScanString(text)
	if withheld {
		kinds = kinds.With(private.Unredacted)
	}
	return kinds
}

const maxVersion = 200

// readVersion reads a contract version, as a string that is no text.
func readVersion(v canonical.Value, in *Reading) (Text, *shape.Fault) {
	value := v.Text()
	unprintable := strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' })
	if v.Kind() == canonical.String && (value == "" || len(value) > maxVersion || unprintable) {
		return Text{}, shape.FaultAt(v, shape.Printable)
	}
	return readLoose(v, in)
}

// readString reads a string that is no text. It is masked like one if it holds private details, which no good value does.
func readString(v canonical.Value, in *Reading) (string, *shape.Fault) {
	loose, fault := readLoose(v, in)
	return loose.String(), fault
}

func readLoose(v canonical.Value, in *Reading) (Text, *shape.Fault) {
	if in.stored && v.Kind() == canonical.Object {
		in.masked = true
		return readMask(v)
	}
	if v.Kind() != canonical.String {
		return Text{}, shape.FaultAt(v, shape.WantString)
	}
	value := v.Text()
	if value == terms.AppealContract.Version || value == terms.AmendmentContract.Version {
		return Text{value: value, present: true}, nil
	}
	if kinds := private.ScanString(value); !kinds.Empty() {
		in.masked, in.leaked = true, in.stored
		return Text{kinds: kinds, present: true}, nil
	}
	return Text{value: value, present: true}, nil
}

// The members of the object that stands in a stored record where a text was masked; the second is there only if the text counts
// as absent.
const (
	maskMember   = "masked"
	absentMember = "absent"
)

// readMask reads {"masked": ["e-mail address", …]} or {"absent": true, "masked": [...]}.
func readMask(v canonical.Value) (Text, *shape.Fault) {
	list, members, text := v.Member(maskMember), 1, Text{present: true}
	if v.Member(absentMember).Kind() == canonical.True {
		members, text.present = 2, false
	}
	if v.Len() != members || list.Kind() != canonical.Array || list.Len() == 0 {
		return Text{}, shape.FaultAt(v, reasonWantMask)
	}
	for element := list.First(); element.Exists(); element = element.Next() {
		kind := private.AllKinds.ParseBytes(element.Bytes())
		if !kind.Present() {
			return Text{}, shape.FaultAt(v, reasonWantMask)
		}
		text.kinds = text.kinds.With(kind)
	}
	return text, nil
}

// placeMember is the only member of the object that stands in a stored record in the place of a text; its value reports whether the text
// has a visible character.
const placeMember = "text"

func appendPlace(dst []byte, legible bool) []byte {
	w := ordered.Append(dst)
	return w.Open().Name(placeMember).Bool(legible).Close().Text()
}

// readPlace reads {"text": true} and the text that belongs there. One that is not there was erased.
func readPlace(v canonical.Value, in *Reading) (Text, *shape.Fault) {
	legible := v.Member(placeMember)
	if v.Len() != 1 || legible.Kind() != canonical.True && legible.Kind() != canonical.False {
		return Text{}, shape.FaultAt(v, reasonWantPlace)
	}
	if !in.texts.Exists() {
		in.erased = true
		return Text{present: legible.Kind() == canonical.True, erased: true}, nil
	}
	text := in.texts.Member(v.Name())
	if text.Kind() != canonical.String {
		return Text{}, shape.FaultAt(v, reasonWantPlace)
	}
	in.placed++
	read, fault := readText(text, in)
	if fault == nil && !read.Masked() && read.present != (legible.Kind() == canonical.True) {
		fault = shape.FaultAt(v, reasonWantPlace)
	}
	return read, fault
}

// statedHash is a hash that the record states of itself. In a stored record with a masked text it is null: over what is not kept
// there is none.
func statedHash[R any](name string, at func(R) *terms.Hash) Member[R] {
	return shape.NullableWhen(func(in *Reading) bool { return in.stored }, HashMember(name, at))
}

// TermListMember reads a list of words in its own order.
func TermListMember[R any, K terms.Kind](name string, at func(R) *[]terms.Term[K]) Member[R] {
	return readMember(name, shape.Form{Kind: shape.FormWords, Words: terms.Terms[K]{}.Texts()}, at,
		func(v canonical.Value, in *Reading) ([]terms.Term[K], *shape.Fault) {
			return readList(v, in, readTerm[K])
		})
}

func readList[T any](v canonical.Value, in *Reading, read func(canonical.Value, *Reading) (T, *shape.Fault)) ([]T, *shape.Fault) {
	if v.Kind() != canonical.Array {
		return nil, shape.FaultAt(v, shape.WantList)
	}
	list := make([]T, 0, v.Len())
	for element := v.First(); element.Exists(); element = element.Next() {
		one, fault := read(element, in)
		if fault != nil {
			return nil, fault.UnderIndex(len(list))
		}
		list = append(list, one)
	}
	return list, nil
}

// The reasons that refuse a packet beyond those of its JSON, which are canonical's, and of its shape, which are package shape's.
const (
	reasonWantMask    = "is not the mask of a text"
	reasonWantPlace   = "is not the place of a text, or its text differs"
	reasonPrivateText = "holds private details that have to be taken out first: "
	reasonRecordSize  = "is over 1 MiB"
	reasonPacketTable = "must be one of the four packet tables"
	ReasonInputTable  = "must be the table of appeal cases or of amendment records"
)

// fromCanonical takes over a fault of the JSON itself. Of its path only the names that known accepts are kept, from
// the top down to the first one it does not; what lies under the private member is never pointed into.
func fromCanonical(fault *canonical.Fault, known func(name string) bool) *shape.Fault {
	private := false
	return shape.FaultOf(fault, func(_ int, step canonical.Step) bool {
		shown := !private && (step.IsIndex || known(step.Name))
		private = private || !step.IsIndex && step.Name == privateMember
		return shown
	})
}

// WriteTerm writes a word, or null for an absent one. Words are plain ASCII.
func WriteTerm[K terms.Kind](w *ordered.Writer, word terms.Term[K]) { w.Word(word.String()) }

func WriteTerms[K terms.Kind](w *ordered.Writer, words []terms.Term[K]) {
	w.OpenList()
	for _, word := range words {
		WriteTerm(w, word)
	}
	w.CloseList()
}
