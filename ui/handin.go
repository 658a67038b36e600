package ui

import (
	"context"

	"docket/domain"

	tea "github.com/charmbracelet/bubbletea"
)

// How the console stands with its service. Records are handed in and packets are pulled by other commands, while the
// console is open or not; the console only looks at what they have left in the store.

// A serviceState is what was last heard of the service.
type serviceState struct {
	tally   domain.HandInTally
	read    bool   // tally is from the desk
	trouble string // why it could not be read, the last time
}

// silent tells whether there is nothing to say: this store never met a service, and nothing waits for one.
func (t *serviceState) silent() bool {
	return !t.read || t.tally.Service == "" && t.tally.Waiting == 0 && t.tally.Rejected == 0
}

// handInsRead is the answer to readHandIns.
type handInsRead struct {
	tally domain.HandInTally
	now   domain.Instant
	err   error
}

// readHandIns asks how the console stands with its service.
type readHandIns struct{}

func (c *console) readHandIns() tea.Cmd {
	return c.work.do("asking what was handed in", func(ctx context.Context) tea.Msg {
		tally, err := c.desk.HandIns(ctx)
		return handInsRead{tally, c.desk.Now(), err}
	})
}

// handInsAre takes the answer. What the service has answered since shows in the queue and in the records, too.
func (c *console) handInsAre(msg handInsRead) effect {
	t := &c.scene.service
	if msg.err != nil {
		t.trouble = msg.err.Error()
		return nil
	}
	before, known := t.tally, t.read
	*t = serviceState{tally: msg.tally, read: true}
	c.session.answered(before, msg.tally, known)
	if !known || before.Accepted == msg.tally.Accepted && before.Rejected == msg.tally.Rejected {
		return nil
	}
	effects := several{judgeAgain{area: domain.Appeals}, judgeAgain{area: domain.Amendments}}
	for _, s := range c.stack {
		if _, is := s.(*recordsScreen); is {
			effects = append(effects, readRecords{})
		}
	}
	return effects
}

// recordsAre hands the log to the screens that show it or a record of it.
func (c *console) recordsAre(msg recordsRead) effect {
	var effects several
	for _, s := range c.stack {
		switch s := s.(type) {
		case *recordsScreen:
			effects = append(effects, s.arrived(msg))
		case *recordScreen:
			s.renew(msg.shown)
		}
	}
	return effects
}

// answered counts what the service has answered since the console opened. A rejection that is judged again in the same
// moment in which another one comes is not noticed.
func (w *session) answered(before, now domain.HandInTally, known bool) {
	if known {
		w.handedIn += max(now.Accepted-before.Accepted, 0)
		w.rejected += max(now.Rejected-before.Rejected, 0)
	}
}
