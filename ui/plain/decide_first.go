package plain

import (
	"docket/domain"
	"docket/ui/wording"
)

// firstQuestion takes the reader's own judgment before they are told what the rules advise. It is asked in blind-first
// mode only. Nothing is chosen before, and what was said stays said.
var firstQuestion = question{
	put: func(s *session, d *deciding) {
		s.page.say("Which outcome, by your own judgment? What the rules advise is said once you have answered, and your answer " +
			"is recorded beside the final one.")
		s.sayOptions(d)
	},
	prompt: func(*deciding) string { return "Your own outcome, by number or name:" },
	answer: func(s *session, d *deciding, text string) turn {
		outcome, ok := s.pickOutcome(d, text)
		if !ok {
			return sameQuestion
		}
		d.Preliminary = outcome
		d.packet.reveal()
		s.page.say("Your own judgment: %s.", outcome.Label())
		return nextQuestion
	},
}

// sayAdvice says what was held back. From then on that section of the packet has been said.
func (s *session) sayAdvice(d *deciding) {
	if d.packet.see(domain.SectionAdvisory) {
		s.page.say("This was held back until now:")
		for _, text := range advisorySection(d.View(), false).lines {
			s.page.say("%s", text)
		}
	}
	s.page.say("%s", wording.Revealed(d.View(), d.Preliminary))
}
