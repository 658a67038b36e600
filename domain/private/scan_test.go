package private

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// prose is 200 bytes of a review without any private detail, and without digits.
var prose = strings.Repeat("The record shows that the supplier was told in time and did not answer. ", 3)[:200]

// figures is 200 bytes of a review with many numbers, none of them private.
const figures = "Case case-2026-00017 of 2026-06-01T10:00:00Z: USD 12 500 of 30 000 000 (0.04%), section 2.3.6, ratio " +
	"1.25:1, lots 10-15, INV-2026-0001, version 1.2.3, filed 01.06.2026 and 2 more by 10:30 today now"

func TestOrdinaryProseHoldsNothingPrivate(t *testing.T) {
	expectNothing(t, []string{prose, figures, strings.Repeat(figures+"\n", 20)})
}

func TestKindsAreListedInOrder(t *testing.T) {
	got := ScanString("https://u:p@example.org DE89370400440532013000 +15555550100 4111111111111111 51.477,-0.001").Terms()
	if want := []Kind{Email, Phone, IBAN, PaymentCard, Coordinates, URLUserInfo}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestOrdinaryASCIITextIsScannedWithoutAllocating(t *testing.T) {
	if n := testing.AllocsPerRun(1000, func() {
		ScanString(prose)
		ScanString(figures)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestDigitsOfEveryScriptAreRead(t *testing.T) {
	runes := 0
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		if !unicode.Is(unicode.Nd, r) {
			continue
		}
		runes++
		want := byte('0' + runes - 1)
		if runes == 10 {
			runes = 0
		}
		if got := []byte(fold(string(r))); len(got) != 1 || got[0] != want {
			t.Errorf("%U folds to %q, want %q", r, got, want)
		}
	}
}

func TestFoldingLeavesNothingToFold(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		for _, b := range []byte(fold(string(r))) {
			if b >= 0x7f || b < ' ' && !is(b, isSpace) && b != foreign && b != symbol && b != degree && b != section && b != unspaced {
				t.Fatalf("%U folds to a byte %#x", r, b)
			}
		}
	}
}

func TestFoldingChangesNoPrintableASCII(t *testing.T) {
	for c := byte(' '); c < 0x7f; c++ {
		if got := fold(string(rune(c))); got != string(rune(c)) {
			t.Errorf("%q folds to %q", c, got)
		}
	}
}

func TestTwinsAndLatinLettersMatch(t *testing.T) {
	if len(twins) != len(latin) {
		t.Fatalf("%d twins of %d letters", len(twins), len(latin))
	}
}

func TestEvasionsAreFound(t *testing.T) {
	cases := []struct {
		kind  Kind
		texts []string
	}{
		{Email, []string{
			"reviewer＠example．org", "reviewer﹫example.org", "re\u200bviewer\u200b@\u200bexample.org", "reviewer\u00ad@example.org",
			"reviewer@example。org", "name\u00a0[at]\u00a0example\u00a0[dot]\u00a0org", "reviewer\x00@example.org", "reviewer\u2060＠x",
			"ｎａｍｅ　ａｔ　ｅｘａｍｐｌｅ　ｄｏｔ　ｏｒｇ", "reviewer％40example.org", "reviewer\xff@\xfeexample.org", "nameⓐexample.org",
		}},
		{Phone, []string{
			"５５５-５５５-０１００", "٥٥٥-٥٥٥-٠١٠٠", "५५५ ५५५ ०१००", "𝟓𝟓𝟓𝟓𝟓𝟓𝟎𝟏𝟎𝟎", "5\u200b5\u200b5\u200b5550100", "＋1 555 555 0100",
			"555\u00a0555\u00a00100", "555\u2009555\u202f0100", "555‐555‑0100", "555–555—0100", "555−555−0100", "555·555·0100",
			"⑤⑤⑤ ⑤⑤⑤ ⓪①⓪⓪", "❺❺❺-❺❺❺-⓿❶⓿⓿", "5\ufe0f\u20e35\ufe0f\u20e35\ufe0f\u20e3-555-0100", "（555）555-0100", "555\u2028555\u20290100",
			"555\x01555\x020100", "5\u03015\u03015-555-0100", "555\t555\n0100", "5\ue0005\ue0005-555-0100", "555\U000e0020-555-0100",
			"⁺¹ ⁵⁵⁵ ⁵⁵⁵ ⁰¹⁰⁰", "555\u3164-555-0100", "5\x7f55-555-0100", "5\x8055-555-0100", "5\xff55-555-0100", "555\u0085555\u00850100",
		}},
		{IBAN, []string{"ＤＥ８９ ３７０４ ００４４ ０５３２ ０１３０ ００", "DE89\u200b37040044\u200b0532013000", "ÐE89 DE89–3704–0044–0532–0130–00"}},
		{PaymentCard, []string{"４１１１ １１１１ １１１１ １１１１", "4111\u00a01111\u20031111\u20091111", "4111\u20111111\u20131111\u20141111", "४१११११११११११११११"}},
		{Coordinates, []string{"５１．４７７９２８，−０．００１５４５", "51.477\u200b928,\u2009-0.001545", "51٫477928؛ 0٫001545", "51·477928 0·001545"}},
		{URLUserInfo, []string{"https://user\u200b:secret＠example.org", "https:／／user@example.org", "https:∕∕user@example.org"}},
	}
	for _, c := range cases {
		expect(t, c.kind, true, c.texts)
	}
}

func TestInvisibleCharactersCannotSplitADetail(t *testing.T) {
	invisible := []string{"\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u034f", "\u180e", "\ufe0f", "\U000e0061",
		"\u202e", "\u0301", "\x00", "\x1b", "\x7f", "\u0080", "\ue000", "\u3164"}
	hits := everyHit(t)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom(hits).Draw(t, "text")
		var split strings.Builder
		for _, r := range text {
			if rapid.Bool().Draw(t, "split here") {
				split.WriteString(rapid.SampledFrom(invisible).Draw(t, "invisible"))
			}
			split.WriteRune(r)
		}
		if want, got := ScanString(text), ScanString(split.String()); got != want {
			t.Fatalf("%q: found %v; %q: found %v", text, want.Terms(), split.String(), got.Terms())
		}
	})
}

