package plain

import (
	"strconv"

	"docket/domain"
)

// openNumber opens the packet of a number in the list.
func (s *session) openNumber(number int) error {
	q := s.queue()
	if number < 1 || number > len(q.shown) {
		s.page.say("There is no number %d in this list.", number)
		return nil
	}
	row := q.row(number - 1)
	return s.openRow(&row)
}

// openRow opens the packet of a row, unless it cannot be read.
func (s *session) openRow(row *domain.QueueRow) error {
	if row.Unreadable != "" {
		s.page.say("%s cannot be read: %s", row.ID, sentence(row.Unreadable))
		return nil
	}
	return s.open(row.Table, row.ID, row.Revision)
}

// openNamed opens a packet by its number in the queue or by its id.
func (s *session) openNamed(name string) error {
	if number, err := strconv.Atoi(name); err == nil {
		return s.openNumber(number)
	}
	if id, ok := domain.ParseID(name); ok {
		if opened, err := s.openID(id); opened || err != nil {
			return err
		}
	}
	s.page.say("There is no packet of that name here. Type appeals or amendments to list those there are.")
	return nil
}

// openID opens the case or amendment with that id: that of the current docket first, where both have it. It returns
// false if there is none.
func (s *session) openID(id domain.ID) (bool, error) {
	other := domain.Appeals + domain.Amendments - s.area
	for _, area := range []domain.Area{s.area, other} {
		q := &s.queues[area]
		if at, found := q.docket.Find(id); found {
			row := q.docket.Row(at)
			return true, s.openRow(&row)
		}
	}
	return false, nil
}

// nextCase opens the next open case of the list, previousCase the one before.
func (s *session) nextCase(string) error     { return s.openNeighbour(false) }
func (s *session) previousCase(string) error { return s.openNeighbour(true) }

func (s *session) openNeighbour(backwards bool) error {
	if !s.queue().read {
		if err := s.queue().reread(s); err != nil {
			return err
		}
	}
	row, any := s.queue().neighbour(s.packet.key().ID, s.packet.position, backwards)
	if !any {
		s.page.say("There is no other open case in this list.")
		return nil
	}
	return s.openRow(&row)
}
