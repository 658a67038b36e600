package plain

import (
	"fmt"
	"slices"

	"docket/domain/ordered"
	"docket/domain/queue"
	"docket/domain/rules"
	"docket/ui/wording"
)

// showBoard reads the docket and says which blockers hold its open cases.
func (s *session) showBoard(string) error {
	if err := s.queue().reread(s); err != nil {
		return err
	}
	s.place, s.board = atBoard, tallied(s.queue().docket)
	s.sayBoard()
	return nil
}

// tallied are the rules that hold any open case, the most frequent first.
func tallied(docket *queue.Queue) []queue.BlockerTally {
	list := slices.DeleteFunc(docket.ByBlocker(), func(one queue.BlockerTally) bool { return one.Count == 0 })
	ordered.Sort(list, func(x, y queue.BlockerTally) int { return y.Count - x.Count })
	return list
}

// sayBoard says the blockers that hold a case, with what they mean and what cures them.
func (s *session) sayBoard() {
	s.page.gap()
	s.page.say("What blocks the open %s. %s", s.area, s.queue().counts(s))
	if text := wording.WaitingCases(&s.queue().tally, s.queue().now); text != "" {
		s.page.say("%s.", text)
	}
	for i := range s.board {
		rule := &s.board[i]
		text := fmt.Sprintf("%s holds %s", rule.Code, wording.Plural(rule.Count, "case", "cases"))
		if rule.Oldest.Present() {
			text += fmt.Sprintf(", first deadline: %s", timeLeft(rule.Oldest, s.queue().now))
		}
		s.page.say("%d. %s. %s Cure: %s", i+1, text, rule.Meaning, rule.Cure)
	}
	for _, one := range s.queue().docket.ByBlocker() {
		if one.Earlier > 0 {
			s.page.say("%s, %s, is not answered in %s.", one.Code, wording.AddedEarlier, wording.Plural(one.Earlier, "case", "cases"))
		}
	}
	if len(s.board) == 0 {
		s.page.say("%s", wording.NotBlocked)
	}
	if rest := len(rules.Book(s.area)) - len(s.board); rest > 0 {
		s.page.say("%s no open case.", wording.Plural(rest, "other blocker holds", "other blockers hold"))
	}
}
