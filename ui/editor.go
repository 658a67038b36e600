package ui

import (
	"docket/ui/line"
	"docket/ui/theme"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
)

// An editor is a line of text being typed. The editing is bubbles' textinput; the drawing is the console's own, so that
// what is typed or pasted is shown as carefully as everything else.
type editor struct {
	prompt string
	hint   string // shown while nothing is typed
	input  textinput.Model
}

// maxTyped is in characters: what a text of a packet may have at most, too.
const maxTyped = 2000

func newEditor(prompt, hint, value string) *editor {
	e := &editor{prompt: prompt, hint: hint, input: textinput.New()}
	e.input.CharLimit = maxTyped
	e.input.KeyMap.Paste = key.NewBinding(key.WithDisabled()) // it would run a program to read the clipboard
	e.input.Focus()
	e.set(value)
	return e
}

// take edits the text. Enter, Esc and whatever else is no editing key changes nothing.
func (e *editor) take(p press) { e.input, _ = e.input.Update(p.msg) }

func (e *editor) text() string { return e.input.Value() }

func (e *editor) set(text string) {
	e.input.SetValue(text)
	e.input.CursorEnd()
}

// view draws the part of the text around the cursor.
func (e *editor) view(width int) line.Line {
	out := line.Of(theme.Accent, e.prompt)
	runes, at := []rune(e.text()), e.input.Position()
	if len(runes) == 0 {
		return out.And(theme.Cursor, "▏").And(theme.Dim, e.hint).Fit(width)
	}
	after := ""
	if at < len(runes) {
		after = string(runes[at:])
	}
	before := line.Of(theme.Input, string(runes[:at]))
	room := max(width-out.Width()-2, 1)
	for before.Width() > room*3/4 && at > 0 {
		drop := max((before.Width()-room*3/4)/2, 1)
		runes = runes[min(drop, at):]
		at -= min(drop, at)
		before = line.Of(theme.Dim, "…").And(theme.Input, string(runes[:at]))
	}
	return out.Plus(before).And(theme.Cursor, "▏").And(theme.Input, after).Fit(width)
}
