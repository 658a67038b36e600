package private

// maxLabels bounds how far a domain is followed; the top one has to come by then.
const maxLabels = 16

// dottedDomain reports whether a domain of two or more labels starts at i, the
// second or a later one a word of two letters or more: example.org, but neither
// 3.50 nor the end of a sentence. The dot may be spelled out.
func dottedDomain(text string, i int) bool {
	for n := 0; n < maxLabels; n++ {
		end := labelEnd(text, i)
		if end == i {
			return false
		}
		if n > 0 && topLevel(text[i:end]) {
			return true
		}
		next := afterDot(text, end)
		if next == end {
			return false
		}
		i = next
	}
	return false
}

func labelEnd(text string, i int) int {
	for i < len(text) && (is(text[i], isWord) || text[i] == '-' || text[i] == '_') {
		i++
	}
	return i
}

// topLevel reports whether label starts like a top-level domain. One letter of
// another script suffices, as it may stand for a word.
func topLevel(label string) bool {
	return label[0] == foreign || len(label) > 1 && is(label[0], isLetter) && is(label[1], isLetter)
}

// afterDot returns the index behind the dot at i, where a label ends, or i when there is none. Spaces
// have to be on both sides of a dot, or it ends a sentence, and around the word,
// or it is a part of another one.
func afterDot(text string, i int) int {
	open := skip(text, i, maxPadding, isSpace|isOpener)
	end := open
	switch {
	case isAtIndex(text, open, isWord) && hasFold(text, open, "dot"):
		end += 3
	case isAtIndex(text, open, isWord) && hasFold(text, open, "punkt"):
		end += 5
	case open < len(text) && text[open] == '.':
		end++
		after := skip(text, end, maxPadding, isSpace|isCloser)
		if open == i && after == end || open > i && after > end {
			return after
		}
		return i
	default:
		return i
	}
	if after := skip(text, end, maxPadding, isSpace|isCloser); after > end {
		return after
	}
	return i
}
