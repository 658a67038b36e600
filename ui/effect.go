package ui

import (
	"context"

	"docket/domain"

	tea "github.com/charmbracelet/bubbletea"
)

// An effect is what a screen or an overlay wants done that is not its own to do, or what has become of a job. It carries
// itself out, so that none can be forgotten; nil is nothing.
type effect interface {
	// carryOut does it; what has to wait goes into the command it returns.
	carryOut(h Host) tea.Cmd
}

// An unasked effect comes by itself: it answers nothing that the reader waits for.
type unasked interface{ unasked() }

// apply carries out an effect.
func apply(e effect, h Host) tea.Cmd {
	if e == nil {
		return nil
	}
	return e.carryOut(h)
}

type (
	// several are carried out in order.
	several []effect
	// run carries out the action on the screen on top, as if its key had been pressed.
	run struct{ action verb }

	// leave goes back to the screen below, home to the queue.
	leave struct{}
	home  struct{}
	// show puts a screen on top.
	show struct{ screen screen }
	// raise lays an overlay over the screen; lower takes it away.
	raise struct{ overlay overlay }
	lower struct{}
	// say writes to the status line, until the next key or, if it says what is being waited for, until the answer.
	say struct {
		text    string
		waiting bool
	}

	// open reads a packet for the screen on top, which is a reader.
	open struct{ request request }
	// openPacket shows a packet and reads it.
	openPacket struct {
		request  request
		carried  *domain.KeptDraft // a decision that met a changed packet, and goes on with this one; nil: none
		replaces domain.RecordID   // a record that the reviewer wants to supersede; absent: none
		rejected domain.RecordID   // a record that the service rejected, for which the reviewer wants to judge again; absent: none
	}
	// openRecord shows a record.
	openRecord struct{ logged *domain.LoggedRecord }

	// readQueue reads all of the area's queue again; judgeAgain looks for what has changed in it, the ids in any case.
	readQueue  struct{ area domain.Area }
	judgeAgain struct {
		area domain.Area
		ids  []domain.ID
	}
	// filterQueue shows the area's queue through a filter.
	filterQueue struct {
		area domain.Area
		text string
	}
	// nextCase opens the packet of the row that follows in the queue's order: the next open one, or the one before.
	nextCase struct {
		after     domain.Key
		backwards bool
	}

	// record appends a decision. The note stays on this machine.
	record struct {
		view   *domain.View
		choice domain.Choice
		note   string
	}
	// dropDraft discards what was begun on a revision and on earlier ones.
	dropDraft struct {
		table domain.Table
		key   domain.Key
	}
	// readHandIns asks how the console stands with its service.
	readHandIns struct{}
)

// A request asks for one packet. ticket tells the answer apart from those of requests that were given up.
type request struct {
	ticket   int
	table    domain.Table
	id       domain.ID
	revision int64 // 0: the latest
}

func (e several) carryOut(h Host) tea.Cmd {
	var cmds []tea.Cmd
	for _, one := range e {
		cmds = append(cmds, apply(one, h))
	}
	return tea.Batch(cmds...)
}

func (e run) carryOut(h Host) tea.Cmd { return h.Do(e.action) }

func (leave) carryOut(h Host) tea.Cmd {
	if t := h.Stage(); len(t.over) > 0 {
		t.over = t.over[:len(t.over)-1]
	}
	return nil
}

func (home) carryOut(h Host) tea.Cmd {
	h.Stage().over = nil
	return nil
}

func (e show) carryOut(h Host) tea.Cmd {
	h.Stage().show(e.screen)
	return nil
}

func (e raise) carryOut(h Host) tea.Cmd {
	h.Stage().overlay = e.overlay
	return nil
}

func (lower) carryOut(h Host) tea.Cmd {
	h.Stage().overlay = nil
	return nil
}

func (e say) carryOut(h Host) tea.Cmd {
	h.Stage().say(e.text, e.waiting)
	return nil
}

func (e open) carryOut(h Host) tea.Cmd {
	h.Stage().tickets++
	e.request.ticket = h.Stage().tickets
	if r, is := h.Stage().top().(reader); is {
		r.asked(e.request)
	}
	return h.Ask("opening a packet", func(ctx context.Context, desk Desk) effect {
		openedAt := desk.Now()
		dossier, err := desk.Open(ctx, e.request.table, e.request.id, e.request.revision)
		return opened{e.request, &dossier, openedAt, err}
	})
}

// opened answers a request.
type opened struct {
	request  request
	dossier  *domain.Dossier
	openedAt domain.Instant // taken before the packet was judged
	err      error
}

func (e opened) carryOut(h Host) tea.Cmd {
	for _, s := range h.Stage().over {
		if r, is := s.(reader); is && r.awaits(e.request.ticket) {
			return apply(r.arrived(e, h.Scene()), h)
		}
	}
	return nil
}

func (e openPacket) carryOut(h Host) tea.Cmd {
	h.Stage().show(h.Packet(e))
	return open{e.request}.carryOut(h)
}

func (e openRecord) carryOut(h Host) tea.Cmd {
	h.Stage().show(h.Record(e.logged))
	return nil
}

func (e readQueue) carryOut(h Host) tea.Cmd { return h.Queue().Read(h, e.area) }

func (e judgeAgain) carryOut(h Host) tea.Cmd { return h.Queue().Refresh(h, e.area, e.ids...) }

func (e filterQueue) carryOut(h Host) tea.Cmd {
	h.Stage().over = nil
	h.Queue().Filter(e.area, e.text, h.Scene())
	return nil
}

func (e nextCase) carryOut(h Host) tea.Cmd {
	next, found := h.Queue().Next(e.after, e.backwards)
	if !found {
		return say{text: "no other open case in this list"}.carryOut(h)
	}
	h.Stage().over = nil
	return next.carryOut(h)
}

func (e record) carryOut(h Host) tea.Cmd { return h.Append(e) }

func (e dropDraft) carryOut(h Host) tea.Cmd { return h.DropDraft(e.table, e.key) }

func (readHandIns) carryOut(h Host) tea.Cmd {
	return h.Ask("asking what was handed in", func(ctx context.Context, desk Desk) effect {
		tally, err := desk.HandIns(ctx)
		return handInsRead{tally, desk.Now(), err}
	})
}

// handInsRead is how the console stands with its service.
type handInsRead struct {
	tally domain.HandInTally
	now   domain.Instant
	err   error
}

func (handInsRead) unasked() {}

// A follower is a screen that shows what the service said to records.
type follower interface {
	// answered does what is due when the service has answered.
	answered() effect
}

// carryOut takes the answer over. What the service has answered since shows in the queue and in the records, too.
func (e handInsRead) carryOut(h Host) tea.Cmd {
	h.Scene().pass(e.now)
	t := &h.Scene().service
	if e.err != nil {
		t.trouble = e.err.Error()
		return nil
	}
	before, known := t.tally, t.read
	*t = serviceState{tally: e.tally, read: true}
	if !known || before.Accepted == e.tally.Accepted && before.Rejected == e.tally.Rejected {
		return nil
	}
	effects := several{judgeAgain{area: domain.Appeals}, judgeAgain{area: domain.Amendments}}
	for _, s := range h.Stage().over {
		if one, is := s.(follower); is {
			effects = append(effects, one.answered())
		}
	}
	return effects.carryOut(h)
}

// openRow shows the packet of a row.
func openRow(row *domain.QueueRow) effect {
	return openPacket{request: request{table: row.Table, id: row.ID, revision: row.Revision}}
}
