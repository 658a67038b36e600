package plain

import (
	"fmt"
	"strings"

	"docket/domain/queue"
	"docket/domain/terms"
	"docket/ui/listing"
	"docket/ui/page"
	"docket/ui/wording"
)

const pageSize = 20

type filteredQueue struct {
	listing.Rows
	area   terms.Area
	sorted queue.SortOrder
	read   bool
	new    int           // rows since the reviewer last left the queue
	now    terms.Instant // when it was read
	from   int           // the first of the page that was said last
}

func (s *session) queue() *filteredQueue { return &s.queues[s.area] }

func (q *filteredQueue) reread(s *session) error {
	docket, _, err := s.workbench.Queue(s.ctx, q.area, func(int64, int64) {})
	if err != nil {
		return s.trouble(fmt.Sprintf("The %s cannot be read", q.area), err)
	}
	count := docket.New(s.left)
	if q.now = s.workbench.Now(); q.read && count > q.new {
		s.page.say("%s.", wording.NewSince(count, s.left, q.now, s.zone))
	}
	q.Queue, q.read, q.new = docket, true, count
	q.Tally = docket.Tally(s.reviewer.ID)
	q.sort(s)
	return nil
}

func (q *filteredQueue) sort(s *session) {
	q.Order = q.Queue.Order(q.sorted, s.reviewer.ID)
	q.applyFilter(s)
}

func (q *filteredQueue) applyFilter(s *session) {
	q.from = 0
	q.Apply(q.Filter, q.context(s))
}

func (q *filteredQueue) context(s *session) *queue.FilterContext {
	return &queue.FilterContext{Reviewer: s.reviewer.ID, Now: q.now, Left: s.left}
}

func (q *filteredQueue) counts(s *session) string {
	if !q.read {
		return fmt.Sprintf("%s: not read.", wording.Capital(q.area.String()))
	}
	return page.Counts(q.area, &q.Tally, s.reviewer.Known())
}

// neighbour takes where the case stood while open, since a decision moves it to the end.
func (q *filteredQueue) neighbour(after terms.ID, before int, backwards bool) (queue.Row, bool) {
	at := q.Line(after)
	if at < 0 || !q.Queue.Workable(int(q.Shown[at])) {
		if at = before; !backwards {
			at--
		}
	}
	return q.Rows.Neighbour(at, backwards, after)
}

// position is 0 if the case is not in the list.
func (q *filteredQueue) position(id terms.ID) int { return max(q.Line(id), 0) }

func (s *session) listAppeals(string) error    { return s.list(terms.Appeals) }
func (s *session) listAmendments(string) error { return s.list(terms.Amendments) }

func (s *session) list(area terms.Area) error {
	s.area, s.place, s.packet = area, atQueue, nil
	if err := s.queue().reread(s); err != nil {
		return err
	}
	s.queue().sayPage(s)
	return nil
}

// sayPage says one page of the list, with the counts before it and what comes after it.
func (q *filteredQueue) sayPage(s *session) {
	s.page.gap()
	s.page.say("%s", q.counts(s))
	if text := q.Filter.String(); text != "" {
		s.page.say("The filter %s matches %s of %s.", text, wording.Thousands(len(q.Shown)), wording.Thousands(q.Queue.Len()))
	}
	switch {
	case !q.read:
		s.page.say("Type again to try once more.")
		return
	case q.Queue.Len() == 0:
		s.page.say("There are none here yet. Import packets with `docket import FILE`, then type again.")
		return
	case len(q.Shown) == 0:
		s.page.say("Nothing matches. Type filter alone to list all again.")
		if q.Filter.InCodes() {
			s.page.say(wording.SearchTexts)
		}
		return
	}
	to := min(q.from+pageSize, len(q.Shown))
	s.page.say("%s to %s of %s, by %s.", wording.Thousands(q.from+1), wording.Thousands(to),
		wording.Thousands(len(q.Shown)), queue.OrderLabel(q.sorted))
	closed := q.Queue.ClosedFrom(q.Shown)
	for i := q.from; i < to; i++ {
		if i == closed {
			s.page.say("%s, %s:", wording.ClosedTitle(q.Tally.Reassigned), wording.Thousands(len(q.Shown)-closed))
		}
		row := q.Row(i)
		s.page.say("%d. %s", i+1, page.Row(&row, s.reviewer, q.now))
	}
	if more := len(q.Shown) - to; more > 0 {
		s.page.say(nextPage, wording.Thousands(more))
	}
}

