package ui

import (
	"docket/domain"

	tea "github.com/charmbracelet/bubbletea"
)

// apply carries out an effect. What has to wait goes into the command it returns.
func (c *console) apply(e effect) tea.Cmd {
	if e == nil {
		return nil
	}
	return e.carryOut(c)
}

func (e several) carryOut(c *console) tea.Cmd {
	var cmds []tea.Cmd
	for _, one := range e {
		cmds = append(cmds, c.apply(one))
	}
	return tea.Batch(cmds...)
}

func (e run) carryOut(c *console) tea.Cmd { return c.apply(c.do(e.action)) }

func (e quit) carryOut(c *console) tea.Cmd { return c.quit(e.sure) }

func (suspend) carryOut(*console) tea.Cmd { return tea.Suspend }

func (e say) carryOut(c *console) tea.Cmd {
	c.status, c.waiting = e.text, e.waiting
	return nil
}

func (e alarm) carryOut(c *console) tea.Cmd {
	c.status = ""
	c.overlay = &bulletin{about: e.about, text: e.text}
	return nil
}

func (e raise) carryOut(c *console) tea.Cmd {
	c.overlay = e.overlay
	return nil
}

func (lower) carryOut(c *console) tea.Cmd {
	c.overlay = nil
	return nil
}

func (e wear) carryOut(c *console) tea.Cmd {
	c.wearTheme(e.theme)
	return nil
}

func (e begin) carryOut(c *console) tea.Cmd { return c.apply(e.packet.begin(e.anew, &c.scene)) }

func (e dropDraft) carryOut(c *console) tea.Cmd { return c.discard(e) }

func (e exportInto) carryOut(c *console) tea.Cmd { return c.startExport(e.folder) }

func (stopExport) carryOut(c *console) tea.Cmd {
	c.export.stop()
	return nil
}

func (leave) carryOut(c *console) tea.Cmd {
	if n := len(c.stack); n > 0 {
		c.stack = c.stack[:n-1]
	}
	return nil
}

func (home) carryOut(c *console) tea.Cmd {
	c.stack = nil
	return nil
}

func (e show) carryOut(c *console) tea.Cmd {
	c.stack = append(c.stack, e.screen)
	return nil
}

func (e openRecord) carryOut(c *console) tea.Cmd {
	c.stack = append(c.stack, &recordScreen{logged: e.logged, checks: &c.examination})
	return nil
}

func (e filterQueue) carryOut(c *console) tea.Cmd {
	c.stack = nil
	c.queue.show(e.area, e.text, &c.scene)
	return nil
}

func (e nextCase) carryOut(c *console) tea.Cmd {
	row, ok := c.queue.neighbour(e.after, e.backwards)
	if !ok {
		return c.apply(say{text: "no other open case in this list"})
	}
	c.stack = nil
	c.queue.settle(domain.Key{ID: row.ID, Number: row.Revision})
	return c.apply(openRow(&row))
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
