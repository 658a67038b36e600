package packets

import (
	"slices"
	"strings"
	"unicode/utf8"

	"docket/domain/json"
	"docket/domain/private"
	"docket/domain/terms"
)

// A Member and a ShapeOf read an object into what R, a pointer, points to.
type (
	Member[R any]  = json.Member[Reading, R]
	ShapeOf[R any] = json.Reader[Reading, R]
)

// Reading is what the reading of one record carries along.
type Reading struct {
	stored   bool       // masks and places of texts are allowed: the record comes from a store
	texts    json.Value // that are kept apart from a stored record
	masked   bool       // a text held private details, or is withheld
	leaked   bool       // one in a stored record does, or ought to be
	erased   bool       // a text is no longer there
	withheld bool       // every text is masked: the source does not call the case redacted
	placed   int        // texts that were put back into their places
	sums     Digests    // over the record as it came, without Record
}

// restore puts the texts that are kept apart back into their places; it implements json.Replace.
func (in *Reading) restore(dst []byte, v json.Value) ([]byte, bool) {
	if v.Kind() != json.KindObject || !freeTexts[v.Name()] {
		return dst, false
	}
	text := in.texts.Member(v.Name())
	if !text.Exists() {
		return dst, false
	}
	return text.AppendCanonical(dst, ""), true
}

// The constructors of the members of records follow; see package json.

func readMember[R, T any](name string, form json.Form, at func(R) *T, read func(json.Value, *Reading) (T, *json.Fault)) Member[R] {
	return json.NewMember(name, form, func(r R, v json.Value, in *Reading) (fault *json.Fault) {
		*at(r), fault = read(v, in)
		return fault
	})
}

func IDMember[R any](name string, at func(R) *terms.ID) Member[R] {
	return readMember(name, json.Form{Kind: json.FormID}, at, readID)
}

func TimeMember[R any](name string, at func(R) *terms.Instant) Member[R] {
	return json.NewMember(name, json.Form{Kind: json.FormTime}, func(r R, v json.Value, _ *Reading) *json.Fault {
		instant, ok := terms.ParseInstantBytes(v.Bytes())
		*at(r) = instant
		return json.FaultUnless(ok && v.Kind() == json.KindString, v, json.WantTime)
	})
}

func HashMember[R any](name string, at func(R) *terms.Hash) Member[R] {
	return json.NewMember(name, json.Form{Kind: json.FormHash}, func(r R, v json.Value, _ *Reading) *json.Fault {
		hash, ok := terms.ParseHashBytes(v.Bytes())
		*at(r) = hash
		return json.FaultUnless(ok && v.Kind() == json.KindString, v, json.WantHash)
	})
}

func flagMember[R any](name string, at func(R) *terms.Flag) Member[R] {
	return json.NewMember(name, json.Form{Kind: json.FormFlag}, func(r R, v json.Value, _ *Reading) *json.Fault {
		switch v.Kind() {
		case json.KindTrue:
			*at(r) = terms.FlagYes
		case json.KindFalse:
			*at(r) = terms.FlagNo
		default:
			return json.FaultAt(v, json.WantFlag)
		}
		return nil
	})
}

func textMember[R any](name string, at func(R) *Text) Member[R] {
	return readMember(name, json.Form{Kind: json.FormText}, at, readText)
}

func TermMember[R any, K terms.Kind](name string, at func(R) *terms.Term[K]) Member[R] {
	return readMember(name, json.Form{Kind: json.FormWord, Words: terms.Terms[K]{}.Texts()}, at, readTerm[K])
}

func TermsMember[R any, K terms.Kind](name string, at func(R) *terms.Set[K]) Member[R] {
	return readMember(name, setOfWords[K](), at, readTerms[K])
}

func declaredMember[R any, K terms.Kind](name string, at func(R) *terms.Declared[K]) Member[R] {
	return json.NewMember(name, setOfWords[K](), func(r R, v json.Value, in *Reading) *json.Fault {
		words, fault := readTerms[K](v, in)
		if fault == nil {
			*at(r) = terms.Declare(words)
		}
		return fault
	})
}

