package ui

import (
	"context"

	"docket/ui/line"
	"docket/ui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

type (
	// saveFilterAs keeps a filter under a name; forgetFilter deletes one.
	saveFilterAs struct {
		queue  *queueScreen
		filter SavedFilter
	}
	forgetFilter struct {
		queue *queueScreen
		name  string
	}

	// filtersKept is what has become of that.
	filtersKept struct {
		queue *queueScreen
		book  FilterBook
		done  string
		err   error
	}
)

// noSavedFilters says how filters are saved.
const noSavedFilters = "no filter is saved; F saves the one that shows under a name"

func (e saveFilterAs) carryOut(h Host) tea.Cmd {
	book := e.queue.saved
	return h.Ask("keeping the filters", func(context.Context, Desk) effect {
		next, err := book.Save(e.filter)
		kept, _ := next.Find(e.filter.Name) // as it was written first
		return filtersKept{e.queue, next, "saved as " + kept.Name + book.HowLong() + "; f offers it", err}
	})
}

func (e forgetFilter) carryOut(h Host) tea.Cmd {
	book := e.queue.saved
	return h.Ask("keeping the filters", func(context.Context, Desk) effect {
		next, err := book.Drop(e.name)
		return filtersKept{e.queue, next, "the filter " + e.name + " is deleted", err}
	})
}

func (e filtersKept) carryOut(h Host) tea.Cmd {
	if e.err != nil {
		return alarm{"The saved filters are as they were", e.err.Error()}.carryOut(h)
	}
	e.queue.saved = e.book
	return say{text: e.done}.carryOut(h)
}

// whyNotSave says why the filter that shows cannot be saved; "" if it can.
func (q *queueScreen) whyNotSave() string {
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
func (q *queueScreen) saveEffect() effect {
	text := q.docket().wanted.filter.String()
	return raise{&prompt{
		title: "Save the filter", text: text + " is kept" + q.saved.HowLong() + ". Under which name?",
		missing: "a name is needed", editor: newEditor("❯ ", "a name", ""),
		answer: func(name string) effect {
			filter := SavedFilter{Name: name, Text: text}
			before, there := q.saved.Find(name)
			if !there || before.Fixed || before.Text == text { // of a fixed one the book says why not
				return saveFilterAs{q, filter}
			}
			return raise{&question{title: "There is a filter of that name", yes: "replace it", no: "keep it",
				text: before.Name + " is now " + before.Text + ".", answer: saveFilterAs{q, filter}}}
		},
	}}
}

// filterMenu lists the saved filters and puts the one that is chosen over the queue, or deletes it.
type filterMenu struct {
	queue     *queueScreen
	saved     []SavedFilter
	deleting  bool // Enter deletes, too
	list      list
	complaint string
}

func (m *filterMenu) press(p press) effect {
	count := len(m.saved)
	m.complaint = ""
	switch p.name {
	case "esc", "q":
		return lower{}
	case "enter":
		if m.deleting {
			return m.delete()
		}
		return several{lower{}, filterQueue{m.queue.area, m.saved[clamp(m.list.cursor, count)].Text}}
	case "x", "X", "delete":
		return m.delete()
	case "j", "down", "tab", "f", "ctrl+o":
		m.list.cursor = (m.list.cursor + 1) % count
	case "k", "up", "shift+tab":
		m.list.cursor = (m.list.cursor + count - 1) % count
	case "g", "home":
		m.list.move(goTop, count)
	case "G", "end":
		m.list.move(goBottom, count)
	case "pgup":
		m.list.move(pageUp, count)
	case "pgdown":
		m.list.move(pageDown, count)
	}
	return nil
}

// delete asks whether the filter under the cursor is to be deleted.
func (m *filterMenu) delete() effect {
	one := m.saved[clamp(m.list.cursor, len(m.saved))]
	if m.complaint = one.WhyNotDrop(); m.complaint != "" {
		return nil
	}
	return raise{&question{title: "Delete a saved filter", text: one.Name + ": " + one.Text, yes: "delete it", no: "keep it",
		answer: forgetFilter{m.queue, one.Name}}}
}

// The widths of the menu and of a filter's name in it.
const (
	filterMenuWidth = 76
	leastFilterName = 8
	mostFilterName  = 24
)

func (m *filterMenu) keys() []overlayKey {
	if m.deleting {
		return []overlayKey{{"enter", "delete"}, {"esc", "cancel"}, {"down", "down"}, {"up", "up"}}
	}
	return []overlayKey{{"enter", "use"}, {"x", "delete"}, {"esc", "cancel"}, {"down", "down"}, {"up", "up"}}
}

func (m *filterMenu) box(width, height int) (line.Sheet, int) {
	size, named := min(width, filterMenuWidth), leastFilterName
	for _, filter := range m.saved {
		named = min(max(named, line.Width(filter.Name)), mostFilterName)
	}
	top, end := m.list.window(len(m.saved), min(max(height-3, 1), len(m.saved)))
	var sheet line.Sheet
	for i := top; i < end; i++ {
		row := line.Of(theme.Plain, m.saved[i].Name).Pad(named).And(theme.Dim, "  "+m.saved[i].Text)
		sheet = append(sheet, cursorLine(row, i == m.list.cursor, size-4))
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
