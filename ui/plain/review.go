package plain

import (
	"errors"

	"docket/domain"
	"docket/ui/phrase"
)

// review restates what will be written and what it cannot do, takes the word and records.
func (s *session) review() (turn, error) {
	d := s.decision
	s.page.gap()
	s.page.say("Question %d of %d. This will be appended to the log, signed, for good:", len(d.questions)+1, len(d.questions)+1)
	for _, text := range s.restated() {
		s.page.say("%s", text)
	}
	s.page.say("Type the word %s, letter by letter, then Enter. Anything else records nothing; back goes back.", phrase.Word)
	for {
		taken, text, err := s.askWord()
		switch {
		case errors.Is(err, errNoLetters):
			s.page.say("It cannot be recorded at this terminal: %s. Use docket without --plain.", err)
			return outOfIt, nil
		case err != nil:
			return outOfIt, err
		case taken:
			return s.record()
		}
		next, is, err := s.commandInDecision(text)
		if err != nil || is && next != sameQuestion {
			return next, err
		}
		if !is && text != "" {
			s.page.say("That was not the word. Nothing is recorded.")
		}
	}
}

// restated writes out the record to be, a member a line.
func (s *session) restated() []string {
	d, v := s.decision, s.decision.view
	lines := memberLines{}
	lines.add("Packet", string(v.Key().ID)+", revision "+phrase.Thousands(int(v.Key().Number))+", of "+phrase.Spaced(v.Table().String()))
	lines.add("Gate", d.gate().String())
	if v.Area() == domain.Appeals {
		lines = append(lines, "Outcome: "+d.Outcome.Label()+": "+domain.EffectOf(d.Outcome).Meaning)
		if d.Preliminary.Present() {
			lines.add("Your own judgment, before the advice", d.Preliminary.Label())
		}
		lines.add("Advised", v.Judgment().AdvisoryOutcome().Label())
	}
	lines.add("Factor codes", listed(d.Factors.Words()))
	lines.add("Found blockers", listed(v.Judgment().Blockers()))
	lines.add("Added blockers", listed(domain.Codes{Area: v.Area(), Set: d.Added}.List()))
	supersedes := "nothing"
	if id := s.packet.dossier.InForce; id.Present() {
		supersedes = "record " + string(id) + "; " + phrase.StaysWhere(&s.packet.dossier)
	}
	lines.add("Supersedes", supersedes)
	if turned := s.packet.dossier.TurnedAway(); turned != nil {
		lines.add("In place of", "record "+string(turned.Receipt.RecordID)+"; the service rejected it: "+
			phrase.WhyRejected(turned.HandIn.Rejection.Reason))
	}
	lines.add("Reviewer", string(s.reviewer.ID)+", "+s.reviewer.Role.Label())
	lines.add("Key", s.reviewer.KeyFingerprint)
	lines.add("Sections read", listed(s.packet.seen))
	note := "none"
	if d.Note != "" {
		note = "yes; only its digest is recorded"
	}
	lines.add("Private note", note)
	return append(lines, phrase.Cannot(v.Area()))
}

// record hands the decision to the desk and says what has become of it.
func (s *session) record() (turn, error) {
	d, p := s.decision, s.packet
	if s.news(); s.locked != "" {
		s.page.say("Nothing is recorded: %s.", s.locked)
		return outOfIt, nil
	}
	receipt, err := s.desk.Record(s.ctx, d.view, domain.Choice{
		Outcome: d.Outcome, Preliminary: d.Preliminary, Factors: d.Factors, AddedBlockers: d.Added,
		SectionsViewed: append([]domain.SectionName(nil), p.seen...), OpenedAt: p.openedAt, Supersedes: p.dossier.InForce,
	}, d.Note)
	var stale *domain.StaleError
	switch {
	case err == nil:
		s.forget(d.view.Key())
		d.durable = false
		return nextQuestion, s.sayReceipt(receipt)
	case errors.As(err, &stale):
		return outOfIt, s.changed(stale.Changes)
	case errors.Is(err, domain.ErrRefused):
		s.page.say("Not recorded: %s.", phrase.Reason(err))
		return outOfIt, nil
	}
	if err := s.trouble("The decision could not be recorded", err); err != nil {
		return outOfIt, err
	}
	s.page.say("Look whether it was written before you try again: type records.")
	return outOfIt, nil
}

// sayReceipt says where the record stands in the log, line by line.
func (s *session) sayReceipt(receipt domain.Receipt) error {
	d, key := s.decision, s.decision.view.Key()
	s.place = atReceipt
	s.page.gap()
	s.page.say("Recorded: %s, revision %s.", key.ID, phrase.Thousands(int(key.Number)))
	lines := memberLines{}
	lines.add("Gate", d.gate().String())
	if d.Outcome.Present() {
		lines.add("Outcome", d.Outcome.Label())
	}
	lines.add("Record", string(receipt.RecordID))
	lines.receipt(&receipt)
	for _, text := range lines {
		s.page.say("%s", text)
	}
	if receipt.Caution != "" {
		s.page.say("Caution: %s", sentence(receipt.Caution))
	}
	s.page.say("The record is on disk and in the log. It can be superseded, never changed. `docket records` shows it again.")
	if s.service.Service != "" {
		s.page.say("It is not handed in yet: %s.", phrase.NotHandedInHow)
	}
	return s.queue().reread(s)
}

// changed says what has changed under a decision, which was therefore not recorded, and opens the packet as it is now.
// What was chosen is kept with it.
func (s *session) changed(changes []string) error {
	d, p := s.decision, s.packet
	s.page.gap()
	s.page.say("Nothing was written. What you judged is no longer what is held here:")
	for _, change := range changes {
		s.page.say("Changed: %s", sentence(change))
	}
	revision := p.key().Number
	if d.view.Latest().Revision <= revision {
		revision = 0 // it was the latest one that was judged, so it is the latest one that is wanted
	}
	kept := domain.KeptDraft{Draft: d.current(), Revision: p.key().Number, SavedAt: s.desk.Now()}
	if err := s.openCarrying(p.table, p.key().ID, revision, &kept); err != nil {
		return err
	}
	if s.packet != p {
		s.page.say("It is open again as it is now. Type decide to go on with what you had chosen, as far as it can be kept.")
	}
	return nil
}
