package ui

import (
	"context"
	"errors"
	"time"

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
	case leave, home, show, swap, filterQueue, nextCase:
		return c.navigate(e)
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
	case swap:
		c.stack = append(c.stack[:max(len(c.stack)-1, 0)], e.screen)
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
		return c.apply(openRow(row))
	}
	return nil
}

// ask carries out what the desk has to be asked for.
func (c *console) ask(e effect) tea.Cmd {
	switch e := e.(type) {
	case readQueue:
		return c.read(e.area)
	case readRecords:
		return c.work.do("reading the records", func(ctx context.Context) tea.Msg {
			records, err := c.desk.Records(ctx)
			return recordsRead{records, c.desk.Now(), err}
		})
	case open:
		c.tickets++
		e.request.ticket = c.tickets
		if packet, is := c.top().(*packetScreen); is {
			packet.ticket = c.tickets
		}
		return c.work.do("opening a packet", func(ctx context.Context) tea.Msg {
			openedAt := c.desk.Now()
			dossier, err := c.desk.Open(ctx, e.request.table, e.request.id, e.request.revision)
			return opened{e.request, &dossier, openedAt, err}
		})
	case record:
		c.writing, c.status = true, "recording …"
		return c.work.do("recording", func(ctx context.Context) tea.Msg {
			receipt, err := c.desk.Record(ctx, e.view, e.choice, e.note)
			return recorded{receipt, err}
		})
	case skip:
		return c.work.do("skipping", func(ctx context.Context) tea.Msg {
			return skipped{e, c.desk.Skip(ctx, e.table, e.key, e.reason)}
		})
	}
	return nil
}

// quit ends the program, after a question where a decision would be lost.
func (c *console) quit(sure bool) tea.Cmd {
	if c.deciding() && !sure {
		c.overlay = &question{title: "Leave docket?", text: "The decision you are making is not recorded and will be lost.",
			yes: "leave", no: "stay", answer: quit{sure: true}}
		return nil
	}
	c.closing = true
	return tea.Quit
}

func (c *console) arrive(context.Context) tea.Msg { return arrived{c.desk.Reviewer(), c.desk.Now()} }

// read asks for the docket of an area and sorts it on the way.
func (c *console) read(area domain.Area) tea.Cmd {
	order := c.queue.order
	return c.work.do("reading the queue", func(ctx context.Context) tea.Msg {
		rows, err := c.desk.Queue(ctx, area)
		if err == nil {
			domain.SortQueue(rows, order)
		}
		return queueRead{area, order, rows, c.desk.Now(), err}
	})
}

// tickEvery is how often the time that is left is drawn anew.
const tickEvery = 20 * time.Second

func (c *console) tick() tea.Cmd {
	if c.every <= 0 {
		return nil
	}
	return c.work.do("telling the time", func(ctx context.Context) tea.Msg {
		timer := time.NewTimer(c.every)
		defer timer.Stop()
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
			return ticked{c.desk.Now()}
		}
	})
}

// answer hands what the desk has answered to the screen that waits for it.
func (c *console) answer(msg tea.Msg) tea.Cmd {
	if c.waiting {
		c.status, c.waiting = "", false
	}
	switch msg := msg.(type) {
	case queueRead:
		c.scene.now = later(c.scene.now, msg.now)
		return c.apply(c.queue.arrived(msg, &c.scene))
	case recordsRead:
		c.scene.now = later(c.scene.now, msg.now)
		for _, s := range c.stack {
			if records, is := s.(*recordsScreen); is {
				return c.apply(records.arrived(msg))
			}
		}
	case opened:
		for _, s := range c.stack {
			if packet, is := s.(*packetScreen); is && packet.ticket == msg.request.ticket {
				return c.apply(packet.arrived(msg, &c.scene))
			}
		}
	case recorded:
		c.writing, c.status = false, ""
		return c.apply(c.recorded(msg))
	case skipped:
		return c.apply(c.skipped(msg))
	}
	return nil
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
	decision, is := c.top().(*decideScreen)
	if !is {
		return alarm{"The decision", "there is an answer to a decision that is no longer on the screen; see the records"}
	}
	var stale *domain.StaleError
	switch {
	case msg.err == nil:
		area := decision.packet.dossier.View.Area()
		return several{home{}, show{newReceiptScreen(decision, msg.receipt)}, readQueue{area}}
	case errors.As(msg.err, &stale):
		return show{newStaleScreen(decision, stale.Changes)}
	case errors.Is(msg.err, domain.ErrRefused):
		decision.refuse(&c.scene)
		return alarm{"Refused", msg.err.Error()}
	}
	decision.refuse(&c.scene)
	return alarm{"The decision could not be recorded", msg.err.Error()}
}

// skipped says what has become of putting a revision aside.
func (c *console) skipped(msg skipped) effect {
	if msg.err != nil {
		return alarm{"Not skipped", msg.err.Error()}
	}
	for _, s := range c.stack {
		if packet, is := s.(*packetScreen); is {
			packet.noteSkip(msg.skip)
		}
	}
	text := "skipped; it is at the end of the queue, where s takes it back"
	if msg.skip.reason == "" {
		text = "the skip is taken back"
	}
	return several{say{text: text}, readQueue{domain.AreaOf(msg.skip.table)}}
}
