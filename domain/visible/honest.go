package visible

import (
	_ "embed" // the list of emoji is part of the program
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// hidden are the characters that control a terminal, reorder a text or are not seen.
var hidden = []*unicode.RangeTable{unicode.C, unicode.Zl, unicode.Zp,
	unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector}

// Deceptive returns the first character that Text escapes in s because it controls a terminal,
// reorders the text or is not seen. -1: there is none.
func Deceptive(s string) rune {
	var in reader
	for i := 0; i < len(s); {
		size, ok := in.next(s[i:])
		if r, _ := utf8.DecodeRuneInString(s[i:]); !ok && r != '\n' && (unicode.In(r, hidden...) || r == utf8.RuneError && size == 1) {
			return r
		}
		i += size
	}
	return -1
}

// JSON writes each character that String escapes as \u escapes within the strings of a JSON text;
// the text itself where it has none.
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
	if kept == 0 {
		return text
	}
	return append(out, text[kept:]...)
}

const (
	nonJoiner = '\u200c'
	joiner    = '\u200d'
	keycap    = "\ufe0f\u20e3"
)

// emojiList holds what Unicode lists as emoji: the characters that a variation selector may follow
// on the first line, on the second the sequences with joiners, without selectors and skin tones.
//
//go:embed emoji.txt
var emojiList string

var selectable, joined = func() (map[rune]bool, map[string]bool) {
	characters, sequences, _ := strings.Cut(emojiList, "\n")
	selectable, joined := map[rune]bool{}, map[string]bool{}
	for _, r := range characters {
		selectable[r] = true
	}
	for sequence := range strings.FieldsSeq(sequences) {
		joined[sequence] = true
	}
	return selectable, joined
}()

// isSelector reports whether r asks for the colours, or the plain form, of the character before it.
func isSelector(r rune) bool { return r == '\ufe0e' || r == '\ufe0f' }

func isTone(r rune) bool { return r >= 0x1f3fb && r <= 0x1f3ff }

// longestEmoji is more than the bytes of any emoji of the list with its selectors and tones.
const longestEmoji = 64

// emoji returns the size of the longest emoji with selectors or joiners that s begins with, or 0;
// its first character has so many bytes.
func emoji(s string, first int) (longest int) {
	if r, _ := utf8.DecodeRuneInString(s[first:]); r != joiner && !isSelector(r) && !isTone(r) {
		return 0
	}
	var bare strings.Builder
	var before rune
	for i, r := range s {
		size := i + utf8.RuneLen(r)
		switch {
		case size > longestEmoji:
			return longest
		case isSelector(r):
			if !selectable[before] {
				return longest
			}
			if longest == i || i == first {
				longest = size
			}
		case isTone(r) && i > 0 && before != joiner:
			if longest == i {
				longest = size
			}
		case i > 0 && r != joiner && before != joiner || r == joiner && before == joiner:
			return longest
		default:
			bare.WriteRune(r)
			if joined[bare.String()] {
				longest = size
			}
		}
		before = r
	}
	return longest
}

// cursive are the scripts in which a joiner between two letters changes how they are drawn.
var cursive = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mandaic, unicode.Nko, unicode.Mongolian, unicode.Adlam, unicode.Hanifi_Rohingya,
	unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu,
	unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Tibetan, unicode.Myanmar, unicode.Khmer,
}

// joins reports whether a joiner may stand between a letter and a text that begins with a letter,
// or a mark that stays, of the same script.
func joins(before rune, after string, room int) bool {
	next, _ := utf8.DecodeRuneInString(after)
	if !unicode.IsLetter(before) || !printable(next) || stacks(next) && room == 0 {
		return false
	}
	for _, script := range cursive {
		if unicode.Is(script, before) {
			return unicode.Is(script, next) && unicode.In(next, unicode.L, unicode.M)
		}
	}
	return false
}
