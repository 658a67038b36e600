package json

import (
	"math"
	"strconv"
)

const (
	// longestNumber bounds the work for a number; a printed double takes about 25 bytes.
	longestNumber = 64
	// tooLarge is the magnitude from which on a double skips integers.
	tooLarge = 1 << 53
	// exactDigits is how many digits any integer below tooLarge may have.
	exactDigits = 15
	// farExponent stands for every exponent beyond it: with so few digits it is out of range.
	farExponent = 100_000
)

type scannedNumber struct {
	float     float64
	canonical bool // its bytes are their own canonical form
}

func scanNumber(src []byte, at int) (scannedNumber, int, string) {
	window := src[at:min(len(src), at+longestNumber+1)]
	g, reason := readGrammar(window)
	if g.length > longestNumber {
		return scannedNumber{}, 0, ReasonNumberLength
	}
	if reason != "" {
		return scannedNumber{}, 0, reason
	}
	end := at + g.length
	if g.integer && g.digits <= exactDigits {
		if g.negative && g.small == 0 {
			return scannedNumber{}, end, ""
		}
		n := g.small
		if g.negative {
			n = -n
		}
		return scannedNumber{float: float64(n), canonical: true}, end, ""
	}
	f, err := strconv.ParseFloat(string(window[:g.length]), 64)
	if err != nil || math.Abs(f) >= tooLarge {
		return scannedNumber{}, 0, ReasonNumberLarge
	}
	if f == math.Trunc(f) && !g.whole() {
		return scannedNumber{}, 0, ReasonNumberRounded
	}
	if f == 0 {
		f = 0 // forgets the sign of -0, which has no canonical form
	}
	return scannedNumber{float: f}, end, ""
}

// grammar is what a number's bytes say before they are rounded to a double.
type grammar struct {
	length   int
	negative bool
	integer  bool  // neither a fraction nor an exponent
	digits   int   // of the integer part
	small    int64 // its value, if digits is at most exactDigits
	zero     bool  // every digit is 0
	places   int   // decimal places up to the last digit that is not 0, as in 1e-places
	exponent int   // as written
}

func (g *grammar) whole() bool {
	return g.zero || g.exponent >= g.places
}

// readGrammar follows RFC 8259, section 6; the length is right also where it stops at a fault.
func readGrammar(s []byte) (grammar, string) {
	g := grammar{integer: true, zero: true}
	i := 0
	if i < len(s) && s[i] == '-' {
		g.negative = true
		i++
	}
	from, last := i, i
	for ; i < len(s) && isDigit(s[i]); i++ {
		if s[i] != '0' {
			g.zero, last = false, i
		}
		g.small = g.small*10 + int64(s[i]-'0')
	}
	g.digits = i - from
	g.length = i
	if g.digits == 0 || g.digits > 1 && s[from] == '0' {
		return g, ReasonNumber
	}
	g.places = last + 1 - i
	if i < len(s) && s[i] == '.' {
		g.integer = false
		point := i
		for i++; i < len(s) && isDigit(s[i]); i++ {
			if s[i] != '0' {
				g.zero, g.places = false, i-point
			}
		}
		g.length = i
		if i == point+1 {
			return g, ReasonNumber
		}
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		g.integer = false
		return g, g.readExponent(s, i+1)
	}
	return g, ""
}

func (g *grammar) readExponent(s []byte, i int) string {
	negative := false
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		negative = s[i] == '-'
		i++
	}
	from := i
	for ; i < len(s) && isDigit(s[i]); i++ {
		g.exponent = min(farExponent, g.exponent*10+int(s[i]-'0'))
	}
	if negative {
		g.exponent = -g.exponent
	}
	g.length = i
	if i == from {
		return ReasonNumber
	}
	return ""
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// appendNumber prints a finite f as ECMAScript's Number::toString does.
func appendNumber(dst []byte, f float64) []byte {
	size := math.Abs(f)
	if size < tooLarge && f == math.Trunc(f) {
		return strconv.AppendInt(dst, int64(f), 10)
	}
	if 1e-6 <= size && size < 1e21 {
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	// ECMAScript writes e-7 where Go writes e-07.
	if n := len(dst); dst[n-2] == '0' && (dst[n-3] == '-' || dst[n-3] == '+') {
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}
