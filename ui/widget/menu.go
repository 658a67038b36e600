package widget

import (
	"strings"

	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
)

// menu lists actions, filters them as the reader types and runs the one under the cursor. Help and palette are menus.
type menu struct {
	title   string
	actions []*action.Action
	why     func(*action.Action) string // why one cannot run now; "" if it can
	editor  *Editor
	list    List
}

func NewMenu(title string, actions []*action.Action, why func(*action.Action) string) *menu {
	return &menu{title: title, actions: actions, why: why, editor: NewEditor("❯ ", "type to filter", "")}
}

// found lists the actions that hold every word that was typed.
func (m *menu) found() []*action.Action {
	var found []*action.Action
	for _, a := range m.actions {
		text := strings.ToLower(a.Label + " " + a.Meaning + " " + strings.Join(a.Keys, " "))
		match := true
		for word := range strings.FieldsSeq(strings.ToLower(m.editor.Text())) {
			match = match && strings.Contains(text, word)
		}
		if match {
			found = append(found, a)
		}
	}
	return found
}

func (m *menu) Press(p action.Press) screen.Effect {
	found := m.found()
	switch p.Name {
	case "esc":
		return screen.Lower{}
	case "up", "ctrl+p":
		m.list.Move(action.GoUp, len(found))
	case "down", "ctrl+n", "tab":
		m.list.Move(action.GoDown, len(found))
	case "pgup":
		m.list.Move(action.PageUp, len(found))
	case "pgdown":
		m.list.Move(action.PageDown, len(found))
	case "enter":
		if len(found) == 0 {
			return nil
		}
		a := found[Clamp(m.list.Cursor, len(found))]
		if m.why(a) != "" {
			return nil // the reason is shown beside it
		}
		return screen.Several{screen.Lower{}, screen.Do{Verb: a.Verb}}
	default:
		before := m.editor.Text()
		m.editor.Take(p)
		if m.editor.Text() != before {
			m.list = List{Height: m.list.Height}
		}
	}
	return nil
}

func (m *menu) Keys() []screen.Key {
	return []screen.Key{{Key: "enter", Label: "run"}, {Key: "esc", Label: "cancel"}, {Key: "down", Label: "down"},
		{Key: "up", Label: "up"}}
}

func (m *menu) Box(width, height int) (line.Sheet, int) {
	size := min(width, 90)
	found := m.found()
	room := min(max(height-5, 1), max(len(m.actions), 1))
	top, end := m.list.Window(len(found), room)
	sheet := line.Sheet{m.editor.View(size - 4)}
	if height > 10 {
		sheet = append(sheet, line.Rule(size-4))
	}
	for i := top; i < end; i++ {
		sheet = append(sheet, CursorLine(actionLine(found[i], m.why(found[i]), size), i == m.list.Cursor, size-4))
	}
	if len(found) == 0 {
		sheet = append(sheet, line.Of(theme.Dim, "  no action matches"))
	}
	return line.Box(m.title, sheet.Window(0, height-2), size), size
}

// The widths of a menu's columns.
const (
	menuKeys  = 12
	menuLabel = 14
)

func actionLine(a *action.Action, why string, size int) line.Line {
	labels := make([]string, len(a.Keys))
	for i, key := range a.Keys {
		labels[i] = action.KeyLabel(key)
	}
	key, label := theme.Accent, theme.Plain
	if why != "" {
		key, label = theme.Dim, theme.Dim
	}
	out := line.Of(label, a.Label).Pad(menuLabel).And(theme.Plain, " ").
		Plus(line.Of(key, strings.Join(labels, " ")).Pad(menuKeys))
	if size < 50 {
		return out
	}
	if why != "" {
		return out.And(theme.Warn, " ✗ "+why)
	}
	return out.And(theme.Dim, " "+a.Meaning)
}
