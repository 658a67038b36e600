package plain

import (
	"strconv"
	"strings"

	"docket/domain"
)

// outcomeQuestion chooses the outcome of an appeal. What may not be chosen is said with the reason.
var outcomeQuestion = question{
	put: func(s *session, d *decision) {
		s.page.say("Which outcome? The rules advise; you judge.")
		for i, option := range domain.Options(d.view, d.added) {
			text := option.Outcome.Label()
			if option.Outcome == d.outcome {
				text += ", chosen before"
			}
			if option.Advised {
				text += ", advised"
			}
			if option.Asked {
				text += ", asked for"
			}
			if option.Obstacle != "" {
				s.page.say("%d. Not to be chosen: %s: %s.", i+1, text, option.Obstacle)
				continue
			}
			s.page.say("%d. %s: %s", i+1, text, domain.EffectOf(option.Outcome).Meaning)
		}
	},
	prompt: func(d *decision) string {
		if d.outcome.Present() {
			return "Outcome, by number or name, or Enter for " + d.outcome.Label() + ":"
		}
		return "Outcome, by number or name:"
	},
	answer: func(s *session, d *decision, text string) turn {
		outcome := d.outcome
		if text != "" {
			picked, ok := pickWord(domain.Outcomes, domain.Outcomes.All(), text)
			if !ok {
				s.page.say("There is no such outcome; type repeat to hear all.")
				return sameQuestion
			}
			outcome = picked
		}
		for _, option := range domain.Options(d.view, d.added) {
			if option.Outcome == outcome && option.Obstacle == "" {
				d.outcome = outcome
				s.page.say("Chosen: %s.", outcome.Label())
				return nextQuestion
			}
			if option.Outcome == outcome {
				s.page.say("%s may not be chosen: %s.", outcome.Label(), option.Obstacle)
			}
		}
		if !outcome.Present() {
			s.page.say("An outcome is needed.")
		}
		return sameQuestion
	},
}

// names takes a list apart: numbers or codes with blanks or commas between them.
func names(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' })
}

// pickWord reads a word of a vocabulary: its number in the list that was said, or the word itself, with blanks or without.
func pickWord[W comparable](vocabulary interface{ Parse(string) (W, error) }, list []W, text string) (W, bool) {
	if number, err := strconv.Atoi(text); err == nil && number >= 1 && number <= len(list) {
		return list[number-1], true
	}
	word, err := vocabulary.Parse(strings.ReplaceAll(strings.ToLower(text), " ", "_"))
	return word, err == nil
}
