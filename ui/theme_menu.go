package ui

import (
	"slices"

	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// themeMenu lists the themes; the one under the cursor applies at once, so that it is chosen by its looks.
type themeMenu struct {
	console *console
	before  theme.Name
	list    widget.List
}

func newThemeMenu(c *console) *themeMenu {
	return &themeMenu{console: c, before: c.themeName, list: widget.List{Cursor: slices.Index(theme.Names(), c.themeName)}}
}

// apply draws in a theme, until the console ends or another one is chosen.
func (m *themeMenu) apply(name theme.Name) screen.Effect {
	return then(func() tea.Cmd {
		m.console.setTheme(name)
		return nil
	})
}

func (m *themeMenu) Press(p action.Press) screen.Effect {
	names := theme.Names()
	switch p.Name {
	case "esc", "q":
		return screen.Several{m.apply(m.before), screen.Lower{}}
	case "enter":
		chosen := names[widget.Clamp(m.list.Cursor, len(names))]
		return screen.Several{m.apply(chosen), screen.Lower{}, screen.Say{Text: "theme " + chosen.String() + "; `theme = \"" + chosen.String() +
			"\"` in the config file keeps it"}}
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
	return m.apply(names[m.list.Cursor])
}

const themeMenuWidth = 74

func (m *themeMenu) Keys() []screen.Key {
	return []screen.Key{{Key: "enter", Label: "apply"}, {Key: "esc", Label: "cancel"}, {Key: "down", Label: "down"},
		{Key: "up", Label: "up"}}
}

func (m *themeMenu) Box(width, height int) (line.Sheet, int) {
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
		sheet = append(sheet, widget.CursorLine(row, i == m.list.Cursor, size-4))
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

// setTheme draws in a theme from now on.
func (c *console) setTheme(name theme.Name) {
	c.themeName, c.theme = name, c.newTheme(name)
}
