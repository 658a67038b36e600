package ui

import (
	"strings"

	"docket/ui/line"
	"docket/ui/theme"
)

// menu lists actions, filters them as the reader types and runs the one under the cursor. Help and palette are menus.
type menu struct {
	title   string
	actions []*action
	why     func(*action) string // why one cannot run now; "" if it can
	editor  *editor
	list    list
}

func newMenu(title string, actions []*action, why func(*action) string) *menu {
	return &menu{title: title, actions: actions, why: why, editor: newEditor("❯ ", "type to filter", "")}
}

// found lists the actions that hold every word that was typed.
func (m *menu) found() []*action {
	var found []*action
	for _, a := range m.actions {
		text := strings.ToLower(a.label + " " + a.meaning + " " + strings.Join(a.keys, " "))
		match := true
		for word := range strings.FieldsSeq(strings.ToLower(m.editor.text())) {
			match = match && strings.Contains(text, word)
		}
		if match {
			found = append(found, a)
		}
	}
	return found
}

func (m *menu) press(p press) effect {
	found := m.found()
	switch p.name {
	case "esc":
		return lower{}
	case "up", "ctrl+p":
		m.list.move(goUp, len(found))
	case "down", "ctrl+n", "tab":
		m.list.move(goDown, len(found))
	case "pgup":
		m.list.move(pageUp, len(found))
	case "pgdown":
		m.list.move(pageDown, len(found))
	case "enter":
		if len(found) == 0 {
			return nil
		}
		a := found[clamp(m.list.cursor, len(found))]
		if m.why(a) != "" {
			return nil // the reason stands beside it
		}
		return several{lower{}, run{a.verb}}
	default:
		before := m.editor.text()
		m.editor.take(p)
		if m.editor.text() != before {
			m.list = list{height: m.list.height}
		}
	}
	return nil
}

func (m *menu) keys() []overlayKey {
	return []overlayKey{{"enter", "run"}, {"esc", "cancel"}, {"down", "down"}, {"up", "up"}}
}

func (m *menu) box(width, height int) (line.Sheet, int) {
	size := min(width, 90)
	found := m.found()
	room := min(max(height-5, 1), max(len(m.actions), 1))
	top, end := m.list.window(len(found), room)
	sheet := line.Sheet{m.editor.view(size - 4)}
	if height > 10 {
		sheet = append(sheet, line.Rule(size-4))
	}
	for i := top; i < end; i++ {
		sheet = append(sheet, cursorLine(actionLine(found[i], m.why(found[i]), size), i == m.list.cursor, size-4))
	}
	if len(found) == 0 {
		sheet = append(sheet, line.Of(theme.Dim, "  nothing is called that"))
	}
	return line.Box(m.title, sheet.Window(0, height-2), size), size
}

// The widths of a menu's columns.
const (
	menuKeys  = 12
	menuLabel = 14
)

func actionLine(a *action, why string, size int) line.Line {
	labels := make([]string, len(a.keys))
	for i, key := range a.keys {
		labels[i] = keyLabel(key)
	}
	key, label := theme.Accent, theme.Plain
	if why != "" {
		key, label = theme.Dim, theme.Dim
	}
	out := line.Of(label, a.label).Pad(menuLabel).And(theme.Plain, " ").
		Plus(line.Of(key, strings.Join(labels, " ")).Pad(menuKeys))
	if size < 50 {
		return out
	}
	if why != "" {
		return out.And(theme.Warn, " ✗ "+why)
	}
	return out.And(theme.Dim, " "+a.meaning)
}
