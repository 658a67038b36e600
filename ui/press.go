package ui

import tea "github.com/charmbracelet/bubbletea"

// A press is one key. Keys that a terminal delivers in one go arrive as one message; they are taken apart, and each
// knows that it did not come alone: lists take them one by one, final dialogs ignore them.
type press struct {
	name  string // as bubbletea names it; "" for a paste
	crowd bool   // came together with others or in a paste: it may have been typed before what it meets was there
	msg   tea.KeyMsg
}

// presses takes a message apart. A paste, or text where text is wanted, stays in one piece and has no name, so that it
// is never taken for an action.
func presses(msg tea.KeyMsg, text bool) []press {
	if msg.Paste || text && msg.Type == tea.KeyRunes && len(msg.Runes) > 1 {
		return []press{{crowd: true, msg: msg}}
	}
	if msg.Type != tea.KeyRunes || len(msg.Runes) < 2 {
		return []press{{name: keyName(msg), msg: msg}}
	}
	apart := make([]press, len(msg.Runes))
	for i, r := range msg.Runes {
		one := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: msg.Alt}
		apart[i] = press{name: keyName(one), crowd: true, msg: one}
	}
	return apart
}

// keyName is bubbletea's name, but for the blank, which shows better as a word.
func keyName(msg tea.KeyMsg) string {
	if name := msg.String(); name != " " {
		return name
	}
	return "space"
}
