package task

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"docket/ui/screen"
	"docket/ui/screen/findings"
	"docket/ui/wording"
)

// A LogCheck checks the whole log once, in the background; opening does not, because the check reads every record.
type LogCheck struct {
	// Prove checks every record of the log and returns what it found; nil: the log is not checked beyond its opening. It
	// returns soon after ctx has ended.
	Prove func(ctx context.Context) ([]findings.Finding, error)

	late []findings.Finding // found while a decision was being recorded
}

// logChecked is the result.
type logChecked struct {
	check *LogCheck
	found []findings.Finding
	err   error
}

// Start starts the check, unless it was started before.
func (k *LogCheck) Start(h screen.Host) tea.Cmd {
	prove := k.Prove
	if prove == nil {
		return nil
	}
	k.Prove = nil
	if s := h.Scene(); s.LogCheck != screen.Altered {
		s.LogCheck = screen.Checking
	}
	return h.Ask("checking the log", func(ctx context.Context, _ screen.Workbench) screen.Effect {
		found, err := prove(ctx)
		return logChecked{k, found, err}
	})
}

func (logChecked) Background() {}

// CarryOut takes the result. With findings, nothing can be recorded any more, and the page that says so covers the current
// screen; closing it returns to that screen.
func (e logChecked) CarryOut(h screen.Host) tea.Cmd {
	s := h.Scene()
	switch {
	case len(e.found) > 0:
		s.LogCheck, s.Locked = screen.Altered, wording.Locked
		if s.Recording {
			e.check.late = e.found
			return nil
		}
		h.Stage().Overlay = nil
		return screen.Show{Screen: findings.NewLog(e.found)}.CarryOut(h)
	case e.err != nil:
		if s.LogCheck != screen.Altered {
			s.LogCheck = screen.CheckFailed
		}
		return screen.Say{Text: "✗ " + wording.LogNotChecked + ": " + e.err.Error()}.CarryOut(h)
	}
	if s.LogCheck != screen.Altered { // the findings of the opening are not in this list
		s.LogCheck = screen.Checked
	}
	return nil
}

// ShowLate shows the findings that came while a decision was being recorded, once that has ended.
func (k *LogCheck) ShowLate(h screen.Host) tea.Cmd {
	if k.late == nil {
		return nil
	}
	page := findings.NewLog(k.late)
	k.late = nil
	return screen.Show{Screen: page}.CarryOut(h)
}