func TestADetailIsFoundWithinAnyProse(t *testing.T) {
	words := []string{"The record shows", "on 2026-06-01", "a total of USD 12 500.00", "see (b).", "Grüße", "東京", "section 2.3.6;", "\n"}
	hits := everyHit(t)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom(hits).Draw(t, "text")
		some := rapid.SliceOfN(rapid.SampledFrom(words), 0, 4)
		around := strings.Join(some.Draw(t, "before"), " ") + "\n: " + text + ", that is " + strings.Join(some.Draw(t, "after"), " ")
		if want, got := ScanString(text), ScanString(around); got&want != want {
			t.Fatalf("%q: found %v; %q: found %v", text, want.Terms(), around, got.Terms())
		}
	})
}

func TestProseStaysProseWhenFolded(t *testing.T) {
	misses := everyMiss(t)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom(misses).Draw(t, "text")
		if got := ScanString(text + " \u00a0– ü"); !got.Empty() {
			t.Fatalf("%q: found %v", text, got.Terms())
		}
	})
}

func TestWordsAreReadInAnyCase(t *testing.T) {
	const upper, lower = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"
	for _, text := range []string{upper, lower} {
		if !hasFold(text, 0, lower) {
			t.Errorf("%s is not read as %s", text, lower)
		}
	}
	if hasFold("@[", 0, "`{") {
		t.Error("marks are read as letters")
	}
}

