package visible

import (
	"unicode/utf8"
)

// maxMarks is how many combining marks one character keeps. Written languages
// need up to three or four; piles of dozens draw over the neighbouring lines.
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

// Append appends String(s) to dst and returns the extended slice. The marks at
// the start of s count as having no base, whatever dst ends with.
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

// firstUnclean returns the index of the first byte to escape, or len(s).
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

// reader goes through a text rune by rune. It remembers how many more combining
// marks the character before may carry: none at the start of a text, and none
// after an escape, which would otherwise be a new base for the rest of a pile.
type reader struct {
	room int
}

// next returns the size of the first rune of s and whether it stays.
func (r *reader) next(s string) (size int, ok bool) {
	if c := s[0]; c < utf8.RuneSelf {
		ok = c >= ' ' && c != 0x7f
		r.room = 0
		if ok {
			r.room = maxMarks
		}
		return 1, ok
	}
	char, size := utf8.DecodeRuneInString(s)
	invalid := char == utf8.RuneError && size == 1
	switch {
	case invalid || !printable(char):
		r.room = 0
		return size, false
	case !stacks(char):
		r.room = maxMarks
		return size, true
	case r.room == 0:
		return size, false
	}
	r.room--
	return size, true
}
