package ui

import (
	"strings"

	"docket/domain"
	"docket/ui/line"
)

// A docket is one area's queue as it was read, with the part of it that the filter lets through.
type docket struct {
	area      domain.Area
	rows      []domain.QueueRow // in the order of the queue
	shown     []int             // indices into rows
	read      bool              // rows are from the desk
	readAt    domain.Instant    // when
	trouble   string            // why they could not be read, the last time
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
func (d *docket) take(rows []domain.QueueRow, s *scene) {
	here, had := d.selected()
	next, more := (*domain.QueueRow)(nil), false
	if had {
		next, more = d.neighbour(domain.Key{ID: here.ID}, false)
	}
	d.rows, d.read, d.trouble = rows, true, ""
	d.sift(s)
	if !had {
		return
	}
	d.settle(domain.Key{ID: here.ID})
	if now, any := d.selected(); more && isOpen(here) && any && !(now.ID == here.ID && isOpen(now)) {
		d.left, d.next = here.ID, next.ID
		d.settle(domain.Key{ID: next.ID})
	}
}

// sort puts the rows into another order and keeps the cursor on the same case.
func (d *docket) sort(order domain.SortOrder, s *scene) {
	key, had := d.selected()
	domain.SortQueue(d.rows, order)
	d.sift(s)
	if had {
		d.settle(domain.Key{ID: key.ID, Number: key.Revision})
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
	d.tally = domain.Count(d.rows, s.reviewer.ID)
	d.shown, d.idWidth = d.shown[:0], 0
	for i := range d.rows {
		if d.filter.Matches(&d.rows[i], &context) {
			d.shown = append(d.shown, i)
			d.idWidth = max(d.idWidth, idWidth(&d.rows[i]))
		}
	}
	d.list.cursor = clamp(d.list.cursor, len(d.shown))
}

// idWidth is how wide the id of a row is, with its mark.
func idWidth(row *domain.QueueRow) int {
	width := len(row.ID)
	if row.Draft {
		width += 1 + line.Width(draftMark)
	}
	return width
}

// selected returns the row under the cursor; false if none shows.
func (d *docket) selected() (*domain.QueueRow, bool) {
	if d.list.cursor >= len(d.shown) {
		return nil, false
	}
	return &d.rows[d.shown[d.list.cursor]], true
}

// settle puts the cursor on a case, whichever revision of it shows; where it does not show, the cursor stays.
func (d *docket) settle(key domain.Key) {
	for i, at := range d.shown {
		if d.rows[at].ID == key.ID {
			d.list.cursor = i
			return
		}
	}
}

// open tells whether a row still is to be worked.
func isOpen(row *domain.QueueRow) bool {
	return !row.Decided && row.Skipped == "" && row.Unreadable == ""
}

// neighbour finds the open row that follows the case in the order that shows, or the one before it, going round.
func (d *docket) neighbour(after domain.Key, backwards bool) (*domain.QueueRow, bool) {
	start, step := -1, 1
	for i, at := range d.shown {
		row := &d.rows[at]
		if !backwards && after.ID == d.left && row.ID == d.next && isOpen(row) {
			return row, true
		}
		if row.ID == after.ID {
			start = i
		}
	}
	if backwards {
		step = -1
		start = max(start, 0)
	}
	count := len(d.shown)
	for n := 1; n <= count; n++ {
		row := &d.rows[d.shown[((start+n*step)%count+count)%count]]
		if isOpen(row) && row.ID != after.ID {
			return row, true
		}
	}
	return nil, false
}
