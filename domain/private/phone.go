package private

import (
	"slices"
	"strings"
)

// The numbers of digits in phone numbers.
const (
	minInternational, maxInternational = 7, 15 // behind + or 00
	minNational, maxNational           = 9, 12 // with the leading 0
	minArea, maxArea                   = 2, 5  // in parentheses
	minLocal, maxSubscriber            = 6, 9  // behind an area in parentheses
)

func phone(g *groups, k int) bool {
	like := international(g, k) || area(g, k) || national(g, k) || grouped(g, k) || bare(g, k) || announced(g, k)
	return like && !inIdentifier(g.text, g.start[k], g.end[k])
}

// international reports whether a country code, which has no leading 0, is behind + or 00 at k.
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
	return g.reaches(k, 2+minInternational, 2+maxInternational) && !(g.size(k) > minInternational && labelled(g.text, g.start[k]))
}

// plusBefore takes a plus sign with spaces on both sides and a digit before it for an addition.
func plusBefore(text string, i int) bool {
	plus := skipBack(text, i-1, maxPadding, isSpace|isOpener)
	if plus < 0 || text[plus] != '+' {
		return false
	}
	before := skipBack(text, plus-1, maxPadding, isSpace)
	return plus == i-1 || before == plus-1 || !isAtIndex(text, before, isDigit)
}

// signedNumber reports whether the digits behind a plus sign are an amount in thousands that ends
// in 000, or a fraction of up to six decimals, as in coordinates but not in +1.5555550123.
func signedNumber(g *groups) bool {
	if g.n == 2 && g.gap(0) == "." && g.size(1) < minInternational {
		return true
	}
	return g.n <= 3 && thousands(g)
}

func thousands(g *groups) bool {
	for k := 1; k < g.n; k++ {
		if g.size(k) != 3 || g.gap(k-1) != " " {
			return false
		}
	}
	return g.size(0) <= 3 && g.at(g.n-1) == "000"
}

// area reports whether an area code in parentheses starts at group k, with the
// subscriber's number behind it: (11) 91234-5678.
func area(g *groups, k int) bool {
	if g.size(k) < minArea || g.size(k) > maxArea || k+1 >= g.n || !isAtIndex(g.text, g.start[k]-1, isOpener) {
		return false
	}
	gap := g.gap(k)
	if !is(gap[0], isCloser) || len(gap) > 2 || g.size(k+1) < 3 || yearsAt(g, k+1) || dateAt(g, k+1) {
		return false
	}
	return !(g.size(k) == 4 && century(g.at(k))) && g.reaches(k+1, minLocal, maxSubscriber)
}

