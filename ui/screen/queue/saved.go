package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"docket/domain/queue"
	"docket/domain/visible"
	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"
)

// A SavedFilter is a filter with the name under which the queue offers it.
type SavedFilter struct {
	Name, Text string
	Fixed      bool // it is in the config file, which the console does not write
}

// mostFilterBytes is how long the name of a saved filter may be, in bytes.
const mostFilterBytes = 60

// Check says why it cannot be saved; nil if it can. The name and the text are not in the error.
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

// A FilterKeeper keeps saved filters for the next time. Its methods return all the filters that it then keeps, and may wait for a
// disk.
type FilterKeeper interface {
	// Save keeps a filter, in place of the one of that name if there is one.
	Save(filter SavedFilter) ([]SavedFilter, error)
	// Drop forgets the filter of that name; that there is none is no error.
	Drop(name string) ([]SavedFilter, error)
}

// A FilterBook is the saved filters that are offered: those of the config file, then those that the reader has saved. It
// does not change; Save and Drop return the next one. The zero FilterBook is empty and keeps nothing beyond the session.
type FilterBook struct {
	list   []SavedFilter
	keeper FilterKeeper
}

// NewFilterBook returns a book of the filters saved so far. keeper keeps those that the reader saves; with a nil keeper they
// last as long as the session.
func NewFilterBook(saved []SavedFilter, keeper FilterKeeper) FilterBook {
	return FilterBook{saved, keeper}
}

// All lists the filters in the order in which they are offered. The slice is not to be written to.
func (b FilterBook) All() []SavedFilter { return b.list }

// HowLong says in half a sentence how long a saved filter is kept.
func (b FilterBook) HowLong() string {
	if b.keeper == nil {
		return " until docket ends"
	}
	return ", on this machine, for every store"
}

// Find returns the filter of a name, in any case; false if there is none.
func (b FilterBook) Find(name string) (SavedFilter, bool) {
	at := slices.IndexFunc(b.list, func(f SavedFilter) bool { return strings.EqualFold(f.Name, name) })
	if at < 0 {
		return SavedFilter{}, false
	}
	return b.list[at], true
}

// errFixedFilter says that the console cannot change a filter.
var errFixedFilter = errors.New("a filter of that name is in the config file; change it there, or choose another name")

// WhyNotDrop says why a filter cannot be deleted; "" if it can.
func (f *SavedFilter) WhyNotDrop() string {
	if f.Fixed {
		return "it is in the config file; remove it there"
	}
	return ""
}

// Save keeps a filter, in place of the one of its name, if that is not one of the config file.
func (b FilterBook) Save(filter SavedFilter) (FilterBook, error) {
	filter.Fixed = false
	if err := filter.Check(); err != nil {
		return b, err
	}
	before, replaces := b.Find(filter.Name)
	if replaces && before.Fixed {
		return b, errFixedFilter
	}
	if replaces {
		filter.Name = before.Name // as it was written first
	}
	if b.keeper == nil {
		return b.with(append(b.without(filter.Name), filter)), nil
	}
	kept, err := b.keeper.Save(filter)
	return b.holding(kept, err)
}

// Drop forgets a filter that the reader has saved.
func (b FilterBook) Drop(name string) (FilterBook, error) {
	if before, found := b.Find(name); found && before.Fixed {
		return b, errFixedFilter
	}
	if b.keeper == nil {
		return b.with(b.without(name)), nil
	}
	kept, err := b.keeper.Drop(name)
	return b.holding(kept, err)
}

// holding is the book with the filters that its keeper now keeps.
func (b FilterBook) holding(kept []SavedFilter, err error) (FilterBook, error) {
	if err != nil {
		return b, err
	}
	fixed := slices.DeleteFunc(slices.Clone(b.list), func(f SavedFilter) bool { return !f.Fixed })
	return b.with(append(fixed, kept...)), nil
}

func (b FilterBook) without(name string) []SavedFilter {
	return slices.DeleteFunc(slices.Clone(b.list), func(f SavedFilter) bool { return !f.Fixed && f.Name == name })
}

func (b FilterBook) with(list []SavedFilter) FilterBook { return FilterBook{list, b.keeper} }

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

	// filtersKept is the result of that.
	filtersKept struct {
		queue *Screen
		book  FilterBook
		done  string
		err   error
	}
)

// noSavedFilters says how filters are saved.
func noSavedFilters(s *screen.Scene) string {
	return fmt.Sprintf("no saved filters; %s saves the current filter under a name", s.Key(action.SaveFilter, action.InQueue))
}

