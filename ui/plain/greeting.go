package plain

import (
	"docket/domain"
	"docket/ui"
	"docket/ui/wording"
)

// greet says who works here, reads and counts both dockets, and says how it stands with the service.
func (s *session) greet(string) error {
	s.page.gap()
	title := "docket, line by line."
	if s.notice != "" {
		title = "docket, line by line: " + s.notice + "."
	}
	s.page.say("%s", title)
	s.sayReviewer()
	for _, area := range domain.Areas.All() {
		if err := s.queues[area].reread(s); err != nil {
			return err
		}
		s.page.say("%s", s.queues[area].counts(s))
	}
	return s.sayService()
}

// sayReviewer says who may record here, and if nobody, what to do about it.
func (s *session) sayReviewer() {
	switch {
	case s.locked != "":
		s.page.say("This is for reading only: %s.", s.locked)
	case s.keyless != "":
		if s.reviewer.Known() {
			s.page.say("You work as %s, %s.", s.reviewer.ID, s.reviewer.Role.Label())
		}
		s.page.say("This is for reading only: %s.", wording.Unsigned(s.keyless))
		s.page.say("What to do: %s %s", wording.UnsignedAdvice, wording.UnsignedStill)
	case !s.reviewer.Known():
		s.page.say("No reviewer is set up on this machine, so this is for reading only. Run `docket identity init` to decide.")
	case s.reviewer.KeyFingerprint == "":
		s.page.say("You work as %s, %s, without a signing key, so this is for reading only. Run `docket identity init` to get one.",
			s.reviewer.ID, s.reviewer.Role.Label())
	default:
		s.page.say("You work as %s, %s, with the key %s.", s.reviewer.ID, s.reviewer.Role.Label(), s.reviewer.KeyFingerprint)
	}
}

// found says what is wrong with the log. From then on nothing can be recorded.
func (s *session) found(findings []ui.Finding) {
	if len(findings) == 0 {
		return
	}
	s.locked = wording.Locked
	s.page.gap()
	s.page.say("The log was changed or rolled back. It is open for reading only.")
	for _, finding := range findings {
		s.page.say("Found: %s", finding.Found)
		s.page.say("What to do: %s", finding.Advice)
	}
	s.page.say("Nothing can be recorded, imported or skipped here until that is settled. Packets and records can be read; " +
		"`docket verify` checks every one of them.")
}

// news says what the proof of the log came to, once it is there.
func (s *session) news() {
	select {
	case proved, open := <-s.proof:
		s.proof = nil
		switch {
		case !open:
		case len(proved.findings) > 0:
			s.found(proved.findings)
		case proved.err != nil && s.ctx.Err() == nil:
			s.page.say("The log could not be checked to its end: %s.", proved.err)
		}
	default:
	}
}
