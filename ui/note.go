package ui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"docket/ui/screen"
	"docket/ui/wording"
)

// A Note is something that happened beside the console, such as what a witness of the log answered.
type Note struct {
	Text    string // a clause, without a full stop
	Lasting string // what the heading says from now on; "" for nothing
}

// noted is a note that has come.
type noted struct{ note Note }

func (noted) Background() {}

func (msg noted) arrive(c *console) tea.Cmd {
	if msg.note.Lasting != "" {
		c.notice = msg.note.Lasting
	}
	return tea.Batch(screen.Apply(screen.Say{Text: "! " + wording.Capital(msg.note.Text) + "."}, c), c.awaitNote())
}

// awaitNote waits for the next note.
func (c *console) awaitNote() tea.Cmd {
	if c.notes == nil {
		return nil
	}
	return c.job("reading notes", func(ctx context.Context) answer {
		note, more := c.notes(ctx)
		if !more {
			return nil
		}
		return noted{note}
	})
}
