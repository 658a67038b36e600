package widget

import (
	"strings"

	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/theme"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textarea"
	tea "github.com/charmbracelet/bubbletea"
)

// An Area is a text of several lines being typed: bubbles' textarea edits, the console draws.
type Area struct {
	hint  string
	past  past
	input textarea.Model
}

// NewArea makes an area with a text. Enter and Tab do not edit: screens use them.
func NewArea(hint, value string) *Area {
	a := &Area{hint: hint, input: textarea.New()}
	a.input.Prompt, a.input.ShowLineNumbers = "", false
	a.input.CharLimit, a.input.MaxHeight = 0, 0               // they would cut
	a.input.KeyMap.Paste = key.NewBinding(key.WithDisabled()) // it would run a program to paste
	a.input.KeyMap.InsertNewline = key.NewBinding(key.WithKeys("ctrl+j", "alt+enter"))
	a.input.Focus()
	a.input.SetValue(value)
	return a
}

// Take edits the text, as Editor.Take does. The keys of actions change nothing.
func (a *Area) Take(p action.Press) (refused string) {
	return a.past.take(p, a.Text, a.input.SetValue, func(msg tea.KeyMsg) { a.input, _ = a.input.Update(msg) })
}

func (a *Area) Text() string { return a.input.Value() }

func (a *Area) View(width, height int) line.Sheet {
	a.input.SetWidth(max(width-2, 1))
	bar := line.Of(theme.Accent, "❯ ")
	if a.Text() == "" {
		return line.Sheet{bar.And(theme.Cursor, "▏").And(theme.Dim, a.hint).Fit(width)}.Window(0, height)
	}
	at, info := a.input.Line(), a.input.LineInfo()
	var sheet line.Sheet
	cursor := 0
	for i, text := range strings.Split(a.Text(), "\n") {
		l := line.Of(theme.Input, text)
		if i == at {
			runes := []rune(text)
			column := min(info.StartColumn+info.ColumnOffset, len(runes))
			before := line.Of(theme.Input, string(runes[:column])).And(theme.Cursor, "▏")
			cursor = len(sheet) + len(before.Wrap(max(width-2, 1), 0)) - 1
			l = before.And(theme.Input, string(runes[column:]))
		}
		sheet = append(sheet, l.Wrap(max(width-2, 1), 0)...)
	}
	top := max(min(cursor-height/2, len(sheet)-height), 0)
	sheet = sheet.Window(top, height)
	out := make(line.Sheet, len(sheet))
	for i := range sheet {
		out[i] = bar.Plus(sheet[i]).Fit(width)
	}
	return out
}
