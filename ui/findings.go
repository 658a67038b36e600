package ui

import (
	"docket/ui/line"
	"docket/ui/theme"
	"docket/ui/wording"
)

// A Finding is something that is wrong with the log, as its opening found it.
type Finding struct {
	Found  string // one sentence
	Advice string // what to do, one sentence
}

// locked is why nothing can be recorded in a log of which something was found.
const locked = wording.Locked

// findingsScreen is the page that the console opens with where nothing can be recorded, and says why: because of what was
// found of the log, or because the signing key cannot be used. The queue is behind it, to be read.
type findingsScreen struct {
	silent
	head     line.Line
	findings []Finding
	last     string
	scroll   scroll
}

func newFindingsScreen(findings []Finding) *findingsScreen {
	return &findingsScreen{head: line.Of(theme.Bad, "✗ the log was changed or rolled back"), findings: findings,
		last: "Nothing can be recorded, imported or skipped here until that is settled. Packets and records can be read; " +
			"`docket verify` checks every one of them. Enter goes to the queue."}
}

func newKeylessScreen(reason string) *findingsScreen {
	return &findingsScreen{head: line.Of(theme.Bad, "✗ the signing key cannot be used"),
		findings: []Finding{{wording.Capital(wording.Unsigned(reason)) + ".", wording.UnsignedAdvice}},
		last:     wording.UnsignedStill + " Enter goes to the queue."}
}

func newUnwritableScreen(reason string) *findingsScreen {
	return &findingsScreen{head: line.Of(theme.Bad, "✗ the store can only be read"),
		findings: []Finding{{wording.Capital(reason) + ".", "Put that right, then start docket again."}},
		last:     wording.UnsignedStill + " Enter goes to the queue."}
}

func (f *findingsScreen) place() place { return inFindings }

func (f *findingsScreen) title(*scene) line.Line {
	return f.head.And(theme.Dim, "  this is open for reading only")
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
	sheet = append(sheet, line.Of(theme.Plain, f.last).Wrap(s.width, 0)...)
	return sheet.Window(f.scroll.window(len(sheet), s.height), s.height)
}
