package queue

import (
	"errors"
	"fmt"
	"strings"

	"docket/domain/queue"
	"docket/domain/visible"
	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
)

// A SavedFilter is a filter of the config file, with the name under which the queue offers it.
type SavedFilter struct{ Name, Text string }

// mostFilterBytes is how long the name of a saved filter may be, in bytes.
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

// filterMenu lists the saved filters and puts the one that is chosen over the queue.
type filterMenu struct {
	queue *Screen
	list  widget.List
}

func (m *filterMenu) Press(p action.Press) screen.Effect {
	count := len(m.queue.Saved)
	switch p.Name {
	case "esc", "q":
		return screen.Lower{}
	case "enter":
		return screen.Several{screen.Lower{}, screen.FilterQueue{Area: m.queue.Area,
			Text: m.queue.Saved[widget.Clamp(m.list.Cursor, count)].Text}}
	case "j", "down", "tab", "f", "ctrl+o":
		m.list.Cursor = (m.list.Cursor + 1) % count
	case "k", "up", "shift+tab":
		m.list.Cursor = (m.list.Cursor + count - 1) % count
	case "g", "home":
		m.list.Move(action.GoTop, count)
	case "G", "end":
		m.list.Move(action.GoBottom, count)
	case "pgup":
		m.list.Move(action.PageUp, count)
	case "pgdown":
		m.list.Move(action.PageDown, count)
	}
	return nil
}

// The widths of the menu and of a filter's name in it.
const (
	filterMenuWidth = 76
	leastFilterName = 8
	mostFilterName  = 24
)

func (m *filterMenu) Keys() []screen.Key {
	return []screen.Key{{Key: "enter", Label: "apply"}, {Key: "esc", Label: "cancel"}, {Key: "down", Label: "down"}, {Key: "up", Label: "up"}}
}

func (m *filterMenu) Box(width, height int) (line.Sheet, int) {
	saved, size, named := m.queue.Saved, min(width, filterMenuWidth), leastFilterName
	for _, filter := range saved {
		named = min(max(named, line.Width(filter.Name)), mostFilterName)
	}
	top, end := m.list.Window(len(saved), min(max(height-3, 1), len(saved)))
	var sheet line.Sheet
	for i := top; i < end; i++ {
		row := line.Of(theme.Plain, saved[i].Name).Pad(named).And(theme.Dim, "  "+saved[i].Text)
		sheet = append(sheet, widget.CursorLine(row, i == m.list.Cursor, size-4))
	}
	keys := line.Of(theme.Accent, "↵").And(theme.Dim, " apply   ").And(theme.Accent, "Esc").And(theme.Dim, " cancel")
	return line.Box("Saved filters", append(sheet, keys.Fit(size-4)), size), size
}
