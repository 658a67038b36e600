package plain

import (
	"slices"

	"docket/domain"
	"docket/ui/phrase"
)

// A talliedRule is a rule with the open cases that it holds.
type talliedRule struct {
	domain.Rule
	count  int
	oldest domain.Instant // the deadline that comes first
}

// showBoard reads the docket and says which blockers hold its open cases.
func (s *session) showBoard(string) error {
	if err := s.queue().reread(s); err != nil {
		return err
	}
	s.place, s.board = atBoard, tallied(s.queue().docket)
	s.sayBoard()
	return nil
}

// tallied counts the open cases of each rule that holds any, the most frequent first.
func tallied(docket *domain.Docket) []talliedRule {
	var list []talliedRule
	for _, rule := range domain.RuleBook(docket.Area()) {
		one := talliedRule{Rule: rule}
		for _, row := range docket.All() {
			if isOpen(&row) && row.Blockers.Set.Has(rule.Code) {
				one.count++
				if row.Deadline.Before(one.oldest) {
					one.oldest = row.Deadline
				}
			}
		}
		if one.count > 0 {
			list = append(list, one)
		}
	}
	slices.SortStableFunc(list, func(x, y talliedRule) int { return y.count - x.count })
	return list
}

// sayBoard says the blockers that hold a case, with what they mean and what cures them.
func (s *session) sayBoard() {
	s.page.gap()
	s.page.say("What blocks the open %s. %s", s.area, s.queue().counts(s))
	for i := range s.board {
		rule := &s.board[i]
		text := rule.Code.String() + " holds " + phrase.Plural(rule.count, "case", "cases")
		if rule.oldest.Present() {
			text += ", first deadline: " + timeLeft(rule.oldest, s.queue().now)
		}
		s.page.say("%d. %s. %s Cure: %s", i+1, text, rule.Meaning, rule.Cure)
	}
	if len(s.board) == 0 {
		s.page.say("No open case is blocked.")
	}
	if rest := len(domain.RuleBook(s.area)) - len(s.board); rest > 0 {
		s.page.say("%s no open case.", phrase.Plural(rest, "other blocker holds", "other blockers hold"))
	}
}
