package plain

import (
	"strconv"
	"strings"

	"docket/domain"
)

// outcomeQuestion chooses the outcome of an appeal.
var outcomeQuestion = question{
	put: func(s *session, d *deciding) {
		if d.Preliminary.Present() {
			s.sayAdvice(d)
		} else {
			s.page.say("Which outcome? The rules advise; you judge.")
		}
		s.sayOptions(d)
	},
	prompt: func(d *deciding) string {
		if d.Outcome.Present() {
			return "Outcome, by number or name, or Enter for " + d.Outcome.Label() + ":"
		}
		return "Outcome, by number or name:"
	},
	answer: func(s *session, d *deciding, text string) turn {
		if text == "" && d.Outcome.Present() {
			text = d.Outcome.String()
		}
		outcome, ok := s.pickOutcome(d, text)
		if !ok {
			return sameQuestion
		}
		d.Choose(outcome)
		s.page.say("Chosen: %s.", outcome.Label())
		return nextQuestion
	},
}

// sayOptions says each outcome with who is for it. What may not be chosen is said with the reason, and what the rules
// advise not before the reader has judged.
func (s *session) sayOptions(d *deciding) {
	blind := d.packet.blind
	for i, option := range d.Options() {
		text := option.Outcome.Label()
		for _, mark := range []struct {
			holds bool
			words string
		}{
			{option.Outcome == d.Outcome && !blind, "chosen before"},
			{option.Outcome == d.Preliminary && !blind, "your own judgment"},
			{option.Advised && !blind, "advised"},
			{option.Asked, "asked for"},
		} {
			if mark.holds {
				text += ", " + mark.words
			}
		}
		if option.Obstacle != "" {
			s.page.say("%d. Not to be chosen: %s: %s.", i+1, text, option.Obstacle)
			continue
		}
		s.page.say("%d. %s: %s", i+1, text, domain.EffectOf(option.Outcome).Meaning)
	}
}

// pickOutcome reads an outcome that may be chosen. What is wrong with the answer is said, and false returned.
func (s *session) pickOutcome(d *deciding, text string) (domain.Outcome, bool) {
	if text == "" {
		s.page.say("An outcome is needed.")
		return 0, false
	}
	outcome, ok := pickWord(domain.Outcomes, domain.Outcomes.All(), text)
	if !ok {
		s.page.say("There is no such outcome; type repeat to hear all.")
		return 0, false
	}
	for _, option := range d.Options() {
		if option.Outcome == outcome && option.Obstacle != "" {
			s.page.say("%s may not be chosen: %s.", outcome.Label(), option.Obstacle)
			return 0, false
		}
	}
	return outcome, true
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
