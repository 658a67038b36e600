package ui

import (
	"docket/domain"
	"docket/ui/decision"

	tea "github.com/charmbracelet/bubbletea"
)

// answer hands what the desk has answered to the screen that waits for it.
func (c *console) answer(msg tea.Msg) tea.Cmd {
	if c.waiting && !beside(msg) {
		c.status, c.waiting = "", false
	}
	switch msg := msg.(type) {
	case queueTop, queueRead, queueChanged, sifted, progressed:
		return c.queueAnswer(msg)
	case contractsRead:
		for _, s := range c.stack {
			if contracts, is := s.(*contractsScreen); is {
				contracts.arrived(msg)
			}
		}
	case recordsRead:
		c.scene.now = later(c.scene.now, msg.now)
		return c.apply(c.recordsAre(msg))
	case handInsRead:
		c.scene.now = later(c.scene.now, msg.now)
		return c.apply(c.handInsAre(msg))
	case opened:
		for _, s := range c.stack {
			if r, is := s.(reader); is && r.awaits(msg.request.ticket) {
				return c.apply(r.arrived(msg, &c.scene))
			}
		}
	case recorded:
		return c.hasRecorded(msg)
	case skipped:
		return c.apply(c.skipped(msg))
	case filtersKept:
		return c.apply(c.filtersHave(msg))
	case copied:
		return c.apply(msg.said())
	case provedLog:
		return c.apply(c.provenLog(msg))
	case exportMoved:
		return c.exportHasMoved(msg)
	case exportEnded:
		return c.apply(c.exportHasEnded(msg))
	case trendRead:
		for _, s := range c.stack {
			if board, is := s.(*boardScreen); is {
				board.arrived(msg)
			}
		}
	case examined:
		c.examination.take(msg)
	case draftDue:
		return c.draftIsDue()
	case draftKept:
		return c.apply(c.keptOrDropped(msg))
	}
	return nil
}

// queueAnswer hands what has become of the queue to its screen.
func (c *console) queueAnswer(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case queueTop:
		c.scene.now = later(c.scene.now, msg.now)
		c.queue.topArrived(msg, &c.scene)
		return c.read(msg.area)
	case queueRead:
		c.scene.now = later(c.scene.now, msg.now)
		return tea.Batch(c.apply(c.queue.arrived(msg, &c.scene)), c.readRest())
	case queueChanged:
		c.scene.now = later(c.scene.now, msg.now)
		return c.apply(c.queue.changed(msg, &c.scene))
	case sifted:
		c.queue.sifted(msg)
		return c.release()
	case progressed:
		if c.queue.reading() {
			return c.progressLater()
		}
	}
	return nil
}

// beside tells whether a message comes of its own and answers nothing that the reader waits for.
func beside(msg tea.Msg) bool {
	switch msg.(type) {
	case sifted, provedLog, draftDue, draftKept, examined, trendRead, exportMoved, exportEnded, handInsRead:
		return true
	}
	return false
}

// later is the later of two times; the clock on the screen does not run backwards.
func later(a, b domain.Instant) domain.Instant {
	if b.Present() && (!a.Present() || a.Before(b)) {
		return b
	}
	return a
}

// recorded says what has become of a decision.
func (c *console) recorded(msg recorded) effect {
	d := c.decision() // a page that says that the packet has changed may lie over it by now
	if d == nil {
		return alarm{"The decision", "there is an answer to a decision that is no longer on the screen; see the records"}
	}
	answer := decision.AnswerOf(msg.err)
	if answer.Locked != "" {
		c.scene.locked, c.proof = answer.Locked, proofFound
	}
	switch answer.Result {
	case decision.Recorded:
		c.autosave.forget()
		c.session.decided(d, msg.at)
		key := d.View().Key()
		return several{home{}, show{newReceiptScreen(d, msg.receipt)}, judgeAgain{d.View().Area(), []domain.ID{key.ID}}, readHandIns{}}
	case decision.Changed:
		return newStaleScreen(d, answer.Changes).open()
	}
	d.refuse(&c.scene)
	return alarm{answer.Title, answer.Text}
}

// skipped says what has become of putting a revision aside.
func (c *console) skipped(msg skipped) effect {
	if msg.err != nil {
		return alarm{"Not skipped", msg.err.Error()}
	}
	c.session.skip(msg.skip)
	for _, s := range c.stack {
		if packet, is := s.(*packetScreen); is {
			packet.noteSkip(msg.skip)
		}
	}
	text := "skipped; it is at the end of the queue, where s takes it back"
	if msg.skip.reason == "" {
		text = "the skip is taken back"
	}
	return several{say{text: text}, judgeAgain{domain.AreaOf(msg.skip.table), []domain.ID{msg.skip.key.ID}}}
}
