package private

import "strings"

// userInfo reports whether text has a URL, with a scheme or relative to one,
// whose authority carries user information. An at sign behind the authority
// belongs to the path, the query or the fragment and does not count here.
func userInfo(text string) bool {
	for {
		i := strings.Index(text, "//")
		if i < 0 {
			return false
		}
		i += 2
		for i < len(text) && text[i] == '/' {
			i++ // browsers take any number of slashes
		}
		if named, end := authorityUser(text[i:]); named {
			return true
		} else {
			text = text[i+end:]
		}
	}
}

// authorityUser reports whether the authority at the start of text has a user
// with a letter or a digit, and returns where it stopped reading.
func authorityUser(text string) (named bool, end int) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case is(c, isWord):
			named = true
		case c == '@':
			if named {
				return true, i
			}
		case is(c, isSpace), strings.IndexByte(`/\?#<>"`, c) >= 0:
			return false, i
		}
	}
	return false, len(text)
}
