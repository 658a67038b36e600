package ui

import (
	"docket/ui/line"
	"docket/ui/phrase"
	"docket/ui/theme"
)

// A Finding is something that is wrong with the log, as its opening found it.
type Finding struct {
	Found  string // one sentence
	Advice string // what to do, one sentence
}

// locked is why nothing can be recorded in a log of which something was found.
const locked = phrase.Locked

// findingsScreen is the page that a log opens with of which something was found. The queue is behind it, to be read.
type findingsScreen struct {
	silent
	findings []Finding
	scroll   scroll
}

func newFindingsScreen(findings []Finding) *findingsScreen {
	return &findingsScreen{findings: findings}
}

func (f *findingsScreen) place() place { return inFindings }

func (f *findingsScreen) title(*scene) line.Line {
	return line.Of(theme.Bad, "✗ the log is not as it was left").And(theme.Dim, "  it is open for reading only")
}

func (f *findingsScreen) handle(v verb, _ *scene) effect {
	if f.scroll.move(v) {
		return nil
	}
	switch v {
	case accept, goBack:
		return leave{}
	}
	return nil
}

func (f *findingsScreen) view(s *scene) line.Sheet {
	sheet := line.Sheet{nil}
	for _, finding := range f.findings {
		sheet = append(sheet, line.Of(theme.Bad, "✗ ").And(theme.Plain, finding.Found).Wrap(s.width, 2)...)
		sheet = append(sheet, line.Of(theme.Pass, "  → ").And(theme.Dim, finding.Advice).Wrap(s.width, 4)...)
		sheet = append(sheet, nil)
	}
	last := "Nothing can be recorded, imported or skipped here until that is settled. Packets and records can be read; " +
		"`docket verify` checks every one of them. Enter goes to the queue."
	sheet = append(sheet, line.Of(theme.Plain, last).Wrap(s.width, 0)...)
	return sheet.Window(f.scroll.window(len(sheet), s.height), s.height)
}
