// Package line holds the lines that the console draws: rows of spans, each a clean text with a
// role. A text goes through package visible when its span is made, so that no hostile character can
// reach the terminal. Colours are added only when lines are rendered, so that widths are those of
// the text.
//
// line.go has lines, sheet.go lines below and beside one another, width.go the one measure, and
// wrap.go line breaking.
package line

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"docket/domain/visible"
	"docket/ui/theme"

	"golang.org/x/text/unicode/norm"
)

// A Span is a clean text in one role. Its zero value is empty.
type Span struct {
	text     string
	width    int
	role     theme.Role
	selected bool
	row      bool // the line that it is in is a row of a list
	ends     bool // Wrap goes to the next line after it; a blank where nothing wraps
}

// Text makes a span. Characters that are not plainly printable become visible escapes.
func Text(role theme.Role, text string) Span {
	text = visible.String(text)
	return Span{text: text, width: Width(text), role: role}
}

// A Line is a row of spans.
type Line []Span

// Of makes a line of one span.
func Of(role theme.Role, text string) Line { return Line{Text(role, text)} }

// Written makes a line of what people wrote: Wrap starts a new line at its line feeds.
func Written(role theme.Role, text string) (l Line) {
	for i, part := range strings.Split(text, "\n") {
		if i > 0 {
			l = append(l, Span{text: " ", width: 1, role: role, ends: true})
		}
		l = l.And(role, part)
	}
	return l
}

func (l Line) And(role theme.Role, text string) Line {
	return append(l[:len(l):len(l)], Text(role, text))
}

// Plus returns the line followed by another.
func (l Line) Plus(other Line) Line { return append(l[:len(l):len(l)], other...) }

func (l Line) Width() int {
	width := 0
	for i := range l {
		width += l[i].width
	}
	return width
}

func (l Line) String() string {
	var b strings.Builder
	for i := range l {
		b.WriteString(l[i].text)
	}
	return b.String()
}

const ellipsis = "…"

// Fit returns the line cut to the width, with an ellipsis where something is missing.
func (l Line) Fit(width int) Line {
	if l.Width() <= width {
		return l
	}
	mark := Width(ellipsis)
	if width < mark {
		return l.cut(width)
	}
	cut := l.cut(width - mark)
	role, selected := theme.Dim, false
	if len(cut) > 0 {
		role, selected = cut[len(cut)-1].role, cut[len(cut)-1].selected
	}
	tail := Text(role, ellipsis)
	tail.selected = selected
	return append(cut, tail)
}

func (l Line) cut(width int) Line {
	out := make(Line, 0, len(l)+2)
	for _, span := range l {
		if width <= 0 {
			break
		}
		if span.width > width {
			span.text, span.width = head(span.text, width)
			if span.width > 0 {
				out = append(out, span)
			}
			break
		}
		out = append(out, span)
		width -= span.width
	}
	return out
}

// drop returns the line without its first columns; half of a wide character becomes a blank.
func (l Line) drop(width int) Line {
	for i, span := range l {
		if span.width <= width {
			width -= span.width
			continue
		}
		out := append(Line{}, l[i:]...)
		part, taken := head(span.text, width)
		span.text, span.width = span.text[len(part):], span.width-taken
		for blanks := 0; taken < width && span.width > 0; {
			cluster, w := nextCluster(span.text)
			taken += w
			blanks = taken - width
			span.text, span.width = strings.Repeat(" ", max(blanks, 0))+span.text[len(cluster):], span.width-w+max(blanks, 0)
		}
		out[0] = span
		return out
	}
	return nil
}

// Pad returns the line at exactly the width: cut, or filled with blanks.
func (l Line) Pad(width int) Line {
	fitted := l.Fit(width)
	return fitted.Plus(blanks(width - fitted.Width()))
}

// Right returns the line moved to the right end of the width.
func (l Line) Right(width int) Line {
	fitted := l.Fit(width)
	return blanks(width - fitted.Width()).Plus(fitted)
}

