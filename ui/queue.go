package ui

import (
	"docket/domain"
	"docket/ui/line"
	"docket/ui/theme"
)

// queueScreen is the screen below all others: both dockets, one of them showing.
type queueScreen struct {
	area    domain.Area
	order   domain.SortOrder
	dockets map[domain.Area]*docket
	editor  *editor // while the filter is typed
}

func newQueueScreen() *queueScreen {
	q := &queueScreen{area: domain.Appeals, order: domain.ByDeadline, dockets: map[domain.Area]*docket{}}
	for _, area := range domain.Areas.All() {
		q.dockets[area] = &docket{area: area}
	}
	return q
}

func (q *queueScreen) docket() *docket { return q.dockets[q.area] }

// rowsOf lends the rows of an area to the board; false while they have not been read.
func (q *queueScreen) rowsOf(area domain.Area) ([]domain.QueueRow, bool) {
	return q.dockets[area].rows, q.dockets[area].read
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
	if msg.err != nil {
		d.trouble = msg.err.Error()
		if d.read {
			return alarm{"The queue could not be read again", d.trouble + "; what is on the screen is older"}
		}
		return nil
	}
	if msg.order != q.order {
		domain.SortQueue(msg.rows, q.order)
	}
	d.take(msg.rows, s)
	d.readAt = msg.now
	return nil
}

// count looks at the rows again once it is known who sits here.
func (q *queueScreen) count(s *scene) {
	for _, d := range q.dockets {
		d.sift(s)
	}
}

// markDraft notes that a decision was begun on a case, or that there is none any more.
func (q *queueScreen) markDraft(table domain.Table, id domain.ID, there bool) {
	d := q.dockets[domain.AreaOf(table)]
	for i := range d.rows {
		if d.rows[i].ID == id {
			d.rows[i].Draft = there
			d.idWidth = max(d.idWidth, idWidth(&d.rows[i]))
		}
	}
}

// show goes to an area with a filter.
func (q *queueScreen) show(area domain.Area, filter string, s *scene) {
	q.area, q.editor = area, nil
	q.docket().setFilter(filter, s)
}

func (q *queueScreen) settle(key domain.Key) { q.docket().settle(key) }

func (q *queueScreen) neighbour(after domain.Key, backwards bool) (*domain.QueueRow, bool) {
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
			return "there is nothing in this list to open"
		case row.Unreadable != "":
			return "this packet cannot be read: " + row.Unreadable
		}
	case setAside:
		switch {
		case !any:
			return "there is nothing in this list to skip"
		case s.locked != "":
			return s.locked
		case !s.reviewer.Known():
			return "no reviewer is set up on this machine, so nothing can be skipped; run `docket identity init` first"
		case row.Decided:
			return "it is decided; there is nothing to skip"
		}
	}
	return ""
}

func (q *queueScreen) handle(v verb, s *scene) effect {
	d := q.docket()
	if d.list.move(v, len(d.shown)) {
		return nil
	}
	switch v {
	case accept:
		if q.editor != nil {
			q.editor = nil
			return nil
		}
		row, _ := d.selected()
		return openRow(row)
	case goBack:
		if q.editor == nil && d.filter.String() == "" {
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
		q.editor = newEditor("/ ", hint, d.filter.String())
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
		return several{readQueue{domain.Appeals}, readQueue{domain.Amendments}, say{text: "reading the queue again …", waiting: true}}
	}
	return nil
}

func (q *queueScreen) typing() *editor { return q.editor }

func (q *queueScreen) typed(p press, s *scene) effect {
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
		label := capital(area.String())
		if d.read {
			label += " " + thousands(d.tally.Open)
		}
		if area == q.area && d.read {
			label += " open"
		}
		if area == q.area {
			tabs = tabs.And(theme.Accent, "▐"+label+"▌ ")
		} else {
			tabs = tabs.And(theme.Dim, " "+label+"  ")
		}
	}
	d := q.docket()
	if s.compact || !d.read {
		return tabs
	}
	counts := line.Of(theme.Pass, "✓ "+thousands(d.tally.Pass)).And(theme.Dim, " pass · ").
		And(theme.Plain, thousands(d.tally.Mine)).And(theme.Dim, " mine · "+thousands(d.tally.Skipped)+" skipped · "+
		thousands(d.tally.Decided)+" decided")
	return line.Spread(tabs, counts, s.width)
}
