package private

import "strings"

const (
	// maxLocal bounds the search for a letter left of an at sign; a local part
	// has no more than 64 bytes.
	maxLocal = 66
	// maxPadding bounds the spaces and brackets around an at sign or a dot.
	maxPadding = 4
)

// emailAt reports whether an at sign in text makes an e-mail address: something
// with a letter or digit directly on both sides, or, with spaces or brackets in
// between, a dotted domain to the right.
func emailAt(text string) bool {
	for from := 0; ; {
		next := strings.IndexByte(text[from:], '@')
		if next < 0 {
			return false
		}
		at := from + next
		from = at + 1
		if localBefore(text, at) && hostAfter(text, from) || paddedEmail(text, at, from) {
			return true
		}
	}
}

// localBefore reports whether a local part ends at end: a run without spaces
// that holds a letter or a digit. A slash ends the run, so that the at sign of a
// path (/@handle) has nothing before it. A quoted local part may have spaces. Of
// several at signs in a row the first one has the local part before it, and the
// host behind it.
func localBefore(text string, end int) bool {
	quoted := end > 0 && text[end-1] == '"'
	for i := end - 1; i >= 0 && i >= end-maxLocal; i-- {
		switch c := text[i]; {
		case is(c, isWord):
			return true
		case c == '@' || c == '/' || is(c, isSpace) && !quoted:
			return false
		}
	}
	return false
}

// hostAfter reports whether a host starts at start: a run without spaces that
// holds a letter or a digit, an address in brackets included.
func hostAfter(text string, start int) bool {
	for i := start; i < len(text) && i < start+maxLocal; i++ {
		switch c := text[i]; {
		case is(c, isWord):
			return true
		case c == '/' || is(c, isSpace):
			return false
		}
	}
	return false
}

// paddedEmail reports whether the at sign, or what stands for it, in
// text[start:end] has a word before and a dotted domain after any spaces and
// brackets.
func paddedEmail(text string, start, end int) bool {
	before := skipBack(text, start-1, maxPadding, isSpace|isBracket)
	after := skip(text, end, maxPadding, isSpace|isBracket)
	return isAtIndex(text, before, isWord) && dottedDomain(text, after)
}

// encodedEmail finds addresses whose at sign is written as an URL or HTML
// escape. The host has to be directly behind and hold a letter, unlike in
// "100%40%20".
func encodedEmail(text string) bool {
	for i := 0; i < len(text); i++ {
		if !is(text[i], isEncoder) {
			continue
		}
		size := encodedAt(text, i)
		if size == 0 || !localBefore(text, i) {
			continue
		}
		host := i + size
		if isAtIndex(text, skip(text, host, maxLocal, isDigit), isLetter) || dottedDomain(text, host) {
			return true
		}
	}
	return false
}

// encodedAt returns the length of the encoded at sign at i, 0 for none.
func encodedAt(text string, i int) int {
	for _, form := range [...]string{"%40", "%2540", "&#64;", "&#064;", "&#x40;", "&commat;"} {
		if hasFold(text, i, form) {
			return len(form)
		}
	}
	return 0
}
