package ui

// A list remembers where the reader is in a number of lines and which of them the window shows. It knows nothing of the
// lines themselves.
type list struct {
	cursor int
	top    int
	height int // of the window, as last drawn
}

// move carries out a moving verb on so many lines; false if the verb is no move.
func (l *list) move(v verb, count int) bool {
	page := max(l.height-1, 1)
	switch v {
	case goUp:
		l.cursor--
	case goDown:
		l.cursor++
	case pageUp:
		l.cursor -= page
	case pageDown:
		l.cursor += page
	case goTop:
		l.cursor = 0
	case goBottom:
		l.cursor = count - 1
	default:
		return false
	}
	l.cursor = clamp(l.cursor, count)
	return true
}

// window fits the list to a height and returns the lines that show: from top up to end.
func (l *list) window(count, height int) (top, end int) {
	l.height = height
	l.cursor = clamp(l.cursor, count)
	l.top = min(l.top, l.cursor)
	l.top = max(l.top, l.cursor-height+1, 0)
	l.top = max(min(l.top, count-height), 0)
	return l.top, min(l.top+max(height, 0), count)
}

// clamp keeps an index within so many lines; 0 if there are none.
func clamp(index, count int) int { return max(min(index, count-1), 0) }

// A scroll remembers which part of a long text the window shows.
type scroll struct {
	top    int
	lines  int // of the text, as last drawn
	height int // of the window, as last drawn
}

// move carries out a moving verb; false if the verb is no move.
func (s *scroll) move(v verb) bool {
	page := max(s.height-1, 1)
	switch v {
	case goUp:
		s.top--
	case goDown:
		s.top++
	case pageUp:
		s.top -= page
	case pageDown:
		s.top += page
	case goTop:
		s.top = 0
	case goBottom:
		s.top = s.lines
	default:
		return false
	}
	s.top = max(min(s.top, s.lines-s.height), 0)
	return true
}

// window fits the text to a height and returns its first line that shows.
func (s *scroll) window(lines, height int) (top int) {
	s.lines, s.height = lines, height
	s.top = max(min(s.top, lines-height), 0)
	return s.top
}
