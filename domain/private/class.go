package private

type class uint16

const (
	isDigit class = 1 << iota // the lowest bit, so that survey can add it up
	isLetter
	isAt
	isSlash
	isColon
	isEscape // starts an escape: %40, &#64;, \u0040
	isOpener // opens an enclosed word: (at)
	isCloser
	isSpace
	isJoint // may stand between the digits of a phone number
	isHint  // what a spelled at sign or dot may be told by: see mayBeSpelled
	needsFold
)

const (
	isWord    = isDigit | isLetter
	isBracket = isOpener | isCloser
)

// Folded text is ASCII. These controls, which fold drops from a text, stand for what is no ASCII.
const (
	foreign  = 0x01 // a letter of another script
	symbol   = 0x02 // any other character
	degree   = 0x03 // a degree sign
	section  = 0x05 // a section sign
	unspaced = 0x04 // a letter of a script that sets no space before a number
)

// classes is indexed by the byte; scanFolded never looks at needsFold, which controls have.
var classes = func() (t [256]class) {
	for c := range t {
		switch b := byte(c); {
		case b >= '0' && b <= '9':
			t[c] = isDigit
		case b|0x20 >= 'a' && b|0x20 <= 'z':
			t[c] = isLetter
		case b < ' ' || b >= 0x7f:
			t[c] = needsFold
		}
	}
	t[foreign] |= isLetter
	t[unspaced] |= isLetter
	t['@'] |= isAt
	for _, b := range " \t\n\r" {
		t[b] = isSpace | isJoint
	}
	for _, b := range "-./()_" {
		t[b] |= isJoint
	}
	t['/'] |= isSlash
	t[':'] |= isColon
	for _, b := range `%&\` {
		t[b] |= isEscape
	}
	for _, b := range "([{<" {
		t[b] |= isOpener
	}
	for _, b := range "@.([{<tT" {
		t[b] |= isHint
	}
	for _, b := range ")]}>" {
		t[b] |= isCloser
	}
	return t
}()

func is(b byte, c class) bool { return classes[b]&c != 0 }

func isAtIndex(text string, i int, c class) bool {
	return i >= 0 && i < len(text) && is(text[i], c)
}

// skip returns the first index from i on, and at most limit further, whose byte is not in c.
func skip(text string, i, limit int, c class) int {
	for end := min(len(text), i+limit); i < end && is(text[i], c); i++ {
	}
	return i
}

// skipBack returns the last index from i down, and at most limit further, whose
// byte is not in c; -1 at the start of the text.
func skipBack(text string, i, limit int, c class) int {
	for end := max(-1, i-limit); i > end && is(text[i], c); i-- {
	}
	return i
}

func hasFold(text string, i int, word string) bool {
	if i < 0 || i+len(word) > len(text) {
		return false
	}
	for k := 0; k < len(word); k++ {
		c := text[i+k]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		if c != word[k] {
			return false
		}
	}
	return true
}
