package ui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// The effects that follow ask the desk for something.

func (e readQueue) carryOut(c *console) tea.Cmd { return c.read(e.area) }

func (e judgeAgain) carryOut(c *console) tea.Cmd { return c.freshen(e.area, e.ids...) }

func (readHandIns) carryOut(c *console) tea.Cmd { return c.readHandIns() }

func (readContracts) carryOut(c *console) tea.Cmd {
	return c.work.do("reading the contracts", func(ctx context.Context) tea.Msg {
		contracts, err := c.desk.Contracts(ctx)
		return contractsRead{contracts, err}
	})
}

func (e readTrend) carryOut(c *console) tea.Cmd {
	return c.work.do("reading the trend", func(ctx context.Context) tea.Msg {
		trend, err := c.desk.Trend(ctx, e.area)
		return trendRead{e.area, trend, err}
	})
}

func (e open) carryOut(c *console) tea.Cmd {
	c.tickets++
	e.request.ticket = c.tickets
	if r, is := c.top().(reader); is {
		r.asked(e.request)
	}
	return c.work.do("opening a packet", func(ctx context.Context) tea.Msg {
		openedAt := c.desk.Now()
		dossier, err := c.desk.Open(ctx, e.request.table, e.request.id, e.request.revision)
		return opened{e.request, &dossier, openedAt, err}
	})
}

func (e copying) carryOut(c *console) tea.Cmd {
	return c.work.do("copying", func(context.Context) tea.Msg {
		return copied{e.what, toClipboard(c.output, c.multiplexer, e.text)}
	})
}

func (e skip) carryOut(c *console) tea.Cmd {
	return c.work.do("skipping", func(ctx context.Context) tea.Msg {
		return skipped{e, c.desk.Skip(ctx, e.table, e.key, e.reason)}
	})
}

func (c *console) arrive(context.Context) tea.Msg { return arrived{c.desk.Reviewer(), c.desk.Now()} }

// tickEvery is how often the time that is left is drawn anew.
const tickEvery = 20 * time.Second

func (c *console) tick() tea.Cmd {
	return c.later(c.every, func() tea.Msg { return ticked{c.desk.Now()} })
}

// later sends a message after a while; never, where the console looks at no clock.
func (c *console) later(after time.Duration, then func() tea.Msg) tea.Cmd {
	if c.every <= 0 {
		return nil
	}
	return c.work.do("telling the time", func(ctx context.Context) tea.Msg {
		timer := time.NewTimer(after)
		defer timer.Stop()
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
			return then()
		}
	})
}
