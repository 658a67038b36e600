package private

// The numbers of digits in phone numbers.
const (
	minInternational, maxInternational = 7, 15 // behind + or 00
	minNational, maxNational           = 9, 12 // with the leading 0
	minPlain, maxPlain                 = 10, 11
)

// phone reports whether a phone number starts at group k.
func phone(g *groups, k int) bool {
	like := international(g, k) || northAmerican(g, k) || national(g, k) || plainRun(g, k) || announced(g, k)
	return like && !inIdentifier(g.text, g.start[k], g.end[k])
}

// international reports whether a number with a country code starts at group k,
// behind a plus sign or 00. No country code starts with 0.
func international(g *groups, k int) bool {
	digits := g.at(k)
	if k == 0 && digits[0] != '0' && plusBefore(g.text, g.start[0]) {
		return g.reaches(k, minInternational, maxInternational) && !signedNumber(g)
	}
	if len(digits) < 2 || digits[:2] != "00" || !opensNumber(g, k) {
		return false
	}
	if code := digits[2:]; len(code) > 0 && code[0] == '0' || len(code) == 0 && k+1 < g.n && g.at(k + 1)[0] == '0' {
		return false
	}
	return g.reaches(k, 2+minInternational, 2+maxInternational)
}

// plusBefore reports whether a plus sign belongs to the digits at i. With spaces
// on both sides and a digit before it is an addition.
func plusBefore(text string, i int) bool {
	plus := skipBack(text, i-1, maxPadding, isSpace|isOpener)
	if plus < 0 || text[plus] != '+' {
		return false
	}
	before := skipBack(text, plus-1, maxPadding, isSpace)
	return plus == i-1 || before == plus-1 || !isAtIndex(text, before, isDigit)
}

// signedNumber reports whether the digits in g, behind a plus sign, are an
// amount in thousands that ends in 000 or a fraction of up to six decimals. Six
// are what coordinates have; the domain registries write +1.5555550123.
func signedNumber(g *groups) bool {
	if g.n == 2 && g.gap(0) == "." && g.size(1) < minInternational {
		return true
	}
	return g.n <= 3 && thousands(g)
}

// thousands reports whether g is a round amount such as 12 500 000.
func thousands(g *groups) bool {
	for k := 1; k < g.n; k++ {
		if g.size(k) != 3 || g.gap(k-1) != " " {
			return false
		}
	}
	return g.size(0) <= 3 && g.at(g.n-1) == "000"
}

// northAmerican reports whether a number grouped 3-3-4, or 3-7, starts at group
// k. Area codes start with 2 or higher.
func northAmerican(g *groups, k int) bool {
	if g.at(k)[0] < '2' {
		return false
	}
	if g.sizes(k, 3, 3, 4) {
		return !dateAt(g, k+2) // "items 300 500 2026-06-01"
	}
	return g.sizes(k, 3, 7) && g.gap(k) != "." // otherwise a fraction
}

// national reports whether a number with a trunk 0 starts at group k. The first
// group has two digits or more, unlike in an ISBN.
func national(g *groups, k int) bool {
	if digits := g.at(k); len(digits) < 2 || digits[0] != '0' || digits[1] == '0' {
		return false
	}
	if !opensNumber(g, k) || dateAt(g, k) || g.size(k) > maxPlain {
		return false
	}
	return g.reaches(k, minNational, maxNational)
}

// opensNumber reports whether group k can be the start of a number, rather than
// a later part of a date, a time, an amount or a fraction.
func opensNumber(g *groups, k int) bool {
	if k > 0 {
		gap := g.gap(k - 1)
		inAmount := g.size(k) == 3 && len(gap) == 1
		for i := range len(gap) {
			if is(gap[i], isSpace|isBracket) {
				return !inAmount
			}
		}
		return false
	}
	i := g.start[0]
	if i < 2 || !is(g.text[i-2], isDigit) {
		return true
	}
	c := g.text[i-1]
	return c != ':' && c != ',' && c != '.' && c != '-' && c != '/'
}

// plainRun reports whether group k is ten or eleven digits in a row that do not
// belong behind a decimal point.
func plainRun(g *groups, k int) bool {
	if n := g.size(k); n < minPlain || n > maxPlain {
		return false
	}
	fraction := k > 0 && g.gap(k-1) == "." && g.size(k-1) <= 3
	return !fraction
}

// announced reports whether the words in front say that a number follows that is
// too short to be told otherwise.
func announced(g *groups, k int) bool {
	return k == 0 && g.reaches(0, minInternational, maxInternational) &&
		!dateAt(g, 0) && !yearsAt(g, 0) && !thousands(g) && cueBefore(g.text, g.start[0])
}
