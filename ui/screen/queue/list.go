package queue

import (
	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/terms"
	"docket/ui/line"
	"docket/ui/listing"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"
)

// areaQueue is the queue of one area: the rows that show, and the query whose rows show next.
type areaQueue struct {
	listing.Rows // those that show; its queue is never nil
	area         terms.Area
	new          int // rows when they were last counted; -1: not yet

	query      query
	generation int       // of the query
	shows      int       // the generation that shows
	before     *position // of the cursor before the change under way; nil: as it is

	read      bool            // something is from the workbench
	whole     bool            // the newest queue is the whole one, not only the top of it
	mark      queue.Watermark // the state of the store that it was read from
	progress  *progress       // of reading all of it; nil while it is not being read
	trouble   string          // why it could not be read, the last time
	complaint string          // what is wrong with the filter being typed
	list      widget.List
	left      terms.ID // the case that was finished last, and the one after it
	next      terms.ID
	idWidth   int             // of the widest id that is shown
	alike     map[string]bool // heads of the columns whose cells are all the same; they do not show
}

func newAreaQueue(area terms.Area) *areaQueue {
	empty := queue.New(area, nil)
	return &areaQueue{area: area, Rows: listing.Rows{Queue: empty}, query: query{queue: empty, sort: queue.ByDeadline}, new: -1}
}

func (d *areaQueue) counted() bool { return d.whole && d.Queue == d.query.queue }

func (d *areaQueue) replace(docket *queue.Queue, sort queue.SortOrder, order []uint32, s *screen.Scene) {
	d.read, d.trouble = true, ""
	d.schedule(s, func(w *query) {
		if w.sort != sort {
			order = nil
		}
		w.queue, w.order, w.tally = docket, order, true
	})
}

func (d *areaQueue) drop() {
	d.generation++
	d.Queue, d.Order, d.Shown, d.whole, d.read = queue.New(d.area, nil), nil, nil, false, false
	d.query.queue, d.query.order, d.before, d.shows = d.Queue, nil, nil, d.generation
}

// update is false if a row is of a case that the queue does not have.
func (d *areaQueue) update(rows []queue.Row, s *screen.Scene) bool {
	known, changed, from, docket := true, false, d.position(), d.query.queue
	for i := range rows {
		at, found := docket.Find(rows[i].ID)
		known = known && found
		if found && docket.Row(at) != rows[i] {
			changed = true
			docket.Put(&rows[i])
		}
	}
	if changed {
		if d.before == nil {
			d.before = from
		}
		d.schedule(s, func(w *query) { w.order, w.tally = nil, true })
	}
	return known
}

func (d *areaQueue) sort(order queue.SortOrder, s *screen.Scene) {
	d.schedule(s, func(w *query) { w.sort, w.order, w.tally = order, nil, true })
}

// setFilter counts the words before an unreadable last one, and goes to the first row.
func (d *areaQueue) setFilter(text string, s *screen.Scene) {
	d.complaint = ""
	filter, err := queue.ParseFilter(text)
	if err != nil {
		d.complaint = err.Error()
		if filter, err = queue.ParseFilter(text[:queue.LastTerm(text)]); err != nil {
			return
		}
	}
	if filter.String() != d.query.filter.String() {
		d.schedule(s, func(w *query) { w.filter = filter })
	}
}

func (d *areaQueue) widestID() int {
	width := d.Queue.IDWidth()
	if d.Queue.HasDrafts() {
		width += 1 + line.Width(widget.DraftMark)
	}
	if d.Queue.HasErased() {
		width += 1 + line.Width(widget.ErasedMark)
	}
	if d.Tally.Rejected > 0 {
		width += 1 + widget.RejectedWord().Width()
	}
	return width
}

func (d *areaQueue) selected() (queue.Row, bool) {
	if d.list.Cursor >= len(d.Shown) {
		return queue.Row{}, false
	}
	return d.Row(d.list.Cursor), true
}

// moveTo puts the cursor on a case, in any revision of it; it stays where the case does not show.
func (d *areaQueue) moveTo(key packets.Key) {
	if at := d.Line(key.ID); at >= 0 {
		d.list.Cursor = at
	}
}

func (d *areaQueue) neighbour(after packets.Key, backwards bool) (queue.Row, bool) {
	if at := d.Line(d.next); !backwards && after.ID == d.left && at >= 0 {
		if row := d.Row(at); row.Workable() {
			return row, true
		}
	}
	return d.Rows.Neighbour(d.Line(after.ID), backwards, after.ID)
}

func (d *areaQueue) counts(width int) line.Line {
	parts := []line.Line{
		line.Of(theme.Pass, "✓ "+wording.Thousands(d.Tally.Pass)).And(theme.Dim, " pass"),
		line.Of(theme.Plain, wording.Thousands(d.Tally.Mine)).And(theme.Dim, " mine"),
	}
	for _, text := range wording.Aside(&d.Tally) {
		parts = append(parts, line.Of(theme.Dim, text))
	}
	if n := d.Tally.Rejected; n > 0 {
		parts = append([]line.Line{line.Of(theme.Bad, widget.RejectedMark+" "+wording.Thousands(n)+" "+wording.Rejected)}, parts...)
	}
	return widget.JoinedIn(width, parts)
}
