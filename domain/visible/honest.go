package visible

import (
	"fmt"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// joining are the scripts whose writing needs joiners between letters.
var joining = []*unicode.RangeTable{unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mongolian, unicode.Mandaic, unicode.Adlam,
	unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada,
	unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan}

// hidden are the characters that control a terminal, reorder a text or are not seen.
var hidden = []*unicode.RangeTable{unicode.C, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector}

// Deceptive returns the first character of a text that no honest writing needs: one that controls a terminal, reorders the text
// or is not seen. A line feed is none, nor is a joiner between letters of scripts that join or in a sequence of emoji. -1: there is none.
func Deceptive(s string) rune {
	before := rune(-1)
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		after, _ := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			return r
		case r == '\n', !unicode.In(r, hidden...):
		case (r == '\u200c' || r == '\u200d') && unicode.In(before, joining...) && unicode.In(after, joining...):
		case r == '\u200d' && isEmoji(before) && unicode.Is(unicode.So, after):
		case (r == '\ufe0e' || r == '\ufe0f') && (unicode.Is(unicode.So, before) || unicode.Is(unicode.Sm, before)):
		default:
			return r
		}
		before = r
	}
	return -1
}

// isEmoji reports whether a sequence of emoji may go on after a character.
func isEmoji(r rune) bool {
	return unicode.Is(unicode.So, r) || r == '\ufe0f' || r >= 0x1f3fb && r <= 0x1f3ff
}

// JSON returns a JSON text in which each character that String escapes, in its strings alone, is written as \u escapes.
func JSON(text []byte) []byte {
	var out []byte
	kept := 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if size > 1 && !printable(r) {
			out = append(out, text[kept:i]...)
			for _, unit := range utf16.AppendRune(nil, r) {
				out = fmt.Appendf(out, `\u%04x`, unit)
			}
			kept = i + size
		}
		i += size
	}
	return append(out, text[kept:]...)
}
