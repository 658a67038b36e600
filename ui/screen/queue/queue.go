// Package queue is the screen below all others: the cases and the amendments that are open, sorted
// and filtered, with a preview of the one under the cursor.
package queue

import (
	"cmp"
	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/listing"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"
)

// Screen is the screen below all others: the queues of both areas, one of them showing.
type Screen struct {
	Area   terms.Area
	order  queue.SortOrder
	areas  map[terms.Area]*areaQueue
	editor *widget.Editor // while the filter is typed

	previews   previews
	completion completion
	Saved      []SavedFilter
	announced  string // the day on which it was said what is due
}

// New makes the queue with the area that shows first and its order; absent: appeals, by deadline.
func New(area terms.Area, order queue.SortOrder, saved []SavedFilter) *Screen {
	q := &Screen{Area: cmp.Or(area, terms.Appeals), order: cmp.Or(order, queue.ByDeadline),
		areas: map[terms.Area]*areaQueue{}, Saved: saved}
	for _, area := range terms.Areas.All() {
		q.areas[area] = newAreaQueue(area)
		q.areas[area].query.sort = q.order
	}
	return q
}

func (q *Screen) current() *areaQueue { return q.areas[q.Area] }

// QueueOf shows the queue of an area to the board; false while it has not been read as a whole.
func (q *Screen) QueueOf(area terms.Area) (*queue.Queue, bool) {
	return q.areas[area].query.queue, q.areas[area].whole
}

func (q *Screen) reading() bool {
	return q.areas[terms.Appeals].progress != nil || q.areas[terms.Amendments].progress != nil
}

func (q *Screen) Place() action.Place {
	if q.editor != nil {
		return action.InFilter
	}
	return action.InQueue
}

func (q *Screen) Recount(s *screen.Scene) {
	for _, d := range q.areas {
		d.sort(q.order, s)
	}
}

func (q *Screen) MarkDraft(table terms.Table, id terms.ID, there bool) {
	d := q.areas[terms.AreaOf(table)]
	if at, found := d.query.queue.Find(id); found {
		row := d.query.queue.Row(at)
		row.Draft = there
		d.query.queue.Put(&row)
		d.idWidth = d.widestID()
	}
}

func (q *Screen) Filter(s *screen.Scene, area terms.Area, filter string, order queue.SortOrder) {
	q.Area, q.editor = area, nil
	if order.Present() {
		q.sortBy(order, s)
	}
	q.current().setFilter(filter, s)
}

func (q *Screen) Next(after packets.Key, backwards bool) (screen.OpenPacket, bool) {
	row, found := q.current().neighbour(after, backwards)
	if !found {
		return screen.OpenPacket{}, false
	}
	q.current().moveTo(packets.Key{ID: row.ID, Number: row.Revision})
	return q.open(&row), true
}

// open shows the packet of a row; a search in it continues with the text of the filter.
func (q *Screen) open(row *queue.Row) screen.OpenPacket {
	open := screen.OfRow(row)
	marks := q.current().Filter.Marks()
	if at := slices.IndexFunc(marks, func(m queue.Mark) bool { return m.InTexts }); at >= 0 {
		open.Sought = marks[at].Text
	}
	return open
}

func (q *Screen) Left(but packets.Key) (count int) {
	d := q.current()
	except := d.Line(but.ID)
	for i, at := range d.Shown {
		if i != except && d.Queue.Workable(int(at)) {
			count++
		}
	}
	return count
}

func (q *Screen) Obstacle(v action.Verb, s *screen.Scene) string {
	d := q.current()
	row, any := d.selected()
	switch v {
	case action.Accept, action.Decide:
		switch {
		case q.editor != nil && d.complaint != "":
			return d.complaint
		case q.editor != nil:
			return ""
		case !any:
			return "The list is empty"
		case row.Unreadable != "":
			return fmt.Sprintf("this packet cannot be read: %s", row.Unreadable)
		}
	case action.SavedFilters:
		if len(q.Saved) == 0 {
			return wording.NoSavedFilters
		}
	case action.SetAside:
		if !any {
			return "The list is empty"
		}
		return decision.WhyNotSkip(row.Decided, s.Reviewer, s.Locked)
	}
	return ""
}

