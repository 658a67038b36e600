package queue

import (
	"docket/domain/queue"
	"docket/domain/terms"
	"docket/ui/screen"
	"docket/ui/session"
	"docket/ui/wording"
)

// A dueCount is how many cases are due today, counted at a minute.
type dueCount struct {
	queue  *queue.Queue
	tally  queue.Tally
	minute int64
	today  int
}

// Load is how much there is to do in both areas. Due cases are counted again when the rows or the minute have changed.
func (q *Screen) Load(s *screen.Scene) session.Load {
	load := session.Load{Known: s.Now.Present()}
	for _, area := range terms.Areas.All() {
		d := q.areas[area]
		if load.Known = load.Known && d.counted(); !load.Known {
			return session.Load{}
		}
		now := dueCount{queue: d.queue, tally: d.tally, minute: s.Now.Time().Unix() / 60}
		if was := d.due; was.queue != now.queue || was.tally != now.tally || was.minute != now.minute {
			_, ends := wording.Day(s.Now, s.Zone)
			_, now.today = d.queue.Due(s.Now, terms.InstantOf(ends))
			d.due = now
		}
		load.Open, load.Today = load.Open+d.tally.Open, load.Today+d.due.today
	}
	return load
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
