package private

// enclosedEmail finds addresses whose at sign is a word in brackets:
// "name [at] example [dot] org". The brackets are never prose, so a dot is not
// asked for; the German "(a)" is, being a list mark as well.
func enclosedEmail(text string) bool {
	for i := 0; i < len(text); i++ {
		if !is(text[i], isOpener) {
			continue
		}
		word := skip(text, i+1, maxPadding, isSpace)
		end := word
		switch {
		case hasFold(text, word, "at"):
			end += 2
		case hasFold(text, word, "a"):
			end++
		default:
			continue
		}
		closer := skip(text, end, maxPadding, isSpace)
		if !isAtIndex(text, closer, isCloser) {
			continue
		}
		before := skipBack(text, i-1, maxPadding, isSpace|isBracket)
		after := skip(text, closer+1, maxPadding, isSpace|isBracket)
		if !isAtIndex(text, before, isWord) {
			continue
		}
		if end-word == 2 && isAtIndex(text, after, isLetter) || dottedDomain(text, after) {
			return true
		}
	}
	return false
}

// spelledEmail finds "name at example dot org". It looks for the rarer word,
// "dot", in strides of its length: each occurrence has exactly one of its
// letters at such a place.
func spelledEmail(text string) bool {
	for i := 2; i < len(text); i += 3 {
		start := i
		switch text[i] | 0x20 {
		case 'd':
		case 'o':
			start = i - 1
		case 't':
			start = i - 2
		default:
			continue
		}
		if hasFold(text, start, "dot") && spelledDot(text, start) {
			return true
		}
	}
	return false
}

// spelledDot reports whether the word "dot" at start is one of an address: a
// space and a word on both sides, with "name at" in front of it. An article
// instead of a host ("look at the dot on the map") is prose.
func spelledDot(text string, start int) bool {
	label := skipBack(text, start-1, maxPadding, isSpace)
	first := skipBack(text, label, maxLocal, isWord)
	after := skip(text, start+3, maxPadding, isSpace)
	if label == start-1 || first == label || after == start+3 || !isAtIndex(text, after, isLetter) {
		return false
	}
	host := text[first+1 : label+1]
	for _, article := range [...]string{"the", "a", "an", "this", "that", "each", "every", "its", "one"} {
		if len(host) == len(article) && hasFold(host, 0, article) {
			return false
		}
	}
	at := skipBack(text, first, maxPadding, isSpace)
	if !hasFold(text, at-1, "at") {
		return false
	}
	name := skipBack(text, at-2, maxPadding, isSpace)
	return name < at-2 && isAtIndex(text, name, isWord)
}
