package ui

import (
	"slices"
	"strings"

	"docket/domain"
	"docket/ui/line"
	"docket/ui/phrase"
	"docket/ui/theme"
)

// docket is one area's queue as it was read, with the part of it that the filter lets through.
type docket struct {
	area      domain.Area
	queue     *domain.Docket   // never nil
	order     []uint32         // its rows in the order of the queue
	shown     []uint32         // those of them that the filter lets through
	room      []uint32         // where those are written
	read      bool             // queue is from the desk
	whole     bool             // it is the whole queue, not only the top of it
	mark      domain.QueueMark // what queue was made of
	progress  *progress        // of reading all of it; nil while nobody does
	trouble   string           // why they could not be read, the last time
	tally     domain.Tally
	filter    domain.Filter
	complaint string // what is wrong with the filter being typed
	list      list
	left      domain.ID // the case that was done with last, and the one that came after it
	next      domain.ID
	idWidth   int // of the widest id that is shown
}

// take replaces the rows. The cursor stays on the same case; where that is done with, and has gone to the end of the
// queue, it goes to the open case that came after it.
func (d *docket) take(queue *domain.Docket, order []uint32, s *scene) {
	d.change(s, func() { d.queue, d.order, d.read, d.trouble = queue, order, true, "" })
}

// put takes rows that were judged again; false if one of them is of a case that the queue does not have.
func (d *docket) put(rows []domain.QueueRow, order domain.SortOrder, s *scene) bool {
	known := true
	d.change(s, func() {
		changed := false
		for i := range rows {
			at, found := d.queue.Find(rows[i].ID)
			known = known && found
			if found && d.queue.Row(at) != rows[i] {
				changed = true
				d.queue.Put(&rows[i])
			}
		}
		if changed {
			d.order = d.queue.Order(order, s.reviewer.ID)
		}
	})
	return known
}

// change keeps the cursor where the reader is while the rows change.
func (d *docket) change(s *scene, change func()) {
	here, had := d.selected()
	next, more := domain.QueueRow{}, false
	if had {
		next, more = d.neighbour(domain.Key{ID: here.ID}, false)
	}
	change()
	d.tally = d.queue.Tally(s.reviewer.ID)
	d.sift(s)
	if !had {
		return
	}
	d.settle(domain.Key{ID: here.ID})
	if now, any := d.selected(); more && here.Workable() && any && !(now.ID == here.ID && now.Workable()) {
		d.left, d.next = here.ID, next.ID
		d.settle(domain.Key{ID: next.ID})
	}
}

// sort puts the rows into another order and keeps the cursor on the same case.
func (d *docket) sort(order domain.SortOrder, s *scene) {
	here, had := d.selected()
	d.order, d.tally = d.queue.Order(order, s.reviewer.ID), d.queue.Tally(s.reviewer.ID)
	d.sift(s)
	if had {
		d.settle(domain.Key{ID: here.ID, Number: here.Revision})
	}
}

// setFilter reads a filter. While its last word cannot be read, those before it count.
func (d *docket) setFilter(text string, s *scene) {
	d.complaint = ""
	filter, err := domain.ParseFilter(text)
	if err != nil {
		d.complaint = err.Error()
		if filter, err = domain.ParseFilter(text[:strings.LastIndexByte(text, ' ')+1]); err != nil {
			return
		}
	}
	if filter.String() != d.filter.String() {
		d.filter = filter
		d.list = list{height: d.list.height}
		d.sift(s)
	}
}

// sift finds the rows that the filter lets through.
func (d *docket) sift(s *scene) {
	context := domain.FilterContext{Reviewer: s.reviewer.ID, Now: s.now}
	if d.filter.String() == "" {
		d.shown = d.order // which nobody writes to
	} else {
		d.room = d.queue.Select(d.order, d.filter, &context, d.room[:0])
		d.shown = d.room
	}
	d.idWidth = d.widestID()
	d.list.cursor = clamp(d.list.cursor, len(d.shown))
}

// row is a line of the list.
func (d *docket) row(at int) domain.QueueRow { return d.queue.Row(int(d.shown[at])) }

// widestID is how wide ids can be, with their marks.
func (d *docket) widestID() int {
	width := d.queue.IDWidth()
	if d.queue.HasDrafts() {
		width += 1 + line.Width(draftMark)
	}
	if d.tally.Rejected > 0 {
		width += 1 + rejectedWord().Width()
	}
	return width
}

// selected returns the row under the cursor; false if none shows.
func (d *docket) selected() (domain.QueueRow, bool) {
	if d.list.cursor >= len(d.shown) {
		return domain.QueueRow{}, false
	}
	return d.row(d.list.cursor), true
}

// line is the line of a case in the list; -1 where it does not show.
func (d *docket) line(id domain.ID) int {
	place, found := d.queue.Find(id)
	if !found {
		return -1
	}
	return slices.Index(d.shown, uint32(place))
}

// settle puts the cursor on a case, whichever revision of it shows; where it does not show, the cursor stays.
func (d *docket) settle(key domain.Key) {
	if at := d.line(key.ID); at >= 0 {
		d.list.cursor = at
	}
}

// neighbour finds the open row that follows the case in the order that shows, or the one before it, going round.
func (d *docket) neighbour(after domain.Key, backwards bool) (domain.QueueRow, bool) {
	if at := d.line(d.next); !backwards && after.ID == d.left && at >= 0 {
		if row := d.row(at); row.Workable() {
			return row, true
		}
	}
	start, step := d.line(after.ID), 1
	if backwards {
		start, step = max(start, 0), -1
	}
	count := len(d.shown)
	for n := 1; n <= count; n++ {
		at := ((start+n*step)%count + count) % count
		if !d.queue.Workable(int(d.shown[at])) {
			continue
		}
		if row := d.row(at); row.ID != after.ID {
			return row, true
		}
	}
	return domain.QueueRow{}, false
}

// counts sums up the docket, with as many of the counts as fit: what is last in the queue is the first to go.
func (d *docket) counts(width int) line.Line {
	parts := []line.Line{
		line.Of(theme.Pass, "✓ "+thousands(d.tally.Pass)).And(theme.Dim, " pass"),
		line.Of(theme.Plain, thousands(d.tally.Mine)).And(theme.Dim, " mine"),
		line.Of(theme.Dim, thousands(d.tally.Skipped)+" skipped"), line.Of(theme.Dim, thousands(d.tally.Decided)+" decided"),
	}
	if n := d.tally.Rejected; n > 0 {
		parts = append([]line.Line{line.Of(theme.Bad, rejectedMark+" "+thousands(n)+" "+phrase.Rejected)}, parts...)
	}
	for len(parts) > 1 && joined(parts).Width() > width {
		parts = parts[:len(parts)-1]
	}
	return joined(parts)
}
