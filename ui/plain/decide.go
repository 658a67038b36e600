package plain

import "docket/domain"

// A draft is what the reader has chosen so far of a decision.
type draft struct {
	outcome domain.Outcome
	factors domain.FactorSet
	added   domain.BlockerSet
	note    string
}

// obstacle says why the chosen outcome may not be recorded; "" if it may, or none is needed.
func (d *draft) obstacle(v *domain.View) string {
	for _, option := range domain.Options(v, d.added) {
		if option.Outcome == d.outcome {
			return option.Obstacle
		}
	}
	if v.Area() == domain.Appeals {
		return "no outcome is chosen"
	}
	return ""
}

// A turn is where a decision goes after an answer.
type turn uint8

const (
	sameQuestion turn = iota
	sameAnew          // the same question, with all that can be chosen
	nextQuestion
	questionBefore
	firstQuestion
	outOfIt
)

// A question is a step of a decision. put says what it is about and what can be chosen, prompt asks, and answer takes what
// is no command.
type question struct {
	put    func(s *session, d *decision)
	prompt func(d *decision) string
	answer func(s *session, d *decision, text string) turn
}

// A decision is one that is being made on the packet that is open.
type decision struct {
	draft
	view      *domain.View
	questions []question
	turn      turn // what a command has asked for
	whole     bool // the question is put with all that can be chosen
}

// decide goes through the questions of a decision. What is chosen is kept until docket ends, or until it is recorded.
func (s *session) decide(string) error {
	if why := s.whyNotDecide(); why != "" {
		s.page.say("You cannot decide on it here: %s.", why)
		return nil
	}
	s.decision = s.newDecision()
	defer func() { s.decision = nil }()
	return s.questions()
}

// newDecision starts with the factor codes that the evaluation supports, or where the reader left. No outcome is chosen
// for the reader.
func (s *session) newDecision() *decision {
	v := &s.packet.dossier.View
	d := &decision{view: v}
	if v.Area() == domain.Appeals {
		d.questions = append(d.questions, outcomeQuestion)
	}
	d.questions = append(d.questions, factorQuestion, blockerQuestion, noteQuestion)
	kept, begun := s.drafts[v.Key()]
	if !begun {
		d.factors = v.Judgment().FactorCodes()
		return d
	}
	d.draft = kept
	d.added = kept.added.Minus(v.Judgment().BlockerSet())
	s.page.say("What you had chosen before is kept.")
	if why := d.obstacle(v); d.outcome.Present() && why != "" {
		s.page.say("But %s may no longer be recorded: %s.", d.outcome.Label(), why)
		d.outcome = 0
	}
	return d
}

// questions asks one after another, then for the word.
func (s *session) questions() error {
	d, here := s.decision, 0
	for put := true; ; {
		next, err := sameQuestion, error(nil)
		if here == len(d.questions) {
			next, err = s.review()
		} else {
			if put {
				s.page.gap()
				s.page.say("Question %d of %d.", here+1, len(d.questions)+1)
				d.questions[here].put(s, d)
			}
			next, err = s.askOne(&d.questions[here])
		}
		if err != nil {
			return err
		}
		if s.place != atPacket || s.packet == nil || &s.packet.dossier.View != d.view {
			return nil // recorded, or opened again
		}
		s.drafts[d.view.Key()] = d.draft
		put, d.whole = next != sameQuestion, next == sameAnew
		switch next {
		case nextQuestion:
			here++
		case firstQuestion:
			here = 0
		case questionBefore:
			if here--; here < 0 {
				s.page.say("The decision is left. Nothing is recorded.")
			}
		case outOfIt:
			here = -1
		}
		if here < 0 {
			return nil
		}
	}
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
		s.page.say("The decision is left. Nothing is recorded.")
		return outOfIt, true, err
	}
	return s.decision.turn, true, err
}

func (s *session) askBefore(string) error { s.decision.turn = questionBefore; return nil }

func (s *session) askAgain(string) error { s.decision.turn = sameAnew; return nil }

func (s *session) leaveDecision(string) error {
	s.decision.turn = outOfIt
	s.page.say("The decision is left. Nothing is recorded.")
	return nil
}

// gate is what would be recorded now.
func (d *decision) gate() domain.Gate { return domain.GateWith(d.view, d.added) }
