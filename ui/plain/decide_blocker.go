package plain

import (
	"strings"

	"docket/domain"
	"docket/ui/phrase"
)

// blockerQuestion adds blockers. Those that the rules found are said and cannot be taken away.
var blockerQuestion = question{
	step: phrase.StepBlockers,
	put: func(s *session, d *decision) {
		book := domain.RuleBook(d.view.Area())
		s.page.say("Does anything else block it? You can add a blocker, and nobody can remove one.")
		s.page.say("Found by the rules: %s.", listed(d.view.Judgment().Blockers()))
		s.page.say("Added by you: %s.", listed(d.Added.Words()))
		if !d.whole {
			s.page.say("Type part of a code or of what it means to search, or repeat to hear all %d.", len(book))
			return
		}
		for i := range book {
			s.page.say("%s", d.blockerText(i, &book[i]))
		}
	},
	prompt: func(d *decision) string {
		return "A number or code to add or take back, words to search, or Enter for " +
			phrase.Plural(d.Added.Len(), "added blocker", "added blockers") + ":"
	},
	answer: func(s *session, d *decision, text string) turn {
		if text == "" {
			return s.doneAdding(d)
		}
		book := domain.RuleBook(d.view.Area())
		codes := make([]domain.Blocker, len(book))
		for i := range book {
			codes[i] = book[i].Code
		}
		if code, ok := pickWord(domain.Blockers, codes, text); ok && domain.AllBlockers(d.view.Area()).Has(code) {
			d.toggle(s, code)
		} else {
			s.searchBlockers(d, text)
		}
		return sameQuestion
	},
}

// blockerText is one rule of the book with its number and how it stands.
func (d *decision) blockerText(i int, rule *domain.Rule) string {
	state := "not added"
	switch {
	case d.view.Judgment().BlockerSet().Has(rule.Code):
		state = "found by the rules"
	case d.Added.Has(rule.Code):
		state = "added by you"
	}
	return phrase.Thousands(i+1) + ". " + rule.Code.String() + ", " + state + ": " + rule.Meaning
}

// toggle adds a blocker or takes back one that the reader has added, and says what follows.
func (d *decision) toggle(s *session, code domain.Blocker) {
	rule, _ := domain.RuleFor(d.view.Area(), code)
	switch {
	case d.view.Judgment().BlockerSet().Has(code):
		s.page.say("%s: the rules found it; nobody can take it away.", code)
		return
	case d.Added.Has(code):
		d.Added = d.Added.Without(code)
		s.page.say("Taken back: %s.", code)
	default:
		d.Added = d.Added.With(code)
		s.page.say("Added: %s: %s Cure: %s", code, rule.Meaning, rule.Cure)
	}
	s.page.say("The gate to record: %s.", d.gate())
	if why := phrase.Unrecordable(d.view, &d.Draft); why != "" && d.Outcome.Present() {
		s.page.say("%s will have to be chosen again: %s.", phrase.Capital(d.Outcome.Label()), why)
	}
}

// searchBlockers says the rules whose code or meaning holds the text.
func (s *session) searchBlockers(d *decision, text string) {
	part, found := strings.ToLower(text), 0
	book := domain.RuleBook(d.view.Area())
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

// doneAdding goes on, unless what was added stands in the way of who records or of the outcome.
func (s *session) doneAdding(d *decision) turn {
	if err := domain.MayRecord(d.view, s.reviewer, d.Added); err != nil {
		s.page.say("It cannot be recorded like this: %s.", phrase.Reason(err))
		return sameQuestion
	}
	if why := phrase.Unrecordable(d.view, &d.Draft); why != "" {
		s.page.say("With the blockers you added the gate is blocked, so %s may not be recorded. Choose again.", d.Outcome.Label())
		d.Outcome = 0
		return outcomeAgain
	}
	return nextQuestion
}
