package task

import (
	"context"
	"errors"
	"fmt"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/decision"
	"docket/ui/screen"
	"docket/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// A Recording records a decision or an erasure: it is signed, for which an agent may ask a person, and then written. Until that has ended, only the key that
// cancels it acts.
type Recording struct {
	Program context.Context // ends with the program
	Drafts  *decision.Autosave
	Check   *LogCheck
	Touch   bool // a person touches the security key that signs

	now      *attempt // nil: none
	farewell string   // printed after the terminal is restored
}

// An act is a decision or an erasure to sign and write.
type act interface {
	// told says in a sentence how an attempt at it ended.
	told(a *attempt) string
	// shown shows how it ended.
	shown(e recorded, h screen.Host) screen.Effect
}

// An attempt is one act on its way into the store.
type attempt struct {
	act     act
	ctx     context.Context
	cancel  context.CancelCauseFunc
	ending  func(func() error) error // also ends a draft
	leaving bool                     // the reader wants to leave

	// The fields below belong to the job until its answer has arrived, or until no job runs any more.
	begun  bool
	ended  bool
	answer recorded
}

// errLeaving is the cause for no longer waiting for a signature.
var errLeaving = errors.New("the reviewer leaves")

// Start records a decision.
func (r *Recording) Start(h screen.Host, e screen.Append) tea.Cmd {
	return r.start(h, decided{e.View.Key()}, "recording …", r.Drafts.Ending().Run, func(ctx context.Context, workbench screen.Workbench) (records.Receipt, error) {
		return workbench.Record(ctx, e.View, e.Choice, e.Note)
	})
}

func (r *Recording) start(h screen.Host, of act, said string, ending func(func() error) error, step job) tea.Cmd {
	ctx, cancel := context.WithCancelCause(r.Program)
	r.now = &attempt{act: of, ctx: ctx, cancel: cancel, ending: ending}
	if r.Touch {
		said += " touch your key"
	}
	h.Scene().Recording, h.Stage().Status = true, said
	return r.step(h, step)
}

// A job is a step of recording.
type job func(context.Context, screen.Workbench) (records.Receipt, error)

// step runs the next step of recording.
func (r *Recording) step(h screen.Host, further job) tea.Cmd {
	a := r.now
	return h.Ask("recording", func(_ context.Context, workbench screen.Workbench) screen.Effect {
		a.begun, a.ended = true, false
		var receipt records.Receipt
		err := a.ending(func() (err error) {
			receipt, err = further(a.ctx, workbench)
			return err
		})
		if waiting := (*decision.WaitingError)(nil); !errors.As(err, &waiting) {
			a.cancel(nil)
		}
		a.answer, a.ended = recorded{r, receipt, err}, true
		return a.answer
	})
}

// goOn waits until a signed decision can be appended.
func (r *Recording) goOn(h screen.Host, waiting *decision.WaitingError) tea.Cmd {
	if !r.now.leaving {
		h.Stage().Status = "waiting for the anchor: another program keeps it locked …"
	}
	return r.step(h, func(ctx context.Context, _ screen.Workbench) (records.Receipt, error) { return waiting.Again(ctx) })
}

// Press takes a key while a decision is being recorded: only the one that leaves acts, and only until the record is appended. The answer then says what was
// recorded.
func (r *Recording) Press(h screen.Host, p action.Press) tea.Cmd {
	if p.Name == "ctrl+c" {
		r.now.leaving = true
		r.now.cancel(errLeaving)
		return screen.Say{Text: "cancelling …"}.CarryOut(h)
	}
	return nil
}

// recorded is the result of recording a decision.
type recorded struct {
	recording *Recording
	receipt   records.Receipt
	err       error
}

// CarryOut takes the answer. A reader who asked to leave leaves if nothing was recorded; any other answer is shown first.
func (e recorded) CarryOut(h screen.Host) tea.Cmd {
	r := e.recording
	if waiting := (*decision.WaitingError)(nil); errors.As(e.err, &waiting) {
		return r.goOn(h, waiting)
	}
	if r.Program.Err() != nil {
		return nil // the program is stopping: its farewell says what was recorded, since no screen shows it any more
	}
	a := r.now
	r.now, h.Scene().Recording, h.Stage().Status = nil, false, ""
	if a.leaving && cancelled(e.err) {
		r.farewell = a.act.told(a)
		return screen.Quit{}.CarryOut(h)
	}
	return tea.Batch(screen.Apply(a.act.shown(e, h), h), r.Check.ShowLate(h))
}

// cancelled reports whether an error says that recording was cancelled before the append.
func cancelled(err error) bool {
	var unknown *decision.UnknownOutcomeError
	return (errors.Is(err, errLeaving) || errors.Is(err, context.Canceled)) && !errors.As(err, &unknown) && !errors.Is(err, records.ErrErased)
}

// decided is the decision on a revision.
type decided struct{ key packets.Key }

func (of decided) told(a *attempt) string {
	var unknown *decision.UnknownOutcomeError
	switch {
	case a.begun && !a.ended:
		return decision.NotKnown(of.key, "")
	case errors.As(a.answer.err, &unknown):
		return decision.NotKnown(of.key, unknown.RecordID)
	case a.recorded():
		return fmt.Sprintf("%s is recorded: record %s, sequence %d", decision.On(of.key), a.answer.receipt.RecordID,
			a.answer.receipt.Sequence)
	}
	return fmt.Sprintf("%s is not recorded", decision.On(of.key))
}

// recorded reports whether the record is in the log.
func (a *attempt) recorded() bool { return a.ended && a.answer.err == nil }

func (decided) shown(e recorded, h screen.Host) screen.Effect {
	d := h.Stage().Decision() // a page that says that the packet has changed may cover it by now
	if d == nil {
		return widget.Alarm{About: "The decision", Text: "a decision that is no longer on the screen was answered; see the records"}
	}
	answer := decision.AnswerOf(e.err)
	if answer.Locked != "" {
		h.Scene().Locked, h.Scene().LogCheck = answer.Locked, screen.Altered
	}
	table, key, _ := d.Draft()
	shown := d.Answered(&answer, e.receipt, h.Stage().Queue.Left(key), h.Scene())
	if answer.Result != decision.Recorded {
		return shown
	}
	e.recording.Drafts.Close()
	h.Stage().Queue.Recorded(table, key)
	return screen.Several{shown, screen.RefreshQueue{Area: terms.AreaOf(table), IDs: []terms.ID{key.ID}}, screen.ReadHandIns{}}
}

// Farewell says how a recording ended that its reader cancelled; "" if there was none.
func (r *Recording) Farewell() string { return r.farewell }

// Untold says how a recording ended whose answer came too late to be shown; "" if there was none. It is called when no goroutine of the console runs any more.
func (r *Recording) Untold() string {
	if r.now == nil {
		return ""
	}
	if r.now.recorded() {
		r.Drafts.Close()
	}
	return r.now.act.told(r.now)
}