// national reports whether a number starts at group k with a trunk 0 and, unlike an ISBN, more
// digits.
func national(g *groups, k int) bool {
	if digits := g.at(k); len(digits) < 2 || digits[0] != '0' || digits[1] == '0' {
		return false
	}
	if !opensNumber(g, k) || datesAt(g, k) || g.size(k) >= minNational {
		return false // bare looks at a number in one piece
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

type grouping struct {
	sizes string // of the groups, a digit each
	first string // the digits that it may start with; "" for any
	// alone says that the grouping is short or common, so that it counts only where
	// no other digits are near and nothing says that it is an amount or a list.
	alone  bool
	listed bool // not behind a word such as "order"
	dashed bool // only with dashes, dots or slashes
}

// groupings are those of the numbering plans, with where they are in use.
var groupings = []grouping{
	{sizes: "334", first: "23456789"}, // North America, Italy, Colombia
	{sizes: "37", first: "23456789"},
	{sizes: "3322"},                               // Russia, Turkey
	{sizes: "13322", first: "08"},                 // Russia with its trunk 8, Turkey with its 0
	{sizes: "3222"},                               // Spain
	{sizes: "2322"},                               // Poland
	{sizes: "344", first: "123456", listed: true}, // China
	{sizes: "254"},                                // Brazil
	{sizes: "244", listed: true},                  // Brazil, Mexico, Argentina
	{sizes: "55", first: "6789"},                  // India
	{sizes: "323", alone: true},                   // Norway
	{sizes: "144", first: "9", alone: true},
	{sizes: "333", alone: true}, // Poland, Czechia, Guinea-Bissau
	{sizes: "233", alone: true}, // Botswana, Lebanon, Latvia
	{sizes: "322", alone: true}, // Comoros
	{sizes: "2222", alone: true},
	{sizes: "44", first: "23456789", alone: true}, // Bahrain, Kuwait, Costa Rica, Latvia, Singapore
	{sizes: "26", first: "0", alone: true, dashed: true},
	{sizes: "34", alone: true, dashed: true}, // the Gambia, the Marshall Islands, the Maldives
}

func grouped(g *groups, k int) bool {
	return slices.ContainsFunc(groupings, func(p grouping) bool { return p.at(g, k) })
}

func (p *grouping) at(g *groups, k int) bool {
	n := len(p.sizes)
	if k+n > g.n || p.alone && (k > 0 || n < g.n) {
		return false
	}
	for i := range n {
		if g.size(k+i) != int(p.sizes[i]-'0') {
			return false
		}
	}
	if p.first != "" && strings.IndexByte(p.first, g.at(k)[0]) < 0 {
		return false
	}
	start, end := g.start[k], g.end[k+n-1]
	if !p.alone {
		return p.separated(g, k) && (k == 0 || opensNumber(g, k) || p.sizes == "334") && !(p.listed && labelled(g.text, start))
	}
	return p.separated(g, k) && p.unlike(g) && !attached(g.text, start, end) && !labelled(g.text, start) && !counted(g.text, start, end)
}

// separated reports whether the gaps are those of one number, not of a list, date or fraction.
func (p *grouping) separated(g *groups, k int) bool {
	last := k + len(p.sizes) - 1
	for i := k; i < last; i++ {
		gap := g.gap(i)
		if len(gap) > 3 || p.dashed && gap == " " || len(p.sizes) == 2 && gap == "." || i > k && dateAt(g, i) {
			return false
		}
	}
	return !datesAt(g, k) && !(k+2 < g.n && dateAt(g, k+2) && p.sizes == "334")
}

// unlike reports whether a short grouping is no round amount, no range and no rising list.
func (p *grouping) unlike(g *groups) bool {
	switch p.sizes {
	case "333", "233":
		return g.gap(0) != "." && !thousands(g)
	case "44":
		// 2026-0117 is the year and a number.
		numbered := g.gap(0) != " " && (g.at(0)[:2] == "20" && g.at(0)[2] < '4' || g.at(0)[:3] == "199")
		return !yearsAt(g, 0) && !numbered && (g.gap(0) == " " || g.at(0) > g.at(1) || g.at(1)[0] == '0')
	case "34":
		return g.gap(0) != "/" && (g.at(1)[0] == '0')
	case "2222":
		falls := g.at(2) > g.at(3)
		for i := range g.n - 2 {
			if g.gap(i) != g.gap(i+1) {
				return false // two times
			}
			falls = falls || g.at(i) > g.at(i+1)
		}
		return falls
	}
	return true
}

// bare reports whether group k is ten or eleven digits in one piece that a
// numbering plan has, and nothing before them names an order or the like.
func bare(g *groups, k int) bool {
	d := g.at(k)
	like := false
	switch len(d) {
	case 9, 12:
		like = d[0] == '0' && d[1] != '0'
	case 10:
		like = d[0] == '0' && d[1] != '0' || d[0] >= '6' || d[0] >= '2' && d[3] >= '2'
	case 11:
		like = d[0] == '0' && d[1] != '0' || d[0] == '1' && d[1] >= '2' || d[:2] == "89" ||
			d[:2] == "79" || d[0] != '0' && d[1] != '0' && d[2] == '9'
	}
	if !like || k > 0 && !opensNumber(g, k) || k+1 < g.n && g.gap(k) == "." {
		return false
	}
	amount := d[0] != '0' && counted(g.text, g.start[k], g.end[k])
	return !amount && !attached(g.text, g.start[k], g.end[k]) && !labelled(g.text, g.start[k])
}

// announced reports whether the words around say that a number is one that is
// too short or too common to be told otherwise.
func announced(g *groups, k int) bool {
	return k == 0 && g.reaches(0, minInternational, maxInternational) &&
		!datesAt(g, 0) && !yearsAt(g, 0) && !thousands(g) &&
		(roleBefore(g.text, g.start[0]) == cue || cueAfter().MatchString(g.text[g.end[g.n-1]:min(len(g.text), g.end[g.n-1]+maxLocal)]))
}
