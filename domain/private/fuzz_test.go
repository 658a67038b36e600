package private

import (
	"strings"
	"testing"
)

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

func benchmark(b *testing.B, text string) {
	data := []byte(text)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		ScanString(text)
	}
}

func BenchmarkScanProse(b *testing.B)   { benchmark(b, prose) }
func BenchmarkScanFigures(b *testing.B) { benchmark(b, figures) }
func BenchmarkScanReview(b *testing.B) {
	benchmark(b, "On 2026-06-01 the reviewer asked for the invoice INV-2026-0001; the supplier did not answer within the 14 days "+
		"that section 2.3.6 allows, and the amount of USD 12 500 stays open as it was stated.")
}
func BenchmarkScanFolded(b *testing.B) {
	benchmark(b, strings.Repeat("Die Prüfung ergab keine Mängel, die Lieferung ist vollständig. ", 4)[:200])
}
func BenchmarkScanHits(b *testing.B) {
	benchmark(b, "write to reviewer@example.org or call +1 555 555 0100, account DE89 3704 0044 0532 0130 00")
}
func BenchmarkScanMegabyteOfDigits(b *testing.B) {
	benchmark(b, strings.Repeat("3.141 4111 de89 ", 1<<16))
}
func BenchmarkScanMegabyteOfAtSigns(b *testing.B) {
	benchmark(b, strings.Repeat("(at) @ // dot % ", 1<<16))
}
