package widget

import (
	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/theme"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// An Editor is a line of text being typed. The editing is bubbles' textinput; the drawing is the console's own, so that
// what is typed or pasted is shown as carefully as everything else.
type Editor struct {
	prompt string
	hint   string // shown while nothing is typed
	Input  textinput.Model
}

// maxTyped is in characters, and is also the limit of a text of a packet.
const maxTyped = 2000

func NewEditor(prompt, hint, value string) *Editor {
	e := &Editor{prompt: prompt, hint: hint, Input: textinput.New()}
	e.Input.CharLimit = maxTyped
	e.Input.KeyMap.Paste = key.NewBinding(key.WithDisabled()) // it would run a program to read the clipboard
	e.Input.Focus()
	e.Set(value)
	return e
}

// Take edits the text. Keys that do not edit, such as Enter and Esc, change nothing.
func (e *Editor) Take(p action.Press) {
	for _, msg := range apart(p.Msg) {
		e.Input, _ = e.Input.Update(msg)
	}
}

// apart takes a message of several letters apart: bubbles tells keys by the text of a message, and would take the word "right",
// read in one go, for the arrow.
func apart(msg tea.KeyMsg) []tea.KeyMsg {
	if msg.Type != tea.KeyRunes || msg.Paste || len(msg.Runes) < 2 {
		return []tea.KeyMsg{msg}
	}
	out := make([]tea.KeyMsg, len(msg.Runes))
	for i, r := range msg.Runes {
		out[i] = tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: msg.Alt}
	}
	return out
}

func (e *Editor) Text() string { return e.Input.Value() }

func (e *Editor) Set(text string) {
	e.Input.SetValue(text)
	e.Input.CursorEnd()
}

// View draws the part of the text around the cursor.
func (e *Editor) View(width int) line.Line {
	out := line.Of(theme.Accent, e.prompt)
	runes, at := []rune(e.Text()), e.Input.Position()
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
