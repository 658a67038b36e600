package line

import "strings"

// Wrap breaks the line between words so that each piece takes at most width columns; what has no blank is broken where
// it must be. Every piece but the first is indented by so many columns. An empty line gives one empty line.
func (l Line) Wrap(width, indent int) []Line {
	width = max(width, 1)
	indent = min(max(indent, 0), width/2)
	w := wrapping{width: width, indent: indent}
	for _, span := range l {
		for text := span.text; text != ""; {
			blanks := len(text) - len(strings.TrimLeft(text, " "))
			end := strings.IndexByte(text[blanks:], ' ')
			if end < 0 {
				end = len(text) - blanks
			}
			w.add(span, text[:blanks], text[blanks:blanks+end])
			text = text[blanks+end:]
		}
	}
	return append(w.done, w.current)
}

// wrapping is a line on its way to becoming several.
type wrapping struct {
	width, indent int
	done          []Line
	current       Line
	used          int
}

// add puts blanks and a word, with the looks of the span, on the current line or on the next one.
func (w *wrapping) add(like Span, blanks, word string) {
	size := Width(word)
	if word != "" && w.used+len(blanks)+size > w.width && w.used > w.start() {
		w.next()
		blanks = ""
	}
	if room := w.width - w.used; len(blanks) > room {
		blanks = blanks[:max(room, 0)]
	}
	w.put(like, blanks, len(blanks))
	for size > w.width-w.used {
		part, taken := head(word, w.width-w.used)
		if taken == 0 && w.used <= w.start() {
			return // not even one character fits: the window is narrower than it
		}
		w.put(like, part, taken)
		word, size = word[len(part):], size-taken
		w.next()
	}
	w.put(like, word, size)
}

// start is where the current line begins to hold words.
func (w *wrapping) start() int {
	if len(w.done) == 0 {
		return 0
	}
	return w.indent
}

func (w *wrapping) next() {
	w.done = append(w.done, w.current)
	w.current, w.used = nil, 0
	w.put(Span{}, strings.Repeat(" ", w.indent), w.indent)
}

// put appends text, to the last span where it looks the same.
func (w *wrapping) put(like Span, text string, width int) {
	if text == "" {
		return
	}
	w.used += width
	if n := len(w.current); n > 0 && w.current[n-1].role == like.role && w.current[n-1].selected == like.selected {
		w.current[n-1].text += text
		w.current[n-1].width += width
		return
	}
	like.text, like.width = text, width
	w.current = append(w.current, like)
}
