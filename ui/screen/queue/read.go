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

// The queue is read in three ways: first its top, which the store finds without reading everything;
// then all of it, which takes longer; and after that its changes.

// topRows is more than a window of 60 lines shows, and few enough to come at once.
const topRows = 60

// progress is how far the reading of a queue is; the reading goroutine writes it.
type progress struct{ done, total atomic.Int64 }

// ReadTop asks for the top of the queue, shown unless the whole, which is read next, is there.
func (q *Screen) ReadTop(s *screen.Scene) screen.Cmd {
	area, sorted := q.Area, q.order
	return s.Go("reading the queue", func(ctx context.Context, workbench screen.Workbench) screen.Then {
		rows, err := workbench.Top(ctx, area, topRows)
		docket := queue.New(area, rows)
		order, now := docket.Order(sorted, workbench.Reviewer().ID), workbench.Now()
		return func(s *screen.Scene) screen.Cmd {
			s.Pass(now)
			if d := q.areas[area]; !d.whole && err == nil {
				d.replace(docket, sorted, order, s)
			}
			return q.Read(s, area)
		}
	})
}

// Read reads and sorts the whole queue of an area. A large one on the screen makes room first.
func (q *Screen) Read(s *screen.Scene, area terms.Area) screen.Cmd {
	order, d, drawing := q.order, q.areas[area], q.reading()
	if d.progress != nil {
		return nil
	}
	if d.whole && d.query.queue.Len() > keptWhileReading {
		d.drop()
	}
	read := &progress{}
	d.progress = read
	cmd := s.Go("reading the queue", func(ctx context.Context, workbench screen.Workbench) screen.Then {
		docket, mark, err := workbench.Queue(ctx, area, func(done, total int64) {
			read.done.Store(done)
			read.total.Store(total)
		})
		if err != nil {
			docket = queue.New(area, nil)
		}
		sorted, now := docket.Order(order, workbench.Reviewer().ID), workbench.Now()
		return func(s *screen.Scene) screen.Cmd {
			s.Pass(now)
			return q.takeWhole(s, area, docket, order, sorted, mark, err)
		}
	})
	if drawing {
		return cmd
	}
	return tea.Batch(cmd, q.progressLater(s))
}

// keptWhileReading limits the queue kept while it is read again: two large ones take much memory.
const keptWhileReading = 250_000

func (q *Screen) takeWhole(s *screen.Scene, area terms.Area, docket *queue.Queue,
	order queue.SortOrder, sorted []uint32, mark queue.Watermark, err error) screen.Cmd {
	d := q.areas[area]
	d.progress = nil
	switch {
	case err == nil:
		d.whole, d.mark = true, mark
		d.replace(docket, order, sorted, s)
		d.announceNew(s)
	default:
		if d.trouble = err.Error(); d.read {
			widget.Alarm(s, "The queue could not be read again", fmt.Sprintf("%s; the screen shows an earlier state", d.trouble))
		}
	}
	q.announceDue(s)
	return q.readRest(s)
}

func (q *Screen) readRest(s *screen.Scene) screen.Cmd {
	if q.reading() {
		return nil
	}
	for _, area := range terms.Areas.All() {
		if d := q.areas[area]; !d.whole && d.trouble == "" {
			return q.Read(s, area)
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

func (d *areaQueue) readingLine() line.Line {
	if d.progress == nil {
		return nil
	}
	out := line.Of(theme.Dim, "reading …")
	if total := d.progress.total.Load(); total > 0 {
		out = line.Of(theme.Dim, fmt.Sprintf("reading %s of %s",
			wording.Thousands(int(d.progress.done.Load())), wording.Thousands(int(total))))
	}
	return out
}

func (q *Screen) progressLater(s *screen.Scene) screen.Cmd {
	if !s.Ticking {
		return nil
	}
	return s.After(progressEvery, "telling the time", func(screen.Workbench) screen.Then {
		return func(s *screen.Scene) screen.Cmd {
			if q.reading() {
				return q.progressLater(s)
			}
			return nil
		}
	})
}

// Refresh asks for changes since the queue was read, the given ids, and what time has changed.
func (q *Screen) Refresh(s *screen.Scene, area terms.Area, ids ...terms.ID) screen.Cmd {
	d := q.areas[area]
	if !d.whole {
		return nil
	}
	since := d.mark
	waking, everything := d.query.queue.ChangedBy(s.Now, mostWaking)
	return s.Go("reading the queue", func(ctx context.Context, workbench screen.Workbench) screen.Then {
		news := queue.Changes{Everything: everything}
		var changed []queue.Row
		var err error
		if !everything {
			news, err = workbench.Changes(ctx, area, since)
		}
		ids = slices.Concat(ids, waking, news.IDs)
		if !news.Everything && err == nil && len(ids) > 0 {
			changed, err = workbench.Rows(ctx, area, ids)
		}
		now := workbench.Now()
		return func(s *screen.Scene) screen.Cmd {
			s.Pass(now)
			switch {
			case err != nil:
				return s.Refuse(fmt.Sprintf("the queue could not be read again: %s", err))
			case news.Everything || !d.update(changed, s): // more has changed than these
				return q.Read(s, area)
			}
			d.mark = news.Watermark
			d.announceNew(s)
			q.announceDue(s)
			return nil
		}
	})
}

// mostWaking limits the rows judged again at once because of time; the next tick takes more.
const mostWaking = 1000

const progressEvery = 250 * time.Millisecond

// announceNew says how many rows another process has imported; is:new finds them.
func (d *areaQueue) announceNew(s *screen.Scene) {
	before, now := d.new, d.query.queue.New(s.Left)
	if d.new = now; before >= 0 && now > before {
		s.Say(wording.NewSince(now, s.Left, s.Now, s.Zone))
	}
}

// announceDue says what is overdue and due today once read, and on each new day of the reviewer's
// zone.
func (q *Screen) announceDue(s *screen.Scene) {
	d := q.areas[terms.Appeals]
	if !d.whole || !s.Now.Present() {
		return
	}
	today, ends := wording.Day(s.Now, s.Zone)
	if today == q.announced {
		return
	}
	q.announced = today
	if text := wording.Due(d.query.queue.Due(s.Now, terms.InstantOf(ends))); text != "" {
		s.Say("▲ " + text)
	}
}
