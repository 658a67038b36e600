package visible

import "unicode/utf8"

const hex = "0123456789abcdef"

// appendEscape writes the escape of the one rune, or one invalid byte, in s.
//
// The forms are those of Go string literals: an ASCII control and a byte that is
// no UTF-8 as \x1b and \xff (they cannot be confused, one is below 0x80), the
// rest as \u or \U with the code point.
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
