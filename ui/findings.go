package ui

import (
	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
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
	screen.Silent
	head     line.Line
	findings []Finding
	last     string
	scroll   widget.Scroll
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

func (f *findingsScreen) Place() action.Place { return action.InFindings }

func (f *findingsScreen) Title(*screen.Scene) line.Line {
	return f.head.And(theme.Dim, "  this is open for reading only")
}

func (f *findingsScreen) Handle(v action.Verb, _ *screen.Scene) screen.Effect {
	if f.scroll.Move(v) {
		return nil
	}
	switch v {
	case action.Accept, action.GoBack:
		return screen.Leave{}
	}
	return nil
}

func (f *findingsScreen) View(s *screen.Scene) line.Sheet {
	sheet := line.Sheet{nil}
	for _, finding := range f.findings {
		sheet = append(sheet, line.Of(theme.Bad, "✗ ").And(theme.Plain, finding.Found).Wrap(s.Width, 2)...)
		sheet = append(sheet, line.Of(theme.Pass, "  → ").And(theme.Dim, finding.Advice).Wrap(s.Width, 4)...)
		sheet = append(sheet, nil)
	}
	sheet = append(sheet, line.Of(theme.Plain, f.last).Wrap(s.Width, 0)...)
	return sheet.Window(f.scroll.Window(len(sheet), s.Height), s.Height)
}
