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

// Filtering a queue of moderate length takes less than a frame and is done at once, so that the rows change with the key. Sorting, and filtering a long queue,
// takes longer than a key may, so both run in a command; until its result arrives, the earlier rows stay on the screen. Terms that search texts and ids are
// looked up in a separate command: the rows of a filter with id terms show before its answer, and again with it; those of a filter with words wait for it. While
// texts are left to read, what was found so far shows, and the terms are looked up again. Each query has a generation: the result of an older one is dropped, and the newest query is run. While a command reads a queue it is not written to, and changes
// wait until the command has ended.

// A query selects the rows to show.
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

// result is the rows of a query.
type result struct {
	wanted query
	shown  []uint32
	room   []uint32 // where shown was written, if it was
	tally  queue.Tally
}

// unanswered reports whether the terms of the filter have not been looked up yet, waits whether the rows wait for that.
func (w *query) unanswered() bool { return w.found.IDs == nil && len(w.filter.Sought()) > 0 }

func (w *query) waits() bool {
	return w.unanswered() && slices.ContainsFunc(w.filter.Sought(), func(s queue.Sought) bool { return s.Phrase() != "" })
}

// apply sorts, filters and counts. room is where it may write.
func (w query) apply(room []uint32) result {
	done := result{wanted: w, room: room}
	if w.order == nil {
		done.wanted.order = w.queue.Order(w.sort, w.reviewer)
	}
	if w.tally {
		done.tally = w.queue.Tally(w.reviewer)
	}
	done.shown = done.wanted.order // which is not written to
	if w.filter.String() != "" {
		context := queue.FilterContext{Reviewer: w.reviewer, Now: w.now, Left: w.left, Found: w.found}
		done.room = w.queue.Select(done.wanted.order, w.filter, &context, room[:0])
		done.shown = done.room
	}
	return done
}

// schedule changes the query of a new filter, sort or queue; results of older queries are dropped by generation.
func (d *areaQueue) schedule(s *screen.Scene, change func(*query)) {
	change(&d.query)
	d.query.reviewer, d.query.now, d.query.left = s.Reviewer.ID, s.Now, s.Left
	d.generation++
}

// outdated reports whether the shown rows are those of an older query.
func (d *areaQueue) outdated() bool { return d.generation != d.shows }

// filtering reports whether the shown rows are not yet those of the filter.
func (d *areaQueue) filtering() bool { return d.query.filter.String() != d.showsFilter.String() }

// Waits reports whether a key may be meant for a row of the filter whose rows do not show yet.
func (q *Screen) Waits(p action.Press, keys action.Keymap) bool {
	if !q.current().filtering() {
		return false
	}
	if q.editor == nil {
		return true
	}
	a, is := keys.ForKey(action.InFilter, p.Name)
	return is && slices.Contains([]action.Verb{action.GoDown, action.PageDown, action.PageUp, action.GoUp}, a.Verb)
}

// Settle updates the rows to the filter, at once or in a command. release presses the keys that
// waited for them, which may change the filter again.
func (q *Screen) Settle(s *screen.Scene, release func() screen.Cmd) screen.Cmd {
	cmds := []screen.Cmd{release()}
	for q.filterAtOnce() {
		cmds = append(cmds, release())
	}
	return tea.Batch(append(cmds, q.filterRows(s))...)
}

// mostAtOnce is how many rows are filtered before the frame is drawn: some two milliseconds' worth.
const mostAtOnce = 150_000

// filterRows starts the queries whose rows do not show yet, one command an area.
func (q *Screen) filterRows(s *screen.Scene) screen.Cmd {
	var cmds []screen.Cmd
	for _, area := range terms.Areas.All() {
		d := q.areas[area]
		if !d.looking && (d.query.unanswered() || d.query.found.More && !d.outdated()) {
			cmds = append(cmds, q.look(s, area))
		}
		if d.running || !d.outdated() || d.query.waits() {
			continue
		}
		d.running = true
		d.readers++
		wanted, generation, room := d.query, d.generation, d.spare
		d.spare = nil
		cmds = append(cmds, s.Background("filtering the queue", func(context.Context, screen.Workbench) screen.Then {
			done := wanted.apply(room)
			return func(*screen.Scene) screen.Cmd {
				d.running = false
				d.release()
				if generation == d.generation {
					d.show(&done)
				} else {
					d.spare = done.room
				}
				return nil
			}
		}))
	}
	return tea.Batch(cmds...)
}

// look looks up the terms of the newest filter of an area.
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

// prepare has the texts read before a filter looks through them, once both queues are there. If that fails, the search that needs
// them says so, and the next reading of the queue tries again.
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

// filterAtOnce runs the queries that only filter a queue that is short enough, and reports whether there were any.
func (q *Screen) filterAtOnce() (done bool) {
	for _, area := range terms.Areas.All() {
		d := q.areas[area]
		w := &d.query
		if d.running || !d.outdated() || w.waits() || w.order == nil || w.tally || len(w.order) > q.AtOnce {
			continue
		}
		now := w.apply(d.spare)
		d.spare, done = nil, true
		d.show(&now)
	}
	return done
}

// show puts the rows of the newest query on the screen. The cursor stays on the same case; if that case was decided and moved to the end of the queue, it goes to the open case that
// came after it. With another filter it goes to the first row.
func (d *areaQueue) show(msg *result) {
	from, again := d.before, msg.wanted.filter.String() == d.showsFilter.String()
	if here, had := d.selected(); again && (!had || from == nil || from.here.ID != here.ID) {
		from = d.position()
	}
	d.before, d.shows = nil, d.generation
	d.queue, d.order, d.showsFilter = msg.wanted.queue, msg.wanted.order, msg.wanted.filter
	if d.filtered {
		d.spare = d.shown
	}
	d.shown, d.filtered = msg.shown, msg.wanted.filter.String() != ""
	if !d.filtered {
		d.spare = msg.room
	}
	if msg.wanted.tally {
		d.tally = msg.tally
	}
	d.query.order, d.query.tally = d.order, false
	d.keepMarks(msg.wanted.tally)
	d.idWidth = d.widestID()
	if !again {
		d.list = widget.List{Height: d.list.Height}
	} else if from != nil {
		d.restore(from)
	}
	d.list.Cursor = widget.Clamp(d.list.Cursor, len(d.shown))
}

// A position is where the cursor was before the rows changed.
type position struct {
	here queue.Row
	next queue.Row // the open case after it
	more bool      // there is one
}

// position notes where the cursor is; nil where no row shows.
func (d *areaQueue) position() *position {
	here, had := d.selected()
	if !had {
		return nil
	}
	from := &position{here: here}
	from.next, from.more = d.neighbour(packets.Key{ID: here.ID}, false)
	return from
}

// restore places the cursor after the rows have changed.
func (d *areaQueue) restore(from *position) {
	d.moveTo(packets.Key{ID: from.here.ID})
	if now, any := d.selected(); from.more && from.here.Workable() && any && !(now.ID == from.here.ID && now.Workable()) {
		d.left, d.next = from.here.ID, from.next.ID
		d.moveTo(packets.Key{ID: from.next.ID})
	}
}

// write changes the newest queue, once no command reads it.
func (d *areaQueue) write(change func(*queue.Queue)) {
	if d.readers > 0 {
		d.pending = append(d.pending, change)
		return
	}
	change(d.query.queue)
}

// release is called when a command has ended that read the newest queue.
func (d *areaQueue) release() {
	d.readers--
	for d.readers == 0 && len(d.pending) > 0 {
		change := d.pending[0]
		d.pending = d.pending[1:]
		change(d.query.queue)
	}
}