// listRejected lists the cases to judge again, first those of the area that was listed last.
func (s *session) listRejected(string) error {
	for _, area := range []terms.Area{s.area, terms.Appeals + terms.Amendments - s.area} {
		if s.queues[area].Tally.Rejected > 0 {
			s.area, s.place, s.packet = area, atQueue, nil
			return s.filterQueue(listing.OnlyRejected)
		}
	}
	s.page.sentence(wording.NoneRejected)
	return nil
}

func (s *session) nextPage(string) error {
	q := s.queue()
	if q.from+pageSize >= len(q.Shown) {
		s.page.say("That was the last page. Type list to hear it again, or again to reload the queue.")
		return nil
	}
	q.from += pageSize
	q.sayPage(s)
	return nil
}

func (s *session) filterQueue(text string) error {
	filter, err := queue.ParseFilter(text)
	if err != nil {
		s.page.say("The filter cannot be used: %s.", err)
		return nil
	}
	s.queue().Filter = filter
	s.queue().applyFilter(s)
	s.queue().sayPage(s)
	return nil
}

// filterBy lists the cases that a blocker of the board holds, the oldest first.
func (s *session) filterBy(number int) (bool, error) {
	if number < 1 || number > len(s.board.Lines) || s.board.Lines[number-1].Held == 0 {
		return false, nil
	}
	s.place, s.queue().sorted = atQueue, queue.ByArrival
	s.queue().sort(s)
	return true, s.filterQueue(strings.TrimSpace(s.boardFilter.String() + " blocker:" + s.board.Lines[number-1].Code.String()))
}

func (s *session) sortQueue(word string) error {
	q := s.queue()
	order := q.sorted%queue.SortOrder(queue.SortOrders.Len()) + 1
	if word != "" {
		var err error
		if order, err = queue.SortOrders.Parse(strings.ToLower(word)); err != nil {
			s.page.say("Lists are sorted by %s.", strings.Join(queue.SortOrders.Texts(), ", "))
			return nil
		}
	}
	q.sorted = order
	q.sort(s)
	q.sayPage(s)
	return nil
}

func (s *session) listAgain(string) error {
	switch s.place {
	case atQueue:
		s.queue().sayPage(s)
	case atRecords, atRecord:
		s.place = atRecords
		s.records.sayPage(s)
	case atBoard:
		s.sayBoard()
	}
	return nil
}

func (s *session) reread(string) error {
	switch s.place {
	case atPacket:
		return s.open(s.packet.table, s.packet.key().ID, s.packet.wanted)
	case atRecords:
		return s.listRecords("")
	case atBoard:
		return s.showBoard(s.boardFilter.String())
	}
	return s.list(s.area)
}

func (s *session) savedFilter(name string) error {
	var names []string
	for i, filter := range s.saved {
		if names = append(names, filter.Name); name == "" {
			s.page.say("%d. %s: %s%s.", i+1, filter.Name, filter.Text, s.matches(filter.Text))
		}
	}
	at := numberOf(names, name)
	switch {
	case name != "" && at >= 0:
		return s.filterQueue(s.saved[at].Text)
	case name != "":
		s.page.say("No filter is saved under that name or number. Type saved alone to list the saved filters.")
	case len(s.saved) == 0:
		s.page.sentence(wording.NoSavedFilters)
	default:
		s.page.say("Type saved and a number or a name to apply one.")
	}
	return nil
}

// matches says how many cases of the list's area a filter matches; "" where that is not known.
func (s *session) matches(text string) string {
	filter, err := queue.ParseFilter(text)
	if err != nil || !s.queue().read {
		return ""
	}
	shown := s.queue().Matching(filter, s.queue().context(s))
	return fmt.Sprintf(", %s of %s", wording.Thousands(len(shown)), wording.Thousands(s.queue().Queue.Len()))
}
