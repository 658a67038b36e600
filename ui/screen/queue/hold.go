package queue

import (
	"docket/ui/action"
	"docket/ui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// Waits reports whether a key may be meant for a row of the filter whose rows do not show yet.
func (q *Screen) Waits(p action.Press, keys action.Keymap) bool {
	if !q.current().filtering() {
		return false
	}
	if q.editor == nil {
		return true
	}
	a, is := keys.ForKey(action.InFilter, p.Name)
	return is && (a.Verb == action.GoDown || a.Verb == action.PageDown || a.Verb == action.PageUp || a.Verb == action.GoUp)
}

// Settle updates the rows to the filter, at once or in a command. release presses the keys that
// waited for them, which may change the filter again.
func (q *Screen) Settle(h screen.Host, release func() tea.Cmd) tea.Cmd {
	cmds := []tea.Cmd{release()}
	for q.filterAtOnce() {
		cmds = append(cmds, release())
	}
	return tea.Batch(append(cmds, q.filterRows(h))...)
}
