package plain

import (
	"errors"
	"io/fs"

	"docket/domain/statement"
	"docket/domain/stats"
	"docket/ui/wording"
)

// sayStats counts the decisions of a period, this quarter unless it is named, and says them.
func (s *session) sayStats(name string) error {
	period := stats.PeriodOf(stats.Quarter, s.workbench.Now())
	if name != "" {
		named, err := stats.ParsePeriod(name, s.workbench.Now())
		if err != nil {
			s.page.say("%s", wording.Capital(wording.Sentence(err.Error())))
			return nil
		}
		period = named
	}
	f, err := s.workbench.Stats(s.ctx, period, nil)
	if err != nil {
		return s.trouble(wording.StatsNotCounted, err)
	}
	s.page.gap()
	for _, member := range wording.StatsTotals(&f) {
		s.page.say("%s: %s", wording.Capital(member.Label), wording.Sentence(member.Value))
	}
	if f.Unreadable > 0 {
		s.page.say("%s.", wording.StatsUnreadable(f.Unreadable))
	}
	for _, group := range f.Groups {
		if len(group.Rows) == 0 {
			continue
		}
		s.page.gap()
		s.page.say("By %s:", group.Name)
		for _, row := range group.Rows {
			s.page.say("%s: %s.", wording.StatsWord(row.Word), wording.Plural(row.Decisions, "decision", "decisions"))
		}
	}
	if len(f.Weeks) > 0 {
		s.page.gap()
		s.page.say("By week:")
	}
	for _, week := range f.Weeks {
		s.page.say("%s: %s.", wording.StatsWeek(week), wording.Plural(week.Decisions, "decision", "decisions"))
	}
	if period.Moves() {
		s.page.gap()
		s.page.say("Type stats %s for the period before.", period.Previous())
	}
	return nil
}

// readStatement says the statement of the open record to the parties.
func (s *session) readStatement(string) error {
	laid, sound, err := s.workbench.Statement(s.ctx, s.records.reading.Receipt.RecordID)
	if err != nil {
		return s.trouble(wording.NoStatement, err)
	}
	s.page.gap()
	s.page.say("%s.", laid.Title)
	if !sound {
		s.page.say("The record does not verify.")
	}
	for _, notice := range laid.Notices {
		s.page.say("Note: %s", wording.Sentence(notice))
	}
	for i := range laid.Sections {
		section := &laid.Sections[i]
		s.page.gap()
		s.page.say("%s.", section.Title)
		for j := range section.Blocks {
			for _, text := range blockLines(&section.Blocks[j], section.Title) {
				s.page.say("%s", text)
			}
		}
	}
	s.page.gap()
	s.page.say("Type write and the name of a file to write it: %s, or one that ends in .md or .html.", wording.StatementFile(&laid))
	return nil
}

// blockLines are the lines of a part of a section.
func blockLines(b *statement.Block, section string) (lines []string) {
	switch {
	case b.Table != nil:
		if b.Table.Caption != section {
			lines = append(lines, b.Table.Caption+":")
		}
		for _, row := range b.Table.Rows {
			text := wording.Capital(row[0]) + ": "
			for _, cell := range row[1 : len(row)-1] {
				text += cell + ": "
			}
			lines = append(lines, wording.Sentence(text+row[len(row)-1]))
		}
		return lines
	case b.Items != nil:
		return b.Items
	case b.Quote != nil:
		return append([]string{"The reviewer wrote:"}, b.Quote...)
	case b.Command != "":
		return []string{b.Command}
	}
	return []string{b.Text}
}

// writeStatement writes the statement of the open record to a new file.
func (s *session) writeStatement(path string) error { return s.writeTo(path, false) }

// replaceStatement writes it in place of a file that is there.
func (s *session) replaceStatement(path string) error { return s.writeTo(path, true) }

func (s *session) writeTo(path string, replace bool) error {
	laid, sound, err := s.workbench.Statement(s.ctx, s.records.reading.Receipt.RecordID)
	if err != nil {
		return s.trouble(wording.NoStatement, err)
	}
	if path == "" {
		s.page.say("To which file? Type write and its name, such as %s.", wording.StatementFile(&laid))
		return nil
	}
	form, err := statement.FormOf(path)
	if err != nil {
		s.page.say("Nothing was written: %s.", err)
		return nil
	}
	switch err := s.workbench.WriteStatement(s.ctx, path, form.Write(&laid), replace); {
	case errors.Is(err, fs.ErrExist):
		s.page.say("Nothing was written: %s is there already. Type replace %s to replace it, or name another file.", path, path)
		return nil
	case err != nil:
		return s.trouble("Nothing was written", err)
	}
	s.page.say("Written to %s, which only you can read.", path)
	if !sound {
		s.page.say("The record does not verify; the statement says so at its top.")
	}
	return nil
}
