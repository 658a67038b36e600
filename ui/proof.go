package ui

import (
	"context"

	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// proofStage says how far the proof of the whole log has come, which runs beside the reader's work.
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

// provedLog is what the proof of the whole log came to.
type provedLog struct {
	findings []Finding
	err      error
}

// startProof starts the proof of the whole log, which the opening leaves out because it reads every record.
func (c *console) startProof(prove func(context.Context) ([]Finding, error)) tea.Cmd {
	if prove == nil {
		return nil
	}
	if c.proof != proofFound {
		c.proof = proving
	}
	return c.work.do("checking the log", func(ctx context.Context) tea.Msg {
		findings, err := prove(ctx)
		return provedLog{findings, err}
	})
}

func (provedLog) Unasked() {}

func (msg provedLog) arrive(c *console) tea.Cmd { return screen.Apply(c.provenLog(msg), c) }

// provenLog takes what the proof came to. Where something was found, nothing can be recorded any more, and the page
// that says so lies over whatever is on the screen; the reader comes back from it to where they were.
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
		return screen.Say{Text: "✗ the log could not be checked to its end: " + msg.err.Error()}
	}
	if c.proof != proofFound { // what the opening found is not in this list
		c.proof = proved
	}
	return nil
}

// lateFindings shows what was found while a decision was being written, once it is known what has become of that.
func (c *console) lateFindings() screen.Effect {
	if c.found == nil {
		return nil
	}
	page := newFindingsScreen(c.found)
	c.found = nil
	return screen.Show{Screen: page}
}
