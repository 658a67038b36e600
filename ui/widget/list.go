// Package widget is what screens are put together from: lists and scrolled texts, the editor of a line, dialogs, the menu of
// actions, and the glyphs and layouts that look alike everywhere. A widget draws lines of clean text (package line) and knows no
// screen.
package widget

import (
	"docket/ui/action"
)

// A List remembers where the reader is in a number of lines and which of them the window shows. It knows nothing of the
// lines themselves.
type List struct {
	Cursor int
	top    int
	Height int // of the window, as last drawn
}

// Move carries out a moving verb on so many lines; false if the verb is no move.
func (l *List) Move(v action.Verb, count int) bool {
	page := max(l.Height-1, 1)
	switch v {
	case action.GoUp:
		l.Cursor--
	case action.GoDown:
		l.Cursor++
	case action.PageUp:
		l.Cursor -= page
	case action.PageDown:
		l.Cursor += page
	case action.GoTop:
		l.Cursor = 0
	case action.GoBottom:
		l.Cursor = count - 1
	default:
		return false
	}
	l.Cursor = Clamp(l.Cursor, count)
	return true
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

// Clamp keeps an index within so many lines; 0 if there are none.
func Clamp(index, count int) int { return max(min(index, count-1), 0) }

// A Scroll remembers which part of a long text the window shows.
type Scroll struct {
	Top    int
	Lines  int // of the text, as last drawn
	Height int // of the window, as last drawn
}

// Move carries out a moving verb; false if the verb is no move.
func (s *Scroll) Move(v action.Verb) bool {
	page := max(s.Height-1, 1)
	switch v {
	case action.GoUp:
		s.Top--
	case action.GoDown:
		s.Top++
	case action.PageUp:
		s.Top -= page
	case action.PageDown:
		s.Top += page
	case action.GoTop:
		s.Top = 0
	case action.GoBottom:
		s.Top = s.Lines
	default:
		return false
	}
	s.Top = max(min(s.Top, s.Lines-s.Height), 0)
	return true
}

// Window fits the text to a height and returns its first line that shows.
func (s *Scroll) Window(lines, height int) (top int) {
	s.Lines, s.Height = lines, height
	s.Top = max(min(s.Top, lines-height), 0)
	return s.Top
}
