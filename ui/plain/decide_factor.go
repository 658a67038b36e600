package plain

import (
	"docket/domain"
	"docket/ui/decision"
	"docket/ui/wording"
)

// factorQuestion chooses factor codes among those that the evaluation gives for the chosen outcome.
var factorQuestion = question{
	put: func(s *session, d *deciding) {
		s.page.say("%s All that the evaluation gives for the outcome are chosen to begin with.", d.Question())
		for i, one := range d.Codes() {
			state := chosen(d.Factors.Has(one.Code))
			if one.Always {
				state = decision.AlwaysRequired
			}
			s.page.say("%d. %s: %s: %s", i+1, state, one.Code, domain.FactorMeaning(one.Code))
		}
	},
	prompt: func(d *deciding) string {
		return "Numbers or codes to choose or drop, or Enter for the " + wording.Plural(d.Factors.Len(), "code", "codes") + " chosen:"
	},
	answer: func(s *session, d *deciding, text string) turn {
		if text == "" {
			return s.forward(d)
		}
		var codes []domain.FactorCode
		for _, one := range d.Codes() {
			codes = append(codes, one.Code)
		}
		for _, name := range names(text) {
			code, ok := pickWord(domain.FactorCodes, codes, name)
			if !ok {
				s.page.say("There is no factor code %s; type repeat to hear all.", name)
				continue
			}
			if why := d.ToggleFactor(code); why != "" {
				s.page.say("%s: %s.", code, why)
				continue
			}
			s.page.say("%s: %s.", wording.Capital(chosen(d.Factors.Has(code))), code)
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
