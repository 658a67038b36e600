package visible_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"docket/domain/visible"
)

func TestEverythingButPlainGraphicsBecomesAVisibleEscape(t *testing.T) {
	cases := []struct{ name, in, want string }{
		{"escape sequence", "\x1b[2J", `\x1b[2J`},
		{"title sequence ended by BEL", "\x1b]0;x\a", `\x1b]0;x\x07`},
		{"NUL", "a\x00b", `a\x00b`},
		{"backspace", "a\bb", `a\x08b`},
		{"newline, return, tab", "a\n\r\tb", `a\n\r\tb`},
		{"DEL", "\x7f", `\x7f`},
		{"C1 control sequence introducer", "\u009b2J", `\u009b2J`},
		{"C1 next line", "\u0085", `\u0085`},
		{"right-to-left override", "a\u202eb", `a\u202eb`},
		{"bidi isolate", "\u2066x\u2069", `\u2066x\u2069`},
		{"Arabic letter mark", "\u061c", `\u061c`},
		{"zero-width space and joiners", "\u200b\u200c\u200d", `\u200b\u200c\u200d`},
		{"byte order mark", "\ufeffa", `\ufeffa`},
		{"soft hyphen", "a\u00adb", `a\u00adb`},
		{"tag character", "\U000e0041", `\U000e0041`},
		{"line and paragraph separators", "\u2028\u2029", `\u2028\u2029`},
		{"private use", "\ue000\U000f0000", `\ue000\U000f0000`},
		{"unassigned", "\u0378\U0003ffff", `\u0378\U0003ffff`},
		{"noncharacters", "\ufffe\uffff", `\ufffe\uffff`},
		{"grapheme joiner", "a\u034f", `a\u034f`},
		{"Hangul fillers", "\u115f\u1160\u3164\uffa0", `\u115f\u1160\u3164\uffa0`},
		{"Khmer inherent vowels", "\u17b4\u17b5", `\u17b4\u17b5`},
		{"Mongolian selectors", "\u180b\u180c\u180d\u180e\u180f", `\u180b\u180c\u180d\u180e\u180f`},
		{"variation selector on a letter", "a\ufe0fé\ufe0f", `a\ufe0fé\ufe0f`},
		{"variation selector on a digit", "1\ufe0f2", `1\ufe0f2`},
		{"second variation selector", "\u2764\ufe0f\ufe0f", "\u2764\ufe0f" + `\ufe0f`},
		{"variation selector of ideographs", "東\ufe00", `東\ufe00`},
		{"joiner between Latin letters", "pass\u200dport no\u200cw", `pass\u200dport no\u200cw`},
		{"joiner at the end of a word", "نامه\u200c، می\u200d", `نامه\u200c، می\u200d`},
		{"two joiners", "می\u200c\u200cخواهم", `می\u200c\u200cخواهم`},
		{"joiner between two scripts", "می\u200ca क\u200dم", `می\u200ca क\u200dم`},
		{"joiner after a pile of marks", "ب" + strings.Repeat("\u064b", 4) + "\u200c\u064b",
			"ب" + strings.Repeat("\u064b", 4) + `\u200c\u064b`},
		{"joiner before a vowel that draws nothing", "ក\u200d\u17b4", `ក\u200d\u17b4`},
		{"emoji joined that no list joins", "🙂\u200d🙂 👩\u200d", `🙂\u200d🙂 👩\u200d`},
		{"supplementary variation selector", "a\U000e0100", `a\U000e0100`},
		{"empty braille pattern", "\u2800", `\u2800`},
		{"no-break and wide spaces", "a\u00a0b\u3000c\u2009d", `a\u00a0b\u3000c\u2009d`},
		{"byte that is no UTF-8", "a\xffb", `a\xffb`},
		{"cut-off sequence", "\xe2\x82", `\xe2\x82`},
		{"encoded surrogate", "\xed\xa0\x80", `\xed\xa0\x80`},
		{"overlong NUL", "\xc0\x80", `\xc0\x80`},
		{"mark without a base", "\u0301a", `\u0301a`},
		{"mark on a space", "a \u0301b", `a \u0301b`},
		{"mark after an escape", "\n\u0301", `\n\u0301`},
		{"pile of marks", "a" + strings.Repeat("\u0301", 7), "a\u0301\u0301\u0301\u0301" + `\u0301\u0301\u0301`},
		{"pile of vowels", "\u1100" + strings.Repeat("\u1161", 6), "\u1100\u1161\u1161\u1161\u1161" + `\u1161\u1161`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := visible.String(c.in); got != c.want {
				t.Errorf("String(%q) = %q, want %q", c.in, got, c.want)
			}
			if visible.Clean(c.in) {
				t.Errorf("Clean(%q) = true", c.in)
			}
		})
	}
}

