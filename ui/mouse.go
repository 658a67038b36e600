package ui

import tea "github.com/charmbracelet/bubbletea"

// The mouse is off unless the reader wants it: with it, a terminal no longer selects text as it did. It works in the queue
// only, where nothing that it does takes effect beyond the cursor.

// wheelLines is how many lines a turn of the wheel moves.
const wheelLines = 3

// A rowsPlace is where the rows of the queue stood when they were last drawn.
type rowsPlace struct {
	line  int // of the screen's part of the window, of the first row
	first int // which row that is
	count int
}

// point takes what the mouse does: the wheel moves the cursor, a click puts it on a row.
func (c *console) point(msg tea.MouseMsg) {
	if !c.mouse || c.closing || c.recording != nil || c.tooSmall() || c.overlay != nil || c.top() != screen(c.queue) || c.queue.docket().filtering() {
		return
	}
	d, at := c.queue.docket(), c.queue.rows
	switch {
	case msg.Button == tea.MouseButtonWheelDown, msg.Button == tea.MouseButtonWheelUp:
		v := goDown
		if msg.Button == tea.MouseButtonWheelUp {
			v = goUp
		}
		for range wheelLines {
			d.list.move(v, len(d.shown))
		}
	case msg.Button == tea.MouseButtonLeft && msg.Action == tea.MouseActionPress:
		if row := msg.Y - c.linesAbove() - at.line; row >= 0 && row < at.count {
			d.list.cursor = clamp(at.first+row, len(d.shown))
		}
	}
}

// linesAbove is how many lines of the window stand above the screen's part.
func (c *console) linesAbove() int {
	if c.scene.compact {
		return 1
	}
	return 3
}
