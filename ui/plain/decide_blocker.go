package plain

import (
	"docket/domain"
	"docket/ui/decision"
	"docket/ui/wording"
)

// blockerQuestion adds blockers. Those that the rules found are said and cannot be taken away.
var blockerQuestion = question{
	put: func(s *session, d *deciding) {
		rows := d.BlockerRows("")
		s.page.say("%s", d.Question())
		s.page.say("Found by the rules: %s.", listed(d.View().Judgment().Blockers()))
		for _, text := range wording.Carried(d.Dossier) {
			s.page.say("%s", sentence(text))
		}
		s.page.say("Added by you: %s.", listed(d.Added.Words()))
		if !d.whole {
			s.page.say("Type part of a code or of what it means to search, or repeat to hear all %d.", len(rows))
			return
		}
		s.sayBlockers(rows)
	},
	prompt: func(d *deciding) string {
		return "A number or code to add or take back, words to search, or Enter for " +
			wording.Plural(d.Added.Len(), "added blocker", "added blockers") + ":"
	},
	answer: func(s *session, d *deciding, text string) turn {
		if text == "" {
			return s.forward(d)
		}
		var codes []domain.Blocker
		for _, row := range d.BlockerRows("") {
			codes = append(codes, row.Code)
		}
		if code, ok := pickWord(domain.Blockers, codes, text); ok && domain.AllBlockers(d.View().Area()).Has(code) {
			d.toggle(s, code)
		} else if found := d.BlockerRows(text); len(found) > 0 {
			s.sayBlockers(found)
		} else {
			s.page.say("No blocker is called that; type repeat to hear all.")
		}
		return sameQuestion
	},
}

// sayBlockers says rules of the book with their numbers and whether they hold.
func (s *session) sayBlockers(rows []decision.BlockerRow) {
	for i := range rows {
		row := &rows[i]
		s.page.say("%s. %s, %s: %s", wording.Thousands(row.Number), row.Code, row.State(), row.Meaning)
	}
}

// toggle adds a blocker or takes back one that the reader has added, and says what follows.
func (d *deciding) toggle(s *session, code domain.Blocker) {
	rule, _ := domain.RuleFor(d.View().Area(), code)
	if why := d.Toggle(code); why != "" {
		s.page.say("%s", sentence(wording.Capital(why)))
		return
	}
	if d.Added.Has(code) {
		s.page.say("Added: %s: %s Cure: %s", code, rule.Meaning, rule.Cure)
	} else {
		s.page.say("Taken back: %s.", code)
	}
	s.page.say("The gate to record: %s.", d.Gate())
	if why := d.Again(); why != "" {
		s.page.say("%s.", wording.Capital(why))
	}
}
