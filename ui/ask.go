package ui

import (
	"context"
	"time"

	"docket/domain"

	tea "github.com/charmbracelet/bubbletea"
)

// ask carries out what the desk has to be asked for.
func (c *console) ask(e effect) tea.Cmd {
	switch e := e.(type) {
	case readQueue:
		return c.read(e.area)
	case refresh:
		if c.scene.now.Sub(c.queue.dockets[e.area].readAt) > old {
			return c.read(e.area)
		}
	case readRecords:
		return c.work.do("reading the records", func(ctx context.Context) tea.Msg {
			records, err := c.desk.Records(ctx)
			return recordsRead{records, c.desk.Now(), err}
		})
	case readTrend:
		return c.work.do("reading the trend", func(ctx context.Context) tea.Msg {
			trend, err := c.desk.Trend(ctx, e.area)
			return trendRead{e.area, trend, err}
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
		version := c.keeper.count
		return c.work.do("recording", func(ctx context.Context) tea.Msg {
			var receipt domain.Receipt
			err := c.keeper.settle(version, func() (err error) {
				receipt, err = c.desk.Record(ctx, e.view, e.choice, e.note)
				return err
			})
			return recorded{receipt, c.desk.Now(), err}
		})
	case skip:
		return c.work.do("skipping", func(ctx context.Context) tea.Msg {
			return skipped{e, c.desk.Skip(ctx, e.table, e.key, e.reason)}
		})
	}
	return nil
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

// old is how long ago a queue was read that is read again on the way back to it.
const old = 30 * time.Second

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
