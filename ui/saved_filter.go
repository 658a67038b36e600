package ui

import (
	"docket/ui/line"
	"docket/ui/theme"
)

// A SavedFilter is a filter with the name under which the queue offers it.
type SavedFilter struct{ Name, Text string }

// filterMenu lists the saved filters and puts the one that is chosen over the queue.
type filterMenu struct {
	saved []SavedFilter
	list  list
}

func (m *filterMenu) press(p press, c *console) effect {
	count := len(m.saved)
	switch p.name {
	case "esc", "q":
		return lower{}
	case "enter":
		return several{lower{}, filterQueue{c.queue.area, m.saved[clamp(m.list.cursor, count)].Text}}
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

// The widths of the menu and of a filter's name in it.
const (
	filterMenuWidth = 76
	leastFilterName = 8
	mostFilterName  = 24
)

func (m *filterMenu) box(_ *console, width, height int) (line.Sheet, int) {
	size, named := min(width, filterMenuWidth), leastFilterName
	for _, filter := range m.saved {
		named = min(max(named, line.Width(filter.Name)), mostFilterName)
	}
	top, end := m.list.window(len(m.saved), min(max(height-2, 1), len(m.saved)))
	var sheet line.Sheet
	for i := top; i < end; i++ {
		row := line.Of(theme.Plain, m.saved[i].Name).Pad(named).And(theme.Dim, "  "+m.saved[i].Text)
		sheet = append(sheet, cursorLine(row, i == m.list.cursor, size-4))
	}
	return line.Box("Saved filters", sheet, size), size
}

// noSavedFilters says how filters are saved.
const noSavedFilters = "no filter is saved; the config file's [filters] names them, see `docket config example`"
