package plain

import (
	"docket/domain/queue"
	"docket/ui/page"
	"docket/ui/wording"
)

func (s *session) showBoard(text string) error {
	filter, err := queue.ParseFilter(text)
	if err != nil {
		s.page.say("The filter cannot be used: %s.", err)
		return nil
	}
	if err := s.queue().reread(s); err != nil {
		return err
	}
	s.place, s.boardFilter = atBoard, filter
	s.board = s.queue().Queue.Board(filter, s.queue().context(s)).Sort(queue.ByHeld)
	s.sayBoard()
	return nil
}

func (s *session) sayBoard() {
	s.page.gap()
	s.page.say("What blocks the open %s. %s", s.area, s.queue().counts(s))
	if filter := s.boardFilter.String(); filter != "" {
		s.page.say("Only cases that match: %s.", filter)
	}
	if text := wording.WaitingCases(&s.queue().Tally, s.queue().now); text != "" {
		s.page.say("%s.", text)
	}
	s.sayLines(page.Board(s.board.Lines, s.queue().now))
	s.page.say("Type write and the name of a file to write it: board.csv, or one that ends in .json or .html.")
}

func (s *session) writeBoard(path string) error {
	boards := queue.Boards{Filter: s.boardFilter.String(), List: []*queue.Board{s.board}}
	text, err := boards.File(path)
	_, err = s.putFile(path, "board.csv", text, err)
	return err
}