func (q *Screen) Handle(v action.Verb, s *screen.Scene) screen.Cmd {
	d := q.current()
	if q.assist(v, s) {
		return nil
	}
	if d.list.Move(v, len(d.Shown)) {
		return nil
	}
	switch v {
	case action.Accept:
		if q.editor != nil {
			q.editor = nil
			return nil
		}
		row, _ := d.selected()
		return s.OpenPacket(q.open(&row))
	case action.Decide:
		row, _ := d.selected()
		open := q.open(&row)
		open.Resumes = true
		return s.OpenPacket(open)
	case action.GoBack:
		if q.editor == nil && d.query.filter.String() == "" {
			return s.Say(fmt.Sprintf("this is the queue; %s quits", s.Key(action.QuitProgram, action.InQueue)))
		}
		q.editor = nil
		d.setFilter("", s)
	case action.NextDocket:
		q.Area = terms.Appeals + terms.Amendments - q.Area
	case action.EditFilter:
		hint := "words, or "
		for _, known := range queue.FilterKeys() {
			hint += known.Key + ": "
		}
		q.completion.rest()
		q.editor = widget.NewEditor("/ ", hint, d.query.filter.String())
	case action.SavedFilters:
		return q.savedMenu(s)
	case action.ChangeOrder:
		q.sortBy(q.order%queue.SortOrder(queue.SortOrders.Len())+1, s)
		return s.Say(fmt.Sprintf("sorted by %s", queue.OrderLabel(q.order)))
	case action.SetAside:
		row, _ := d.selected()
		return widget.SetAside(s, row.Table, packets.Key{ID: row.ID, Number: row.Revision}, row.Skipped)
	case action.Reread:
		q.previews.round++
		s.Await("reading the queue again …")
		return tea.Batch(q.Read(s, terms.Appeals), q.Read(s, terms.Amendments), s.ReadHandIns())
	}
	return nil
}

func (q *Screen) sortBy(order queue.SortOrder, s *screen.Scene) {
	q.order = order
	for _, d := range q.areas {
		d.sort(order, s)
	}
}

func (q *Screen) Typing() bool { return q.editor != nil }

func (q *Screen) Typed(p action.Press, s *screen.Scene) screen.Cmd {
	q.completion.rest()
	refused := q.editor.Take(p)
	q.current().setFilter(q.editor.Text(), s)
	return s.Refuse(refused)
}

func (q *Screen) Title(s *screen.Scene) line.Line {
	var tabs line.Line
	for _, area := range terms.Areas.All() {
		d := q.areas[area]
		label := wording.Capital(area.String())
		if d.counted() {
			label += " " + wording.Thousands(d.Tally.Open)
		}
		if area == q.Area && d.counted() {
			label = fmt.Sprintf("%s open", label)
		}
		if area == q.Area {
			tabs = tabs.And(theme.Accent, "▐"+label+"▌ ")
		} else {
			tabs = tabs.And(theme.Dim, " "+label+"  ")
		}
	}
	d := q.current()
	if s.Compact || !d.counted() {
		return line.Spread(tabs, d.readingLine(), s.Width)
	}
	return line.Spread(tabs, d.counts(s.Width-tabs.Width()), s.Width)
}

// Rejected lists the cases to judge again, first those of the shown area, or says why there are
// none.
func (q *Screen) Rejected() (list screen.Then, why string) {
	for _, area := range []terms.Area{q.Area, terms.Appeals + terms.Amendments - q.Area} {
		if q.areas[area].Tally.Rejected > 0 {
			return func(s *screen.Scene) screen.Cmd { return s.FilterQueue(area, listing.OnlyRejected, 0) }, ""
		}
	}
	return nil, wording.NoneRejected
}
