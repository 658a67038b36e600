package plain

import (
	"slices"

	"docket/domain"
	"docket/ui/wording"
)

// pageSize is how many lines of a list are said at once.
const pageSize = 20

// A queue is one area's docket as it was read, with the part of it that the filter lets through.
type queue struct {
	area   domain.Area
	order  domain.SortOrder
	filter domain.Filter
	docket *domain.Docket
	places []uint32 // its rows in the order of the queue
	shown  []uint32 // those of them that the filter lets through
	read   bool
	now    domain.Instant // when it was read
	tally  domain.Tally
	from   int // the first of the page that was said last
}

func (s *session) queue() *queue { return &s.queues[s.area] }

// reread reads the docket again. That it cannot be read is said; the error is why the session has to end.
func (q *queue) reread(s *session) error {
	docket, _, err := s.desk.Docket(s.ctx, q.area, func(int64, int64) {})
	if err != nil {
		return s.trouble("The "+q.area.String()+" cannot be read", err)
	}
	q.docket, q.read, q.now = docket, true, s.desk.Now()
	q.tally = docket.Tally(s.reviewer.ID)
	q.sort(s)
	return nil
}

func (q *queue) sort(s *session) {
	q.places = q.docket.Order(q.order, s.reviewer.ID)
	q.sift(s)
}

// row is a line of the list.
func (q *queue) row(at int) domain.QueueRow { return q.docket.Row(int(q.shown[at])) }

// sift finds the rows that the filter lets through.
func (q *queue) sift(s *session) {
	context := domain.FilterContext{Reviewer: s.reviewer.ID, Now: q.now}
	q.shown = q.docket.Select(q.places, q.filter, &context, nil)
	q.from = 0
}

// counts says how many cases there are.
func (q *queue) counts(s *session) string {
	if !q.read {
		return wording.Capital(q.area.String()) + ": not read."
	}
	text := wording.Capital(q.area.String()) + ": " + wording.Thousands(q.tally.Open) + " open, of which " +
		wording.Thousands(q.tally.Pass) + " pass"
	if s.reviewer.Known() {
		text += " and " + wording.Thousands(q.tally.Mine) + " are assigned to you"
	}
	text += "; " + wording.Thousands(q.tally.Skipped) + " skipped, " + wording.Thousands(q.tally.Decided) + " decided"
	if q.tally.Closed > 0 {
		text += ", " + wording.Thousands(q.tally.Closed) + " closed"
	}
	if q.tally.Rejected > 0 {
		text += ", " + wording.Thousands(q.tally.Rejected) + " rejected by the service"
	}
	if q.tally.Unreadable > 0 {
		text += ", " + wording.Thousands(q.tally.Unreadable) + " cannot be read"
	}
	return text + "."
}

// neighbour finds the open row that follows the case in the list, or the one before it, going round. before is where the
// case stood while it was open: a decision moves it to the end.
func (q *queue) neighbour(after domain.ID, before int, backwards bool) (domain.QueueRow, bool) {
	start := before
	if at := q.line(after); at >= 0 && q.docket.Workable(int(q.shown[at])) {
		start = at
		if !backwards {
			start++
		}
	}
	count := len(q.shown)
	for n := range count {
		i := start + n
		if backwards {
			i = start - 1 - n
		}
		i = ((i % count) + count) % count
		if !q.docket.Workable(int(q.shown[i])) {
			continue
		}
		if row := q.row(i); row.ID != after {
			return row, true
		}
	}
	return domain.QueueRow{}, false
}

// line is where a case stands in the list; -1 where it does not.
func (q *queue) line(id domain.ID) int {
	at, found := q.docket.Find(id)
	if !found {
		return -1
	}
	return slices.Index(q.shown, uint32(at))
}

// position is where a case stands in the list; 0 where it does not.
func (q *queue) position(id domain.ID) int { return max(q.line(id), 0) }
