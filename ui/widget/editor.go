package widget

import (
	"fmt"
	"unicode/utf8"

	"docket/domain/packets"
	"docket/ui/action"
	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/theme"
	"docket/ui/wording"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// An Editor is a line of text being typed: bubbles' textinput edits, and the console draws, so that
// what is typed or pasted is shown as carefully as everything else.
type Editor struct {
	prompt string
	hint   string // shown while nothing is typed
	past   past
	Input  textinput.Model
}

// maxTyped is in characters.
const maxTyped = packets.MaxTextLength

func NewEditor(prompt, hint, value string) *Editor {
	e := &Editor{prompt: prompt, hint: hint, Input: textinput.New()}
	e.Input.CharLimit = 0                                     // it would cut
	e.Input.KeyMap.Paste = key.NewBinding(key.WithDisabled()) // it would run a program to paste
	e.Input.Focus()
	e.Set(value)
	return e
}

// Take edits the text. Keys that do not edit, such as Enter and Esc, change nothing. A paste that
// does not fit is refused as a whole, with the reason.
func (e *Editor) Take(p action.Press) (refused string) {
	return e.past.take(p, e.Text, e.Set, func(msg tea.KeyMsg) { e.Input, _ = e.Input.Update(msg) })
}

// A past holds the earlier texts of a field; a word that is typed is one step of it.
type past struct {
	texts  []string
	inWord bool
	text   string // after the last key
}

const undoKey = "ctrl+_"

func (h *past) take(p action.Press, text func() string, set func(string), edit func(tea.KeyMsg)) (refused string) {
	before := text()
	if p.Name == undoKey {
		if last := len(h.texts) - 1; last >= 0 {
			set(h.texts[last])
			h.texts, h.inWord = h.texts[:last], false
		}
		return ""
	}
	keys, refused := typed(p.Msg, before)
	for _, msg := range keys {
		edit(msg)
	}
	inWord := p.Msg.Type == tea.KeyRunes && !p.Msg.Paste
	if text() != before && !(inWord && h.inWord && h.text == before) {
		h.texts = append(h.texts, before)
	}
	h.inWord, h.text = inWord, text()
	return refused
}

// typed are the keys of a message for a text, or why it has no room: letters are taken apart, since
// bubbles would take the word "right", read in one go, for the arrow.
func typed(msg tea.KeyMsg, text string) (keys []tea.KeyMsg, refused string) {
	if msg.Paste {
		msg.Runes = []rune(decision.Pasted(string(msg.Runes)))
	}
	if room := max(maxTyped-utf8.RuneCountInString(text), 0); len(msg.Runes) > room {
		return nil, fmt.Sprintf("nothing is added: there is room for %s, not for %s",
			wording.Plural(room, "character", "characters"), wording.Thousands(len(msg.Runes)))
	}
	if msg.Type != tea.KeyRunes || msg.Paste || len(msg.Runes) < 2 {
		return []tea.KeyMsg{msg}, ""
	}
	out := make([]tea.KeyMsg, len(msg.Runes))
	for i, r := range msg.Runes {
		out[i] = tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: msg.Alt}
	}
	return out, ""
}

func (e *Editor) Text() string { return e.Input.Value() }

func (e *Editor) Set(text string) {
	e.Input.SetValue(text)
	e.Input.CursorEnd()
}

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
