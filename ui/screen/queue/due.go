package queue

import (
	"docket/domain/terms"
	"docket/ui/screen"
	"docket/ui/wording"
)

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
