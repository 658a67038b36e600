package private

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// appendFolded appends text to dst in a form of one byte a character: ASCII
// where a character stands for ASCII in any way a reader would take it,
// otherwise foreign, symbol or degree. What draws nothing is dropped, so that it
// cannot split what a reader sees as one.
func appendFolded(dst []byte, text string) []byte {
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			dst = appendASCII(dst, c)
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

// appendWhole folds a character that does not decompose.
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
	case unicode.IsLetter(r):
		return append(dst, foreign)
	}
	return append(dst, symbol)
}

// invisible reports whether r leaves no trace of its own: controls, formats,
// private use, unassigned, and marks, which may sit on any character without
// changing what it is read as.
func invisible(r rune) bool {
	return unicode.In(r, unicode.C, unicode.Mn, unicode.Me,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) ||
		!unicode.IsGraphic(r) && !unicode.In(r, unicode.Z)
}

// digitValue returns the value of a decimal digit. Unicode lays the ten digits
// of a script out in order and starts every range of them with a zero.
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
