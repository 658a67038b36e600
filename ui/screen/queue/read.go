package queue

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"docket/domain/queue"
	"docket/domain/terms"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"

	tea "github.com/charmbracelet/bubbletea"
)

// The queue is read in three ways: first its top, which the store finds without reading everything; then all of it, which takes longer; and after that its
// changes.

// topRows is how many rows come first: more than a window of 60 lines shows, and few enough that they come at once.
const topRows = 60

// changesRead are the rows that were judged again.
type changesRead struct {
	queue      *Screen
	area       terms.Area
	rows       []queue.Row
	everything bool
	mark       queue.Watermark
	now        terms.Instant
	err        error
	releases   bool // a command has read the newest queue for it
}

// progress is how far the reading of a queue is; the reading goroutine writes it.
type progress struct{ done, total atomic.Int64 }

// ReadTop asks for the top of the area's queue that shows. It is shown unless the whole queue is there, which is read next.
func (q *Screen) ReadTop(h screen.Host) tea.Cmd {
	area, sorted := q.Area, q.order
	return h.Ask("reading the queue", func(ctx context.Context, workbench screen.Workbench) screen.Effect {
		rows, err := workbench.Top(ctx, area, topRows)
		docket := queue.New(area, rows)
		order, now := docket.Order(sorted, workbench.Reviewer().ID), workbench.Now()
		return screen.Then(func(h screen.Host) tea.Cmd {
			h.Scene().Pass(now)
			if d := q.areas[area]; !d.whole && err == nil {
				d.replace(docket, sorted, order, h.Scene())
			}
			return q.Read(h, area)
		})
	})
}

// Read reads the whole queue of an area and sorts it on the way. A large one that is on the screen makes room first.
func (q *Screen) Read(h screen.Host, area terms.Area) tea.Cmd {
	order, d, drawing := q.order, q.areas[area], q.reading()
	if d.progress != nil {
		return nil
	}
	if d.whole && d.query.queue.Len() > keptWhileReading {
		d.drop()
	}
	read := &progress{}
	d.progress = read
	cmd := h.Ask("reading the queue", func(ctx context.Context, workbench screen.Workbench) screen.Effect {
		docket, mark, err := workbench.Queue(ctx, area, func(done, total int64) {
			read.done.Store(done)
			read.total.Store(total)
		})
		if err != nil {
			docket = queue.New(area, nil)
		}
		sorted, now := docket.Order(order, workbench.Reviewer().ID), workbench.Now()
		return screen.Then(func(h screen.Host) tea.Cmd {
			h.Scene().Pass(now)
			return q.takeWhole(h, area, docket, order, sorted, mark, err)
		})
	})
	if drawing {
		return cmd
	}
	return tea.Batch(cmd, q.progressLater(h))
}

// keptWhileReading is how long a queue may be to stay on the screen while it is read again: two large ones take too much
// memory.
const keptWhileReading = 250_000

// takeWhole takes the queue of an area in an order, and starts to read that of the other area if it has not been read yet.
func (q *Screen) takeWhole(h screen.Host, area terms.Area, docket *queue.Queue, order queue.SortOrder, sorted []uint32, mark queue.Watermark, err error) tea.Cmd {
	d := q.areas[area]
	d.progress = nil
	var cmd tea.Cmd
	switch {
	case err == nil:
		d.whole, d.mark, d.prepared = true, mark, false
		d.replace(docket, order, sorted, h.Scene())
	case d.read:
		d.trouble = err.Error()
		cmd = widget.Alarm{About: "The queue could not be read again", Text: fmt.Sprintf("%s; the screen shows an earlier state", d.trouble)}.CarryOut(h)
	default:
		d.trouble = err.Error()
	}
	if err == nil {
		cmd = screen.Apply(d.announceNew(h.Scene()), h)
	}
	return tea.Batch(cmd, screen.Apply(q.announceDue(h.Scene()), h), q.readRest(h), screen.Apply(q.prepare(), h))
}

func (q *Screen) readRest(h screen.Host) tea.Cmd {
	if q.reading() {
		return nil
	}
	for _, area := range terms.Areas.All() {
		if d := q.areas[area]; !d.whole && d.trouble == "" {
			return q.Read(h, area)
		}
	}
	return nil
}