func (e saveFilterAs) CarryOut(h screen.Host) tea.Cmd {
	book, offers := e.queue.Saved, h.Scene().Key(action.SavedFilters, action.InQueue)
	return h.Ask("keeping the filters", func(context.Context, screen.Workbench) screen.Effect {
		next, err := book.Save(e.filter)
		kept, _ := next.Find(e.filter.Name) // as it was written first
		return filtersKept{e.queue, next, fmt.Sprintf("saved as %s%s; %s offers it", kept.Name, book.HowLong(), offers), err}
	})
}

func (e forgetFilter) CarryOut(h screen.Host) tea.Cmd {
	book := e.queue.Saved
	return h.Ask("keeping the filters", func(context.Context, screen.Workbench) screen.Effect {
		next, err := book.Drop(e.name)
		return filtersKept{e.queue, next, fmt.Sprintf("filter %s deleted", e.name), err}
	})
}

func (e filtersKept) CarryOut(h screen.Host) tea.Cmd {
	if e.err != nil {
		return widget.Alarm{About: "The saved filters are unchanged", Text: e.err.Error()}.CarryOut(h)
	}
	e.queue.Saved = e.book
	return screen.Say{Text: e.done}.CarryOut(h)
}

// whyNotSave says why the filter that shows cannot be saved; "" if it can.
func (q *Screen) whyNotSave(s *screen.Scene) string {
	d := q.current()
	switch {
	case q.editor != nil && d.complaint != "":
		return d.complaint
	case d.query.filter.String() == "":
		return fmt.Sprintf("no filter to save; %s starts one", s.Key(action.EditFilter, action.InQueue))
	}
	return ""
}

// saveEffect asks for the name of the filter that shows, and again where there is one of that name.
func (q *Screen) saveEffect() screen.Effect {
	text := q.current().query.filter.String()
	return screen.Raise{Overlay: &widget.Prompt{
		Title: "Save the filter", Text: fmt.Sprintf("%s is kept%s. Under which name?", text, q.Saved.HowLong()),
		Missing: "a name is needed", Editor: widget.NewEditor("❯ ", "a name", ""),
		Answer: func(name string) screen.Effect {
			filter := SavedFilter{Name: name, Text: text}
			before, there := q.Saved.Find(name)
			if !there || before.Fixed || before.Text == text { // of a fixed one the book says why not
				return saveFilterAs{q, filter}
			}
			return screen.Raise{Overlay: &widget.Question{Title: wording.SameFilter, Yes: "replace it", No: "keep it",
				Text: fmt.Sprintf("%s is now %s.", before.Name, before.Text), Answer: saveFilterAs{q, filter}}}
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
		return screen.Several{screen.Lower{}, screen.FilterQueue{Area: m.queue.Area,
			Text: m.saved[widget.Clamp(m.list.Cursor, count)].Text}}
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

// delete asks whether to delete the filter under the cursor.
func (m *filterMenu) delete() screen.Effect {
	one := m.saved[widget.Clamp(m.list.Cursor, len(m.saved))]
	if m.complaint = one.WhyNotDrop(); m.complaint != "" {
		return nil
	}
	return screen.Raise{Overlay: &widget.Question{Title: wording.Capital(wording.DeleteFilter), Text: one.Name + ": " + one.Text,
		Yes: "delete it", No: "keep it",
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
		return []screen.Key{{Key: "enter", Label: "delete"}, {Key: "esc", Label: "cancel"}, {Key: "down", Label: "down"},
			{Key: "up", Label: "up"}}
	}
	return []screen.Key{{Key: "enter", Label: "apply"}, {Key: "x", Label: "delete"}, {Key: "esc", Label: "cancel"},
		{Key: "down", Label: "down"}, {Key: "up", Label: "up"}}
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
		title = wording.Capital(wording.DeleteFilter)
	}
	return line.Box(title, append(sheet, m.last().Fit(size-4)), size), size
}

// last says what can be done, or why the last action failed.
func (m *filterMenu) last() line.Line {
	switch {
	case m.complaint != "":
		return line.Of(theme.Warn, "! "+m.complaint)
	case m.deleting:
		return line.Of(theme.Accent, "↵").And(theme.Dim, " delete   ").And(theme.Accent, "Esc").And(theme.Dim, " cancel")
	}
	return line.Of(theme.Accent, "↵").And(theme.Dim, " apply   ").And(theme.Accent, "x").And(theme.Dim, " delete   ").
		And(theme.Accent, "Esc").And(theme.Dim, " cancel")
}
