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
}

func newQueueScreen() *queueScreen {
	q := &queueScreen{area: domain.Appeals, order: domain.ByDeadline, dockets: map[domain.Area]*docket{}}
	for _, area := range domain.Areas.All() {
		q.dockets[area] = newDocket(area)
	}
	return q
}

// begin starts the queue as its reader has it.
func (q *queueScreen) begin(opts Options) {
	if opts.Area.Present() {
		q.area = opts.Area
	}
	if opts.Order.Present() {
		q.order = opts.Order
		for _, d := range q.dockets {
			d.wanted.sort = q.order
		}
	}
	q.saved = opts.FilterBook()
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

// arrived takes the rows that the desk has read.
func (q *queueScreen) arrived(msg queueRead, s *scene) effect {
	d := q.dockets[msg.area]
	d.progress = nil
	if msg.err != nil {
		d.trouble = msg.err.Error()
		if d.read {
			return alarm{"The queue could not be read again", d.trouble + "; what is on the screen is older"}
		}
		return nil
	}
	d.whole, d.mark = true, msg.mark
	d.take(msg.docket, msg.sorted, msg.order, s)
	return nil
}

// topArrived takes the top of a queue, unless all of it is there.
func (q *queueScreen) topArrived(msg queueTop, s *scene) {
	if d := q.dockets[msg.area]; !d.whole && msg.err == nil {
		d.take(msg.docket, msg.sorted, msg.order, s)
	}
}

// changed takes what was judged again. Where that is not all that has changed, the docket is read anew.
func (q *queueScreen) changed(msg queueChanged, s *scene) effect {
	d := q.dockets[msg.area]
	if msg.lent {
		d.giveBack()
	}
	switch {
	case msg.err != nil:
		return say{text: "✗ the queue could not be read again: " + msg.err.Error()}
	case msg.everything || !d.put(msg.rows, s):
		return readQueue{msg.area}
	}
	d.mark = msg.mark
	return nil
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

// show goes to an area with a filter.
func (q *queueScreen) show(area domain.Area, filter string, s *scene) {
	q.area, q.editor = area, nil
	q.completion.remember(filter)
	q.docket().setFilter(filter, s)
}

func (q *queueScreen) settle(key domain.Key) { q.docket().settle(key) }

func (q *queueScreen) neighbour(after domain.Key, backwards bool) (domain.QueueRow, bool) {
	return q.docket().neighbour(after, backwards)
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
		return raise{&filterMenu{saved: q.saved.All()}}
	case deleteFilter:
		return raise{&filterMenu{saved: q.saved.All(), deleting: true}}
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

func (q *queueScreen) typing() *editor { return q.editor }

func (q *queueScreen) typed(p press, s *scene) effect {
	q.completion.rest()
	q.editor.take(p)
	q.docket().setFilter(q.editor.text(), s)
	return nil
}

// setAsideEffect asks for the reason of a skip, or takes back the one there is.
func setAsideEffect(table domain.Table, key domain.Key, reason string) effect {
	if reason != "" {
		return skip{table: table, key: key}
	}
	return raise{&prompt{
		title: "Skip " + string(key.ID), text: "Why is it put aside? The reason stays on this machine; the case comes back " +
			"with its next revision.", missing: "a reason is needed",
		editor: newEditor("❯ ", "waiting for …", ""),
		answer: func(text string) effect { return skip{table, key, text} },
	}}
}

// openRow shows the packet of a row.
func openRow(row *domain.QueueRow) effect {
	request := request{table: row.Table, id: row.ID, revision: row.Revision}
	return several{show{newPacketScreen(request)}, open{request}}
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
