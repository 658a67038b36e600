package json_test

import (
	stdjson "encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/gowebpki/jcs"
	"pgregory.net/rapid"

	"docket/domain/json"
)

func parse(t testing.TB, src string) json.Value {
	t.Helper()
	doc := new(json.Document)
	if fault := doc.Parse([]byte(src), json.Limits{}); fault != nil {
		t.Fatalf("%q: %v", src, fault)
	}
	return doc.Root()
}

func TestOnlyTheOutermostMemberIsLeftOut(t *testing.T) {
	root := parse(t, `{"hash":1,"b":{"hash":2},"a":[{"hash":3}]}`)
	if got, want := string(root.AppendCanonical([]byte("> "), "hash")), `> {"a":[{"hash":3}],"b":{"hash":2}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := string(root.Member("b").AppendCanonical(nil, "hash")), `{}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := string(root.Member("a").AppendCanonical(nil, "hash")), `[{"hash":3}]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestChosenMembersAreWrittenInOrder(t *testing.T) {
	root := parse(t, `{"x":0,"subjectId":"s","subject":{"b":1,"a":2}}`)
	if got, want := string(root.AppendMembers(nil, nil, "subjectId", "scope", "subject")), `{"subject":{"a":2,"b":1},"subjectId":"s"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := string(root.AppendMembers(nil, nil)); got != "{}" {
		t.Errorf("no names: %s", got)
	}
	if got := root.Member("x").AppendMembers(nil, nil, "x"); got != nil {
		t.Errorf("not an object: %s", got)
	}
}

func TestTextsAreReplacedAndNamesAreNot(t *testing.T) {
	root := parse(t, `{"mail":"mail","list":["mail",1,{"m\n":"mail\n"}],"other":"o","hash":"mail"}`)
	got := string(root.AppendCanonicalWith(nil, "hash", func(dst []byte, v json.Value) ([]byte, bool) {
		if !strings.HasPrefix(v.Text(), "mail") {
			return dst, false
		}
		return append(json.AppendString(append(dst, `{"was":`...), v.Name()), '}'), true
	}))
	want := `{"list":[{"was":""},1,{"m\n":{"was":"m\n"}}],"mail":{"was":"mail"},"other":"o"}`
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestWrittenTextsAreEscaped(t *testing.T) {
	for s, want := range map[string]string{
		"":                         `""`,
		"plain é 😀":                `"plain é 😀"`,
		"\x00\x01\b\t\n\v\f\r\x1f": `"\u0000\u0001\b\t\n\u000b\f\r\u001f"`,
		"\"\\/<>&\x7f\u2028":       "\"\\\"\\\\/<>&\x7f\u2028\"",
		"a\xff\xfeb":               "\"a\uFFFDb\"",
	} {
		if got := string(json.AppendString(nil, s)); got != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	}
	if got := string(json.AppendInt([]byte("n="), -9007199254740991)); got != "n=-9007199254740991" {
		t.Error(got)
	}
}

// anyJSON draws values as encoding/json would write them.
func anyJSON(depth int) *rapid.Generator[any] {
	kinds := []*rapid.Generator[any]{
		rapid.Just[any](nil),
		rapid.Bool().AsAny(),
		rapid.String().AsAny(),
		rapid.Int64Range(1-1<<53, 1<<53-1).AsAny(),
		rapid.Float64Range(-1e15, 1e15).AsAny(),
		rapid.Float64Range(-1e-6, 1e-6).AsAny(),
	}
	if depth > 0 {
		kinds = append(kinds,
			rapid.SliceOfN(anyJSON(depth-1), 0, 5).AsAny(),
			rapid.MapOfN(rapid.String(), anyJSON(depth-1), 0, 20).AsAny())
	}
	return rapid.OneOf(kinds...)
}

func TestCanonicalFormIsAFixedPoint(t *testing.T) {
	var doc json.Document
	rapid.Check(t, func(t *rapid.T) {
		text, number := rapid.OneOf(rapid.String(), rapid.SampledFrom(naughty)).Draw(t, "text"), rapid.Int64Range(1-1<<53, 1<<53-1).Draw(t, "number")
		double := rapid.Float64Range(1-1<<53, 1<<53-1).Draw(t, "double")
		text = strings.ToValidUTF8(text, "\ufffd")
		src, err := stdjson.Marshal(map[string]any{"any": anyJSON(3).Draw(t, "value"), "text" + text: text, "number": number, "double": double})
		if err != nil {
			t.Fatal(err)
		}
		if fault := doc.Parse(src, json.Limits{}); fault != nil {
			t.Fatalf("%s: %v", src, fault)
		}
		root := doc.Root()
		n, isInteger := root.Member("number").Integer()
		f, isFloat := root.Member("double").Float()
		if got := root.Member("text" + text); got.Text() != text || string(got.AppendCanonical(nil, "")) != string(json.AppendString(nil, text)) ||
			!isInteger || n != number || !isFloat || f != double {
			t.Fatalf("%s: %q, %d, %v", src, got.Text(), n, f)
		}
		once := doc.Root().AppendCanonical(nil, "")
		if fault := doc.Parse(once, json.Limits{}); fault != nil {
			t.Fatalf("%s: %v", once, fault)
		}
		if twice := doc.Root().AppendCanonical(nil, ""); string(twice) != string(once) {
			t.Fatalf("%s becomes %s", once, twice)
		}
		peer, err := jcs.Transform(src)
		if err != nil || string(peer) != string(once) {
			t.Fatalf("%s: got %s, the peer %s %v", src, once, peer, err)
		}
	})
}

// Doubles of all sizes that a number may have are written as the peer writes them.
func TestRandomDoublesPrintAsThePeerPrintsThem(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var doc json.Document
	for tried := 0; tried < 100_000; {
		f := math.Float64frombits(random.Uint64())
		if math.Abs(f) >= 1<<53 || f != f {
			continue
		}
		tried++
		want, err := jcs.NumberToJSON(f)
		if err != nil {
			t.Fatal(err)
		}
		src := strconv.AppendFloat(nil, f, 'e', -1, 64)
		if fault := doc.Parse(src, json.Limits{}); fault != nil || string(doc.Root().AppendCanonical(nil, "")) != want {
			t.Fatalf("%s: %v %s, want %s", src, fault, doc.Root().AppendCanonical(nil, ""), want)
		}
	}
}

func TestMembersComeInTheOrderOfTheirCodeUnits(t *testing.T) {
	letter := rapid.SampledFrom([]rune("\x00a\u007f\u0080éÿ\ud7ff\ue000\uf900\uffff\U00010000😀\U0010ffff"))
	name := rapid.StringOfN(letter, 0, 12, -1)
	var doc json.Document
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(name, 0, 40, rapid.ID).Draw(t, "names")
		src := []byte{'{'}
		for i, n := range names {
			if i > 0 {
				src = append(src, ',')
			}
			src = append(json.AppendString(src, n), ":0"...)
		}
		if fault := doc.Parse(append(src, '}'), json.Limits{}); fault != nil {
			t.Fatalf("%s: %v", src, fault)
		}
		slices.SortFunc(names, func(a, b string) int {
			return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
		})
		var got []string
		for m := doc.Root().First(); m.Exists(); m = m.Next() {
			got = append(got, m.Name())
		}
		if !slices.Equal(got, names) {
			t.Fatalf("got %q, want %q", got, names)
		}
	})
}

func TestADocumentIsReadByTheTagsOfItsStructOnlyAsItWasWritten(t *testing.T) {
	type kept struct {
		Text string `json:"text"`
		Size int64  `json:"size"`
	}
	for _, want := range []kept{{}, {"a <b> \u2028 \x01 東", 1 << 52}} {
		if got, ok := json.ReadCanonical[kept](json.Canonical(want)); !ok || got != want {
			t.Errorf("%+v is read as %+v, %t", want, got, ok)
		}
	}
	for _, text := range []string{"", "null", `{"size":0}`, `{"text":"","size":0}`, `{"size":0,"text":""} `, `{"size":0,"text":"","more":1}`, `{"Size":0,"text":""}`,
		`{"size":0,"size":0,"text":""}`, `{"size":1.0,"text":""}`, `{"size":9007199254740993,"text":""}`, `{"size":0,"text":null}`, "{\"size\":0,\"text\":\"\xff\"}",
		`{"size":0,"text":"\u0041"}`, `{"size":0,"text":"\ud800"}`} {
		if got, ok := json.ReadCanonical[kept]([]byte(text)); ok || got != (kept{}) {
			t.Errorf("%s is read as %+v", text, got)
		}
	}
}
