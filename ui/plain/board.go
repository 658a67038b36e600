package plain

import (
	"fmt"

	"docket/domain/queue"
	"docket/domain/rules"
	"docket/ui/wording"
)

// showBoard reads the docket and says which blockers hold its open cases, those that match the
// filter.
func (s *session) showBoard(text string) error {
	filter, err := queue.ParseFilter(text)
	if err != nil {
		s.page.say("The filter cannot be used: %s.", err)
		return nil
	}
	if err := s.queue().reread(s); err != nil {
		return err
	}
	context, err := s.queue().lookUp(s, filter)
	if err != nil {
		return s.trouble(wording.Capital(wording.NotSearched), err)
	}
	s.place, s.boardFilter = atBoard, filter
	s.board = s.queue().docket.Board(filter, &context).Sort(queue.ByHeld).Lines
	s.sayBoard()
	return nil
}

// sayBoard says the blockers that hold a case, with what they mean and what cures them.
func (s *session) sayBoard() {
	s.page.gap()
	s.page.say("What blocks the open %s. %s", s.area, s.queue().counts(s))
	if filter := s.boardFilter.String(); filter != "" {
		s.page.say("Only cases that match: %s.", filter)
	}
	if text := wording.WaitingCases(&s.queue().tally, s.queue().now); text != "" {
		s.page.say("%s.", text)
	}
	held := 0
	for i := range s.board {
		rule := &s.board[i]
		if rule.Held == 0 { // they come last
			break
		}
		held++
		text := fmt.Sprintf("%s holds %s", rule.Code, wording.Plural(rule.Held, "case", "cases"))
		if rule.Due.Present() {
			text += fmt.Sprintf(", first deadline: %s", wording.TimeLeftInWords(rule.Due, s.queue().now))
		}
		s.page.say("%d. %s. %s Cure: %s %s.", i+1, text, rule.Meaning, rule.Cure, wording.Capital(wording.BoardLine(rule, s.queue().now)))
	}
	for _, one := range s.board {
		if one.Earlier > 0 {
			s.page.say("%s, %s, is not answered in %s.", one.Code, wording.AddedEarlier, wording.Plural(one.Earlier, "case", "cases"))
		}
	}
	if held == 0 {
		s.page.say("%s", wording.NotBlocked)
	}
	if rest := len(rules.Book(s.area)) - held; rest > 0 {
		s.page.say("%s no open case.", wording.Plural(rest, "other blocker holds", "other blockers hold"))
	}
}
