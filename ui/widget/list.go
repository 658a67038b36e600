// Package widget holds the parts of screens: lists and scrolled texts, the editor of a line,
// dialogs, the menu of actions, and the glyphs and layouts that all screens share. A widget draws
// lines of clean text (package line) and knows no screen.
package widget

import (
	"docket/ui/action"
	"docket/ui/line"
)

// A List holds the cursor in a number of unknown lines, and which of them the window shows.
type List struct {
	Cursor int
	top    int
	Height int // of the window, as last drawn
}

// Move carries out a moving verb on this many lines; false if the verb is no move.
func (l *List) Move(v action.Verb, count int) bool {
	to, moves := moved(v, l.Cursor, l.Height-1, count-1)
	if moves {
		l.Cursor = Clamp(to, count)
	}
	return moves
}

// Moves are the keys that move in a text or a list, TypingMoves those where letters are text.
var (
	Moves = map[string]action.Verb{"j": action.GoDown, "down": action.GoDown, "k": action.GoUp, "up": action.GoUp,
		"pgdown": action.PageDown, "space": action.PageDown, "ctrl+d": action.PageDown, "ctrl+f": action.PageDown,
		"pgup": action.PageUp, "ctrl+u": action.PageUp, "ctrl+b": action.PageUp,
		"g": action.GoTop, "home": action.GoTop, "G": action.GoBottom, "end": action.GoBottom}
	TypingMoves = map[string]action.Verb{"up": action.GoUp, "ctrl+p": action.GoUp, "shift+tab": action.GoUp,
		"down": action.GoDown, "ctrl+n": action.GoDown, "tab": action.GoDown, "pgup": action.PageUp, "pgdown": action.PageDown}
)

// moved may lead before the first line or after the end; page is how far a page goes.
func moved(v action.Verb, from, page, end int) (int, bool) {
	page = max(page, 1)
	switch v {
	case action.GoUp:
		return from - 1, true
	case action.GoDown:
		return from + 1, true
	case action.PageUp:
		return from - page, true
	case action.PageDown:
		return from + page, true
	case action.GoTop:
		return 0, true
	case action.GoBottom:
		return end, true
	}
	return from, false
}

// Window fits the list to a height and returns the lines that show: from top up to end.
func (l *List) Window(count, height int) (top, end int) {
	l.Height = height
	l.Cursor = Clamp(l.Cursor, count)
	l.top = min(l.top, l.Cursor)
	l.top = max(l.top, l.Cursor-height+1, 0)
	l.top = max(min(l.top, count-height), 0)
	return l.top, min(l.top+max(height, 0), count)
}

// Rows draws the lines that show in a height, the one under the cursor set off.
func (l *List) Rows(count, height, width int, draw func(i int) line.Line) line.Sheet {
	top, end := l.Window(count, height)
	sheet := make(line.Sheet, 0, end-top)
	for i := top; i < end; i++ {
		sheet = append(sheet, CursorLine(draw(i), i == l.Cursor, width))
	}
	return sheet
}

// Clamp keeps an index within this many lines; 0 if there are none.
func Clamp(index, count int) int { return max(min(index, count-1), 0) }

// A Scroll holds which part of a long text the window shows.
type Scroll struct {
	Top    int
	Lines  int // of the text, as last drawn
	Height int // of the window, as last drawn
}

// Move carries out a moving verb; false if the verb is no move.
func (s *Scroll) Move(v action.Verb) bool {
	to, moves := moved(v, s.Top, s.Height, s.Lines)
	if moves {
		s.To(to)
	}
	return moves
}

// To goes to a line of the text, as far as the text has lines below it.
func (s *Scroll) To(top int) { s.Top = max(min(top, s.Lines-s.Height), 0) }

// Window fits the text to a height and returns its first line that shows.
func (s *Scroll) Window(lines, height int) (top int) {
	s.Lines, s.Height = lines, height
	s.Top = max(min(s.Top, lines-height), 0)
	return s.Top
}

// ToHeading goes to the heading after the first line that shows, or before it; headings are lines.
func (s *Scroll) ToHeading(headings []int, later bool) {
	to := 0
	for _, at := range headings {
		if later && at > s.Top {
			to = at
			break
		}
		if !later && at < s.Top {
			to = at
		}
	}
	if to > 0 || !later {
		s.Top = to
	}
}

// Show is the part of a text that a window of this height shows.
func (s *Scroll) Show(text line.Sheet, height int) line.Sheet {
	return text.Window(s.Window(len(text), height), height)
}
