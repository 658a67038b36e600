package private

import (
	"bytes"
	"maps"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// fold returns one byte a character: ASCII where a reader would take it so, otherwise foreign,
// symbol or degree, and nothing for what draws nothing and so could split a word.
func fold(text string) string {
	return string(appendFolded(make([]byte, 0, len(text)), text, false))
}

func foldAgain(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return text
	}
	return string(appendFolded(make([]byte, 0, len(text)), text, true))
}

// appendFolded leaves the ASCII of a text that was folded before as it is.
func appendFolded(dst []byte, text string, again bool) []byte {
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			if is(c, isDigit) {
				dst = apartFromWord(dst)
			}
			if again {
				dst = append(dst, c)
			} else {
				dst = appendASCII(dst, c)
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1: // no UTF-8: draws nothing
		default:
			dst = appendRune(dst, r, text[i:i+size])
		}
		i += size
	}
	return dst
}

// appendASCII drops the controls; those that move to another line count as space.
func appendASCII(dst []byte, c byte) []byte {
	switch {
	case c == '\v' || c == '\f':
		return append(dst, ' ')
	case is(c, needsFold):
		return dst
	}
	return append(dst, c)
}

// appendRune folds one character beyond ASCII, spelled being its bytes.
//
// Full-width and small forms, superscripts, letters with accents and the like
// decompose, completely and at once.
func appendRune(dst []byte, r rune, spelled string) []byte {
	if _, known := lookalike(r); !known && !unicode.Is(unicode.Nd, r) {
		if parts := norm.NFKD.PropertiesString(spelled).Decomposition(); len(parts) > 0 {
			for len(parts) > 0 {
				part, size := utf8.DecodeRune(parts)
				dst = appendWhole(dst, part)
				parts = parts[size:]
			}
			return dst
		}
	}
	return appendWhole(dst, r)
}

func appendWhole(dst []byte, r rune) []byte {
	if b, ok := lookalike(r); ok {
		return append(dst, b)
	}
	switch {
	case r < utf8.RuneSelf:
		return appendASCII(dst, byte(r))
	case invisible(r):
		return dst
	case unicode.Is(unicode.Nd, r):
		return append(dst, '0'+digitValue(r))
	case unicode.In(r, unicode.Z):
		return append(dst, ' ')
	case unicode.Is(unicode.Pd, r):
		return append(dst, '-')
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai) && !strings.ContainsRune(counters, r):
		return append(dst, unspaced)
	case unicode.IsLetter(r):
		if unicode.Is(unicode.Cyrillic, r) && len(dst) > 0 && is(dst[len(dst)-1], isDigit) {
			dst = append(dst, ' ')
		}
		return append(dst, foreign)
	}
	return append(dst, symbol)
}

// counters are letters that make the number before them an amount, a date or a name of a thing.
const counters = "元円圆圓万萬億亿個个件年月日号號番원만억건개บ"

// apartFromWord sets a space between a word of Cyrillic letters and a digit, but not behind one
// that is all look-alikes, which may begin an IBAN.
func apartFromWord(dst []byte) []byte {
	start := len(dst)
	for start > 0 && len(dst)-start < maxContextWord && is(dst[start-1], isLetter) {
		start--
	}
	if bytes.IndexByte(dst[start:], foreign) >= 0 && dst[len(dst)-1] != unspaced {
		return append(dst, ' ')
	}
	return dst
}

// invisible reports whether r leaves no trace of its own: controls, formats, private use,
// unassigned, and marks, which may sit on any character without changing what it is read as.
func invisible(r rune) bool {
	return unicode.In(r, unicode.C, unicode.Mn, unicode.Me,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) ||
		!unicode.IsGraphic(r) && !unicode.In(r, unicode.Z)
}

// digitValue relies on Unicode laying out the ten digits of a script in order, from a zero.
func digitValue(r rune) byte {
	for _, part := range unicode.Nd.R16 {
		if r <= rune(part.Hi) {
			return byte((r - rune(part.Lo)) % 10)
		}
	}
	for _, part := range unicode.Nd.R32 {
		if r <= rune(part.Hi) {
			return byte((r - rune(part.Lo)) % 10)
		}
	}
	return 0
}

// Cyrillic and Greek look-alikes of Latin letters; without them an IBAN would pass with one in it.
var (
	twins = []rune("АВЕЅІЈКМНОРСТУХаеорсухіјѕԁ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο")
	latin = "ABESIJKMHOPCTYXaeopcyxijsd" + "ABEZHIKMNOPTYXo"
)

// symbolTwins maps characters that stand for an ASCII one to which Unicode does not decompose them.
var symbolTwins = map[rune]byte{
	'§': section, '°': degree, 'º': degree, '˚': degree, '∘': degree,
	'′': '\'', '´': '\'', '‘': '\'', '’': '\'', 'ʹ': '\'', 'ʼ': '\'',
	'″': '"', '“': '"', '”': '"', '„': '"', 'ʺ': '"',
	'。': '.', '｡': '.', '·': '.', '•': '.', '∙': '.', '⋅': '.', '・': '.', '‧': '.',
	'−': '-', '⁃': '-', '˗': '-', '➖': '-', 'ー': '-',
	'➕': '+', '⁄': '/', '∕': '/', '⧸': '/', '╱': '/',
	'ⓐ': '@', 'Ⓐ': '@',
	'،': ',', '、': ',', '؛': ';', '٫': '.', '٬': ',',
	'【': '[', '】': ']', '〔': '[', '〕': ']', '⟨': '<', '⟩': '>', '〈': '<', '〉': '>', '「': '[', '」': ']',
	'\u2800': ' ',  // the braille pattern without dots
	'\u0085': '\n', // next line
}

// rows are characters in the order of the ASCII ones that they stand for, which
// Unicode counts as plain symbols.
var rows = []struct {
	first, last rune
	ascii       byte
}{
	{0x1f1e6, 0x1f1ff, 'A'}, // the letters that make up flags
	// digits in circles
	{0x24f5, 0x24fd, '1'},
	{0x24ff, 0x24ff, '0'},
	{0x2776, 0x277e, '1'},
	{0x2780, 0x2788, '1'},
	{0x278a, 0x2792, '1'},
	{0x1f10b, 0x1f10b, '0'},
	{0x1f10c, 0x1f10c, '0'},
}

var lookalikes = func() map[rune]byte {
	all := maps.Clone(symbolTwins)
	for i, twin := range twins {
		all[twin] = latin[i]
	}
	for _, row := range rows {
		for r := row.first; r <= row.last; r++ {
			all[r] = row.ascii + byte(r-row.first)
		}
	}
	return all
}()

func lookalike(r rune) (byte, bool) {
	b, ok := lookalikes[r]
	return b, ok
}
