package task

import (
	"context"
	"errors"
	"fmt"

	"docket/domain/records"
	"docket/ui/decision"
	"docket/ui/screen"
	"docket/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// Erase erases text that a person wrote.
func (r *Recording) Erase(h screen.Host, e records.Erasure) tea.Cmd {
	ending := func(end func() error) error { return end() }
	if e.What == records.ErasableDraft {
		ending = r.Drafts.Ending().Run
	}
	return r.start(h, erased{r, e}, "erasing …", ending, func(ctx context.Context, workbench screen.Workbench) (records.Receipt, error) {
		return records.Receipt{}, workbench.Erase(ctx, e)
	})
}

// erased is the erasure of something.
type erased struct {
	recording *Recording
	of        records.Erasure
}

func (e erased) told(a *attempt) string {
	switch {
	case a.begun && !a.ended:
		return fmt.Sprintf("it is not known whether %s was erased; erase it again to find out", e.of)
	case a.recorded(), errors.Is(a.answer.err, records.ErrErased):
		return fmt.Sprintf("%s was erased", e.of)
	}
	return "nothing was erased"
}

// A holder is a screen that shows texts that can be erased.
type holder interface {
	// Erased reads its data again.
	Erased() screen.Effect
}

func (e erased) shown(answered recorded, h screen.Host) screen.Effect {
	answer := decision.ErasureAnswer(answered.err)
	if answer.Locked != "" {
		h.Scene().Locked, h.Scene().LogCheck = answer.Locked, screen.Altered
	}
	if e.of.What == records.ErasableDraft && answer.Result == decision.Recorded {
		e.recording.Drafts.Close()
	}
	effects := screen.Several{}
	if one, is := h.Stage().Top().(holder); is && answer.Result == decision.Recorded {
		effects = append(effects, one.Erased())
	}
	if answered.err != nil {
		return append(effects, widget.Alarm{About: answer.Title, Text: answer.Text})
	}
	return append(effects, screen.Say{Text: decision.Erased})
}
