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
	if inUUID(text, start) {
		return true
	}
	first, last := start, end
	for first > 0 && last-first < maxHexRun && isHex(text[first-1]) {
		first--
	}
	for last < len(text) && last-first < maxHexRun && isHex(text[last]) {
		last++
	}
	if isAtIndex(text, first-1, isWord) || isAtIndex(text, last, isWord) {
		return false
	}
	return last-first >= minHexRun && hexLetters(text[first:last]) >= minHexLetters
}

const uuidShape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"

// inUUID reports whether the digit at i is a part of a UUID.
func inUUID(text string, i int) bool {
	first := i
	for first > 0 && i-first < len(uuidShape) && (isHex(text[first-1]) || text[first-1] == '-') {
		first--
	}
	last := first + len(uuidShape)
	if last > len(text) || isAtIndex(text, first-1, isWord) || isAtIndex(text, last, isWord) {
		return false
	}
	for k := range len(uuidShape) {
		c := text[first+k]
		if (uuidShape[k] == '-') != (c == '-') || c != '-' && !isHex(c) {
			return false
		}
	}
	return hexLetters(text[first:last]) >= minHexLetters
}

// hexLetters counts the letters of a hash. A number with one or two around it
// is still read as a number.
func hexLetters(text string) int {
	n := 0
	for i := range len(text) {
		if is(text[i], isLetter) {
			n++
		}
	}
	return n
}

func isHex(c byte) bool {
	return is(c, isDigit) || c|0x20 >= 'a' && c|0x20 <= 'f'
}
