package task

import (
	"context"
	"errors"
	"fmt"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/action"
	"docket/ui/decision"
	"docket/ui/screen"
	"docket/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// A Recording records a decision or an erasure: it is signed, for which an agent may ask a person,
// and then written. Until that has ended, only the key that cancels it acts.
type Recording struct {
	Program context.Context // ends with the program
	Drafts  *decision.Autosave
	Check   *LogCheck
	Touch   bool // a person touches the security key that signs

	now      *attempt // nil: none
	farewell string   // printed after the terminal is restored
}

// An attempt is one decision or erasure on its way into the store.
type attempt struct {
	told    func() string            // says in a sentence how it ended
	shown   screen.Then              // shows how it ended
	ending  func(func() error) error // also ends a draft
	ctx     context.Context
	cancel  context.CancelCauseFunc
	leaving bool // the reader wants to leave

	// The fields below belong to the job until its answer has arrived, or no job runs any more.
	begun   bool
	ended   bool
	receipt records.Receipt
	err     error
}

func (a *attempt) recorded() bool { return a.ended && a.err == nil }

// errLeaving is the cause for no longer waiting for a signature.
var errLeaving = errors.New("the reviewer leaves")

func (r *Recording) Start(s *screen.Scene, v *views.View, choice records.Choice, note string) screen.Cmd {
	key := v.Key()
	a := &attempt{ending: r.Drafts.Ending().Run}
	a.told = func() string {
		var unknown *decision.UnknownOutcomeError
		switch {
		case a.begun && !a.ended:
			return decision.NotKnown(key, "")
		case errors.As(a.err, &unknown):
			return decision.NotKnown(key, unknown.RecordID)
		case a.recorded():
			return fmt.Sprintf("%s is recorded: record %s, sequence %d", decision.On(key), a.receipt.RecordID, a.receipt.Sequence)
		}
		return fmt.Sprintf("%s is not recorded", decision.On(key))
	}
	a.shown = func(s *screen.Scene) screen.Cmd { return r.decided(s, a) }
	return r.start(s, a, "recording …", func(ctx context.Context, workbench screen.Workbench) (records.Receipt, error) {
		return workbench.Record(ctx, v, choice, note)
	})
}

func (r *Recording) start(s *screen.Scene, a *attempt, said string, step job) screen.Cmd {
	a.ctx, a.cancel = context.WithCancelCause(r.Program)
	r.now = a
	if r.Touch {
		said += " touch your key"
	}
	s.Recording, s.Status = true, said
	return r.step(s, step)
}

type job func(context.Context, screen.Workbench) (records.Receipt, error)

func (r *Recording) step(s *screen.Scene, further job) screen.Cmd {
	a := r.now
	return s.Go("recording", func(_ context.Context, workbench screen.Workbench) screen.Then {
		a.begun, a.ended = true, false
		var receipt records.Receipt
		err := a.ending(func() (err error) {
			receipt, err = further(a.ctx, workbench)
			return err
		})
		if waiting := (*decision.WaitingError)(nil); !errors.As(err, &waiting) {
			a.cancel(nil)
		}
		a.receipt, a.err, a.ended = receipt, err, true
		return r.answered
	})
}

func (r *Recording) goOn(s *screen.Scene, waiting *decision.WaitingError) screen.Cmd {
	if !r.now.leaving {
		s.Status = "waiting for the anchor: another program keeps it locked …"
	}
	return r.step(s, func(ctx context.Context, _ screen.Workbench) (records.Receipt, error) { return waiting.Again(ctx) })
}

// Press takes a key while a decision is being recorded: only the one that leaves acts, and only
// until the record is appended. The answer then says what was recorded.
func (r *Recording) Press(s *screen.Scene, p action.Press) screen.Cmd {
	if p.Name == "ctrl+c" {
		r.now.leaving = true
		r.now.cancel(errLeaving)
		return s.Say("cancelling …")
	}
	return nil
}

// answered lets a reader who asked to leave go only if nothing was recorded.
func (r *Recording) answered(s *screen.Scene) screen.Cmd {
	a := r.now
	if waiting := (*decision.WaitingError)(nil); errors.As(a.err, &waiting) {
		return r.goOn(s, waiting)
	}
	if r.Program.Err() != nil {
		return nil // the program is stopping: its farewell says what was recorded
	}
	r.now, s.Recording, s.Status = nil, false, ""
	if a.leaving && cancelled(a.err) {
		r.farewell = a.told()
		return s.Quit()
	}
	cmd := a.shown(s)
	r.Check.ShowLate(s)
	return cmd
}

// cancelled reports whether an error says that recording was cancelled before the append.
func cancelled(err error) bool {
	var unknown *decision.UnknownOutcomeError
	return (errors.Is(err, errLeaving) || errors.Is(err, context.Canceled)) &&
		!errors.As(err, &unknown) && !errors.Is(err, records.ErrErased)
}

func (r *Recording) decided(s *screen.Scene, a *attempt) screen.Cmd {
	d := s.Decision() // a page that says that the packet has changed may cover it by now
	if d == nil {
		return widget.Alarm(s, "The decision", "a decision that is no longer on the screen was answered; see the records")
	}
	answer := decision.AnswerOf(a.err)
	if answer.Locked != "" {
		s.Locked, s.LogCheck = answer.Locked, screen.Altered
	}
	table, key, _ := d.Draft()
	shown := d.Answered(&answer, a.receipt, s.Queue.Left(key), s)
	if answer.Result != decision.Recorded {
		return shown
	}
	r.Drafts.Close()
	return tea.Batch(shown, s.Queue.Refresh(s, terms.AreaOf(table), key.ID), s.ReadHandIns())
}

// Farewell says how a recording ended that its reader cancelled; "" if there was none.
func (r *Recording) Farewell() string { return r.farewell }

// Untold says how a recording ended whose answer came too late to be shown; "" if there was none.
// It is called when no goroutine of the console runs any more.
func (r *Recording) Untold() string {
	if r.now == nil {
		return ""
	}
	if r.now.recorded() {
		r.Drafts.Close()
	}
	return r.now.told()
}
