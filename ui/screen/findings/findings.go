// Package findings is the page that the console opens with when nothing can be recorded. It says
// why: the log was changed, the signing key cannot be used, or the store can only be read. The
// queue is behind it, read-only.
package findings

import (
	"docket/domain/pages"
	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"
	"fmt"
	"slices"
)

// A Finding is something that is wrong with the log, as its opening found it.
type Finding struct {
	Found  string // one sentence
	Advice string // what to do, one sentence
	Anchor bool   // it is that this user has no anchor of the log on this machine
}

type page struct {
	widget.Document
	head     line.Line
	findings []Finding
	last     string
}

// NewLog is the page of a log that was changed or rolled back.
func NewLog(findings []Finding) screen.Screen {
	said := wording.Altered
	if Unanchored(findings) {
		said = wording.Unanchored
	}
	return &page{head: line.Of(theme.Bad, "✗ "+wording.Capital(said)), findings: findings,
		last: wording.NothingUntil}
}

// Unanchored reports whether all that was found is that this user has no anchor of the log.
func Unanchored(findings []Finding) bool {
	return len(findings) > 0 && !slices.ContainsFunc(findings, func(f Finding) bool { return !f.Anchor })
}

// NewKeyless is the page of a reviewer whose signing key cannot be used.
func NewKeyless(reason string) screen.Screen {
	return &page{head: line.Of(theme.Bad, "✗ Recording is off: the signing key cannot be used"),
		findings: []Finding{{Found: wording.Capital(wording.Unsigned(reason)) + ".", Advice: wording.UnsignedAdvice}},
		last:     wording.UnsignedStill}
}

// NewUnwritable is the page of a store that can only be read.
func NewUnwritable(reason string) screen.Screen {
	return &page{head: line.Of(theme.Bad, "✗ Recording is off: the store can only be read"),
		findings: []Finding{{Found: wording.Capital(reason) + ".", Advice: "Correct that, then start docket again."}},
		last:     wording.UnsignedStill}
}

func (p *page) Place() action.Place { return action.InFindings }

func (p *page) Title(*screen.Scene) line.Line {
	return p.head
}

func (p *page) Handle(v action.Verb, s *screen.Scene) screen.Cmd {
	if v == action.Accept {
		v = action.GoBack
	}
	return p.Document.Handle(v, s)
}

func (p *page) View(s *screen.Scene) line.Sheet {
	var rows []pages.Row
	for _, finding := range p.findings {
		rows = append(rows, pages.Row{Mark: pages.Bad, Value: finding.Found, Notes: []string{"→ " + finding.Advice}})
	}
	last := fmt.Sprintf("%s %s goes to the queue.", p.last, s.Key(action.Accept, action.InFindings))
	return p.Show(&pages.Page{Parts: []pages.Part{{Rows: rows}, {Blocks: []pages.Block{{Text: last}}}}}, s)
}
