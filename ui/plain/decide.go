package plain

import (
	"fmt"

	"docket/ui/decision"
	"docket/ui/wording"
)

type turn uint8

const (
	sameQuestion turn = iota
	sameAnew          // the same question, with everything that can be chosen
	whereItIs         // the current step of the decision
	nextQuestion
	questionBefore
	outOfIt
)

// A question asks a step of a decision: put says it and its options, answer takes what is no
// command, and text, where the answer is one, is where it is kept.
type question struct {
	put    func(s *session, d *deciding)
	prompt func(d *deciding) string
	answer func(s *session, d *deciding, text string) turn
	text   func(d *deciding) *string
}

type deciding struct {
	*decision.Decision
	packet *packet
	turn   turn // that a command asked for
	whole  bool // the question is put with everything that can be chosen
}

// questionFor returns the question of a step; nil for the review.
func questionFor(s decision.Step) *question {
	switch s {
	case decision.First, decision.Outcome:
		return &outcomeQuestion
	case decision.Factors:
		return &factorQuestion
	case decision.Blockers:
		return &blockerQuestion
	case decision.Statement:
		return &statementQuestion
	case decision.Note:
		return &noteQuestion
	}
	return nil
}

// decide goes through the questions of a decision; the draft is saved after each answer.
func (s *session) decide(string) error {
	if why := s.whyNotDecide(); why != "" {
		s.page.say(notDecidable, why)
		return nil
	}
	return s.deciding(s.begin)
}

func (s *session) deciding(begin func() bool) (err error) {
	s.decision = s.newDecision(s.packet)
	defer func() {
		s.decision, s.interrupted = nil, err != nil && s.stored()
	}()
	if !begin() {
		return nil
	}
	if err := s.questions(); err != nil || s.place != atReceipt || s.cautioned {
		return err
	}
	return s.nextCase("")
}

func (s *session) newDecision(p *packet) *deciding {
	d := &deciding{packet: p, Decision: decision.New(&p.caseFile, p.openedAt, s.reviewer, p.blind)}
	d.Notices = nil // the packet has said why it is judged again
	s.autosave.Close()
	s.autosave.Note(p.table, p.key(), d.Current()) // with no choice yet, it is not stored
	return d
}

func (s *session) questions() error {
	d := s.decision
	for next := whereItIs; ; {
		var err error
		if q := questionFor(d.Step()); q == nil {
			next, err = s.review()
		} else {
			name := d.Step().String()
			if d.Step() == decision.First {
				name = "your own judgment"
			}
			if next == questionBefore {
				s.page.say("Back at the %s; repeat says the question.", name)
			} else if next != sameQuestion {
				s.page.gap()
				s.page.say("%s, %s.", d.View().Key().ID, name)
				q.put(s, d)
			}
			next, err = s.askOne(q)
		}
		if err != nil {
			return err
		}
		if s.place != atPacket || s.packet != d.packet {
			return nil // recorded, or opened again
		}
		d.whole = next == sameAnew
		goes := s.turnTo(next)
		s.keepDraft()
		if !goes {
			if next == questionBefore {
				s.sayLeft()
			}
			return nil
		}
	}
}

// turnTo goes to another question and says the changes; false leaves the decision.
func (s *session) turnTo(next turn) bool {
	switch next {
	case nextQuestion:
		if missing := s.decision.Forward(); missing != "" && s.decision.Step() == decision.Blockers {
			s.page.sentence(missing)
		}
		s.sayNotices()
	case questionBefore:
		return s.decision.Back()
	case outOfIt:
		return false
	}
	return true
}

func (s *session) sayNotices() {
	for _, notice := range s.decision.Notices {
		s.page.sentence(notice)
	}
}

// named puts the case before the prompt of a question on it.
func (s *session) named(prompt string) string {
	return fmt.Sprintf("%s. %s", s.packet.key().ID, prompt)
}

func (s *session) askOne(q *question) (turn, error) {
	ask := s.ask
	if q.text != nil {
		ask = s.askText
	}
	text, err := ask(s.named(q.prompt(s.decision)))
	if err != nil {
		s.keepHalf(q, text)
		return outOfIt, err
	}
	if next, is, err := s.commandInDecision(text); is || err != nil {
		return next, err
	}
	return q.answer(s, s.decision, text), nil
}

// keepHalf keeps what was typed of a text when the input ended.
func (s *session) keepHalf(q *question, text string) {
	if why := decision.StatementFault(text); text != "" && why != "" && q == &statementQuestion {
		s.page.say("What was typed is not kept: %s", wording.Sentence(why))
	} else if text != "" {
		*q.text(s.decision) = text
		s.keepDraft()
	}
}

func (s *session) forward(d *deciding) turn {
	if why := d.Missing(d.Step()); why != "" {
		s.page.sentence(why)
		return sameQuestion
	}
	return nextQuestion
}

// commandInDecision dispatches a line that is a command; false if it is none.
func (s *session) commandInDecision(text string) (turn, bool, error) {
	c, rest, is := s.commands.at(inDecision, text)
	if !is {
		return sameQuestion, false, nil
	}
	s.decision.turn = sameQuestion
	err := c.run(s, rest)
	if s.over {
		s.sayLeft()
		return outOfIt, true, err
	}
	return s.decision.turn, true, err
}

func (s *session) askBefore(string) error { s.decision.turn = questionBefore; return nil }

func (s *session) askAgain(string) error { s.decision.turn = sameAnew; return nil }

func (s *session) leaveDecision(string) error {
	s.decision.turn = outOfIt
	s.sayLeft()
	return nil
}