// Settled reports whether both queues have been read as a whole, or cannot be.
func (q *Screen) Settled() bool {
	for _, d := range q.areas {
		if d.progress != nil || !d.whole && d.trouble == "" {
			return false
		}
	}
	return true
}

// readingLine says how much of the queue has been read; empty if it is not being read.
func (d *areaQueue) readingLine() line.Line {
	if d.progress == nil {
		return nil
	}
	out := line.Of(theme.Dim, "reading …")
	if total := d.progress.total.Load(); total > 0 {
		out = line.Of(theme.Dim, fmt.Sprintf("reading %s of %s", wording.Thousands(int(d.progress.done.Load())), wording.Thousands(int(total))))
	}
	return out
}

// progressLater draws again while something is being read.
func (q *Screen) progressLater(h screen.Host) tea.Cmd {
	if !h.Scene().Ticking {
		return nil
	}
	return screen.After(h, progressEvery, "telling the time", func(screen.Workbench) screen.Effect {
		return screen.Then(func(h screen.Host) tea.Cmd {
			if q.reading() {
				return q.progressLater(h)
			}
			return nil
		})
	})
}

// Refresh asks for what has changed since the queue was read, and for the ids given and those that time has changed.
func (q *Screen) Refresh(h screen.Host, area terms.Area, ids ...terms.ID) tea.Cmd {
	d := q.areas[area]
	if !d.whole {
		return nil
	}
	since, now, rows := d.mark, h.Scene().Now, d.query.queue
	d.readers++
	return h.Ask("reading the queue", func(ctx context.Context, workbench screen.Workbench) screen.Effect {
		changed := changesRead{queue: q, area: area, releases: true}
		waking, everything := rows.ChangedBy(now, mostWaking)
		news := queue.Changes{Everything: everything}
		if !everything {
			news, changed.err = workbench.Changes(ctx, area, since)
		}
		ids = slices.Concat(ids, waking, news.IDs)
		if changed.everything = news.Everything; !changed.everything && changed.err == nil && len(ids) > 0 {
			changed.rows, changed.err = workbench.Rows(ctx, area, ids)
		}
		changed.mark, changed.now = news.Watermark, workbench.Now()
		return changed
	})
}

// CarryOut takes the rows that were judged again. Where more has changed than these, the whole queue is read again.
func (e changesRead) CarryOut(h screen.Host) tea.Cmd {
	h.Scene().Pass(e.now)
	d := e.queue.areas[e.area]
	if e.releases {
		d.release()
	}
	switch {
	case e.err != nil:
		return screen.Say{Text: fmt.Sprintf("✗ the queue could not be read again: %s", e.err)}.CarryOut(h)
	case e.everything || !d.update(e.rows, h.Scene()):
		return e.queue.Read(h, e.area)
	}
	d.mark = e.mark
	return tea.Batch(screen.Apply(d.announceNew(h.Scene()), h), screen.Apply(e.queue.announceDue(h.Scene()), h))
}

// mostWaking is how many rows that time has changed are judged again at once; the next tick takes more.
const mostWaking = 1000

// progressEvery is how often the console draws how far reading is.
const progressEvery = 250 * time.Millisecond

// announceNew says how many rows of an area are new, when another process has imported some. is:new finds them.
func (d *areaQueue) announceNew(s *screen.Scene) screen.Effect {
	before, now := d.new, d.query.queue.New(s.Left)
	if d.new = now; before < 0 || now <= before {
		return nil
	}
	return screen.Say{Text: wording.NewSince(now, s.Left, s.Now, s.Zone)}
}

// announceDue says how many cases are overdue and due today: once when the appeals have been read, and again when another day has
// begun. Days are those of the reviewer's time zone.
func (q *Screen) announceDue(s *screen.Scene) screen.Effect {
	d := q.areas[terms.Appeals]
	if !d.whole || !s.Now.Present() {
		return nil
	}
	today, ends := wording.Day(s.Now, s.Zone)
	if today == q.announced {
		return nil
	}
	q.announced = today
	text := wording.Due(d.query.queue.Due(s.Now, terms.InstantOf(ends)))
	if text == "" {
		return nil
	}
	return screen.Say{Text: "▲ " + text}
}
