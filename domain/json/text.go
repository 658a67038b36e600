package json

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// scanned is length bytes of text, in d.texts at at if copied, else in src after the quote.
type scanned struct {
	at, length int
	copied     bool
}

// scanText returns the text and the byte after it, or a fault's place; only escapes force a copy.
func (d *Document) scanText(quote int) (scanned, int, string) {
	t := scanned{at: len(d.texts)}
	from, at := quote+1, quote+1 // from: what is not copied yet
	for {
		at = skipPlain(d.src, at)
		if at == len(d.src) {
			return scanned{}, at, ReasonEnd
		}
		size := 0
		switch c := d.src[at]; {
		case c == '"' && !t.copied:
			return scanned{length: at - from}, at + 1, ""
		case c == '"':
			d.texts = append(d.texts, d.src[from:at]...)
			t.length = len(d.texts) - t.at
			return t, at + 1, ""
		case c == '\\':
			d.texts = append(d.texts, d.src[from:at]...)
			var reason string
			if size, reason = d.escape(at); reason == ReasonEnd {
				return scanned{}, len(d.src), reason
			} else if reason != "" {
				return scanned{}, at, reason
			}
			t.copied, from = true, at+size
		case c < utf8.RuneSelf: // every other one is plain
			return scanned{}, at, ReasonControl
		default:
			if size = runeLength(d.src[at:]); size == 0 {
				return scanned{}, at, ReasonUTF8
			}
		}
		at += size
	}
}

func (d *Document) escape(at int) (int, string) {
	if at+1 == len(d.src) {
		return 0, ReasonEnd
	}
	c := d.src[at+1]
	switch c {
	case '"', '\\', '/':
	case 'b':
		c = '\b'
	case 'f':
		c = '\f'
	case 'n':
		c = '\n'
	case 'r':
		c = '\r'
	case 't':
		c = '\t'
	case 'u':
		r, size, reason := unicodeEscape(d.src[at:])
		if reason == "" {
			d.texts = utf8.AppendRune(d.texts, r)
		}
		return size, reason
	default:
		return 0, ReasonEscape
	}
	d.texts = append(d.texts, c)
	return 2, ""
}

// unicodeEscape decodes \uhhhh, or the two of them that make a surrogate pair.
func unicodeEscape(src []byte) (r rune, size int, reason string) {
	high, reason := codeUnit(src)
	if reason != "" {
		return 0, 0, reason
	}
	if high < 0xD800 || high > 0xDFFF {
		return high, 6, ""
	}
	if high > 0xDBFF {
		return 0, 0, ReasonSurrogate
	}
	low, reason := codeUnit(src[6:])
	if reason != "" || low < 0xDC00 || low > 0xDFFF {
		return 0, 0, ReasonSurrogate
	}
	return 0x10000 + (high-0xD800)<<10 + (low - 0xDC00), 12, ""
}

// codeUnit reads the four digits of the \uhhhh with which src begins.
func codeUnit(src []byte) (rune, string) {
	if len(src) < 2 || src[0] != '\\' || src[1] != 'u' {
		return 0, ReasonEscape
	}
	var unit rune
	for i := 2; i < 6; i++ {
		if i == len(src) {
			return 0, ReasonEnd
		}
		switch c := rune(src[i]); {
		case '0' <= c && c <= '9':
			unit = unit<<4 | (c - '0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			unit = unit<<4 | (c | 0x20 - 'a' + 10)
		default:
			return 0, ReasonEscape
		}
	}
	return unit, ""
}

// runeLength returns the length of the character that begins src, 0 for broken UTF-8.
func runeLength(src []byte) int {
	r, size := utf8.DecodeRune(src)
	if r == utf8.RuneError && size == 1 {
		return 0
	}
	return size
}

const (
	everyByte = 0x0101010101010101
	everyHigh = 0x8080808080808080
)

// skipPlain finds a quote, backslash, control character or non-ASCII byte eight bytes at once:
// taking n from an ASCII byte sets its high bit only if it is below n; a borrow misleads only above
// the lowest hit, which counts.
func skipPlain(src []byte, at int) int {
	for at+8 <= len(src) {
		word := binary.LittleEndian.Uint64(src[at:])
		quote := word ^ '"'*everyByte
		slash := word ^ '\\'*everyByte
		hit := (word - ' '*everyByte) | (quote - everyByte) | (slash - everyByte) | word
		if hit &= everyHigh; hit != 0 {
			return at + bits.TrailingZeros64(hit)/8
		}
		at += 8
	}
	for at < len(src) {
		if c := src[at]; c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			break
		}
		at++
	}
	return at
}
