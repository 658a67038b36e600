package canonical_test

import (
	"fmt"
	"strings"
	"testing"

	"docket/domain/canonical"
)

// pathText writes a path as /name/0/name; the names of these tests hold no slash.
func pathText(path []canonical.Step) string {
	var b strings.Builder
	for _, s := range path {
		if s.IsIndex {
			fmt.Fprintf(&b, "/%d", s.Index)
		} else {
			b.WriteString("/" + s.Name)
		}
	}
	return b.String()
}

type refusal struct {
	src    string
	offset int
	path   string
	reason string
}

func checkRefusals(t *testing.T, cases []refusal) {
	t.Helper()
	var doc canonical.Document
	for _, c := range cases {
		fault := doc.Parse([]byte(c.src), canonical.Limits{})
		if fault == nil {
			t.Errorf("%q is accepted, want %q", c.src, c.reason)
			continue
		}
		if fault.Reason != c.reason || fault.Offset != c.offset || pathText(fault.Path) != c.path {
			t.Errorf("%q: %q at %d in %q, want %q at %d in %q", c.src,
				fault.Reason, fault.Offset, pathText(fault.Path), c.reason, c.offset, c.path)
		}
		if doc.Root().Exists() {
			t.Errorf("%q is refused and leaves a root", c.src)
		}
	}
}

func TestBrokenStructureIsRefused(t *testing.T) {
	checkRefusals(t, []refusal{
		{"", 0, "", canonical.ReasonEmpty},
		{" \t\r\n", 4, "", canonical.ReasonEmpty},
		{"\xEF\xBB\xBF{}", 0, "", canonical.ReasonByteOrderMark},
		{"\xEF\xBB\xBF", 0, "", canonical.ReasonByteOrderMark},
		{"\xFE\xFF\x00{", 0, "", canonical.ReasonUTF8},
		{"{} x", 3, "", canonical.ReasonTrailing},
		{"1 2", 2, "", canonical.ReasonTrailing},
		{"{}{}", 2, "", canonical.ReasonTrailing},
		{"null\x00", 4, "", canonical.ReasonTrailing},
		{"// note\n1", 0, "", canonical.ReasonUnexpected},
		{"[1 /* note */]", 3, "", canonical.ReasonUnexpected},
		{"\f1", 0, "", canonical.ReasonUnexpected},
		{"\u00a01", 0, "", canonical.ReasonUnexpected},
		{"[", 1, "", canonical.ReasonEnd},
		{"[1", 2, "", canonical.ReasonEnd},
		{"[1,", 3, "", canonical.ReasonEnd},
		{"[,1]", 1, "", canonical.ReasonUnexpected},
		{"[1,]", 3, "", canonical.ReasonUnexpected},
		{"[1,,2]", 3, "", canonical.ReasonUnexpected},
		{"[1}", 2, "", canonical.ReasonUnexpected},
		{"]", 0, "", canonical.ReasonUnexpected},
		{"{", 1, "", canonical.ReasonEnd},
		{`{"a"`, 4, "", canonical.ReasonEnd},
		{`{"a":`, 5, "", canonical.ReasonEnd},
		{`{"a":1`, 6, "", canonical.ReasonEnd},
		{`{"a":1,`, 7, "", canonical.ReasonEnd},
		{`{"a":1,}`, 7, "", canonical.ReasonUnexpected},
		{`{"a" 1}`, 5, "", canonical.ReasonUnexpected},
		{`{"a":}`, 5, "", canonical.ReasonUnexpected},
		{`{a:1}`, 1, "", canonical.ReasonUnexpected},
		{`{'a':1}`, 1, "", canonical.ReasonUnexpected},
		{`{1:1}`, 1, "", canonical.ReasonUnexpected},
		{`{"a":1 "b":2}`, 7, "", canonical.ReasonUnexpected},
		{`{"a":[1,{"b":[}]}]}`, 14, "/a/1/b", canonical.ReasonUnexpected},
		{"tru", 3, "", canonical.ReasonEnd},
		{"trux", 3, "", canonical.ReasonUnexpected},
		{"True", 0, "", canonical.ReasonUnexpected},
		{"[nul]", 4, "", canonical.ReasonUnexpected},
		{"falsey", 5, "", canonical.ReasonTrailing},
		{"undefined", 0, "", canonical.ReasonUnexpected},
	})
}

