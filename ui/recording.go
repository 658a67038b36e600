package ui

import (
	"context"
	"errors"
	"fmt"

	"docket/domain"

	tea "github.com/charmbracelet/bubbletea"
)

// A recording is a decision on its way into the log: it is signed, for which an agent may ask a person, and then appended.
type recording struct {
	key     domain.Key
	cancel  context.CancelCauseFunc
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

func (e record) carryOut(c *console) tea.Cmd {
	ctx, cancel := context.WithCancelCause(c.work.ctx)
	r := &recording{key: e.view.Key(), cancel: cancel}
	c.recording, c.status = r, "recording …"
	version := c.keeper.count
	return c.work.do("recording", func(context.Context) tea.Msg {
		defer cancel(nil)
		r.begun = true
		var receipt domain.Receipt
		err := c.keeper.settle(version, func() (err error) {
			receipt, err = c.desk.Record(ctx, e.view, e.choice, e.note)
			return err
		})
		r.answer, r.ended = recorded{receipt, c.desk.Now(), err}, true
		return r.answer
	})
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
	on := fmt.Sprintf("the decision on %s revision %s", r.key.ID, thousands(int(r.key.Number)))
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
