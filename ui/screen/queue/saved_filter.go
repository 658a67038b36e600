package queue

import (
	"context"

	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

type (
	// saveFilterAs keeps a filter under a name; forgetFilter deletes one.
	saveFilterAs struct {
		queue  *Screen
		filter SavedFilter
	}
	forgetFilter struct {
		queue *Screen
		name  string
	}

	// filtersKept is what has become of that.
	filtersKept struct {
		queue *Screen
		book  FilterBook
		done  string
		err   error
	}
)

// noSavedFilters says how filters are saved.
const noSavedFilters = "no filter is saved; F saves the one that shows under a name"

func (e saveFilterAs) CarryOut(h screen.Host) tea.Cmd {
	book := e.queue.Saved
	return h.Ask("keeping the filters", func(context.Context, screen.Desk) screen.Effect {
		next, err := book.Save(e.filter)
		kept, _ := next.Find(e.filter.Name) // as it was written first
		return filtersKept{e.queue, next, "saved as " + kept.Name + book.HowLong() + "; f offers it", err}
	})
}

func (e forgetFilter) CarryOut(h screen.Host) tea.Cmd {
	book := e.queue.Saved
	return h.Ask("keeping the filters", func(context.Context, screen.Desk) screen.Effect {
		next, err := book.Drop(e.name)
		return filtersKept{e.queue, next, "the filter " + e.name + " is deleted", err}
	})
}

func (e filtersKept) CarryOut(h screen.Host) tea.Cmd {
	if e.err != nil {
		return widget.Alarm{About: "The saved filters are as they were", Text: e.err.Error()}.CarryOut(h)
	}
	e.queue.Saved = e.book
	return screen.Say{Text: e.done}.CarryOut(h)
}

// whyNotSave says why the filter that shows cannot be saved; "" if it can.
func (q *Screen) whyNotSave() string {
	d := q.docket()
	switch {
	case q.editor != nil && d.complaint != "":
		return d.complaint
	case d.wanted.filter.String() == "":
		return "there is no filter to save; / types one"
	}
	return ""
}

// saveEffect asks for the name of the filter that shows, and again where there is one of that name.
func (q *Screen) saveEffect() screen.Effect {
	text := q.docket().wanted.filter.String()
	return screen.Raise{Overlay: &widget.Prompt{
		Title: "Save the filter", Text: text + " is kept" + q.Saved.HowLong() + ". Under which name?",
		Missing: "a name is needed", Editor: widget.NewEditor("❯ ", "a name", ""),
		Answer: func(name string) screen.Effect {
			filter := SavedFilter{Name: name, Text: text}
			before, there := q.Saved.Find(name)
			if !there || before.Fixed || before.Text == text { // of a fixed one the book says why not
				return saveFilterAs{q, filter}
			}
			return screen.Raise{Overlay: &widget.Question{Title: "There is a filter of that name", Yes: "replace it", No: "keep it",
				Text: before.Name + " is now " + before.Text + ".", Answer: saveFilterAs{q, filter}}}
		},
	}}
}

// filterMenu lists the saved filters and puts the one that is chosen over the queue, or deletes it.
type filterMenu struct {
	queue     *Screen
	saved     []SavedFilter
	deleting  bool // Enter deletes, too
	list      widget.List
	complaint string
}

func (m *filterMenu) Press(p action.Press) screen.Effect {
	count := len(m.saved)
	m.complaint = ""
	switch p.Name {
	case "esc", "q":
		return screen.Lower{}
	case "enter":
		if m.deleting {
			return m.delete()
		}
		return screen.Several{screen.Lower{}, screen.FilterQueue{Area: m.queue.Area, Text: m.saved[widget.Clamp(m.list.Cursor, count)].Text}}
	case "x", "X", "delete":
		return m.delete()
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

// delete asks whether the filter under the cursor is to be deleted.
func (m *filterMenu) delete() screen.Effect {
	one := m.saved[widget.Clamp(m.list.Cursor, len(m.saved))]
	if m.complaint = one.WhyNotDrop(); m.complaint != "" {
		return nil
	}
	return screen.Raise{Overlay: &widget.Question{Title: "Delete a saved filter", Text: one.Name + ": " + one.Text, Yes: "delete it", No: "keep it",
		Answer: forgetFilter{m.queue, one.Name}}}
}

// The widths of the menu and of a filter's name in it.
const (
	filterMenuWidth = 76
	leastFilterName = 8
	mostFilterName  = 24
)

func (m *filterMenu) Keys() []screen.Key {
	if m.deleting {
		return []screen.Key{{Key: "enter", Label: "delete"}, {Key: "esc", Label: "cancel"}, {Key: "down", Label: "down"}, {Key: "up", Label: "up"}}
	}
	return []screen.Key{{Key: "enter", Label: "use"}, {Key: "x", Label: "delete"}, {Key: "esc", Label: "cancel"}, {Key: "down", Label: "down"}, {Key: "up", Label: "up"}}
}

func (m *filterMenu) Box(width, height int) (line.Sheet, int) {
	size, named := min(width, filterMenuWidth), leastFilterName
	for _, filter := range m.saved {
		named = min(max(named, line.Width(filter.Name)), mostFilterName)
	}
	top, end := m.list.Window(len(m.saved), min(max(height-3, 1), len(m.saved)))
	var sheet line.Sheet
	for i := top; i < end; i++ {
		row := line.Of(theme.Plain, m.saved[i].Name).Pad(named).And(theme.Dim, "  "+m.saved[i].Text)
		sheet = append(sheet, widget.CursorLine(row, i == m.list.Cursor, size-4))
	}
	title := "Saved filters"
	if m.deleting {
		title = "Delete a saved filter"
	}
	return line.Box(title, append(sheet, m.last().Fit(size-4)), size), size
}

// last says what can be done, or why that could not.
func (m *filterMenu) last() line.Line {
	switch {
	case m.complaint != "":
		return line.Of(theme.Warn, "! "+m.complaint)
	case m.deleting:
		return line.Of(theme.Accent, "↵").And(theme.Dim, " delete it   ").And(theme.Accent, "Esc").And(theme.Dim, " cancel")
	}
	return line.Of(theme.Accent, "↵").And(theme.Dim, " use it   ").And(theme.Accent, "x").And(theme.Dim, " delete it   ").
		And(theme.Accent, "Esc").And(theme.Dim, " cancel")
}