func TestEscapesAreReadAsOftenAsTheyAreWritten(t *testing.T) {
	for _, text := range []string{"jane%40example.org", "jane%2540example.org", "jane%252540example.org", `jane\u0040example.org`, `jane\u{40}example.org`, `jane\x40example.org`,
		"jane&#64;example.org", "jane&#064example.org", "jane&#x40;example.org", "jane&commat;example&period;org", "jane&amp;#64;example.org", "%6a%61%6e%65%40example.org",
		"jane%E2%80%8B%40example.org", "jane%EF%BC%A0example.org", "jane％40example.org"} {
		expect(t, Email, true, []string{text})
	}
	expectNothing(t, []string{"100% of 40", "50%", "a & b", `C:\Users\x`, "AT&T", "&unknown; &#; &#x;", "%zz", `\u12`, "%", `\`, "&", "&#99999999;"})
	for _, escape := range []string{"&#1114112;", `\u{110000}`, "&#0;", "%00", "%ff"} {
		expect(t, Email, true, []string{"jane" + "@example" + escape + ".org"})
	}
}

var naughtyTexts = []string{
	"\xff\xfe", "\xed\xa0\x80", "\xc0\x80", "@\xff", "\xff@\xff", "//", "//@", "://@", "%40", "&#64;", "(at)", "[at", "at dot", " dot ",
	"+", "+0", "00", "+(", "0" + strings.Repeat(" 0", 64), strings.Repeat("9", 200), strings.Repeat("4111 ", 40), "DE", "DE89", "D1", "1°", "1°2'", "1.2.",
	"0.000,", "geo:", "geo:1,", "-1.000 ", "deg", "1 deg", "\u200b", "①②③", "ﷺ", "٣.١٤١", "🇩🇪", "\x00\x1b[0m", "1\u0301", "１．２３４，５．６７８",
	strings.Repeat("@", 100), strings.Repeat("(a)", 50), strings.Repeat("dot ", 50), strings.Repeat("x//", 50), strings.Repeat("1.234,", 50),
}

func FuzzScan(f *testing.F) {
	for _, text := range naughtyTexts {
		f.Add([]byte(text))
	}
	for _, text := range append(everyHit(f), everyMiss(f)...) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		before := string(text)
		got := ScanString(before)
		// What is invisible at either end only forces the folded path.
		if folded := ScanString("\u200b" + before + "\u200b"); folded != got {
			t.Fatalf("%q: found %v, folded %v", before, got.Terms(), folded.Terms())
		}
		// A text put before another must not hide what that one holds.
		if behind := ScanString("Seen:\n\n\n\n\n: " + before); behind&got != got {
			t.Fatalf("%q: found %v, behind prose %v", before, got.Terms(), behind.Terms())
		}
	})
}

// The time per byte of each of the hostile texts is the same for 8 KiB as for 64 KiB, and for a mebibyte.
func BenchmarkScan(b *testing.B) {
	texts := map[string]string{"prose": prose, "figures": figures,
		"folded": strings.Repeat("Die Prüfung ergab keine Mängel, die Lieferung ist vollständig. ", 4)[:200],
		"hits":   "write to reviewer@example.org or call +1 555 555 0100, account DE89 3704 0044 0532 0130 00"}
	for _, part := range []string{"(at) @ // dot % ", "1.234, ", "a at b.c ", "x@", "%25", "&#64;", "a:1:", "0 ", "DE89", "t.me", ". . ",
		" dot ", "3.141 4111 de89 "} {
		for _, size := range []int{1 << 13, 1 << 16, 1 << 20} {
			texts[fmt.Sprintf("%q/%d", part, size)] = strings.Repeat(part, size/len(part)+1)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(texts[name])))
			b.ReportAllocs()
			for b.Loop() {
				ScanString(texts[name])
			}
		})
	}
}

// sample is a line of a corpus: a text and the kind of detail it holds, if any.
type sample struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}

// heldOut reports whether the sample was kept aside while the scan was written: a
// third of each corpus, chosen by the hash of the text.
func (s sample) heldOut() bool {
	h := fnv.New32a()
	h.Write([]byte(s.Text))
	return h.Sum32()%3 == 0
}

func corpus(t *testing.T, name string, least int) []sample {
	t.Helper()
	file, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var samples []sample
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var s sample
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatalf("%s: %v", lines.Bytes(), err)
		}
		samples = append(samples, s)
	}
	if len(samples) < least {
		t.Fatalf("%s has %d texts, fewer than %d", name, len(samples), least)
	}
	return samples
}

// share counts the samples for which yes holds, of all and of those held out.
func share(samples []sample, yes func(sample) bool) (part, all, partOut, allOut int) {
	for _, s := range samples {
		is := yes(s)
		all++
		if is {
			part++
		}
		if s.heldOut() {
			allOut++
			if is {
				partOut++
			}
		}
	}
	return part, all, partOut, allOut
}

const (
	minTexts    = 300
	minRecall   = 98 // per cent of the texts that hold a private detail
	maxOrdinary = 1  // per cent of the ordinary texts
)

func TestRecallAndOrdinaryTextsSpared(t *testing.T) {
	private, ordinary := corpus(t, "private.jsonl", minTexts), corpus(t, "ordinary.jsonl", minTexts)
	found, all, foundOut, allOut := share(private, func(s sample) bool {
		kind, err := AllKinds.Parse(s.Kind)
		if err != nil {
			t.Fatal(err)
		}
		hit := ScanString(s.Text).Has(kind)
		if !hit && !s.heldOut() {
			t.Logf("not found: %s in %q, but %v", s.Kind, s.Text, ScanString(s.Text).Terms())
		}
		return hit
	})
	t.Logf("recall: %d of %d texts, %.1f %%; held out: %d of %d, %.1f %%", found, all, percent(found, all), foundOut, allOut, percent(foundOut, allOut))
	masked, allOrdinary, maskedOut, allOrdinaryOut := share(ordinary, func(s sample) bool {
		kinds := ScanString(s.Text)
		if !kinds.Empty() && !s.heldOut() {
			t.Logf("masked: %q for %v", s.Text, kinds.Terms())
		}
		return !kinds.Empty()
	})
	t.Logf("ordinary texts masked: %d of %d, %.1f %%; held out: %d of %d, %.1f %%", masked, allOrdinary, percent(masked, allOrdinary),
		maskedOut, allOrdinaryOut, percent(maskedOut, allOrdinaryOut))
	if percent(found, all) < minRecall || percent(foundOut, allOut) < minRecall {
		t.Errorf("the recall is under %d %%", minRecall)
	}
	if percent(masked, allOrdinary) > maxOrdinary || percent(maskedOut, allOrdinaryOut) > maxOrdinary {
		t.Errorf("more than %d %% of the ordinary texts are masked", maxOrdinary)
	}
}

func percent(part, all int) float64 { return 100 * float64(part) / float64(all) }
