package plain

import (
	"context"
	"errors"
	"slices"
	"strings"

	"docket/domain/records"
	"docket/ui/decision"
	"docket/ui/page"
	"docket/ui/tty"
	"docket/ui/wording"
)

// review restates the decision and what its record cannot do, takes the word and records.
func (s *session) review() (turn, error) {
	d := s.decision
	if next, err := s.evaluateAgain(); next != nextQuestion || err != nil {
		return next, err
	}
	s.page.gap()
	s.page.say("%s revision %s, review. %s", d.View().Key().ID, wording.Thousands(int(d.View().Key().Number)), decision.ReviewTitle)
	for _, text := range s.restated() {
		s.page.say("%s", text)
	}
	s.page.say(
		"Type the word %s, letter by letter, then Enter. Anything else records nothing. To change a step, type its name: %s.",
		decision.Word, wording.Listed(s.changeable()))
	for {
		taken, text, err := s.askWord(decision.Word, s.named(decision.AskWord))
		switch {
		case errors.Is(err, tty.ErrNoLetters):
			s.page.say("It cannot be recorded at this terminal: %s. Use docket without --plain.", err)
			return outOfIt, nil
		case err != nil:
			return outOfIt, err
		case taken:
			if s.workbench.Now().Sub(d.View().EvaluatedAt()) >= decision.RenewEvery {
				if next, err := s.evaluateAgain(); next != nextQuestion || err != nil {
					return next, err
				}
			}
			return s.record()
		}
		next, is, err := s.commandInDecision(text)
		if err != nil || is && next != sameQuestion {
			return next, err
		}
		for _, step := range s.changeable() {
			if strings.EqualFold(text, step.String()) {
				d.Enter(step)
				return whereItIs, nil
			}
		}
		if !is && text != "" {
			s.page.say("That was not the word. Nothing is recorded.")
		}
	}
}

// changeable excludes the reviewer's own judgment.
func (s *session) changeable() []decision.Step {
	return slices.DeleteFunc(slices.Clone(s.decision.Steps()), func(step decision.Step) bool {
		return step == decision.First || step == decision.Review
	})
}

// evaluateAgain gives the record the time of the result that the review states; unchanged it is
// nextQuestion, else the decision goes back to the step affected.
func (s *session) evaluateAgain() (turn, error) {
	d, p := s.decision, s.packet
	now, err := s.workbench.Open(s.ctx, p.table, p.key().ID, p.key().Number)
	if err != nil {
		return outOfIt, s.trouble("It cannot be evaluated again, so it cannot be recorded now", err)
	}
	renewal, seen := d.Renew(&now, p.seen)
	switch p.seen = seen; renewal {
	case decision.Same:
		return nextQuestion, nil
	case decision.Replaced:
		return outOfIt, s.changed(d.Notices)
	}
	p.sections, p.said = page.Packet(&p.caseFile, p.reader(s.workbench.Now())), map[int]bool{}
	p.last = len(p.sections) - 1 // reading begins again
	s.page.gap()
	s.sayNotices()
	return whereItIs, nil
}

func (s *session) restated() []string {
	var lines []string
	for _, member := range s.decision.Restate(s.reviewer, s.packet.seen, s.packet.heardTexts()) {
		lines = append(lines, indented(page.Spoken(&member))...)
	}
	return lines
}

func (s *session) record() (turn, error) {
	d, p := s.decision, s.packet
	if s.sayProof(); s.locked != "" {
		s.page.say("Nothing is recorded: %s.", s.locked)
		return outOfIt, nil
	}
	var receipt records.Receipt
	err := s.autosave.Ending().Run(func() (err error) {
		receipt, err = s.workbench.Record(s.ctx, d.View(), d.Choice(p.seen), d.Note)
		var waiting *decision.WaitingError
		if errors.As(err, &waiting) {
			s.page.say(
				"Waiting for the anchor, the checkpoint outside the store: another program holds its lock. The decision is recorded once it " +
					"is free; Ctrl-C ends docket, and nothing is recorded.")
			receipt, err = waiting.Again(s.ctx)
		}
		return err
	})
	answer := decision.AnswerOf(err)
	if answer.Locked != "" {
		s.locked = answer.Locked
	}
	switch answer.Result {
	case decision.Recorded:
		s.forget(d.View().Key())
		p.caseFile.Draft = records.KeptDraft{}
		return nextQuestion, s.sayReceipt(receipt)
	case decision.Changed:
		return outOfIt, s.changed(answer.Changes)
	case decision.Unknown:
		s.untold = decision.NotKnown(d.View().Key(), answer.Record)
	case decision.Failed:
		if s.ctx.Err() != nil {
			s.page.say("Nothing is recorded.")
			return outOfIt, context.Cause(s.ctx)
		}
	}
	s.page.say("%s: %s", answer.Title, wording.Sentence(answer.Text))
	if s.ctx.Err() != nil {
		return outOfIt, context.Cause(s.ctx)
	}
	return outOfIt, nil
}

// sayReceipt says the receipt in one line, and as a whole if it has a caution.
func (s *session) sayReceipt(of records.Receipt) error {
	s.place, s.receipt, s.cautioned = atReceipt, s.decision.Receipt(&of, s.service.Service != "", -1), of.Caution != ""
	s.page.gap()
	s.page.say("Recorded: %s. Type receipt to hear the receipt.", s.receipt.Title)
	if s.cautioned {
		s.sayPage(s.receipt)
	}
	return s.queue().reread(s)
}

func (s *session) wholeReceipt(string) error {
	if s.receipt.Parts == nil {
		s.page.say("Nothing was recorded in this session. Type records to list the records.")
		return nil
	}
	s.sayPage(s.receipt)
	return nil
}

// changed opens the current packet, on which the decision continues.
func (s *session) changed(changes []string) error {
	d, p := s.decision, s.packet
	s.page.gap()
	s.page.say("%s:", decision.ChangedTitle)
	for _, change := range changes {
		s.page.say("Changed: %s", wording.Sentence(change))
	}
	kept := d.Kept(s.workbench.Now())
	if err := s.openCarrying(p.table, p.key().ID, d.Reopen(), &kept); err != nil {
		return err
	}
	if s.packet != p {
		s.page.say("The current packet is open. Type decide to continue with your choices, as far as it still allows them.")
	}
	return nil
}
