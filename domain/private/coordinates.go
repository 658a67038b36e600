package private

import "strings"

const (
	// minPlaces is how many decimals of a degree tell a place: three are about
	// a hundred metres.
	minPlaces = 3
	// minCommaPlaces is one more for a decimal comma, which with three digits
	// behind it reads as an amount in thousands.
	minCommaPlaces = 4
	maxLatitude    = 90
	maxLongitude   = 180
	maxPairGap     = 32
)

// coordinates reports whether coordinates start at group k: a pair of numbers, a
// number with a degree sign and a direction, or a geo URI.
func coordinates(g *groups, k int) bool {
	i := g.start[k]
	if g.size(k) > 3 || g.end[k] == len(g.text) || startsInside(g.text, i) {
		return false
	}
	first, ok := readDecimal(g.text, i)
	return ok && (pair(g.text, first) || degrees(g.text, i, first)) || k == 0 && geoURI(g.text, i)
}

// startsInside reports whether the digits at i go on a version or a fraction.
func startsInside(text string, i int) bool {
	if i == 0 {
		return false
	}
	before := text[i-1]
	return before|0x20 == 'v' || before == '.' && isAtIndex(text, i-2, isDigit)
}

// decimal is a number of up to three digits and maybe a fraction.
type decimal struct {
	whole, places int
	end           int // the index behind it
	comma         bool
}

// readDecimal reads the number at i. It refuses what goes on behind the
// fraction as a version or an amount does.
func readDecimal(text string, i int) (d decimal, ok bool) {
	d.end = skip(text, i, 4, isDigit)
	if d.end == i || d.end-i > 3 {
		return d, false
	}
	for ; i < d.end; i++ {
		d.whole = d.whole*10 + int(text[i]-'0')
	}
	if !isAtIndex(text, d.end+1, isDigit) || text[d.end] != '.' && text[d.end] != ',' {
		return d, true
	}
	point := d.end
	d.comma = text[point] == ','
	d.end = skip(text, point+1, len(text), isDigit)
	d.places = d.end - point - 1
	goesOn := isAtIndex(text, d.end+1, isDigit) && (text[d.end] == '.' || d.comma && text[d.end] == ',')
	return d, !goesOn
}

// precise reports whether the decimals suffice to tell a place.
func (d decimal) precise() bool {
	return d.places >= minCommaPlaces || d.places >= minPlaces && !d.comma
}

// pair reports whether first and the number behind it are precise, and one of
// them can be a latitude and the other a longitude.
func pair(text string, first decimal) bool {
	if !first.precise() {
		return false
	}
	next, ok := betweenPair(text, first.end)
	if !ok {
		return false
	}
	second, ok := readDecimal(text, next)
	return ok && second.precise() &&
		min(first.whole, second.whole) <= maxLatitude && max(first.whole, second.whole) <= maxLongitude
}

// betweenPair returns the index of the digit that follows i, if all in between
// can be between two coordinates: separators, brackets and quotes, a sign right
// before the digit, and words such as "lon" or "N".
func betweenPair(text string, i int) (next int, ok bool) {
	separated, labelled, joined := false, false, false
	for end := min(len(text), i+maxPairGap); i < end; i++ {
		switch c := text[i]; {
		case is(c, isDigit):
			return i, labelled || separated && !joined
		case is(c, isSpace), strings.IndexByte(",;/|", c) >= 0:
			separated = true
		case c == '-' || c == '+':
			if !isAtIndex(text, i+1, isDigit) {
				return 0, false
			}
		case hasFold(text, i, "%2c"), hasFold(text, i, "%20"):
			separated = true
			i += 2
		case c == degree, is(c, isBracket), strings.IndexByte(`:='"`, c) >= 0:
		case is(c, isLetter):
			word := wordAt(text, i)
			labelled = labelled || isOneOf(word, axes[:]) || isOneOf(word, directions[:])
			joined = joined || isOneOf(word, conjunctions[:])
			if !labelled && !joined {
				return 0, false
			}
			i += len(word) - 1
		default:
			return 0, false
		}
	}
	return 0, false
}

// geoURI reports whether the digits at i are the first of geo:lat,lon. The
// number of decimals does not matter: such a URI has no use but to name a place.
func geoURI(text string, i int) bool {
	if i > 0 && text[i-1] == '-' {
		i--
	}
	if i == 0 || text[i-1] != ':' || !hasFold(text, i-4, "geo:") {
		return false
	}
	_, longitude, _ := strings.Cut(text[i:min(len(text), i+maxPairGap)], ",")
	return isAtIndex(longitude, 0, isDigit) || isAtIndex(longitude, 1, isDigit) && longitude[0] == '-'
}