func blanks(count int) Line {
	if count <= 0 {
		return nil
	}
	return Of(theme.Plain, strings.Repeat(" ", count))
}

// Spread puts one line at the left end and one at the right, which is kept if both do not fit.
func Spread(left, right Line, width int) Line {
	right = right.Fit(width)
	room := width - right.Width()
	if right.Width() > 0 && room > 0 {
		return left.Fit(room - 1).Pad(room).Plus(right)
	}
	return left.Pad(max(room, 0)).Plus(right)
}

// Marked draws each occurrence of a text, as visible.Fold compares it, in the role.
func (l Line) Marked(text string, role theme.Role) Line { return l.marked(text, role, false) }

// MarkedWords is Marked for occurrences at the beginning of a word.
func (l Line) MarkedWords(text string, role theme.Role) Line { return l.marked(text, role, true) }

func (l Line) marked(text string, role theme.Role, words bool) Line {
	out, rest := Line{}, l
	whole, from, text := l.String(), 0, visible.Fold(text)
	for {
		at, length := indexFold(whole, from, text, words)
		if at < 0 {
			return append(out, rest...)
		}
		var before, found Line
		before, rest = rest.splitAt(at - from)
		found, rest = rest.splitAt(length)
		for i := range found {
			found[i].role = role
		}
		out, from = append(append(out, before...), found...), at+length
	}
}

// indexFold finds a folded text in s, from a byte on and, if asked, at the beginning of a word; at
// is -1 if there is none, and for an empty text.
func indexFold(s string, from int, text string, words bool) (at, length int) {
	if text == "" {
		return -1, 0
	}
	for at := range s[from:] {
		at += from
		if before, _ := utf8.DecodeLastRuneInString(s[:at]); words && (unicode.IsLetter(before) ||
			unicode.IsNumber(before)) && before < firstUnspaced {
			continue
		}
		if length = prefixFold(s[at:], text); length > 0 {
			return at, length
		}
	}
	return -1, 0
}

// firstUnspaced begins the scripts without blanks, in which a word can begin after any letter.
const firstUnspaced = '\u0e00'

// prefixFold is how many bytes of s the folded text takes where s begins with it, else 0.
func prefixFold(s, text string) (length int) {
	for text != "" {
		size := norm.NFKC.NextBoundaryInString(s[length:], true)
		if size <= 0 {
			return 0
		}
		segment := visible.Fold(s[length : length+size])
		length += size
		if strings.HasPrefix(segment, text) {
			return length // also of a ligature whose beginning is sought
		}
		if rest, begins := strings.CutPrefix(text, segment); begins {
			text = rest
			continue
		}
		return 0
	}
	return length
}

func (l Line) splitAt(at int) (before, after Line) {
	for i, span := range l {
		if at >= len(span.text) {
			before, at = append(before, span), at-len(span.text)
			continue
		}
		if at > 0 {
			before = append(before, piece(span, span.text[:at], Width(span.text[:at])))
		}
		after = append(after, piece(span, span.text[at:], Width(span.text[at:])))
		return before, append(after, l[i+1:]...)
	}
	return before, nil
}

// As returns the line in one role, such as that of text behind a dialog.
func (l Line) As(role theme.Role) Line {
	out := append(Line{}, l...)
	for i := range out {
		out[i].role, out[i].selected, out[i].row = role, false, false
	}
	return out
}

// Row returns the line as a row of a list.
func (l Line) Row() Line {
	out := append(Line{}, l...)
	out[0].row = true
	return out
}

// Selected returns the line on the background of the selected line.
func (l Line) Selected(width int) Line {
	out := append(Line{}, l.Pad(width)...)
	for i := range out {
		out[i].selected = true
	}
	return out
}

func Rule(width int) Line {
	count := max(width, 0) / Width("─")
	return Line{{text: strings.Repeat("─", count), width: count * Width("─"), role: theme.Faint}}
}
