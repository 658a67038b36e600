package plain

import (
	"errors"
	"io/fs"

	"docket/domain/statement"
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
		return s.trouble(wording.StatsNotCounted, err)
	}
	s.sayParts(page.Stats(&f))
	if period.Moves() {
		s.page.gap()
		s.page.say("Type stats %s for the period before.", period.Previous())
	}
	return nil
}

func (s *session) readStatement(string) error {
	laid, sound, err := s.workbench.Statement(s.ctx, s.records.reading.Receipt.RecordID)
	if err != nil {
		return s.trouble(wording.NoStatement, err)
	}
	s.sayParts(page.Statement(&laid, sound))
	s.page.gap()
	s.page.say("Type write and the name of a file to write it: %s, or one that ends in .md or .html.", wording.StatementFile(&laid))
	return nil
}

func (s *session) writeStatement(path string) error { return s.writeTo(path, false) }

func (s *session) replaceStatement(path string) error { return s.writeTo(path, true) }

func (s *session) writeTo(path string, replace bool) error {
	laid, sound, err := s.workbench.Statement(s.ctx, s.records.reading.Receipt.RecordID)
	if err != nil {
		return s.trouble(wording.NoStatement, err)
	}
	text := ""
	form, err := statement.FormOf(path)
	if err == nil {
		text = form.Write(&laid)
	}
	if written, err := s.putFile(path, wording.StatementFile(&laid), text, err, replace); !written {
		return err
	}
	if !sound {
		s.page.say("The record does not verify; the statement says so at its top.")
	}
	return nil
}

// putFile writes a text to a file; err says why there is none for this name.
func (s *session) putFile(path, example, text string, err error, replace bool) (written bool, _ error) {
	if path == "" {
		s.page.say("To which file? Type write and its name, such as %s.", example)
		return false, nil
	}
	if err == nil {
		err = s.workbench.WriteStatement(s.ctx, path, text, replace)
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		s.page.say("Nothing was written: %s is there already. Type replace %s to replace it, or name another file.", path, path)
		return false, nil
	case err != nil:
		return false, s.trouble("Nothing was written", err)
	}
	s.page.say("Written to %s, which only you can read.", path)
	return true, nil
}
