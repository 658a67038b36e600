package ui

import (
	"docket/domain"
	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/theme"
	"docket/ui/wording"
)

// queueScreen is the screen below all others: both dockets, one of them showing.
type queueScreen struct {
	area    domain.Area
	order   domain.SortOrder
	dockets map[domain.Area]*docket
	editor  *editor // while the filter is typed

	rows       rowsPlace
	completion completion
	saved      FilterBook
	atOnce     int // how many rows are filtered in the turn of the loop
}

// newQueueScreen makes the queue as its reader has it: the area that shows first, and its order; absent: appeals, by deadline.
func newQueueScreen(area domain.Area, order domain.SortOrder, saved FilterBook) *queueScreen {
	q := &queueScreen{area: domain.Appeals, order: domain.ByDeadline, dockets: map[domain.Area]*docket{}, saved: saved, atOnce: mostAtOnce}
	if area.Present() {
		q.area = area
	}
	if order.Present() {
		q.order = order
	}
	for _, area := range domain.Areas.All() {
		q.dockets[area] = newDocket(area)
		q.dockets[area].wanted.sort = q.order
	}
	return q
}

func (q *queueScreen) docket() *docket { return q.dockets[q.area] }

// queueOf shows the queue of an area to the board; false while it has not been read as a whole.
func (q *queueScreen) queueOf(area domain.Area) (*domain.Docket, bool) {
	return q.dockets[area].wanted.queue, q.dockets[area].whole
}

// reading tells whether a docket is being read.
func (q *queueScreen) reading() bool {
	return q.dockets[domain.Appeals].progress != nil || q.dockets[domain.Amendments].progress != nil
}

func (q *queueScreen) place() place {
	if q.editor != nil {
		return inFilter
	}
	return inQueue
}

// count looks at the rows again once it is known who sits here.
func (q *queueScreen) count(s *scene) {
	for _, d := range q.dockets {
		d.sort(q.order, s)
	}
}

// markDraft notes that a decision was begun on a case, or that there is none any more.
func (q *queueScreen) markDraft(table domain.Table, id domain.ID, there bool) {
	d := q.dockets[domain.AreaOf(table)]
	d.write(func(queue *domain.Docket) {
		if at, found := queue.Find(id); found {
			row := queue.Row(at)
			row.Draft = there
			queue.Put(&row)
			d.idWidth = d.widestID()
		}
	})
}

// Filter goes to an area with a filter.
func (q *queueScreen) Filter(area domain.Area, filter string, s *scene) {
	q.area, q.editor = area, nil
	q.completion.remember(filter)
	q.docket().setFilter(filter, s)
}

// Next puts the cursor on the next open case of the list, or on the one before, and returns what opens it; false if there is
// no other.
func (q *queueScreen) Next(after domain.Key, backwards bool) (effect, bool) {
	row, found := q.docket().neighbour(after, backwards)
	if !found {
		return nil, false
	}
	q.docket().settle(domain.Key{ID: row.ID, Number: row.Revision})
	return openRow(&row), true
}

func (q *queueScreen) obstacle(v verb, s *scene) string {
	d := q.docket()
	row, any := d.selected()
	switch v {
	case accept:
		switch {
		case q.editor != nil && d.complaint != "":
			return d.complaint
		case q.editor != nil:
			return ""
		case !any:
			return "The list is empty"
		case row.Unreadable != "":
			return "this packet cannot be read: " + row.Unreadable
		}
	case savedFilters, deleteFilter:
		if len(q.saved.All()) == 0 {
			return noSavedFilters
		}
	case saveFilter:
		return q.whyNotSave()
	case setAside:
		if !any {
			return "The list is empty"
		}
		return decision.WhyNotSkip(row.Decided, s.reviewer, s.locked)
	}
	return ""
}

func (q *queueScreen) handle(v verb, s *scene) effect {
	d := q.docket()
	if e, is := q.assist(v, s); is {
		return e
	}
	if d.list.move(v, len(d.shown)) {
		return nil
	}
	switch v {
	case accept:
		if q.editor != nil {
			q.completion.remember(q.editor.text())
			q.editor = nil
			return nil
		}
		row, _ := d.selected()
		return openRow(&row)
	case goBack:
		if q.editor == nil && d.wanted.filter.String() == "" {
			return say{text: "this is the queue; q quits"}
		}
		q.editor = nil
		d.setFilter("", s)
	case nextDocket:
		q.area = domain.Appeals + domain.Amendments - q.area
	case editFilter:
		hint := "words, or "
		for _, known := range domain.FilterKeys() {
			hint += known.Key + ": "
		}
		q.completion.rest()
		q.editor = newEditor("/ ", hint, d.wanted.filter.String())
	case savedFilters:
		return raise{&filterMenu{queue: q, saved: q.saved.All()}}
	case deleteFilter:
		return raise{&filterMenu{queue: q, saved: q.saved.All(), deleting: true}}
	case saveFilter:
		return q.saveEffect()
	case changeOrder:
		q.order = q.order%domain.SortOrder(domain.SortOrders.Len()) + 1
		for _, d := range q.dockets {
			d.sort(q.order, s)
		}
		return say{text: "sorted by " + q.order.Label()}
	case setAside:
		row, _ := d.selected()
		return setAsideEffect(row.Table, domain.Key{ID: row.ID, Number: row.Revision}, row.Skipped)
	case reread:
		return several{readQueue{domain.Appeals}, readQueue{domain.Amendments}, readHandIns{}, say{text: "reading the queue again …", waiting: true}}
	}
	return nil
}

func (q *queueScreen) typing() bool { return q.editor != nil }

func (q *queueScreen) typed(p press, s *scene) effect {
	q.completion.rest()
	q.editor.take(p)
	q.docket().setFilter(q.editor.text(), s)
	return nil
}

// title shows both dockets, which of them is on the screen, and its counts.
func (q *queueScreen) title(s *scene) line.Line {
	var tabs line.Line
	for _, area := range domain.Areas.All() {
		d := q.dockets[area]
		label := wording.Capital(area.String())
		if d.counted() {
			label += " " + wording.Thousands(d.tally.Open)
		}
		if area == q.area && d.counted() {
			label += " open"
		}
		if area == q.area {
			tabs = tabs.And(theme.Accent, "▐"+label+"▌ ")
		} else {
			tabs = tabs.And(theme.Dim, " "+label+"  ")
		}
	}
	d := q.docket()
	if s.compact || !d.counted() {
		return line.Spread(tabs, d.howFar(), s.width)
	}
	return line.Spread(tabs, d.counts(s.width-tabs.Width()), s.width)
}

// onlyRejected is the filter that selects what has to be judged again.
const onlyRejected = "is:rejected"

// rejectedArea is the docket in which something has to be judged again: the one that shows, if it has any; false if
// neither has.
func (q *queueScreen) rejectedArea() (domain.Area, bool) {
	for _, area := range []domain.Area{q.area, domain.Appeals + domain.Amendments - q.area} {
		if q.dockets[area].tally.Rejected > 0 {
			return area, true
		}
	}
	return q.area, false
}

// whyNoneRejected says why there is nothing to list; "" if there is.
func (q *queueScreen) whyNoneRejected() string {
	if _, any := q.rejectedArea(); any {
		return ""
	}
	return "no case is rejected by the service"
}
