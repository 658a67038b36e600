package line

import (
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Width is the one measure of the console: how many columns a text takes on a terminal. Terminals
// disagree about characters that are joined from several; this is the most that any of them takes,
// so that a text fits everywhere. The text must be clean, as in every Span.
func Width(text string) int {
	if isASCII(text) {
		return len(text)
	}
	width := 0
	for len(text) > 0 {
		cluster, w := nextCluster(text)
		width += w
		text = text[len(cluster):]
	}
	return width
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// nextCluster returns the first character of the text as a reader sees it, and its width.
func nextCluster(text string) (cluster string, width int) {
	if text[0] < utf8.RuneSelf && (len(text) == 1 || text[1] < utf8.RuneSelf) {
		return text[:1], 1
	}
	cluster, width = ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
	if utf8.RuneCountInString(cluster) == 1 {
		return cluster, width
	}
	apart, last := 0, 0
	for _, r := range cluster {
		w := ansi.StringWidth(string(r))
		if r == '\ufe0f' && last == 1 { // a picture in place of a narrow symbol is wide
			w = 1
		}
		apart, last = apart+w, w
	}
	return cluster, max(width, apart)
}

func head(text string, width int) (part string, taken int) {
	if isASCII(text) {
		n := min(max(width, 0), len(text))
		return text[:n], n
	}
	rest := text
	for len(rest) > 0 {
		cluster, w := nextCluster(rest)
		if taken+w > width {
			break
		}
		taken += w
		rest = rest[len(cluster):]
	}
	return text[:len(text)-len(rest)], taken
}
