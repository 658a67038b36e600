package queue

import (
	"errors"
	"fmt"
	"strings"

	"docket/domain/queue"
	"docket/domain/visible"
	"docket/ui/screen"
	"docket/ui/widget"
	"docket/ui/wording"
)

// A SavedFilter is a filter of the config file, with the name under which the queue offers it.
type SavedFilter struct{ Name, Text string }

const mostFilterBytes = 60

// Check says why it cannot be offered; nil if it can. The name and the text are not in the error.
func (f *SavedFilter) Check() error {
	if strings.TrimSpace(f.Name) != f.Name || f.Name == "" || len(f.Name) > mostFilterBytes {
		return fmt.Errorf("a saved filter has a name of at most %d bytes, without blanks around it", mostFilterBytes)
	}
	if !visible.Clean(f.Name) || !visible.Clean(f.Text) {
		return errors.New("a saved filter has printable characters only")
	}
	if _, err := queue.ParseFilter(f.Text); err != nil {
		return fmt.Errorf("the filter cannot be used: %w", err)
	}
	return nil
}

func (q *Screen) savedMenu(s *screen.Scene) screen.Cmd {
	var rows []widget.Row
	d := q.current()
	for _, filter := range q.Saved {
		text := filter.Text
		if read, err := queue.ParseFilter(text); err == nil {
			count := len(d.Matching(read, &queue.FilterContext{Reviewer: s.Reviewer.ID, Now: s.Now, Left: s.Left}))
			text += " · " + wording.Plural(count, "case", "cases")
		}
		rows = append(rows, widget.Row{Label: filter.Name, Text: text,
			Does: func(s *screen.Scene) screen.Cmd { return s.FilterQueue(q.Area, filter.Text, 0) }})
	}
	return s.Raise(widget.NewMenu("Saved filters", "apply", rows))
}