func TestBrokenTextsAreRefused(t *testing.T) {
	checkRefusals(t, []refusal{
		{`"a`, 2, "", canonical.ReasonEnd},
		{`"a\`, 3, "", canonical.ReasonEnd},
		{`"a\"`, 4, "", canonical.ReasonEnd},
		{`["x","\u12`, 10, "/1", canonical.ReasonEnd},
		{`"\u`, 3, "", canonical.ReasonEnd},
		{"\"a\nb\"", 2, "", canonical.ReasonControl},
		{"\"\\n\x00\"", 3, "", canonical.ReasonControl},
		{"\"long enough for words\x1f\"", 22, "", canonical.ReasonControl},
		{"{\"a\tb\":1}", 3, "", canonical.ReasonControl},
		{`"\x41"`, 1, "", canonical.ReasonEscape},
		{`"\'"`, 1, "", canonical.ReasonEscape},
		{`"\U0041"`, 1, "", canonical.ReasonEscape},
		{`"\u00g0"`, 1, "", canonical.ReasonEscape},
		{`"\u+123"`, 1, "", canonical.ReasonEscape},
		{`["ok",{"k":"\u12"}]`, 12, "/1/k", canonical.ReasonEscape},
		{`"\ud83d"`, 1, "", canonical.ReasonSurrogate},
		{`"\ude00"`, 1, "", canonical.ReasonSurrogate},
		{`"\udc00"`, 1, "", canonical.ReasonSurrogate},
		{`"\udfff"`, 1, "", canonical.ReasonSurrogate},
		{`"\ud800\udbff"`, 1, "", canonical.ReasonSurrogate},
		{`"\ud800\ue000"`, 1, "", canonical.ReasonSurrogate},
		{`"\ude00\ud83d"`, 1, "", canonical.ReasonSurrogate},
		{`"\ud83d\ud83d"`, 1, "", canonical.ReasonSurrogate},
		{`"\ud83d\u0041"`, 1, "", canonical.ReasonSurrogate},
		{`"\ud83dx\ude00"`, 1, "", canonical.ReasonSurrogate},
		{`"\ud83d\n"`, 1, "", canonical.ReasonSurrogate},
		{`{"\ud800":1}`, 2, "", canonical.ReasonSurrogate},
		{"\"a\xff\"", 2, "", canonical.ReasonUTF8},
		{"\"\\t\x80\"", 3, "", canonical.ReasonUTF8},
		{"\"a\x80\"", 2, "", canonical.ReasonUTF8},
		{"\"\xc0\xaf\"", 1, "", canonical.ReasonUTF8},
		{"\"\xed\xa0\x80\"", 1, "", canonical.ReasonUTF8},
		{"\"\xf4\x90\x80\x80\"", 1, "", canonical.ReasonUTF8},
		{"\"\xe2\x82\"", 1, "", canonical.ReasonUTF8},
		{"\"\xe2\x82", 1, "", canonical.ReasonUTF8},
		{"{\"a\":{\"\xff\":1}}", 7, "/a", canonical.ReasonUTF8},
		{"[\xff]", 1, "", canonical.ReasonUTF8},
		{"[1\xff]", 2, "", canonical.ReasonUTF8},
	})
}

func TestDoubtfulNumbersAreRefused(t *testing.T) {
	checkRefusals(t, []refusal{
		{"[01]", 1, "/0", canonical.ReasonNumber},
		{"-01", 0, "", canonical.ReasonNumber},
		{"00", 0, "", canonical.ReasonNumber},
		{"+1", 0, "", canonical.ReasonNumber},
		{".5", 0, "", canonical.ReasonNumber},
		{"-.5", 0, "", canonical.ReasonNumber},
		{"1.", 0, "", canonical.ReasonNumber},
		{"1.e5", 0, "", canonical.ReasonNumber},
		{"1e", 0, "", canonical.ReasonNumber},
		{"1e+", 0, "", canonical.ReasonNumber},
		{"-", 0, "", canonical.ReasonNumber},
		{"-Infinity", 0, "", canonical.ReasonNumber},
		{"NaN", 0, "", canonical.ReasonUnexpected},
		{"Infinity", 0, "", canonical.ReasonUnexpected},
		{"[0x10]", 2, "", canonical.ReasonUnexpected},
		{"[1_000]", 2, "", canonical.ReasonUnexpected},
		{"[1.2.3]", 4, "", canonical.ReasonUnexpected},
		{"[1e5.0]", 4, "", canonical.ReasonUnexpected},
		{`{"a":[0,9007199254740992]}`, 8, "/a/1", canonical.ReasonNumberLarge},
		{"-9007199254740992", 0, "", canonical.ReasonNumberLarge},
		{"9007199254740993", 0, "", canonical.ReasonNumberLarge},
		{"9007199254740991.6", 0, "", canonical.ReasonNumberLarge},
		{"9.007199254740992e15", 0, "", canonical.ReasonNumberLarge},
		{"1e16", 0, "", canonical.ReasonNumberLarge},
		{"1e308", 0, "", canonical.ReasonNumberLarge},
		{"1e400", 0, "", canonical.ReasonNumberLarge},
		{"-1e400", 0, "", canonical.ReasonNumberLarge},
		{"1e10000000", 0, "", canonical.ReasonNumberLarge},
		{"1e" + strings.Repeat("9", 60), 0, "", canonical.ReasonNumberLarge},
		{"1e-400", 0, "", canonical.ReasonNumberRounded},
		{"-2e-324", 0, "", canonical.ReasonNumberRounded},
		{"1e-10000000", 0, "", canonical.ReasonNumberRounded},
		{"0.00001e-99999999999999999999", 0, "", canonical.ReasonNumberRounded},
		{"1.00000000000000000001", 0, "", canonical.ReasonNumberRounded},
		{"0.99999999999999999999", 0, "", canonical.ReasonNumberRounded},
		{"4503599627370497.25e0", 0, "", canonical.ReasonNumberRounded},
		{"10000000000000000001e-19", 0, "", canonical.ReasonNumberRounded},
		{"4503599627370497300e-3", 0, "", canonical.ReasonNumberRounded},
		{strings.Repeat("1", 65), 0, "", canonical.ReasonNumberLength},
		{"0." + strings.Repeat("0", 62) + "1", 0, "", canonical.ReasonNumberLength},
		{strings.Repeat("1", 64) + ".5", 0, "", canonical.ReasonNumberLength},
		{strings.Repeat("1", 64) + "e5", 0, "", canonical.ReasonNumberLength},
		{strings.Repeat("0", 100), 0, "", canonical.ReasonNumberLength},
	})
}

func TestMemberNameThatStandsTwiceIsRefused(t *testing.T) {
	many := make([]string, 0, 40)
	for i := range 40 {
		many = append(many, fmt.Sprintf(`"%02d":0`, i*7%40))
	}
	long := "{" + strings.Join(many, ",") + `,"21":1,"21":2}`
	checkRefusals(t, []refusal{
		{`{"a":1,"a":2}`, 7, "", canonical.ReasonDuplicate},
		{`{"a":1,"a":1}`, 7, "", canonical.ReasonDuplicate},
		{`{"b":1,"a":2,"b":3}`, 13, "", canonical.ReasonDuplicate},
		{`{"a":1,"\u0061":2}`, 7, "", canonical.ReasonDuplicate},
		{`{"\u00e9":1,"z":0,"é":2}`, 18, "", canonical.ReasonDuplicate},
		{`{"\ud83d\ude00":1,"😀":2}`, 18, "", canonical.ReasonDuplicate},
		{`{"":1,"":2}`, 6, "", canonical.ReasonDuplicate},
		{`{"z":0,"y":1,"z":2,"y":3,"a":4}`, 13, "", canonical.ReasonDuplicate},
		{`{"x":[0,{"a":{"k":1,"k":2},"b":1}]}`, 20, "/x/1/a", canonical.ReasonDuplicate},
		{long, strings.Index(long, `"21":1`), "", canonical.ReasonDuplicate},
	})
	accepted := []string{`{"a":1,"A":2}`, `{"a":1,"a\u0000":2,"":3}`, "{\"\u00e9\":1,\"e\u0301\":2}", `[{"a":1},{"a":1}]`}
	for _, src := range accepted {
		var doc canonical.Document
		if fault := doc.Parse([]byte(src), canonical.Limits{}); fault != nil {
			t.Errorf("%q: %v", src, fault)
		}
	}
}

func TestFaultShowsNothingOfTheInput(t *testing.T) {
	var doc canonical.Document
	fault := doc.Parse([]byte(`{"secret":{"alias":"hidden","alias":01}}`), canonical.Limits{})
	if got, want := fault.Error(), "malformed number at byte 36"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLineCountsLineFeeds(t *testing.T) {
	src := []byte("a\nb\r\n\nc")
	for offset, want := range map[int]int{-1: 1, 0: 1, 1: 1, 2: 2, 5: 3, 6: 4, 7: 4, 99: 4} {
		if got := canonical.Line(src, offset); got != want {
			t.Errorf("offset %d: line %d, want %d", offset, got, want)
		}
	}
}
