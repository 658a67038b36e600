package widget

import (
	"fmt"
	"slices"

	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// A ThemeMenu lists the themes; the one under the cursor applies at once, so that the reader chooses by its look.
type ThemeMenu struct {
	apply  func(theme.Name) // draws in a theme from now on
	before theme.Name
	list   List
}

// NewThemeMenu makes the menu for a reader who has a theme.
func NewThemeMenu(now theme.Name, apply func(theme.Name)) *ThemeMenu {
	return &ThemeMenu{apply: apply, before: now, list: List{Cursor: slices.Index(theme.Names(), now)}}
}

// wear changes the theme.
type wear struct {
	menu *ThemeMenu
	name theme.Name
}

func (e wear) CarryOut(screen.Host) tea.Cmd {
	e.menu.apply(e.name)
	return nil
}

func (m *ThemeMenu) Press(p action.Press) screen.Effect {
	names := theme.Names()
	switch p.Name {
	case "esc", "q":
		return screen.Several{wear{m, m.before}, screen.Lower{}}
	case "enter":
		chosen := names[Clamp(m.list.Cursor, len(names))]
		return screen.Several{wear{m, chosen}, screen.Lower{}, screen.Say{Text: fmt.Sprintf("theme %s; `theme = \"%s\"` in the config keeps it",
			chosen, chosen)}}
	case "j", "down", "tab", "T":
		m.list.Cursor = (m.list.Cursor + 1) % len(names)
	case "k", "up", "shift+tab":
		m.list.Cursor = (m.list.Cursor + len(names) - 1) % len(names)
	case "g", "home":
		m.list.Move(action.GoTop, len(names))
	case "G", "end":
		m.list.Move(action.GoBottom, len(names))
	default:
		return nil
	}
	return wear{m, names[m.list.Cursor]}
}

const themeMenuWidth = 74

func (m *ThemeMenu) Keys() []screen.Key {
	return []screen.Key{{Key: "enter", Label: "apply"}, {Key: "esc", Label: "cancel"}, {Key: "down", Label: "down"},
		{Key: "up", Label: "up"}}
}

func (m *ThemeMenu) Box(width, height int) (line.Sheet, int) {
	size := min(width, themeMenuWidth)
	names := theme.Names()
	inner := themeSample(size - 4)
	if height < len(names)+len(inner)+2 {
		inner = nil
	}
	top, end := m.list.Window(len(names), min(height-2-len(inner), len(names)))
	var sheet line.Sheet
	for i := top; i < end; i++ {
		row := line.Of(theme.Plain, names[i].String()).Pad(20).And(theme.Dim, names[i].Meaning())
		sheet = append(sheet, CursorLine(row, i == m.list.Cursor, size-4))
	}
	return line.Box("Theme", append(sheet, inner...), size), size
}

// themeSample shows the roles side by side, each with its glyph and its word.
func themeSample(width int) line.Sheet {
	return line.Sheet{
		line.Rule(width),
		line.Of(theme.Pass, "✓ pass").And(theme.Bad, "  ✗ blocked").And(theme.Warn, "  ▲ overdue").
			And(theme.Accent, "  ❯ here").And(theme.Dim, "  label").Fit(width),
		line.Of(theme.PassSign, " ✓ PASS ").And(theme.Plain, "  ").And(theme.BadSign, " ✗ BLOCKED ").
			And(theme.Input, "  typed").And(theme.Cursor, "▏").Fit(width),
		line.Of(theme.Accent, "↵").And(theme.Dim, " apply   ").And(theme.Accent, "Esc").And(theme.Dim, " cancel").Fit(width),
	}
}
