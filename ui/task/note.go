package task

import (
	"context"

	"docket/ui/screen"
	"docket/ui/wording"
)

// A Note is an event outside the console, such as the answer of a witness of the log.
type Note struct {
	Text    string // a clause, without a full stop
	Lasting string // a lasting text for the heading; "" for none
}

// Notes waits for the next note; nil: there is none. It returns false soon after ctx has ended.
type Notes func(ctx context.Context) (note Note, more bool)

func (n Notes) Await(s *screen.Scene) screen.Cmd {
	if n == nil {
		return nil
	}
	return s.Background("reading notes", func(ctx context.Context, _ screen.Workbench) screen.Then {
		note, more := n(ctx)
		if !more {
			return nil
		}
		return func(s *screen.Scene) screen.Cmd {
			if note.Lasting != "" {
				s.Notice = note.Lasting
			}
			s.Say("! " + wording.Capital(note.Text) + ".")
			return n.Await(s)
		}
	})
}
