package line

import (
	"strings"
	"unicode/utf8"
)

// Wrap breaks the line between words so that each piece takes at most width columns, and a longer
// word at the width. Every piece but the first is indented by so many columns. An empty line gives
// one.
func (l Line) Wrap(width, indent int) []Line {
	width = max(width, 1)
	w := wrapping{width: width, indent: min(max(indent, 0), width/2)}
	for _, span := range l {
		if span.ends {
			w.flush()
			w.next()
			continue
		}
		for text := span.text; text != ""; {
			blanks := len(text) - len(strings.TrimLeft(text, " "))
			if blanks > 0 {
				w.flush()
				w.blanks = append(w.blanks, piece(span, text[:blanks], blanks))
				text = text[blanks:]
				continue
			}
			end := strings.IndexByte(text, ' ')
			if end < 0 {
				end = len(text)
			}
			w.word = append(w.word, piece(span, text[:end], Width(text[:end])))
			text = text[end:]
		}
	}
	w.flush()
	return append(w.done, w.current)
}

type wrapping struct {
	width, indent int
	done          []Line
	current       Line
	used          int
	blanks, word  Line // what stands before the next word, and that word so far
}

func piece(like Span, text string, width int) Span {
	like.text, like.width = text, width
	return like
}

func (w *wrapping) flush() {
	size := w.word.Width()
	if size > 0 && w.used+w.blanks.Width()+size > w.width && w.used > w.start() {
		w.next()
		w.blanks = nil
	}
	for _, span := range w.blanks {
		room := min(span.width, w.width-w.used)
		w.put(piece(span, span.text[:max(room, 0)], max(room, 0)))
	}
	for _, span := range w.word {
		for span.width > w.width-w.used {
			part, taken := head(span.text, w.width-w.used)
			if taken == 0 && w.used <= w.start() {
				if w.used > 0 { // the indentation leaves no room
					w.current, w.used = nil, 0
					continue
				}
				first, size := firstRune(span.text)
				if size > w.width {
					span = Span{} // the window is narrower than one character
					break
				}
				part, taken = first, size // of a character with many modifiers
				span.width = size + Width(span.text[len(first):])
			}
			w.put(piece(span, part, taken))
			span = piece(span, span.text[len(part):], span.width-taken)
			w.next()
		}
		w.put(span)
	}
	w.blanks, w.word = nil, nil
}

func firstRune(text string) (first string, width int) {
	_, size := utf8.DecodeRuneInString(text)
	return text[:size], Width(text[:size])
}

func (w *wrapping) start() int {
	if len(w.done) == 0 {
		return 0
	}
	return w.indent
}

func (w *wrapping) next() {
	w.done = append(w.done, w.current)
	w.current, w.used = nil, 0
	w.put(piece(Span{}, strings.Repeat(" ", w.indent), w.indent))
}

// put appends a span, merged with the last one if both look the same.
func (w *wrapping) put(span Span) {
	if span.text == "" {
		return
	}
	w.used += span.width
	if n := len(w.current); n > 0 && w.current[n-1].role == span.role && w.current[n-1].selected == span.selected {
		w.current[n-1].text += span.text
		w.current[n-1].width += span.width
		return
	}
	w.current = append(w.current, span)
}

// LongestWord is the width of the longest piece of the line without a blank.
func (l Line) LongestWord() int {
	longest := 0
	for word := range strings.FieldsSeq(l.String()) {
		longest = max(longest, Width(word))
	}
	return longest
}
