package plain

import (
	"strings"

	"docket/domain"
	"docket/ui/wording"
)

// blockerQuestion adds blockers. Those that the rules found are said and cannot be taken away.
var blockerQuestion = question{
	put: func(s *session, d *deciding) {
		book := domain.RuleBook(d.View().Area())
		s.page.say("Does anything else block it? You can add a blocker, and nobody can remove one.")
		s.page.say("Found by the rules: %s.", listed(d.View().Judgment().Blockers()))
		for _, text := range wording.Carried(d.Dossier) {
			s.page.say("%s", sentence(text))
		}
		s.page.say("Added by you: %s.", listed(d.Added.Words()))
		if !d.whole {
			s.page.say("Type part of a code or of what it means to search, or repeat to hear all %d.", len(book))
			return
		}
		for i := range book {
			s.page.say("%s", d.blockerText(i, &book[i]))
		}
	},
	prompt: func(d *deciding) string {
		return "A number or code to add or take back, words to search, or Enter for " +
			wording.Plural(d.Added.Len(), "added blocker", "added blockers") + ":"
	},
	answer: func(s *session, d *deciding, text string) turn {
		if text == "" {
			return s.forward(d)
		}
		book := domain.RuleBook(d.View().Area())
		codes := make([]domain.Blocker, len(book))
		for i := range book {
			codes[i] = book[i].Code
		}
		if code, ok := pickWord(domain.Blockers, codes, text); ok && domain.AllBlockers(d.View().Area()).Has(code) {
			d.toggle(s, code)
		} else {
			s.searchBlockers(d, text)
		}
		return sameQuestion
	},
}

// blockerText is one rule of the book with its number and how it stands.
func (d *deciding) blockerText(i int, rule *domain.Rule) string {
	state := "not added"
	switch {
	case d.Standing(rule.Code) != "":
		state = d.Standing(rule.Code)
	case d.Added.Has(rule.Code):
		state = "added by you"
	}
	return wording.Thousands(i+1) + ". " + rule.Code.String() + ", " + state + ": " + rule.Meaning
}

// toggle adds a blocker or takes back one that the reader has added, and says what follows.
func (d *deciding) toggle(s *session, code domain.Blocker) {
	rule, _ := domain.RuleFor(d.View().Area(), code)
	switch {
	case !d.Toggle(code):
		s.page.say("%s: %s; nobody can take it away.", code, d.Standing(code))
		return
	case d.Added.Has(code):
		s.page.say("Added: %s: %s Cure: %s", code, rule.Meaning, rule.Cure)
	default:
		s.page.say("Taken back: %s.", code)
	}
	s.page.say("The gate to record: %s.", d.Gate())
	if why := d.Again(); why != "" {
		s.page.say("%s will have to be chosen again: %s.", wording.Capital(d.Outcome.Label()), why)
	}
}

// searchBlockers says the rules whose code or meaning holds the text.
func (s *session) searchBlockers(d *deciding, text string) {
	part, found := strings.ToLower(text), 0
	book := domain.RuleBook(d.View().Area())
	for i := range book {
		rule := &book[i]
		if strings.Contains(rule.Code.String(), part) || strings.Contains(rule.Code.Label(), part) ||
			strings.Contains(strings.ToLower(rule.Meaning), part) {
			s.page.say("%s", d.blockerText(i, rule))
			found++
		}
	}
	if found == 0 {
		s.page.say("No blocker is called that; type repeat to hear all.")
	}
}
