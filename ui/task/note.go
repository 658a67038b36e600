package task

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"docket/ui/screen"
	"docket/ui/wording"
)

// A Note is an event outside the console, such as the answer of a witness of the log.
type Note struct {
	Text    string // a clause, without a full stop
	Lasting string // a lasting text for the heading; "" for none
}

// Notes waits for the next note; nil: there is none. It is called again after each, and returns false soon after ctx has ended.
type Notes func(ctx context.Context) (note Note, more bool)

// Await waits for the next note.
func (n Notes) Await(h screen.Host) tea.Cmd {
	if n == nil {
		return nil
	}
	return h.Ask("reading notes", func(ctx context.Context, _ screen.Workbench) screen.Effect {
		note, more := n(ctx)
		if !more {
			return nil
		}
		return screen.Unasked(func(h screen.Host) tea.Cmd {
			if note.Lasting != "" {
				h.Scene().Notice = note.Lasting
			}
			return tea.Batch(screen.Say{Text: "! " + wording.Capital(note.Text) + "."}.CarryOut(h), n.Await(h))
		})
	})
}
