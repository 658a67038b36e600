package plain

import (
	"context"
	"errors"
	"strconv"

	"docket/domain/records"
	"docket/ui/decision"
	"docket/ui/tty"
	"docket/ui/wording"
)

func (s *session) erase(string) error {
	if s.sayProof(); decision.WhyNotErase(s.reviewer, s.locked, s.keyless) != "" {
		s.page.say("%s: %s.", decision.NothingErased, decision.WhyNotErase(s.reviewer, s.locked, s.keyless))
		return nil
	}
	plans, err := s.workbench.PlanErasures(s.ctx, s.erasures())
	if err != nil {
		return s.trouble(decision.ErasureAnswer(err).Title, err)
	}
	if len(plans) == 0 {
		s.page.say("%s", decision.NothingToErase)
		return nil
	}
	plan, err := s.chooseErasure(plans)
	if err != nil || plan == nil {
		return err
	}
	for _, text := range decision.ToldBefore(plan) {
		s.page.say("%s", text)
	}
	s.page.say("Type the word %s, letter by letter, then Enter. Anything else erases nothing.", records.EraseWord)
	switch taken, _, err := s.askWord(records.EraseWord, decision.EraseQuestion); {
	case errors.Is(err, tty.ErrNoLetters):
		s.page.say("It cannot be erased at this terminal: %s. Use docket without --plain, or docket erase.", err)
		return nil
	case err != nil:
		return err
	case !taken:
		s.page.say("%s.", decision.NothingErased)
		return nil
	}
	return s.eraseNow(plan.Erasure)
}

func (s *session) erasures() []records.Erasure {
	if s.place == atRecord {
		return records.ErasuresOfRecord(s.records.reading.Receipt.RecordID)
	}
	return records.ErasuresOfRevision(s.packet.table, s.packet.key(), s.packet.caseFile.Draft.Revision)
}

// chooseErasure asks which text to erase and why; nil if the reader cancels.
func (s *session) chooseErasure(plans []records.ErasurePlan) (*records.ErasurePlan, error) {
	var clauses, reasons []string
	for i := range plans {
		clauses = append(clauses, plans[i].Clause())
	}
	all := records.ErasureReasons.All()
	for _, reason := range all {
		reasons = append(reasons, reason.Label()+": "+records.ErasureMeaning(reason))
	}
	what, err := s.chooseNumber(clauses, "Which is erased, by number, or Enter for none:")
	if err != nil || what < 0 {
		return nil, err
	}
	why, err := s.chooseNumber(reasons, "Why, by number, or Enter to erase nothing:")
	if err != nil || why < 0 {
		return nil, err
	}
	plans[what].Erasure.Reason = all[why]
	return &plans[what], nil
}

// chooseNumber says a list and takes a number of it; negative if the answer is none.
func (s *session) chooseNumber(list []string, question string) (at int, err error) {
	for i, text := range list {
		s.page.say("%d. %s.", i+1, wording.Capital(text))
	}
	text, err := s.ask(question)
	if number, wrong := strconv.Atoi(text); err != nil || wrong == nil && number >= 1 && number <= len(list) {
		return number - 1, err
	}
	s.page.say("%s.", decision.NothingErased)
	return -1, nil
}

func (s *session) eraseNow(e records.Erasure) error {
	run := func(end func() error) error { return end() }
	if e.What == records.ErasableDraft {
		run = s.autosave.Ending().Run
	}
	err := run(func() error { return s.workbench.Erase(s.ctx, e) })
	answer := decision.ErasureAnswer(err)
	if answer.Locked != "" {
		s.locked = answer.Locked
	}
	switch {
	case err == nil:
		s.page.say("%s.", wording.Capital(decision.Erased))
	case answer.Result != decision.Recorded && s.ctx.Err() != nil:
		s.page.say("%s.", decision.NothingErased)
		return context.Cause(s.ctx)
	default:
		s.page.say("%s: %s", answer.Title, wording.Sentence(answer.Text))
	}
	if s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	if answer.Result != decision.Recorded || s.place != atPacket {
		return nil
	}
	if e.What == records.ErasableDraft {
		s.forget(e.Key)
	}
	return s.reread("")
}
