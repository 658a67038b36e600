package plain

import (
	"strconv"
	"strings"

	"docket/domain"
)

// outcomeQuestion chooses the outcome of an appeal. In blind-first mode it is asked twice, the first time for the reader's own
// judgment: then nothing is chosen before, the advice is not said, and the answer stays.
var outcomeQuestion = question{
	put: func(s *session, d *deciding) {
		if d.Preliminary.Present() && !d.Blind() {
			s.sayAdvice(d)
		}
		s.page.say("%s", d.Question())
		s.sayOptions(d)
	},
	prompt: func(d *deciding) string {
		if d.Blind() {
			return "Your own outcome, by number or name:"
		}
		if d.Outcome.Present() {
			return "Outcome, by number or name, or Enter for " + d.Outcome.Label() + ":"
		}
		return "Outcome, by number or name:"
	},
	answer: func(s *session, d *deciding, text string) turn {
		if text == "" && d.Outcome.Present() && !d.Blind() {
			text = d.Outcome.String()
		}
		if text == "" {
			s.page.say("An outcome is needed.")
			return sameQuestion
		}
		outcome, ok := pickWord(domain.Outcomes, domain.Outcomes.All(), text)
		if !ok {
			s.page.say("There is no such outcome; type repeat to hear all.")
			return sameQuestion
		}
		if why := d.Choose(outcome); why != "" {
			s.page.say("%s.", why)
			return sameQuestion
		}
		if d.Blind() {
			d.packet.reveal()
			s.page.say("Your own judgment: %s.", outcome.Label())
		} else {
			s.page.say("Chosen: %s.", outcome.Label())
		}
		return nextQuestion
	},
}

// sayAdvice says the advice that was held back. From then on that section of the packet has been said.
func (s *session) sayAdvice(d *deciding) {
	if d.packet.see(domain.SectionAdvisory) {
		s.page.say("This was held back until now:")
		for _, text := range advisorySection(d.View(), false).lines {
			s.page.say("%s", text)
		}
	}
}

// sayOptions says each outcome with who is for it. What may not be chosen is said with the reason.
func (s *session) sayOptions(d *deciding) {
	for i, option := range d.Options() {
		text := option.Outcome.Label()
		if option.Outcome == d.Outcome && !d.Blind() {
			text += ", chosen before"
		}
		for _, mark := range d.Marks(option) {
			text += ", " + mark
		}
		if option.Obstacle != "" {
			s.page.say("%d. Not to be chosen: %s: %s.", i+1, text, option.Obstacle)
			continue
		}
		s.page.say("%d. %s: %s", i+1, text, domain.EffectOf(option.Outcome).Meaning)
	}
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
