package private

import (
	"regexp"
	"sync"
)

// The fewest digits a detail of each kind can have. Most texts have fewer.
const (
	minPhoneDigits      = 7
	minIBANDigits       = 8 // two check digits, and minBBANDigits
	minCardDigits       = 12
	minCoordinateDigits = 2 // geo:1,2
)

// maxEscapes is how often a text is unescaped: %2540 takes two turns.
const maxEscapes = 3

// ScanString returns the kinds of private details found in text. It accepts any bytes, UTF-8 or
// not, and does not change them.
func ScanString(text string) Kinds {
	seen := survey(text)
	if seen.has(needsFold) {
		text = fold(text)
		seen = survey(text)
	}
	found := scanFolded(text, seen)
	for range maxEscapes {
		if !seen.has(isEscape) {
			break
		}
		plain, changed := unescape(text)
		if !changed {
			break
		}
		text = foldAgain(plain)
		seen = survey(text)
		found |= scanFolded(text, seen)
	}
	if plain := unspell(text); plain != "" {
		found |= scanFolded(plain, survey(plain))
	}
	return found
}

// sights say what a text has, to skip the searches that cannot find anything.
type sights struct {
	digits int
	marks  class
}

func (s sights) has(c class) bool { return s.marks&c != 0 }

func survey(text string) sights {
	digits, marks := 0, class(0)
	for i := 0; i < len(text); i++ {
		c := classes[text[i]]
		digits += int(c & isDigit)
		marks |= c
	}
	return sights{digits, marks}
}

func scanFolded(text string, seen sights) Kinds {
	var found Kinds
	if seen.has(isAt) {
		found |= atSigns(text)
		if seen.has(isSlash) && userInfo().MatchString(text) {
			found = found.With(URLUserInfo)
		}
	}
	if seen.has(isSlash|isColon) && chatLink(text) {
		found = found.With(ChatLink)
	}
	if seen.has(isColon) && ipv6(text) {
		found = found.With(IPAddress)
	}
	if seen.digits >= minCoordinateDigits {
		found |= scanNumbers(text, seen.digits)
	}
	return found
}

// expression compiles at the first use: a program that scans nothing does not wait for it.
func expression(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
