package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"docket/ui/screen"
)

// The mouse is off unless the reader wants it: with it, a terminal no longer selects text as it did. It works in the queue
// only, where nothing that it does takes effect beyond the cursor.

// wheelLines is how many lines a turn of the wheel moves.
const wheelLines = 3

// point takes what the mouse does: the wheel moves the cursor, a click puts it on a row.
func (c *console) point(msg tea.MouseMsg) {
	if !c.mouse || c.closing || c.recording != nil || c.tooSmall() || c.stage.Overlay != nil || c.stage.Top() != screen.Screen(c.queue) {
		return
	}
	switch {
	case msg.Button == tea.MouseButtonWheelDown:
		c.queue.Roll(wheelLines)
	case msg.Button == tea.MouseButtonWheelUp:
		c.queue.Roll(-wheelLines)
	case msg.Button == tea.MouseButtonLeft && msg.Action == tea.MouseActionPress:
		c.queue.Click(msg.Y - c.linesAbove())
	}
}

// linesAbove is how many lines of the window stand above the screen's part.
func (c *console) linesAbove() int {
	if c.scene.Compact {
		return 1
	}
	return 3
}
