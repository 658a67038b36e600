// Package visible makes hostile text safe to print by making it visible.
//
// A case text, an id, a file name or an error message may hold anything: escape sequences that
// retitle the terminal or write its clipboard, bidirectional overrides that reorder a sentence,
// characters that are there and draw nothing. Stripping them would hide that they were there, and
// strippers disagree about where a sequence ends. This package strips nothing: everything that is
// not a plain printable character is written out as an escape in ASCII.
//
//	visible.String("ok\x1b]0;owned\x07")  // ok\x1b]0;owned\x07, the escapes spelled out
//	visible.String("a\u202eb")            // a\u202eb, as text
//	visible.String("Zürich 東京 🙂")         // unchanged, and not copied
//
// Newlines and tabs are escaped too, so the result is always one line; [Text] keeps the lines of a
// text.
//
// # What stays
//
// Letters, digits, punctuation and symbols of every script, wide characters and emoji, the ASCII
// space, and up to four combining marks on a character that is no space. A zero-width joiner or
// non-joiner stays between letters of one script that joins them, a variation selector or joiner
// within an emoji of Unicode's list. The literal backslash stays as it is, so the two characters \n
// in a text and a newline print alike. The output is for reading and is not meant to be decoded; it
// carries no control either way.
//
// Right-to-left letters stay too. They carry no override, but a terminal that reorders them still
// will.
//
// The Unicode version of the Go toolchain decides which characters are assigned:
// a character newer than that is escaped.
package visible

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMarks is how many combining marks a character keeps: languages need up to three or four, and
// piles of dozens draw over the neighbouring lines.
const maxMarks = 4

// String returns s with every rune that is not a plain printable graphic
// replaced by a visible escape. It returns s itself, without allocating, when
// there is nothing to replace. Clean(String(s)) is always true.
func String(s string) string {
	dirty := firstUnclean(s)
	if dirty == len(s) {
		return s
	}
	// The extra room holds a few escapes; more make append grow.
	return string(Append(make([]byte, 0, len(s)+32), s))
}

// Text is String line by line: line feeds stay.
func Text(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = String(lines[i])
	}
	return strings.Join(lines, "\n")
}

// Append appends String(s) to dst and returns the extended slice. The marks at
// the start of s count as having no base, independent of the end of dst.
func Append(dst []byte, s string) []byte {
	var r reader
	kept := 0
	for i := 0; i < len(s); {
		size, ok := r.next(s[i:])
		if !ok {
			dst = append(dst, s[kept:i]...)
			dst = appendEscape(dst, s[i:i+size])
			kept = i + size
		}
		i += size
	}
	return append(dst, s[kept:]...)
}

// Clean reports whether s is printed as it is, that is, String(s) == s.
func Clean(s string) bool {
	return firstUnclean(s) == len(s)
}

func firstUnclean(s string) int {
	var r reader
	for i := 0; i < len(s); {
		size, ok := r.next(s[i:])
		if !ok {
			return i
		}
		i += size
	}
	return len(s)
}

// reader remembers how many more combining marks the character before may carry: none at the start,
// after a space, where a line may break, and after an escape, which would be a new base.
type reader struct {
	room int
	base rune // the character that carries them
}

// next returns the size of the first rune or emoji of s, and whether it stays.
func (r *reader) next(s string) (size int, ok bool) {
	if c := s[0]; c < utf8.RuneSelf {
		ok = c >= ' ' && c != 0x7f
		r.room, r.base = 0, 0
		if ok && c != ' ' {
			r.room = maxMarks
		}
		if (c >= '0' && c <= '9' || c == '#' || c == '*') && strings.HasPrefix(s[1:], keycap) {
			return 1 + len(keycap), true
		}
		return 1, ok
	}
	char, size := utf8.DecodeRuneInString(s)
	invalid := char == utf8.RuneError && size == 1
	switch {
	case (char == nonJoiner || char == joiner) && joins(r.base, s[size:], r.room):
		return size, true
	case invalid || !printable(char):
		r.room, r.base = 0, 0
		return size, false
	case !stacks(char):
		r.room, r.base = maxMarks, char
		return max(size, emoji(s, size)), true
	case r.room == 0:
		return size, false
	}
	r.room--
	return size, true
}

const hex = "0123456789abcdef"

// appendEscape writes the escape of the one rune, or one invalid byte, in s.
//
// The forms are those of Go string literals: an ASCII control and a byte that is no UTF-8 as \x1b
// and \xff (they cannot be confused, one is below 0x80), the rest as \u or \U with the code point.
func appendEscape(dst []byte, s string) []byte {
	switch s[0] {
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	if len(s) == 1 {
		return append(dst, '\\', 'x', hex[s[0]>>4], hex[s[0]&0xf])
	}
	r, _ := utf8.DecodeRuneInString(s)
	letter, shift := byte('u'), 12
	if r > 0xffff {
		letter, shift = 'U', 28
	}
	dst = append(dst, '\\', letter)
	for ; shift >= 0; shift -= 4 {
		dst = append(dst, hex[r>>shift&0xf])
	}
	return dst
}

// blank holds what Unicode counts as a graphic although it draws nothing or a gap.
// Default-ignorable marks and letters come from the toolchain's own tables; see printable.
var blank = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x2800, Hi: 0x2800, Stride: 1}, // the braille pattern without dots
	},
	R32: []unicode.Range32{
		{Lo: 0x13441, Hi: 0x13442, Stride: 1}, // Egyptian blanks
		{Lo: 0x16fe4, Hi: 0x16fe4, Stride: 1}, // Khitan filler
		{Lo: 0x1d159, Hi: 0x1d159, Stride: 1}, // the null notehead
	},
}

// jamo holds the vowels and final consonants that join the Hangul syllable before them: they take
// no column of their own and pile up like marks.
var jamo = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1161, Hi: 0x11ff, Stride: 1},
		{Lo: 0xd7b0, Hi: 0xd7ff, Stride: 1},
	},
}

// printable reports whether a rune beyond ASCII draws something, alone or on the character before;
// unicode.IsPrint already refuses controls, formats, unassigned code points and spaces.
func printable(r rune) bool {
	return unicode.IsPrint(r) &&
		!unicode.In(r, blank, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

func stacks(r rune) bool {
	return unicode.In(r, unicode.M, jamo)
}
