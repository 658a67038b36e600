package queue

import (
	"docket/ui/action"
	"docket/ui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// While the shown rows are not yet those of the filter, a key may be meant for a row that is not shown yet: it waits.

// Hold keeps a key that has to wait for the rows of the filter; false if it need not.
func (q *Screen) Hold(h screen.Host, p action.Press) bool {
	if !q.onTop(h) || p.Name == "ctrl+c" || len(q.held) == 0 && !q.holds(p, h.Scene().Keys) {
		return false
	}
	q.held = append(q.held, p)
	return true
}

// Settle updates the rows to the filter, at once or in a command, and presses the keys that waited for them.
func (q *Screen) Settle(h screen.Host, press func(action.Press) tea.Cmd) tea.Cmd {
	cmds := []tea.Cmd{q.releaseKeys(h, press)}
	for q.filterAtOnce() {
		cmds = append(cmds, q.releaseKeys(h, press)) // which may change the query again
	}
	return tea.Batch(append(cmds, q.filterRows(h))...)
}

// releaseKeys presses the keys that waited for the rows. They are dropped if another screen or overlay has opened meanwhile.
func (q *Screen) releaseKeys(h screen.Host, press func(action.Press) tea.Cmd) tea.Cmd {
	if q.current().filtering() {
		return nil
	}
	held := q.held
	q.held = nil
	if !q.onTop(h) {
		return nil
	}
	var cmds []tea.Cmd
	for _, p := range held {
		cmds = append(cmds, press(p))
	}
	return tea.Batch(cmds...)
}

// onTop reports whether keys go to the queue.
func (q *Screen) onTop(h screen.Host) bool {
	return h.Stage().Overlay == nil && h.Stage().Top() == screen.Screen(q)
}

// holds reports whether a key may be meant for a row of a filter whose rows do not show yet.
func (q *Screen) holds(p action.Press, keys action.Keymap) bool {
	if !q.current().filtering() {
		return false
	}
	if q.editor == nil {
		a, is := keys.ForKey(action.InQueue, p.Name)
		return !is || a.Verb != action.GoBack // which drops the filter, however long its rows take
	}
	a, is := keys.ForKey(action.InFilter, p.Name)
	return is && (a.Verb == action.GoDown || a.Verb == action.PageDown || a.Verb == action.PageUp || a.Verb == action.EarlierFilter)
}
