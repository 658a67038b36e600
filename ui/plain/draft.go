package plain

import (
	"strings"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/ui/decision"
	"docket/ui/wording"
)

// begin goes on with the packet's draft, if there is one; false: the decision does not begin.
func (s *session) begin() bool {
	d, p := s.decision, s.packet
	if why := decision.Unreadable(&p.caseFile, "discard"); why != "" {
		s.page.sentence(why)
		return false
	}
	if kept := p.caseFile.Draft; kept.Present() {
		d.Resume(&kept, p.carried || p.blind)
		s.autosave.Note(p.table, p.key(), d.Current())
		p.carried = false
		s.page.say("Your earlier choices are kept.")
		s.sayNotices()
	}
	return true
}

func (s *session) discardDraft(string) error {
	p := s.packet
	if !p.caseFile.Draft.Present() {
		s.page.say("%s.", wording.Capital(wording.NoDraft))
		return nil
	}
	s.page.say("%s", decision.DraftOf(&p.caseFile, s.workbench.Now()))
	text, err := s.ask(s.named("Type discard to discard it, or Enter to keep it:"))
	if err != nil {
		return err
	}
	if !strings.EqualFold(text, "discard") {
		s.page.say("It is kept.")
		return nil
	}
	s.decision = s.newDecision(p)
	defer func() { s.decision = nil }()
	return s.discard(&p.caseFile.Draft)
}

// recuse goes to the review of a recusal or, without an acceptable reason, to the question for one.
func (s *session) recuse(reason string) error {
	if why := s.whyNotDecide(); why != "" {
		s.page.say(notDecidable, why)
		return nil
	}
	if fault := decision.StatementFault(reason); reason != "" && fault != "" {
		s.page.sentence(fault)
		reason = ""
	}
	return s.deciding(func() bool {
		if !s.begin() {
			return false
		}
		s.decision.Recuse(reason)
		s.decision.packet.reveal()
		s.keepDraft()
		s.sayNotices()
		return true
	})
}

// discard drops a draft, except the reviewer's own judgment if the advice was said after it.
func (s *session) discard(kept *records.KeptDraft) error {
	d, p := s.decision, s.packet
	if !d.Discard(kept) {
		s.keepDraft()
		s.page.say("It is discarded, except your own judgment, which you gave before the advice was said.")
		return nil
	}
	if err := s.autosave.Drop(p.table, p.key())(s.ctx); err != nil {
		return s.trouble(wording.Capital(wording.DraftNotDropped), err)
	}
	s.forget(p.key())
	p.caseFile.Draft = records.KeptDraft{}
	s.page.say("It is discarded.")
	return nil
}

// keepDraft saves the draft if it has changed, also while the program is stopping; if that fails it
// says so and tries again after the next answer.
func (s *session) keepDraft() {
	d, p := s.decision, s.packet
	if !s.autosave.Note(p.table, p.key(), d.Current()) && !s.isUnkept(p.key()) {
		return
	}
	p.caseFile.Draft = d.Kept(s.workbench.Now())
	if err := s.autosave.Flush(); err != nil {
		s.unkept[p.key()] = p.caseFile.Draft
		s.page.say("The draft could not be written: %s. Your choices are kept until docket ends.", err)
		return
	}
	s.forget(p.key())
}

// stored reports whether the stored draft is the decision as it is.
func (s *session) stored() bool {
	return s.packet.caseFile.Draft.Present() && !s.isUnkept(s.packet.key())
}

func (s *session) forget(key packets.Key) { delete(s.unkept, key) }

func (s *session) isUnkept(key packets.Key) bool {
	_, is := s.unkept[key]
	return is
}

func (s *session) sayLeft() {
	kept := ""
	switch p := s.packet; {
	case s.isUnkept(p.key()):
		kept = " Your choices are kept until docket ends; decide continues it."
	case p.caseFile.Draft.Present() && p.caseFile.Draft.Unreadable == "":
		kept = " Your choices are saved as a draft; decide continues it."
	}
	s.page.say("The decision is left. Nothing is recorded.%s", kept)
}
