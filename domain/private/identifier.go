package private

// minHexLetters and minHexRun tell a hash from a number with a few letters
// around it: three letters out of a to f in sixteen characters or more.
const (
	minHexLetters = 3
	minHexRun     = 16
	maxHexRun     = 128 // a SHA-512
)

// inIdentifier reports whether the digits in text[start:end] are a part of a
// hash or a UUID. Hexadecimal has runs of ten digits often enough that
// otherwise one hash in ten would pass for a phone number.
func inIdentifier(text string, start, end int) bool {
	first, last := start, end
	for first > 0 && last-first <= maxHexRun && isHex(text[first-1]) {
		first--
	}
	for last < len(text) && last-first <= maxHexRun && isHex(text[last]) {
		last++
	}
	if isAtIndex(text, first-1, isWord) || isAtIndex(text, last, isWord) {
		return false
	}
	letters := 0
	for i := first; i < last; i++ {
		if is(text[i], isLetter) {
			letters++
		}
	}
	return last-first >= minHexRun && letters >= minHexLetters || last-first == 12 && endsUUID(text, last)
}

// endsUUID reports whether a UUID ends at end. Only its last group is long
// enough for a number without gaps.
func endsUUID(text string, end int) bool {
	const shape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"
	start := end - len(shape)
	if start < 0 {
		return false
	}
	for i := range len(shape) {
		c := text[start+i]
		if shape[i] == '-' && c != '-' || shape[i] == 'x' && !isHex(c) {
			return false
		}
	}
	return true
}

func isHex(c byte) bool {
	return is(c, isDigit) || c|0x20 >= 'a' && c|0x20 <= 'f'
}
