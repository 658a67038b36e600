package ui

import (
	"docket/ui/action"

	tea "github.com/charmbracelet/bubbletea"
)

// typedAhead are keys that wait, in their order, until the screen that they are meant for shows.
type typedAhead []action.Press

// A waiter is a screen that may not show yet what a key is meant for.
type waiter interface {
	Waits(p action.Press, keys action.Keymap) bool
}

func waits(c *console, p action.Press) bool {
	top, is := c.stage.Top().(waiter)
	return is && c.stage.Overlay == nil && top.Waits(p, c.scene.Keys)
}

// hold keeps a key that has to wait; keys that leave a screen never wait, and drop those that do.
func (t *typedAhead) hold(c *console, p action.Press) bool {
	a, _ := c.scene.Keys.ForKey(c.stage.Top().Place(), p.Name)
	if p.Name == "ctrl+c" || a != nil && a.Verb == action.GoBack {
		*t = nil
	} else if len(*t) > 0 || waits(c, p) {
		*t = append(*t, p)
	}
	return len(*t) > 0
}

// release presses the keys that need not wait, but answers no question that has come up meanwhile.
func (t *typedAhead) release(c *console) tea.Cmd {
	var cmds []tea.Cmd
	for len(*t) > 0 && !c.stage.Closing && !waits(c, (*t)[0]) {
		p := (*t)[0]
		*t, p.Crowd = (*t)[1:], true
		cmds = append(cmds, c.act(p))
	}
	return tea.Batch(cmds...)
}
