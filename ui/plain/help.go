package plain

import (
	"docket/domain"
)

// help says what can be done here, from the table of commands.
func (s *session) help(string) error {
	here := s.place
	if s.decision != nil {
		here = inDecision
	}
	s.page.gap()
	s.page.say("What can be done at the %s:", placeNames[here])
	s.page.say("Enter alone: %s.", enterMeanings[here])
	if meaning := numberMeanings[here]; meaning != "" {
		s.page.say("A number: %s.", meaning)
	}
	for _, c := range commandsIn(here) {
		s.page.say("%s: %s.", c.name(), c.meaning)
	}
	if here == atQueue {
		s.page.say("In a filter all words must match. Words match ids and codes in part, a minus before a word negates it, and:")
		for _, key := range domain.FilterKeys() {
			s.page.say("%s: %s.", key.Key, key.Meaning)
		}
	}
	s.page.say("Control-C ends docket at once; what has no receipt is not recorded.")
	return nil
}

// sayCommands lists the commands of the start with their numbers.
func (s *session) sayCommands() {
	s.page.gap()
	for i, c := range commandsIn(atStart) {
		s.page.say("%d. %s: %s.", i+1, c.name(), c.meaning)
	}
}