func TestPlainTextStaysAsItIs(t *testing.T) {
	for _, s := range []string{
		"", "an ordinary sentence.", `a literal \n and \x1b stay`, "Zürich, Łódź, Ĳssel",
		"e\u0301 and \u1ebf", "東京の審査", "서울", "\u1112\u1161\u11ab", "🙂 👍🏽 🇨🇭", "हिन्दी", "ไทยที่", "עברית",
		"العربية", "± § € “quoted” – dash", "\ufffd", "a\u0301\u0302\u0303\u0304", "~!@#$%^&*()",
		"می\u200cخواهم", "کتاب\u200cها را", "क्\u200dष", "র\u200d্য", "ශ්\u200dරී", "ന\u200dമ", "שלום (עולם) 12",
		"⚠\ufe0f", "☎\ufe0e", "1\ufe0f\u20e3", "❤\ufe0f\u200d🔥", "👩\u200d👩\u200d👧", "👩🏽\u200d⚕\ufe0f", "👩\u200d⚕",
		"👩🏻\u200d🤝\u200d👩🏿", "🏳\ufe0f\u200d🌈", "👁\ufe0f\u200d🗨\ufe0f", "🧑\u200d🧒🙂",
	} {
		if got := visible.String(s); got != s || !visible.Clean(s) {
			t.Errorf("String(%q) = %q, Clean = %v; want it unchanged", s, got, visible.Clean(s))
		}
	}
}

