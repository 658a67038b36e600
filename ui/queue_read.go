package ui

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"docket/domain"
	"docket/ui/line"
	"docket/ui/theme"
	"docket/ui/wording"

	tea "github.com/charmbracelet/bubbletea"
)

// How the queue comes onto the screen: first the top of it, which the store finds without looking at everything; then
// all of it, which takes as long as it takes; and from then on what changes.

// topRows is how many rows come first: more than any window shows.
const topRows = 100

// The messages of reading the queue.
type (
	// queueTop is the top of an area's queue.
	queueTop struct {
		area   domain.Area
		sorted domain.SortOrder
		docket *domain.Docket
		order  []uint32
		now    domain.Instant
		err    error
	}
	// queueRead is the whole docket of an area, in the order asked for.
	queueRead struct {
		area   domain.Area
		sorted domain.SortOrder
		docket *domain.Docket
		order  []uint32
		mark   domain.QueueMark
		now    domain.Instant
		err    error
	}
	// queueChanged is what has been judged again.
	queueChanged struct {
		area       domain.Area
		rows       []domain.QueueRow
		everything bool
		mark       domain.QueueMark
		now        domain.Instant
		err        error
		lent       bool // the docket was lent for it
	}
	// progressed says that it is time to draw how far reading is.
	progressed struct{}
)

// progress is how far the reading of a docket is; the reading goroutine writes it.
type progress struct{ done, total atomic.Int64 }

// readTop asks for the top of an area's queue.
func (c *console) readTop(area domain.Area) tea.Cmd {
	order := c.queue.order
	return c.work.do("reading the queue", func(ctx context.Context) tea.Msg {
		rows, err := c.desk.Top(ctx, area, topRows)
		if err != nil {
			return queueTop{area: area, now: c.desk.Now(), err: err}
		}
		docket := domain.NewDocket(area, rows)
		return queueTop{area, order, docket, docket.Order(order, c.desk.Reviewer().ID), c.desk.Now(), nil}
	})
}

// read asks for all of an area's docket and sorts it on the way. A large one that is on the screen makes room first.
func (c *console) read(area domain.Area) tea.Cmd {
	order, d, drawing := c.queue.order, c.queue.dockets[area], c.queue.reading()
	if d.progress != nil {
		return nil
	}
	if d.whole && d.wanted.queue.Len() > keptWhileReading {
		d.drop()
	}
	read := &progress{}
	d.progress = read
	cmd := c.work.do("reading the queue", func(ctx context.Context) tea.Msg {
		docket, mark, err := c.desk.Docket(ctx, area, func(done, total int64) {
			read.done.Store(done)
			read.total.Store(total)
		})
		if err != nil {
			return queueRead{area: area, now: c.desk.Now(), err: err}
		}
		return queueRead{area, order, docket, docket.Order(order, c.desk.Reviewer().ID), mark, c.desk.Now(), nil}
	})
	if drawing {
		return cmd
	}
	return tea.Batch(cmd, c.progressLater())
}

// keptWhileReading is how long a queue may be to stay on the screen while it is read anew: two large ones take too much
// memory.
const keptWhileReading = 250_000

// readRest goes on with what has not been read yet: the other docket, and then the log.
func (c *console) readRest() tea.Cmd {
	if c.queue.reading() {
		return nil
	}
	for _, area := range domain.Areas.All() {
		if d := c.queue.dockets[area]; !d.whole && d.trouble == "" {
			return c.read(area)
		}
	}
	prove := c.prove
	c.prove = nil
	return c.startProof(prove)
}

// howFar says how much of the docket has been read; nothing where nobody reads.
func (d *docket) howFar() line.Line {
	if d.progress == nil {
		return nil
	}
	out := line.Of(theme.Dim, "reading …")
	if total := d.progress.total.Load(); total > 0 {
		out = line.Of(theme.Dim, "reading "+wording.Thousands(int(d.progress.done.Load()))+" of "+wording.Thousands(int(total)))
	}
	return out
}

// progressLater draws again while something is being read.
func (c *console) progressLater() tea.Cmd {
	return c.later(progressEvery, func() tea.Msg { return progressed{} })
}

// freshen asks for what has changed since the docket was read, and for the ids given and those that time has changed.
func (c *console) freshen(area domain.Area, ids ...domain.ID) tea.Cmd {
	d := c.queue.dockets[area]
	if !d.whole {
		return nil
	}
	since, now, queue := d.mark, c.scene.now, d.wanted.queue
	d.lent++
	return c.work.do("reading the queue", func(ctx context.Context) tea.Msg {
		changed := queueChanged{area: area, lent: true}
		waking, everything := queue.Waking(now, mostWaking)
		news := domain.QueueNews{Everything: everything}
		if !everything {
			news, changed.err = c.desk.News(ctx, area, since)
		}
		ids = slices.Concat(ids, waking, news.IDs)
		if changed.everything = news.Everything; !changed.everything && changed.err == nil && len(ids) > 0 {
			changed.rows, changed.err = c.desk.Rows(ctx, area, ids)
		}
		changed.mark, changed.now = news.Mark, c.desk.Now()
		return changed
	})
}

// mostWaking is how many rows that time has changed are judged again at once; the next tick takes the next ones.
const mostWaking = 1000

// progressEvery is how often the console draws how far reading is.
const progressEvery = 250 * time.Millisecond
