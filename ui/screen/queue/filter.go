package queue

import (
	"context"
	"slices"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/screen"
	"docket/ui/widget"
	"docket/ui/wording"

	tea "github.com/charmbracelet/bubbletea"
)

// Filtering and sorting a queue takes about a frame, so that the rows change with the key. Terms
// that search texts and ids are looked up in a command: the rows of a filter with id terms show
// before its answer, and again with it; those of a filter with words wait for it, and the earlier
// rows stay on the screen. While texts are left to read, what was found so far shows, and the terms
// are looked up again. What a query of an older generation looked up is dropped.

type query struct {
	queue    *queue.Queue
	order    []uint32 // its rows in the order of the queue; nil: to be sorted
	sort     queue.SortOrder
	reviewer terms.ID
	filter   queue.Filter
	found    queue.Found // of what the filter seeks; zero: not looked up yet
	now      terms.Instant
	left     terms.Instant
	tally    bool // the rows are to be counted again
}

// unanswered: terms of the filter are not looked up yet; waits: the rows wait for that.
func (w *query) unanswered() bool { return w.found.IDs == nil && len(w.filter.Sought()) > 0 }

func (w *query) waits() bool {
	return w.unanswered() && slices.ContainsFunc(w.filter.Sought(), func(s queue.Sought) bool { return s.Phrase() != "" })
}

func (d *areaQueue) schedule(s *screen.Scene, change func(*query)) {
	change(&d.query)
	d.query.reviewer, d.query.now, d.query.left = s.Reviewer.ID, s.Now, s.Left
	d.generation++
}

func (d *areaQueue) filtering() bool { return d.query.filter.String() != d.showsFilter.String() }

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
	for _, area := range terms.Areas.All() {
		if d := q.areas[area]; !d.looking && (d.query.unanswered() || d.query.found.More) {
			cmds = append(cmds, q.look(s, area))
		}
	}
	return tea.Batch(cmds...)
}

func (q *Screen) look(s *screen.Scene, area terms.Area) screen.Cmd {
	d := q.areas[area]
	d.looking = true
	sought, generation := d.query.filter.Sought(), d.generation
	return s.Background("searching the texts", func(ctx context.Context, workbench screen.Workbench) screen.Then {
		found, err := workbench.Search(ctx, area, sought)
		return func(s *screen.Scene) screen.Cmd {
			d.looking = false
			if generation != d.generation {
				return nil
			}
			if err != nil { // terms that search texts match nothing
				found, d.complaint = queue.Found{IDs: map[queue.Sought][]terms.ID{}}, wording.NotSearched+": "+err.Error()
			}
			d.schedule(s, func(w *query) { w.found = found })
			return nil
		}
	})
}

// prepare has the texts read before a filter needs them; the next reading retries a failure.
func (q *Screen) prepare(s *screen.Scene) screen.Cmd {
	var cmds []screen.Cmd
	for _, area := range terms.Areas.All() {
		d := q.areas[area]
		if !q.Settled() || !d.whole || d.prepared {
			continue
		}
		d.prepared = true
		cmds = append(cmds, s.Background("reading the texts", func(ctx context.Context, workbench screen.Workbench) screen.Then {
			err := workbench.PrepareSearch(ctx, area)
			return func(*screen.Scene) screen.Cmd {
				d.prepared = err == nil
				return nil
			}
		}))
	}
	return tea.Batch(cmds...)
}

// settle keeps the cursor on its case or, if decided, the next open one; a new filter resets it.
func (d *areaQueue) settle() bool {
	w := &d.query
	if d.generation == d.shows || w.waits() {
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
	d.queue, d.showsFilter, d.order, d.shown = w.queue, w.filter, w.order, w.order
	if w.filter.String() != "" {
		context := queue.FilterContext{Reviewer: w.reviewer, Now: w.now, Left: w.left, Found: w.found}
		d.shown = w.queue.Select(w.order, w.filter, &context, nil)
	}
	if w.tally {
		d.tally, d.alike = w.queue.Tally(w.reviewer), d.alikes()
	}
	d.keepMarks(w.tally)
	w.tally = false
	d.idWidth = d.widestID()
	if !again {
		d.list = widget.List{Height: d.list.Height}
	} else if from != nil {
		d.restore(from)
	}
	d.list.Cursor = widget.Clamp(d.list.Cursor, len(d.shown))
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
