package plain

import (
	"strconv"

	"docket/domain"
	"docket/ui/wording"
)

// prompt says where the reader is, and that nothing can be recorded where that is so.
func (s *session) prompt() string {
	if s.locked != "" || s.keyless != "" || !s.reviewer.Known() || s.reviewer.KeyFingerprint == "" {
		return "READ-ONLY. " + s.placePrompt()
	}
	return s.placePrompt()
}

func (s *session) placePrompt() string {
	switch s.place {
	case atQueue:
		return wording.Capital(s.area.String()) + ". Number or command:"
	case atPacket:
		return s.packet.prompt()
	case atReceipt:
		return "Recorded. Enter for the next open case, or a command:"
	case atRecord:
		return "Record. Enter for the records, or a command:"
	}
	return wording.Capital(placeNames[s.place]) + ". Number or command:"
}

// obey carries out a line.
func (s *session) obey(text string) error {
	if text == "" {
		return s.enter()
	}
	if number, err := strconv.Atoi(text); err == nil {
		return s.pick(number)
	}
	if c, rest, ok := commandAt(s.place, text); ok {
		return c.run(s, rest)
	}
	if id, ok := domain.ParseID(text); ok {
		if opened, err := s.openID(id); opened || err != nil {
			return err
		}
	}
	for p := range places {
		if c, _, ok := commandAt(p, text); ok {
			s.page.say("%s can be done at the %s, not here. Type help to hear what can be done.", wording.Capital(c.word), placeNames[p])
			return nil
		}
	}
	s.page.say("There is no command and no packet of that name here. Type help to hear what can be done.")
	return nil
}

// enter is what an empty line does.
func (s *session) enter() error {
	switch s.place {
	case atQueue:
		s.queue().nextPage(s)
	case atPacket:
		s.packet.readNext(s)
	case atReceipt:
		return s.nextCase("")
	case atRecords:
		return s.records.nextPage(s)
	case atRecord, atBoard:
		return s.goBack("")
	default:
		s.sayCommands()
	}
	return nil
}

// pick is what a number alone does.
func (s *session) pick(number int) error {
	switch s.place {
	case atStart:
		if list := commandsIn(atStart); number >= 1 && number <= len(list) {
			return list[number-1].run(s, "")
		}
	case atQueue:
		return s.openNumber(number)
	case atPacket:
		if s.packet.read(s, number-1) {
			return nil
		}
	case atRecords:
		if said, err := s.records.read(s, number-1); said || err != nil {
			return err
		}
	case atBoard:
		if number >= 1 && number <= len(s.board) {
			return s.filterBy(s.board[number-1].Code)
		}
	}
	s.page.say("There is no number %s here.", wording.Thousands(number))
	return nil
}

// goBack goes to where this place is come to from.
func (s *session) goBack(string) error {
	switch s.place {
	case atPacket, atReceipt:
		return s.listAround(s.packet.key().ID)
	case atBoard:
		return s.list(s.area)
	case atRecord:
		return s.listAgain("")
	case atRecords:
		if s.queue().read {
			return s.list(s.area)
		}
	}
	s.place = atStart
	s.sayCommands()
	return nil
}

// quit ends the session.
func (s *session) quit(string) error {
	s.over = true
	return nil
}
