package ui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

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

// locked is why nothing can be recorded in a log with findings.
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
		last: wording.NothingUntil + " Enter goes to the queue."}
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
	return f.head.And(theme.Dim, "  open for reading only")
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

// proofStage is how far the check of the whole log has come, which runs in the background.
type proofStage uint8

const (
	notProved   proofStage = iota // nobody asked for it
	proving                       // it is under way
	proved                        // every record is what was logged
	proofFailed                   // it came to no end
	proofFound                    // something was found
)

// proofWords is indexed by stage: what the heading says of the log.
var proofWords = [...]line.Line{
	notProved:   nil,
	proving:     line.Of(theme.Dim, "checking the log …"),
	proved:      line.Of(theme.Pass, "✓").And(theme.Dim, " log checked"),
	proofFailed: line.Of(theme.Warn, "? log not checked"),
	proofFound:  line.Of(theme.Bad, "✗ log altered"),
}

// provedLog is the result of the check of the whole log.
type provedLog struct {
	findings []Finding
	err      error
}

// startProof starts the check of the whole log, which the opening leaves out because it reads every record.
func (c *console) startProof(prove func(context.Context) ([]Finding, error)) tea.Cmd {
	if prove == nil {
		return nil
	}
	if c.proof != proofFound {
		c.proof = proving
	}
	return c.job("checking the log", func(ctx context.Context) answer {
		findings, err := prove(ctx)
		return provedLog{findings, err}
	})
}

func (provedLog) Background() {}

func (msg provedLog) arrive(c *console) tea.Cmd { return screen.Apply(c.provenLog(msg), c) }

// provenLog takes that result. With findings, nothing can be recorded any more, and the page
// that says so covers the current screen; closing it returns to that screen.
func (c *console) provenLog(msg provedLog) screen.Effect {
	switch {
	case len(msg.findings) > 0:
		c.proof, c.scene.Locked = proofFound, locked
		if c.recording != nil {
			c.found = msg.findings
			return nil
		}
		c.stage.Overlay = nil
		return screen.Show{Screen: newFindingsScreen(msg.findings)}
	case msg.err != nil:
		if c.proof != proofFound {
			c.proof = proofFailed
		}
		return screen.Say{Text: "✗ " + wording.LogNotChecked + ": " + msg.err.Error()}
	}
	if c.proof != proofFound { // what the opening found is not in this list
		c.proof = proved
	}
	return nil
}

// lateFindings shows the findings that came while a decision was being recorded, once that has ended.
func (c *console) lateFindings() screen.Effect {
	if c.found == nil {
		return nil
	}
	page := newFindingsScreen(c.found)
	c.found = nil
	return screen.Show{Screen: page}
}
