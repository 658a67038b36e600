package json_test

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"docket/domain/json"

	"github.com/gowebpki/jcs"
)

// naughty holds texts, whole and broken, that readers of JSON disagree about.
var naughty = []string{
	"", " ", "null", "[]", "{}", `""`, `"\u0000"`, "\xEF\xBB\xBF[]", "[1,]", `{"a":1,}`, `{"a":1,"a":2}`,
	`{"a":1,"\u0061":2}`, `{"b":1,"a":[{"d":"\ud83d\ude00","c":-0}]}`, `"\ud800"`, `"\udc00\ud800"`, `"\ud83d\u0041"`,
	"\"\xff\"", "\"\xed\xa0\x80\"", "\"\xc0\x80\"", "\"\x00\"", "\"\x7f\"", "\"\u2028\u2029\ufeff\u202e\"", `"\/\b\f\n\r\t\"\\"`,
	"01", "-", "-01", "1.", ".5", "+1", "1e", "1E+2", "1e400", "-1e400", "1e-400", "1e10000000", "-0", "-0.0", "0e0",
	"9007199254740991", "9007199254740992", "9007199254740993", "333333333.33333329", "5e-324", "2e-324", "1e21", "1e-7",
	"0.1e1", "1.00000000000000000001", "123456789012345678901234567890", "NaN", "Infinity", "0x1F", "1_0", "1 2", "[1 2]", "tru e", "truetrue",
	"// c\n1", "/**/1", "'a'", "{a:1}", "[[[[[[[[]]]]]]]]", `{"a":{"a":{"a":{}}}}`, "[1}", "{]", "\x00", "\u00a0[]", "[]\x00",
	`{"\ufb33":1,"\ud83d\ude00":2,"\u20ac":3,"\r":4,"1":5,"\u0080":6,"\u00f6":7}`,
	`{"":0,"\u0000":1,"\u0000\u0000":2,"constructor":3,"__proto__":4,"ſtatus":5,"status":6,"STATUS":7}`,
	"[\"\u03a9\u2248\u7530\",\"\u202atest\u202e\",\"\u200b\ufeff\",\"1;DROP TABLE users\",\"%s%n\",\"../../etc/passwd\"]",
	`["\u001b[31m","\\\\","\u202e\u200b\u009b"]`,
	`"\uD83D\uDE00\ud83d"`, `"12345678\"12345678\\1234567\u00e9"`, `"1234567é1234567"`, "\"1234567\x1f\"",
	`{"a":1,"A":2}`, `{"a":1,"a\u0000":2,"":3}`, "{\"\u00e9\":1,\"e\u0301\":2}", `[{"a":1},{"a":1}]`, // names that only look alike
	// values that have one canonical form in several writings
	"\ttrue\n", "false\r", "[ ]", "{ }", `[1 ,[ ] , { "a" : [ ] } ]`, `{"b":{"d":1,"c":2},"a":[{},"x"]}`,
	`"\u0041\/\u000f\u001F\b\f\n\r\t"`, `"\ud7ff\ud800\udc00\udbff\udfff\ue000"`, `"\"\\\u0022\u005C\u002f"`,
	`"\u20ac$\u000F\nA'B\"\\\"\/"`, "\"\x7f\u0080\u2028\uffff\"", `"\u007f\u0080\u2028\uFFFF\u0000"`,
	`"\ud83d\ude00\uD834\udd1e"`, `{"\u0061\n":0,"\"":1}`, `{"é\t":0,"\u00e9":1}`, "[-0,-0.0,0e9,-0e-9,0.000]",
	"[1.0,1E2,-1e+2,100e-2,12.50]", "-9007199254740991.0", "-123456789012345", "[999999999999999,1000000000000000]",
	"[4.50,2e-3,0.000001,0.0000001,1e-27]", "0.1000000000000000055511151231", "[-5e-324,9.999999999999997e-7]",
	"[333333333.33333325,333333333.33333343]", "-0.0000033333333333333333", "[1424953923781206.2,1000000000000000.1]",
}

// strictness lists the reasons for which more is refused than the peer refuses.
var strictness = map[string]bool{
	json.ReasonDepth: true, json.ReasonNumberLarge: true,
	json.ReasonNumberLength: true, json.ReasonNumberRounded: true,
}

// FuzzParse holds the reader against a peer that was written independently. The
// Document is reused on purpose: nothing of one text may remain in the next.
// Coverage then depends on earlier inputs, which keeps the minimizer busy in
// vain; run it with -fuzzminimizetime 20x.
func FuzzParse(f *testing.F) {
	for _, s := range naughty {
		f.Add([]byte(s))
	}
	f.Add([]byte(strings.Repeat("[", 64) + strings.Repeat("]", 64)))
	f.Add([]byte(strings.Repeat(`{"a":`, 65) + "1" + strings.Repeat("}", 65)))
	f.Add(amendment(f))
	for _, common := range []string{"", "1234567", "12345678", "12345678901234567", "ééé", "ééé1"} { // surrogates come before U+FFFD
		f.Add(fmt.Appendf(nil, `{"%[1]s\ufffd":1,"%[1]s\U0010ffff":2,"%[1]s\ud7ff":3,"%[1]s":4}`, common))
	}
	var doc json.Document
	f.Fuzz(func(t *testing.T, src []byte) {
		before := bytes.Clone(src)
		fault := doc.Parse(src, json.Limits{})
		peer, err := jcs.Transform(src)
		if fault != nil {
			checkFault(t, src, fault, err == nil)
			return
		}
		if err != nil {
			t.Fatalf("%q is accepted; the peer says %v", src, err)
		}
		if !stdjson.Valid(src) {
			t.Fatalf("%q is accepted and is not JSON", src)
		}
		got := doc.Root().AppendCanonical(nil, "")
		if !bytes.Equal(got, peer) {
			t.Fatalf("%q: got %s, the peer %s", src, got, peer)
		}
		checkTree(t, src, doc.Root())
		if !bytes.Equal(src, before) {
			t.Fatal("the input was changed")
		}
	})
}

func checkFault(t *testing.T, src []byte, fault *json.Fault, peerAccepts bool) {
	t.Helper()
	if fault.Offset < 0 || fault.Offset > len(src) || fault.Reason == "" {
		t.Fatalf("%q: %+v", src, fault)
	}
	if peerAccepts && !strictness[fault.Reason] {
		t.Fatalf("%q is refused (%v) and the peer accepts it", src, fault)
	}
}

// checkTree holds each value against its own piece of the text.
func checkTree(t *testing.T, src []byte, v json.Value) {
	t.Helper()
	var alone json.Document
	piece := src[v.Offset():v.End()]
	if fault := alone.Parse(piece, json.Limits{}); fault != nil || alone.Root().End() != len(piece) {
		t.Fatalf("%q in %q: %v", piece, src, fault)
	}
	if !bytes.Equal(alone.Root().AppendCanonical(nil, ""), v.AppendCanonical(nil, "")) {
		t.Fatalf("%q has a different value alone than in %q", piece, src)
	}
	if !utf8.Valid(v.Bytes()) || !utf8.Valid(v.NameBytes()) {
		t.Fatalf("%q holds broken UTF-8", src)
	}
	children, leaves := 0, 0
	for child := v.First(); child.Exists(); child = child.Next() {
		children++
		leaves += child.Leaves()
		checkTree(t, src, child)
	}
	if v.Kind() < json.KindArray {
		leaves = 1
	}
	if children != v.Len() || leaves != v.Leaves() {
		t.Fatalf("%q: %d children of %d, %d leaves of %d", piece, children, v.Len(), leaves, v.Leaves())
	}
}