func TestTextKeepsLineFeedsAlone(t *testing.T) {
	for in, want := range map[string]string{
		"one\ntwo\n\nthree": "one\ntwo\n\nthree", "a\r\nb\u2028\x1b[2J": "a\\r\nb\\u2028\\x1b[2J", "\n\u0301": "\n\\u0301",
		"می\u200c\nخواهم": "می\\u200c\nخواهم", "": "",
	} {
		if got := visible.Text(in); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestAppendKeepsWhatIsThere(t *testing.T) {
	got := string(visible.Append([]byte("id: "), "a\x1bb\u202e"))
	if want := `id: a\x1bb\u202e`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCleanTextIsNotCopied(t *testing.T) {
	s := strings.Repeat("An ordinary sentence, über alles 東京. ", 5)
	if n := testing.AllocsPerRun(100, func() { _ = visible.String(s) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// checkOutput fails when something that could act on a terminal, or hide in it,
// is left in the output for s.
func checkOutput(t interface {
	Fatalf(format string, args ...any)
}, s string) {
	out := visible.String(s)
	if !visible.Clean(out) {
		t.Fatalf("String(%q) = %q is not clean", s, out)
	}
	if (out == s) != visible.Clean(s) {
		t.Fatalf("String(%q) = %q, Clean = %v", s, out, visible.Clean(s))
	}
	if string(visible.Append(nil, s)) != out {
		t.Fatalf("Append and String differ for %q", s)
	}
	if !utf8.ValidString(out) {
		t.Fatalf("String(%q) = %q is not UTF-8", s, out)
	}
	for i, r := range out {
		if strings.ContainsRune("\u200c\u200d\ufe0e\ufe0f", r) {
			before, _ := utf8.DecodeLastRuneInString(out[:i])
			after, _ := utf8.DecodeRuneInString(out[i+utf8.RuneLen(r):])
			if before <= ' ' || !unicode.Is(unicode.Variation_Selector, r) && (after < utf8.RuneSelf || unicode.Is(unicode.Z, after)) {
				t.Fatalf("String(%q) = %q keeps %U where nothing is joined", s, out, r)
			}
			continue
		}
		if r != ' ' && unicode.In(r, unicode.C, unicode.Z) || !unicode.IsGraphic(r) {
			t.Fatalf("String(%q) = %q keeps %U", s, out, r)
		}
	}
}

func anyText() *rapid.Generator[string] {
	naughty := rapid.SampledFrom(naughtyTexts)
	joining := rapid.StringMatching(`[می\x{64b}क्\x{200c}\x{200d}👩🏽❤\x{fe0f}⚕a1\x{20e3} ]{0,12}`)
	bytes := rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })
	piece := rapid.OneOf(rapid.String(), naughty, bytes, joining)
	return rapid.Map(rapid.SliceOfN(piece, 0, 4), func(p []string) string { return strings.Join(p, "") })
}

func TestOutputIsAlwaysClean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkOutput(t, anyText().Draw(t, "text")) })
}

func TestEveryRuneIsEitherGraphicOrEscaped(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		checkOutput(t, "a"+string(r))
	}
}

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

func BenchmarkString(b *testing.B) {
	for name, text := range map[string]string{
		"ASCII":   strings.Repeat("An ordinary sentence of a review. ", 6),
		"Unicode": strings.Repeat("Prüfung in 東京 und Kraków. ", 7),
		"hostile": strings.Repeat("An \x1b[31mordinary\u202e sentence. ", 7),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				_ = visible.String(text)
			}
		})
	}
}

func TestHonestWritingIsNotDeceptive(t *testing.T) {
	for _, text := range []string{"", "Plain words.", "Two\nlines.", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0915\u094d\u200d\u0937",
		"\u26a0\ufe0f", "\U0001f469\u200d\U0001f4bb", "\U0001f44d\U0001f3fd", "\u00ab\u00a0mot\u00a0\u00bb", "\u05e9\u05dc\u05d5\u05dd"} {
		if r := visible.Deceptive(text); r >= 0 {
			t.Errorf("%q: %U", text, r)
		}
	}
}

func TestWhatIsNotSeenOrReordersIsDeceptive(t *testing.T) {
	for text, want := range map[string]rune{"a\u202eb": 0x202e, "a\u200bb": 0x200b, "\x1b[2J": 0x1b, "a\rb": '\r', "a\tb": '\t', "a\u200db": 0x200d,
		"\u0645\u200c": 0x200c, "\u200d\u26a0": 0x200d, "a\ufe0f": 0xfe0f, "\u2066x": 0x2066, "\u2028": 0x2028, "\ufeffa": 0xfeff, "\x9b": 0xfffd, "\U000e0041": 0xe0041} {
		if got := visible.Deceptive(text); got != want {
			t.Errorf("%q: %U, not %U", text, got, want)
		}
	}
}

func TestJSONHoldsTheSameWithEscapes(t *testing.T) {
	const text = "Z\u00fcrich \u202e\u200b\U000e0041 \u6771"
	plain, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	escaped := visible.JSON(plain)
	if want := "\"Z\u00fcrich \\u202e\\u200b\\udb40\\udc41 \u6771\""; string(escaped) != want {
		t.Errorf("%s", escaped)
	}
	var back string
	if err := json.Unmarshal(escaped, &back); err != nil || back != text {
		t.Errorf("%q, %v", back, err)
	}
}
