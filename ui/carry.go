package ui

import (
	"docket/domain"

	tea "github.com/charmbracelet/bubbletea"
)

// apply carries out an effect. What has to wait goes into the command it returns.
func (c *console) apply(e effect) tea.Cmd {
	switch e := e.(type) {
	case nil:
	case several:
		var cmds []tea.Cmd
		for _, one := range e {
			cmds = append(cmds, c.apply(one))
		}
		return tea.Batch(cmds...)
	case run:
		return c.apply(c.do(e.action))
	case quit:
		return c.quit(e.sure)
	case suspend:
		return tea.Suspend
	case say:
		c.status, c.waiting = e.text, e.waiting
	case alarm:
		c.status = ""
		c.overlay = &bulletin{about: e.about, text: e.text}
	case raise:
		c.overlay = e.overlay
	case lower:
		c.overlay = nil
	case wear:
		c.wearTheme(e.theme)
	case leave, home, show, openRecord, filterQueue, nextCase:
		return c.navigate(e)
	case begin:
		return c.apply(e.packet.begin(e.anew, &c.scene))
	case dropDraft:
		return c.discard(e)
	case exportInto:
		return c.startExport(e.folder)
	case stopExport:
		c.export.stop()
	default:
		return c.ask(e)
	}
	return nil
}

// navigate carries out what changes the screen on top.
func (c *console) navigate(e effect) tea.Cmd {
	switch e := e.(type) {
	case leave:
		if n := len(c.stack); n > 0 {
			c.stack = c.stack[:n-1]
		}
	case home:
		c.stack = nil
	case show:
		c.stack = append(c.stack, e.screen)
	case openRecord:
		c.stack = append(c.stack, &recordScreen{logged: e.logged, checks: &c.examination, log: c.knownLog()})
	case filterQueue:
		c.stack = nil
		c.queue.show(e.area, e.text, &c.scene)
	case nextCase:
		row, ok := c.queue.neighbour(e.after, e.backwards)
		if !ok {
			return c.apply(say{text: "no other open case in this list"})
		}
		c.stack = nil
		c.queue.settle(domain.Key{ID: row.ID, Number: row.Revision})
		return c.apply(openRow(&row))
	}
	return nil
}

// quit ends the program, after a question where a decision would be left.
func (c *console) quit(sure bool) tea.Cmd {
	if d := c.decision(); d != nil && d.touched() && !sure {
		c.overlay = &question{title: "Leave docket?", text: "The decision you are making is not recorded. It is kept as a draft, " +
			"and goes on when you decide on the case again.",
			yes: "leave", no: "stay", answer: quit{sure: true}}
		return nil
	}
	if c.export != nil && !sure {
		c.overlay = &question{title: "Leave docket?", text: "An export is under way. It would be given up, and nothing put into place.",
			yes: "leave", no: "stay", answer: quit{sure: true}}
		return nil
	}
	c.closing = true
	return tea.Quit
}
