package private

import (
	"strings"
)

const (
	// minPlaces is how many decimals of a degree tell a place: three are about a hundred metres.
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
	if ok && (named(g.text, i, first) || pair(g.text, first) && !measured(g.text, i, first) || degrees(g.text, i, first)) {
		return true
	}
	return k == 0 && geoURI(g.text, i)
}

var unitAfter = expression(
	`(?i)^[^0-9]{0,40}[-+]?\d{1,3}[.,]\d+\s?(?:%|per\s?cent|mm|cm|km|m|in|ft|kg|g|mg|t|l|ml|s|ms|h|eur|usd|gbp|chf|kb|mb|gb|v|a|w|kw|hz)(?:[^a-z]|$)`)

const maxMeasure = 4

func named(text string, i int, d decimal) bool {
	return d.places >= minPlaces && d.whole <= maxLongitude && roleBefore(text, i) == axis
}

// measured reports whether a pair that starts with first, at i, is one of measurements: a word
// before it, a unit behind it, or both below two, where there is only sea.
func measured(text string, i int, first decimal) bool {
	if first.places > maxMeasure {
		return false
	}
	next, _ := betweenPair(text, first.end)
	second, _ := readDecimal(text, next)
	if second.places > maxMeasure || strings.ContainsAny(text[first.end:next], "-\x03nNsSeEwWoO") {
		return false
	}
	return first.whole < 2 && second.whole < 2 || roleBefore(text, i) == measure ||
		unitAfter().MatchString(text[first.end:min(len(text), next+maxPairGap)])
}

func startsInside(text string, i int) bool {
	return i > 0 && (text[i-1]|0x20 == 'v' || text[i-1] == '.' && isAtIndex(text, i-2, isDigit))
}

// decimal is a number of up to three digits and maybe a fraction.
type decimal struct {
	whole, places int
	end           int // the index behind it
	comma         bool
}

// readDecimal refuses what goes on behind the fraction as a version or an amount does.
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

// betweenPair returns the index of the digit that follows i, if all in between can separate two
// coordinates: marks, a sign right before the digit, and words such as "lon" or "N".
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

// geoURI takes any number of decimals, since such a URI has no use but to name a place.
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

// The words in and around coordinates, in a few languages.
var (
	axes         = [...]string{"lat", "latitude", "lon", "long", "lng", "longitude", "deg", "degrees"}
	conjunctions = [...]string{"and", "und", "et", "y"}
	directions   = [...]string{
		"n", "s", "e", "w", "o", "north", "south", "east", "west", "nord", "sud", "ost", "est", "ouest", "norte",
		"sur", "este", "oeste",
	}
)

const maxDirection = 9

// degrees reports whether a coordinate starts with the number whole at i: precise degrees with a
// direction, or minutes and seconds, which are closer than three decimals.
func degrees(text string, i int, whole decimal) bool {
	end := afterDegree(text, whole.end)
	if end == whole.end || whole.whole > maxLongitude {
		return false
	}
	if whole.precise() {
		return directed(text, i, end)
	}
	minutes, ok := readDecimal(text, skip(text, end, maxPadding, isSpace))
	if !ok || whole.places > 0 || minutes.whole >= 60 {
		return false
	}
	end = afterQuotes(text, minutes.end)
	seconds, ok := readDecimal(text, end)
	if !ok || seconds.whole >= 60 {
		return minutes.places >= 2 && directed(text, i, end)
	}
	return seconds.places >= minPlaces || directed(text, i, afterQuotes(text, seconds.end))
}

func afterDegree(text string, i int) int {
	sign := skip(text, i, maxPadding, isSpace)
	if sign == len(text) || text[sign] != degree && text[sign]|0x20 != 'd' {
		return i
	}
	if text[sign] == degree {
		return sign + 1
	}
	if word := wordAt(text, sign); isOneOf(word, []string{"deg", "degree", "degrees"}) {
		return sign + len(word)
	}
	return i
}

func afterQuotes(text string, i int) int {
	i = skip(text, i, maxPadding, isSpace)
	for n := 0; n < 2 && i < len(text) && (text[i] == '\'' || text[i] == '"'); n++ {
		i++
	}
	return skip(text, i, maxPadding, isSpace)
}

func directed(text string, start, end int) bool {
	if isOneOf(wordAt(text, skip(text, end, maxPadding, isSpace)), directions[:]) {
		return true
	}
	last := skipBack(text, start-1, maxPadding, isSpace)
	first := skipBack(text, last, maxDirection, isLetter) + 1
	return isOneOf(text[first:last+1], directions[:])
}

func wordAt(text string, i int) string {
	return text[i:skip(text, i, maxDirection+1, isLetter)]
}

func isOneOf(word string, list []string) bool {
	for _, w := range list {
		if len(word) == len(w) && hasFold(word, 0, w) {
			return true
		}
	}
	return false
}
