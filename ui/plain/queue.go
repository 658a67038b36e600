package plain

import (
	"slices"

	"docket/domain"
	"docket/ui/phrase"
)

// pageSize is how many lines of a list are said at once.
const pageSize = 20

// A queue is one area's docket as it was read, with the part of it that the filter lets through.
type queue struct {
	area   domain.Area
	order  domain.SortOrder
	filter domain.Filter
	rows   []domain.QueueRow
	shown  []int // indices into rows
	read   bool
	now    domain.Instant // when it was read
	tally  domain.Tally
	from   int // the first of the page that was said last
}

func (s *session) queue() *queue { return &s.queues[s.area] }

// reread reads the docket again. That it cannot be read is said; the error is why the session has to end.
func (q *queue) reread(s *session) error {
	rows, err := s.desk.Queue(s.ctx, q.area)
	if err != nil {
		return s.trouble("The "+q.area.String()+" cannot be read", err)
	}
	q.rows, q.read, q.now = rows, true, s.desk.Now()
	q.tally = domain.Count(rows, s.reviewer.ID)
	domain.SortQueue(q.rows, q.order)
	q.sift(s)
	return nil
}

// sift finds the rows that the filter lets through.
func (q *queue) sift(s *session) {
	context := domain.FilterContext{Reviewer: s.reviewer.ID, Now: q.now}
	q.shown = q.shown[:0]
	for i := range q.rows {
		if q.filter.Matches(&q.rows[i], &context) {
			q.shown = append(q.shown, i)
		}
	}
	q.from = 0
}

// counts says how many cases there are.
func (q *queue) counts(s *session) string {
	if !q.read {
		return phrase.Capital(q.area.String()) + ": not read."
	}
	text := phrase.Capital(q.area.String()) + ": " + phrase.Thousands(q.tally.Open) + " open, of which " +
		phrase.Thousands(q.tally.Pass) + " pass"
	if s.reviewer.Known() {
		text += " and " + phrase.Thousands(q.tally.Mine) + " are assigned to you"
	}
	text += "; " + phrase.Thousands(q.tally.Skipped) + " skipped, " + phrase.Thousands(q.tally.Decided) + " decided"
	unreadable := 0
	for i := range q.rows {
		if q.rows[i].Unreadable != "" {
			unreadable++
		}
	}
	if unreadable > 0 {
		text += ", " + phrase.Thousands(unreadable) + " cannot be read"
	}
	return text + "."
}

// isOpen tells whether a row still is to be worked.
func isOpen(row *domain.QueueRow) bool {
	return !row.Decided && row.Skipped == "" && row.Unreadable == ""
}

// neighbour finds the open row that follows the case in the list, or the one before it, going round. before is where the
// case stood while it was open: a decision moves it to the end.
func (q *queue) neighbour(after domain.ID, before int, backwards bool) (*domain.QueueRow, bool) {
	start := before
	if at := slices.IndexFunc(q.shown, func(i int) bool { return q.rows[i].ID == after }); at >= 0 && isOpen(&q.rows[q.shown[at]]) {
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
		row := &q.rows[q.shown[((i%count)+count)%count]]
		if isOpen(row) && row.ID != after {
			return row, true
		}
	}
	return nil, false
}

// position is where a case stands in the list; 0 where it does not.
func (q *queue) position(id domain.ID) int {
	return max(slices.IndexFunc(q.shown, func(i int) bool { return q.rows[i].ID == id }), 0)
}