func idsMember[R any](name string, at func(R) *[]terms.ID) Member[R] {
	return readMember(name, json.Form{Kind: json.FormIDs, Unique: true}, at, readIDs)
}

func setOfWords[K terms.Kind]() json.Form {
	return json.Form{Kind: json.FormWords, Words: terms.Terms[K]{}.Texts(), Unique: true}
}

func readID(v json.Value, _ *Reading) (terms.ID, *json.Fault) {
	if v.Kind() != json.KindString || !terms.IsID(v.Bytes()) {
		return "", json.FaultAt(v, json.WantID)
	}
	return terms.ID(v.Text()), nil
}

// readIDs reads a list of ids, unique but in a record that was stored before that was asked for.
func readIDs(v json.Value, in *Reading) ([]terms.ID, *json.Fault) {
	ids, fault := readList(v, in, readID)
	if fault != nil {
		return nil, fault
	}
	if !in.stored && len(ids) > 1 {
		sorted := slices.Sorted(slices.Values(ids))
		if len(slices.Compact(sorted)) < len(ids) {
			return nil, json.FaultAt(v, json.ReasonRepeated)
		}
	}
	return ids, nil
}

func readTerm[K terms.Kind](v json.Value, _ *Reading) (terms.Term[K], *json.Fault) {
	if v.Kind() != json.KindString {
		return 0, json.FaultAt(v, json.WantString)
	}
	word := terms.Terms[K]{}.ParseBytes(v.Bytes())
	if !word.Present() {
		return 0, json.FaultAt(v, json.WantWord+terms.Terms[K]{}.Name())
	}
	return word, nil
}

func readTerms[K terms.Kind](v json.Value, in *Reading) (terms.Set[K], *json.Fault) {
	if v.Kind() != json.KindArray {
		return 0, json.FaultAt(v, json.WantList)
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
		return 0, json.FaultAt(v, json.ReasonRepeated)
	}
	return set, nil
}

// readText scans the text before anything else sees it; of private details only kinds are left.
func readText(v json.Value, in *Reading) (Text, *json.Fault) {
	if in.stored && v.Kind() == json.KindObject {
		if v.Member(placeMember).Exists() {
			return readPlace(v, in)
		}
		in.masked = true
		return readMask(v)
	}
	if v.Kind() != json.KindString {
		return Text{}, json.FaultAt(v, json.WantString)
	}
	text := v.Bytes()
	if length := utf8.RuneCount(text); length < 1 || length > MaxTextLength {
		return Text{}, json.FaultAt(v, json.WantText)
	}
	if slices.Contains(text, 0) {
		return Text{}, json.FaultAt(v, json.ReasonNUL)
	}
	value := v.Text()
	if kinds := keptBack(v, in.withheld); !kinds.Empty() {
		in.masked, in.leaked = true, in.stored
		return Text{kinds: kinds, present: Legible(value)}, nil
	}
	return Text{value: value, present: Legible(value)}, nil
}

// keptBack returns the private details for which a string is not kept, or that all are withheld. The
// version of a contract that docket judges by is always kept.
func keptBack(v json.Value, withheld bool) private.Kinds {
	text := v.Text()
	if v.Name() == versionName && (text == terms.AppealContract.Version || text == terms.AmendmentContract.Version) {
		return 0
	}
	kinds := private.ScanString(text)
	if withheld {
		kinds = kinds.With(private.Unredacted)
	}
	return kinds
}

const maxVersion = 200

func readVersion(v json.Value, in *Reading) (Text, *json.Fault) {
	value := v.Text()
	unprintable := strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' })
	if v.Kind() == json.KindString && (value == "" || len(value) > maxVersion || unprintable) {
		return Text{}, json.FaultAt(v, json.WantPrintable)
	}
	return readLoose(v, in)
}

// readString reads a string that is no text. It is masked like one, but for a version that is known.
func readString(v json.Value, in *Reading) (string, *json.Fault) {
	loose, fault := readLoose(v, in)
	return loose.String(), fault
}

