// Package findings is the page that the console opens with when nothing can be recorded. It says why: the log was changed, the signing key cannot be used, or
// the store can only be read. The queue is behind it, read-only.
package findings

import (
	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"
	"fmt"
)

// A Finding is something that is wrong with the log, as its opening found it.
type Finding struct {
	Found  string // one sentence
	Advice string // what to do, one sentence
}

// page shows findings.
type page struct {
	screen.Silent
	head     line.Line
	findings []Finding
	last     string
	scroll   widget.Scroll
}

// NewLog is the page of a log that was changed or rolled back.
func NewLog(findings []Finding) screen.Screen {
	return &page{head: line.Of(theme.Bad, "✗ "+wording.Capital(wording.Altered)), findings: findings,
		last: wording.NothingUntil}
}

// NewKeyless is the page of a reviewer whose signing key cannot be used.
func NewKeyless(reason string) screen.Screen {
	return &page{head: line.Of(theme.Bad, "✗ Recording is off: the signing key cannot be used"),
		findings: []Finding{{wording.Capital(wording.Unsigned(reason)) + ".", wording.UnsignedAdvice}},
		last:     wording.UnsignedStill}
}

// NewUnwritable is the page of a store that can only be read.
func NewUnwritable(reason string) screen.Screen {
	return &page{head: line.Of(theme.Bad, "✗ Recording is off: the store can only be read"),
		findings: []Finding{{wording.Capital(reason) + ".", "Correct that, then start docket again."}},
		last:     wording.UnsignedStill}
}

func (p *page) Place() action.Place { return action.InFindings }

func (p *page) Title(*screen.Scene) line.Line {
	return p.head
}

func (p *page) Handle(v action.Verb, _ *screen.Scene) screen.Effect {
	if p.scroll.Move(v) {
		return nil
	}
	switch v {
	case action.Accept, action.GoBack:
		return screen.Leave{}
	}
	return nil
}

func (p *page) View(s *screen.Scene) line.Sheet {
	sheet := line.Sheet{nil}
	for _, finding := range p.findings {
		sheet = append(sheet, line.Of(theme.Bad, "✗ ").And(theme.Plain, finding.Found).Wrap(s.Width, 2)...)
		sheet = append(sheet, line.Of(theme.Pass, "  → ").And(theme.Dim, finding.Advice).Wrap(s.Width, 4)...)
		sheet = append(sheet, nil)
	}
	sheet = append(sheet, line.Of(theme.Plain, fmt.Sprintf("%s %s goes to the queue.",
		p.last, s.Key(action.Accept, action.InFindings))).Wrap(s.Width, 0)...)
	return sheet.Window(p.scroll.Window(len(sheet), s.Height), s.Height)
}
