package plain

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"docket/domain"
	"docket/ui"
	"docket/ui/phrase"
)

// A session is one reader's work, from the greeting to the end. It runs in one goroutine; only proof comes from another.
type session struct {
	ctx    context.Context
	desk   ui.Desk
	keys   keyboard
	page   *page
	clock  func() time.Time // for how keys follow one another; what is judged goes by the desk's time
	number func() string    // four digits that nobody can know before they are shown
	notice string
	locked string // why nothing can be recorded, whoever sits here; "" if nothing stands against it
	proof  <-chan provedLog

	reviewer domain.Reviewer
	place    place
	over     bool
	area     domain.Area
	queues   [domain.Amendments + 1]queue // by area
	board    []talliedRule
	records  recordList
	packet   *packet
	drafts   map[domain.Key]draft // decisions that were begun
	decision *decision            // the one under way
}

func newSession(ctx context.Context, desk ui.Desk, keys keyboard, p *page, opts ui.Options) *session {
	s := &session{ctx: ctx, desk: desk, keys: keys, page: p, clock: opts.Clock, number: randomNumber, notice: opts.Notice,
		area: domain.Appeals, drafts: map[domain.Key]draft{}}
	if s.clock == nil {
		s.clock = time.Now
	}
	for _, area := range domain.Areas.All() {
		s.queues[area] = queue{area: area, order: domain.ByDeadline}
	}
	return s
}

// run works until the reader leaves, which is nil, or until something ends the session: io.EOF where the input did, else
// why.
func (s *session) run(findings []ui.Finding) error {
	s.reviewer = s.desk.Reviewer()
	s.found(findings)
	if err := s.greet(""); err != nil {
		return err
	}
	s.sayCommands()
	for !s.over {
		text, err := s.ask(s.prompt())
		if err != nil {
			return err
		}
		if err := s.obey(text); err != nil {
			return err
		}
	}
	s.page.say("docket has ended.")
	return s.page.err
}

// ask puts a question and returns the answer without the blanks around it. Lines that are no text are asked again.
func (s *session) ask(question string) (string, error) {
	for {
		s.news()
		s.page.ask(question)
		if s.page.err != nil {
			return "", s.page.err
		}
		text, err := s.keys.line()
		switch {
		case errors.Is(err, errLongLine):
			s.page.answered("", true)
			s.page.say("That line is too long, so it does not count.")
			continue
		case err != nil:
			return "", err
		}
		s.page.answered(text, s.keys.echoes())
		if !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
			s.page.say("That line holds keys that are no text, such as an arrow, so it does not count. Type it again.")
			continue
		}
		return strings.TrimSpace(text), nil
	}
}

// prompt says where the reader is.
func (s *session) prompt() string {
	switch s.place {
	case atQueue:
		return phrase.Capital(s.area.String()) + ". Number or command:"
	case atPacket:
		return s.packet.prompt()
	case atReceipt:
		return "Recorded. Enter for the next open case, or a command:"
	case atRecord:
		return "Record. Enter for the records, or a command:"
	}
	return phrase.Capital(placeNames[s.place]) + ". Number or command:"
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
			s.page.say("%s can be done at the %s, not here. Type help to hear what can be done.", phrase.Capital(c.word), placeNames[p])
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
		s.records.nextPage(s)
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
		if s.records.read(s, number-1) {
			return nil
		}
	case atBoard:
		if number >= 1 && number <= len(s.board) {
			return s.filterBy(s.board[number-1].Code)
		}
	}
	s.page.say("There is no number %s here.", phrase.Thousands(number))
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

// trouble says that something could not be done. The session goes on, unless it was told to stop.
func (s *session) trouble(what string, err error) error {
	if s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	s.page.say("%s: %s.", what, err)
	return nil
}

// ended tells whether an error is the end of the input, which is a way to leave.
func ended(err error) bool { return errors.Is(err, io.EOF) }
