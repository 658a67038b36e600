package action

import tea "github.com/charmbracelet/bubbletea"

// A Press is one key. Keys that a terminal delivers in one go arrive as one message; they are taken apart, and each
// knows that it did not come alone: lists take them one by one, final dialogs ignore them.
type Press struct {
	Name  string // as bubbletea names it; "" for a paste
	Crowd bool   // came together with others or in a paste: it may have been typed before what it meets was there
	Msg   tea.KeyMsg
}

// Presses takes a message apart. A paste, or text where text is wanted, stays in one piece and has no name, so that it
// is never taken for an action.
func Presses(msg tea.KeyMsg, text bool) []Press {
	if msg.Paste || text && msg.Type == tea.KeyRunes && len(msg.Runes) > 1 {
		return []Press{{Crowd: true, Msg: msg}}
	}
	if msg.Type != tea.KeyRunes || len(msg.Runes) < 2 {
		return []Press{{Name: keyName(msg), Msg: msg}}
	}
	apart := make([]Press, len(msg.Runes))
	for i, r := range msg.Runes {
		one := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: msg.Alt}
		apart[i] = Press{Name: keyName(one), Crowd: true, Msg: one}
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
