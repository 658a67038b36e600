package plain

import (
	"docket/domain"
	"docket/ui/phrase"
)

// A turn is where a decision goes after an answer.
type turn uint8

const (
	sameQuestion turn = iota
	sameAnew          // the same question, with all that can be chosen
	nextQuestion
	questionBefore
	outcomeAgain
	outOfIt
)

// A question is a step of a decision. put says what it is about and what can be chosen, prompt asks, and answer takes what
// is no command.
type question struct {
	step   string // by which a draft says how far it has come
	put    func(s *session, d *decision)
	prompt func(d *decision) string
	answer func(s *session, d *decision, text string) turn
}

// A decision is one that is being made on the packet that is open.
type decision struct {
	domain.Draft
	packet    *packet
	view      *domain.View
	questions []question
	here      int // the question that is asked; behind the last one stands the review
	furthest  int // that was reached
	kept      domain.Draft
	durable   bool     // what is kept outlives docket
	changes   []string // since what is gone on with was kept
	anew      bool     // what was begun before is discarded
	turn      turn     // what a command has asked for
	whole     bool     // the question is put with all that can be chosen
}

// decide goes through the questions of a decision. What is chosen is kept from answer to answer, until it is recorded or
// discarded.
func (s *session) decide(string) (err error) {
	if why := s.whyNotDecide(); why != "" {
		s.page.say("You cannot decide on it here: %s.", why)
		return nil
	}
	d := newDecision(s.packet)
	s.decision = d
	defer func() {
		s.decision, s.interrupted = nil, err != nil && d.durable
	}()
	if begun, err := s.begin(); !begun || err != nil {
		return err
	}
	return s.questions()
}

// newDecision starts with the factor codes that the evaluation supports. No outcome is chosen for the reader.
func newDecision(p *packet) *decision {
	v := &p.dossier.View
	d := &decision{packet: p, view: v, Draft: phrase.NewDraft(v)}
	if p.blind {
		d.questions = append(d.questions, firstQuestion)
	}
	if v.Area() == domain.Appeals {
		d.questions = append(d.questions, outcomeQuestion)
	}
	d.questions = append(d.questions, factorQuestion, blockerQuestion, noteQuestion)
	d.kept = d.current()
	return d
}

// questions asks one after another, then for the word.
func (s *session) questions() error {
	d := s.decision
	for put := true; ; {
		next, err := sameQuestion, error(nil)
		if d.here == len(d.questions) {
			next, err = s.review()
		} else {
			if put {
				s.page.gap()
				s.page.say("Question %d of %d.", d.here+1, len(d.questions)+1)
				d.questions[d.here].put(s, d)
			}
			next, err = s.askOne(&d.questions[d.here])
		}
		if err != nil {
			return err
		}
		if s.place != atPacket || s.packet != d.packet {
			return nil // recorded, or opened again
		}
		put, d.whole = next != sameQuestion, next == sameAnew
		goes := d.turnTo(next)
		s.keepDraft()
		if !goes {
			if next == questionBefore {
				s.sayLeft()
			}
			return nil
		}
	}
}

// turnTo goes to another question; false: out of the decision. What was judged before the advice was said is not judged again
// once that has been.
func (d *decision) turnTo(next turn) bool {
	switch next {
	case nextQuestion:
		d.here++
		d.furthest = max(d.furthest, d.here)
	case outcomeAgain:
		d.here = d.questionOf(phrase.StepOutcome)
	case questionBefore:
		if d.here == 0 || d.questions[d.here-1].step == phrase.StepFirst {
			return false
		}
		d.here--
	case outOfIt:
		return false
	}
	return true
}

// questionOf is the question of a step; the first where there is none.
func (d *decision) questionOf(step string) int {
	if step == phrase.StepReview {
		return len(d.questions)
	}
	for i := range d.questions {
		if d.questions[i].step == step {
			return i
		}
	}
	return 0
}

// askOne asks a question once.
func (s *session) askOne(q *question) (turn, error) {
	text, err := s.ask(q.prompt(s.decision))
	if err != nil {
		return outOfIt, err
	}
	if next, is, err := s.commandInDecision(text); is || err != nil {
		return next, err
	}
	return q.answer(s, s.decision, text), nil
}

// commandInDecision obeys a line that is a command; false if it is none.
func (s *session) commandInDecision(text string) (turn, bool, error) {
	c, rest, is := commandAt(inDecision, text)
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

// gate is what would be recorded now.
func (d *decision) gate() domain.Gate { return domain.GateWith(d.view, d.Added) }
