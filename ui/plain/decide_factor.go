package plain

import (
	"docket/domain"
	"docket/ui/phrase"
)

// factorQuestion chooses factor codes.
var factorQuestion = question{
	put: func(s *session, d *deciding) {
		s.page.say("Which reasons carry the decision? Those that the evaluation supports are chosen to begin with.")
		supported := d.View().Judgment().FactorCodes()
		for i, code := range domain.FactorCodes.All() {
			support := ""
			if supported.Has(code) {
				support = " Supported by the evaluation."
			}
			s.page.say("%d. %s: %s: %s%s", i+1, chosen(d.Factors.Has(code)), code, domain.FactorMeaning(code), support)
		}
	},
	prompt: func(d *deciding) string {
		return "Numbers or codes to choose or drop, or Enter for the " + phrase.Plural(d.Factors.Len(), "code", "codes") + " chosen:"
	},
	answer: func(s *session, d *deciding, text string) turn {
		if text == "" {
			return s.forward(d)
		}
		for _, name := range names(text) {
			code, ok := pickWord(domain.FactorCodes, domain.FactorCodes.All(), name)
			if !ok {
				s.page.say("There is no factor code %s; type repeat to hear all.", name)
				continue
			}
			if d.Factors.Has(code) {
				d.Factors = d.Factors.Without(code)
			} else {
				d.Factors = d.Factors.With(code)
			}
			s.page.say("%s: %s.", phrase.Capital(chosen(d.Factors.Has(code))), code)
		}
		return sameQuestion
	},
}

func chosen(is bool) string {
	if is {
		return "chosen"
	}
	return "not chosen"
}
