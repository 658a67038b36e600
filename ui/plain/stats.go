package plain

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"docket/domain/pages"
	"docket/domain/stats"
	"docket/ui/page"
	"docket/ui/wording"
)

func (s *session) sayStats(name string) error {
	period := stats.PeriodOf(stats.Quarter, s.workbench.Now())
	if name != "" {
		var err error
		if period, err = stats.ParsePeriod(name, s.workbench.Now()); err != nil {
			s.page.sentence(err.Error())
			return nil
		}
	}
	f, err := s.workbench.Stats(s.ctx, period, nil)
	if err != nil {
		return s.trouble(page.StatsNotCounted, err)
	}
	s.sayPage(page.Stats(&f))
	if period.Moves() {
		s.page.gap()
		s.page.say("Type stats %s for the period before.", period.Previous())
	}
	return nil
}

func (s *session) readStatement(string) error {
	laid, _, err := s.workbench.Statement(s.ctx, s.records.reading.Receipt.RecordID)
	if err != nil {
		return s.trouble(wording.NoStatement, err)
	}
	s.sayPage(laid)
	s.page.gap()
	s.page.say("Type write and the name of a file to write it: %s, or one that ends in .md or .html.", wording.StatementFile(&laid))
	return nil
}

func (s *session) writeStatement(path string) error {
	laid, sound, err := s.workbench.Statement(s.ctx, s.records.reading.Receipt.RecordID)
	if err != nil {
		return s.trouble(wording.NoStatement, err)
	}
	text := ""
	form, err := pages.FormOf(path)
	if err == nil {
		text = form.Write(&laid)
	}
	written, err := s.putFile(path, wording.StatementFile(&laid), text, err)
	if written && !sound {
		s.page.say("The record does not verify; the statement says so at its top.")
	}
	return err
}

// putFile asks before it replaces a file; err says why there is no text for this name.
func (s *session) putFile(path, example, text string, err error) (written bool, _ error) {
	if path == "" {
		s.page.say("To which file? Type write and its name, such as %s.", example)
		return false, nil
	}
	if err == nil {
		err = s.workbench.WriteStatement(s.ctx, path, text, false)
	}
	if errors.Is(err, fs.ErrExist) {
		answer, failed := s.ask(fmt.Sprintf("%s is there already. Type replace to replace it, or Enter to keep it:", path))
		if failed != nil {
			return false, failed
		}
		if !strings.EqualFold(answer, "replace") {
			s.page.say("Nothing was written.")
			return false, nil
		}
		err = s.workbench.WriteStatement(s.ctx, path, text, true)
	}
	if err != nil {
		return false, s.trouble("Nothing was written", err)
	}
	s.page.say("Written to %s, which only you can read.", path)
	return true, nil
}
