package visible

import (
	"strings"
	"testing"
)

// naughtyTexts are texts that terminals, editors and log viewers have tripped
// over.
var naughtyTexts = []string{
	"", " ", "\\", "\x00", "\x1b", "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\x1b]52;c;AAAA\x1b\\", "\x1bP+q\x1b\\",
	"\x1b[6n", "\x1b[?1049h", "\x9b31m", "\u009b31m", "\u0090\u009c", "\r\noverwritten\rline", "a\b\b\bb", "\x0e\x0f",
	"\u202ereversed\u202c", "\u2066\u2067\u2068\u2069", "\u200e\u200f\u061c", "\u200b\u200c\u200d\u2060\ufeff",
	"\U000e0001\U000e0041\U000e007f", "\u2028\u2029\u0085", "\u00a0\u1680\u2000\u202f\u205f\u3000", "\u2800\u3164\uffa0",
	"\u034f\u115f\u1160\u17b4\u17b5\u180b\ufe0f\U000e01ef", "\ue000\uf8ff\U0010ffff", "\ufffe\uffff\U0001fffe",
	"\xff\xfe", "\xc0\xaf", "\xed\xa0\x80\xed\xb0\x80", "\xf4\x90\x80\x80", "\xe2\x80", "a\xcc",
	"Z\u0351\u0346\u0343\u0300\u0301\u0302\u0303\u0304\u0305a\u0306\u0307\u0308\u0309\u030a\u030b", "\u0301\u0301",
	"\u1100\u1161\u1161\u1161\u1161\u1161\u1161", "👩\u200d👩\u200d👧", "🏴\U000e0067\U000e0062\U000e007f", "1\ufe0f\u20e3",
	"\ufff9a\ufffab\ufffb", "\u0600\u06dd\u070f", "\U0001d173\U0001d17a\U0001d159", "\U00013430\U00013441", "ﷺ", "𝕬𝖇𝖈", "Ａ１",
	"\\x1b", "\\u202e", "%s%n", "<script>", "$(id)", "--help", "=1+1",
}

func FuzzString(f *testing.F) {
	for _, s := range naughtyTexts {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkOutput(t, s) })
}

func BenchmarkStringASCII(b *testing.B) {
	s := strings.Repeat("An ordinary sentence of a review. ", 6)
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		_ = String(s)
	}
}

func BenchmarkStringUnicode(b *testing.B) {
	s := strings.Repeat("Prüfung in 東京 und Kraków. ", 7)
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		_ = String(s)
	}
}

func BenchmarkStringHostile(b *testing.B) {
	s := strings.Repeat("An \x1b[31mordinary\u202e sentence. ", 7)
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		_ = String(s)
	}
}

func BenchmarkAppendHostile(b *testing.B) {
	s := strings.Repeat("An \x1b[31mordinary\u202e sentence. ", 7)
	dst := make([]byte, 0, 4*len(s))
	b.ReportAllocs()
	for b.Loop() {
		_ = Append(dst, s)
	}
}
