package plain

import "docket/ui/decision"

// skip puts the revision that is open aside, with a reason.
func (s *session) skip(reason string) error {
	if why := decision.WhyNotSkip(s.packet.dossier.Decided(), s.reviewer, s.locked); why != "" {
		s.page.say("It cannot be skipped: %s.", why)
		return nil
	}
	if reason == "" {
		s.page.say("Why is it put aside? The reason stays on this machine; the case comes back with its next revision.")
		text, err := s.ask("Reason, or Enter not to skip it:")
		if err != nil {
			return err
		}
		if reason = text; reason == "" {
			s.page.say("It is not skipped.")
			return nil
		}
	}
	return s.setAside(reason, "It is skipped and stands at the end of the queue; unskip takes that back, next opens the next case.")
}

// unskip takes back that the revision was put aside.
func (s *session) unskip(string) error {
	if s.packet.dossier.Skipped == "" {
		s.page.say("It is not skipped.")
		return nil
	}
	if why := decision.WhyNotSkip(s.packet.dossier.Decided(), s.reviewer, s.locked); why != "" {
		s.page.say("That cannot be taken back: %s.", why)
		return nil
	}
	return s.setAside("", "It is no longer skipped.")
}

// setAside asks the desk; reason "" takes a skip back.
func (s *session) setAside(reason, done string) error {
	p := s.packet
	if err := s.desk.Skip(s.ctx, p.table, p.key(), reason); err != nil {
		return s.trouble("Not skipped", err)
	}
	p.dossier.Skipped = reason
	p.sections[0] = gateSection(&p.dossier)
	s.page.say("%s", done)
	return s.queue().reread(s)
}
