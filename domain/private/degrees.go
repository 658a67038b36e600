package private

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

// degrees reports whether a single coordinate with a degree sign starts with the
// number whole at i: precise degrees with a direction, or degrees, minutes and
// seconds. A second is about thirty metres, and so is a fiftieth of a minute:
// both are closer than three decimals of a degree.
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

// afterDegree returns the index behind the degree sign, or the word, at i, or i.
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

// afterQuotes skips the marks of minutes or seconds and the spaces around them.
func afterQuotes(text string, i int) int {
	i = skip(text, i, maxPadding, isSpace)
	for n := 0; n < 2 && i < len(text) && (text[i] == '\'' || text[i] == '"'); n++ {
		i++
	}
	return skip(text, i, maxPadding, isSpace)
}

// directed reports whether a direction comes before start or at end.
func directed(text string, start, end int) bool {
	if isOneOf(wordAt(text, skip(text, end, maxPadding, isSpace)), directions[:]) {
		return true
	}
	last := skipBack(text, start-1, maxPadding, isSpace)
	first := skipBack(text, last, maxDirection, isLetter) + 1
	return isOneOf(text[first:last+1], directions[:])
}

// wordAt returns the letters from i on.
func wordAt(text string, i int) string {
	return text[i:skip(text, i, maxDirection+1, isLetter)]
}

// isOneOf reports whether word is in list, in any case.
func isOneOf(word string, list []string) bool {
	for _, w := range list {
		if len(word) == len(w) && hasFold(word, 0, w) {
			return true
		}
	}
	return false
}