func readLoose(v json.Value, in *Reading) (Text, *json.Fault) {
	if in.stored && v.Kind() == json.KindObject {
		in.masked = true
		return readMask(v)
	}
	if v.Kind() != json.KindString {
		return Text{}, json.FaultAt(v, json.WantString)
	}
	value := v.Text()
	if kinds := keptBack(v, in.withheld); !kinds.Empty() {
		in.masked, in.leaked = true, in.stored
		return Text{kinds: kinds, present: true}, nil
	}
	return Text{value: value, present: true}, nil
}

// The members of a mask in a stored record; the second only if the text counts as absent.
const (
	maskMember   = "masked"
	absentMember = "absent"
)

// readMask reads {"masked": ["e-mail address", …]} or {"absent": true, "masked": [...]}.
func readMask(v json.Value) (Text, *json.Fault) {
	list, members, text := v.Member(maskMember), 1, Text{present: true}
	if v.Member(absentMember).Kind() == json.KindTrue {
		members, text.present = 2, false
	}
	if v.Len() != members || list.Kind() != json.KindArray || list.Len() == 0 {
		return Text{}, json.FaultAt(v, reasonWantMask)
	}
	for element := list.First(); element.Exists(); element = element.Next() {
		kind := private.AllKinds.ParseBytes(element.Bytes())
		if !kind.Present() {
			return Text{}, json.FaultAt(v, reasonWantMask)
		}
		text.kinds = text.kinds.With(kind)
	}
	return text, nil
}

// placeMember stands for a text in a stored record: whether it has a visible character.
const placeMember = "text"

func appendPlace(dst []byte, legible bool) []byte {
	w := json.Append(dst)
	return w.Open().Name(placeMember).Bool(legible).Close().Text()
}

// readPlace reads {"text": true} and its text; a text that is missing was erased.
func readPlace(v json.Value, in *Reading) (Text, *json.Fault) {
	legible := v.Member(placeMember)
	if v.Len() != 1 || legible.Kind() != json.KindTrue && legible.Kind() != json.KindFalse {
		return Text{}, json.FaultAt(v, reasonWantPlace)
	}
	if !in.texts.Exists() {
		in.erased = true
		return Text{present: legible.Kind() == json.KindTrue, erased: true}, nil
	}
	text := in.texts.Member(v.Name())
	if text.Kind() != json.KindString {
		return Text{}, json.FaultAt(v, reasonWantPlace)
	}
	in.placed++
	read, fault := readText(text, in)
	if fault == nil && !read.Masked() && read.present != (legible.Kind() == json.KindTrue) {
		fault = json.FaultAt(v, reasonWantPlace)
	}
	return read, fault
}

// TermListMember reads a list of words in its own order.
func TermListMember[R any, K terms.Kind](name string, at func(R) *[]terms.Term[K]) Member[R] {
	return readMember(name, json.Form{Kind: json.FormWords, Words: terms.Terms[K]{}.Texts()}, at,
		func(v json.Value, in *Reading) ([]terms.Term[K], *json.Fault) {
			return readList(v, in, readTerm[K])
		})
}

func readList[T any](v json.Value, in *Reading, read func(json.Value, *Reading) (T, *json.Fault)) ([]T, *json.Fault) {
	if v.Kind() != json.KindArray {
		return nil, json.FaultAt(v, json.WantList)
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

// The reasons that refuse a packet, in addition to those of package json.
const (
	reasonWantMask    = "is not the mask of a text"
	reasonWantPlace   = "is not the place of a text, or its text differs"
	reasonPrivateText = "holds private details that have to be taken out first: "
	reasonRecordSize  = "is over 1 MiB"
	reasonPacketTable = "must be one of the four packet tables"
	ReasonInputTable  = "must be the table of appeal cases or of amendment records"
)

// WriteTerm writes a word, or null for an absent one. Words are plain ASCII.
func WriteTerm[K terms.Kind](w *json.Writer, word terms.Term[K]) { w.StringOrNull(word.String()) }

func WriteTerms[K terms.Kind](w *json.Writer, words []terms.Term[K]) {
	w.OpenList()
	for _, word := range words {
		WriteTerm(w, word)
	}
	w.CloseList()
}
