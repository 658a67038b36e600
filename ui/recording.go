package ui

import (
	"context"
	"errors"
	"fmt"

	"docket/domain"
	"docket/ui/wording"

	tea "github.com/charmbracelet/bubbletea"
)

// A recording is a decision on its way into the log: it is signed, for which an agent may ask a person, and then appended.
type recording struct {
	key     domain.Key
	ctx     context.Context
	cancel  context.CancelCauseFunc
	version int  // of the draft that the record ends
	leaving bool // the reader wants to leave

	// Those below are the job's until its answer has come, or until nothing runs any more.
	begun  bool
	ended  bool
	answer recorded
}

// errLeaving is why a signature is not waited for any more.
var errLeaving = errors.New("the reviewer leaves")

// An UnknownOutcomeError says that a record may be in the log or not, and that looking it up failed too.
type UnknownOutcomeError struct {
	RecordID domain.RecordID
	Cause    error
}

// Error says what to do: the cause does, where it knows more.
func (e *UnknownOutcomeError) Error() string {
	return fmt.Sprintf("it is not known whether record %s is in the log: %v", e.RecordID, e.Cause)
}

func (e *UnknownOutcomeError) Unwrap() error { return e.Cause }

// A WaitingError says that a record is signed and waits to be appended: another program keeps the anchor, the checkpoint
// outside the store, locked. Nothing was written.
type WaitingError struct {
	Cause error
	// Again waits until it is free and appends the record as it was signed; its answer is one of Desk.Record, and no WaitingError.
	Again func(ctx context.Context) (domain.Receipt, error)
}

// Error says what is locked.
func (e *WaitingError) Error() string { return e.Cause.Error() }

func (e *WaitingError) Unwrap() error { return e.Cause }

func (e record) carryOut(c *console) tea.Cmd {
	ctx, cancel := context.WithCancelCause(c.work.ctx)
	c.recording = &recording{key: e.view.Key(), ctx: ctx, cancel: cancel, version: c.keeper.count}
	c.status = "recording …"
	return c.carryOn(func(ctx context.Context) (domain.Receipt, error) {
		return c.desk.Record(ctx, e.view, e.choice, e.note)
	})
}

// carryOn runs what brings the decision further on its way.
func (c *console) carryOn(further func(context.Context) (domain.Receipt, error)) tea.Cmd {
	r := c.recording
	return c.work.do("recording", func(context.Context) tea.Msg {
		r.begun, r.ended = true, false
		var receipt domain.Receipt
		err := c.keeper.settle(r.version, func() (err error) {
			receipt, err = further(r.ctx)
			return err
		})
		if waiting := (*WaitingError)(nil); !errors.As(err, &waiting) {
			r.cancel(nil)
		}
		r.answer, r.ended = recorded{receipt, c.desk.Now(), err}, true
		return r.answer
	})
}

// goOn waits with a decision that is signed until it can be appended.
func (c *console) goOn(waiting *WaitingError) tea.Cmd {
	if !c.recording.leaving {
		c.status = "waiting for the anchor: another program keeps it locked …"
	}
	return c.carryOn(waiting.Again)
}

// pressRecording takes a key while a decision is being recorded: only the one that leaves acts, and only as long as nothing
// is appended. Then the answer says what was recorded.
func (c *console) pressRecording(p press) effect {
	if p.name == "ctrl+c" {
		c.recording.leaving = true
		c.recording.cancel(errLeaving)
		return say{text: "cancelling …"}
	}
	return nil
}

// hasRecorded takes the answer. A reader who wanted to leave leaves if nothing is recorded because of that; anything else is
// shown first.
func (c *console) hasRecorded(msg recorded) tea.Cmd {
	r := c.recording
	var waiting *WaitingError
	if r != nil && errors.As(msg.err, &waiting) {
		return c.goOn(waiting)
	}
	if r != nil && c.work.ctx.Err() != nil {
		return nil // the program is being stopped: its last words say what was recorded, no screen shows it any more
	}
	c.recording, c.status = nil, ""
	if r != nil && r.leaving && cancelled(msg.err) {
		c.farewell = r.told()
		return c.quit(true)
	}
	return c.apply(several{c.recorded(msg), c.lateFindings()})
}

// cancelled tells whether an error says that the record was given up before it was appended.
func cancelled(err error) bool {
	var unknown *UnknownOutcomeError
	return (errors.Is(err, errLeaving) || errors.Is(err, context.Canceled)) && !errors.As(err, &unknown)
}

// told says in a sentence what has become of the decision.
func (r *recording) told() string {
	on := fmt.Sprintf("the decision on %s revision %s", r.key.ID, wording.Thousands(int(r.key.Number)))
	var unknown *UnknownOutcomeError
	switch {
	case r.begun && !r.ended:
		return "it is not known whether " + on + " is recorded; see `docket records`"
	case errors.As(r.answer.err, &unknown):
		return "it is not known whether " + on + " is recorded; look record " + string(unknown.RecordID) + " up with `docket records`"
	case r.recorded():
		return fmt.Sprintf("%s is recorded: record %s, sequence %d", on, r.answer.receipt.RecordID, r.answer.receipt.Sequence)
	}
	return on + " is not recorded"
}

// recorded tells whether the record is in the log.
func (r *recording) recorded() bool { return r.ended && r.answer.err == nil }
