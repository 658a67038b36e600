package queue

import (
	"slices"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/screen"
	"docket/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// Filtering and sorting a queue takes about a frame, so that the rows change with the key.

type query struct {
	queue    *queue.Queue
	order    []uint32 // its rows in the order of the queue; nil: to be sorted
	sort     queue.SortOrder
	reviewer terms.ID
	filter   queue.Filter
	now      terms.Instant
	left     terms.Instant
	tally    bool // the rows are to be counted again
}

func (d *areaQueue) schedule(s *screen.Scene, change func(*query)) {
	change(&d.query)
	d.query.reviewer, d.query.now, d.query.left = s.Reviewer.ID, s.Now, s.Left
	d.generation++
}

func (d *areaQueue) filtering() bool { return d.query.filter.String() != d.Filter.String() }

// Filtering reports whether the rows that show are not yet those of the filter.
func (q *Screen) Filtering() bool { return q.current().filtering() }

// Waits reports whether a key may be meant for a row of the filter whose rows do not show yet.
func (q *Screen) Waits(p action.Press, keys action.Keymap) bool {
	if !q.Filtering() {
		return false
	}
	if q.editor == nil {
		return true
	}
	a, is := keys.ForKey(action.InFilter, p.Name)
	return is && slices.Contains([]action.Verb{action.GoDown, action.PageDown, action.PageUp, action.GoUp}, a.Verb)
}

// Settle updates the rows to the filter; release presses keys that waited, and may change it again.
func (q *Screen) Settle(s *screen.Scene, release func() screen.Cmd) screen.Cmd {
	cmds := []screen.Cmd{release()}
	for q.areas[terms.Appeals].settle() || q.areas[terms.Amendments].settle() {
		cmds = append(cmds, release())
	}
	return tea.Batch(cmds...)
}

// settle keeps the cursor on its case or, if decided, the next open one; a new filter resets it.
func (d *areaQueue) settle() bool {
	w := &d.query
	if d.generation == d.shows {
		return false
	}
	from, again := d.before, !d.filtering()
	if here, had := d.selected(); again && (!had || from == nil || from.here.ID != here.ID) {
		from = d.position()
	}
	if w.order == nil {
		w.order = w.queue.Order(w.sort, w.reviewer)
	}
	d.before, d.shows = nil, d.generation
	d.Queue, d.Order = w.queue, w.order
	d.Apply(w.filter, &queue.FilterContext{Reviewer: w.reviewer, Now: w.now, Left: w.left})
	if w.tally {
		d.Tally, d.alike = w.queue.Tally(w.reviewer), d.alikes()
	}
	w.tally = false
	d.idWidth = d.widestID()
	if !again {
		d.list = widget.List{Height: d.list.Height}
	} else if from != nil {
		d.restore(from)
	}
	d.list.Cursor = widget.Clamp(d.list.Cursor, len(d.Shown))
	return true
}

type position struct {
	here queue.Row
	next queue.Row // the open case after it
	more bool      // there is one
}

func (d *areaQueue) position() *position {
	here, had := d.selected()
	if !had {
		return nil
	}
	from := &position{here: here}
	from.next, from.more = d.neighbour(packets.Key{ID: here.ID}, false)
	return from
}

func (d *areaQueue) restore(from *position) {
	d.moveTo(packets.Key{ID: from.here.ID})
	if now, any := d.selected(); from.more && from.here.Workable() && any && !(now.ID == from.here.ID && now.Workable()) {
		d.left, d.next = from.here.ID, from.next.ID
		d.moveTo(packets.Key{ID: from.next.ID})
	}
}
