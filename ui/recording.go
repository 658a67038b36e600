package ui

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

// A recording is a decision on its way into the log: it is signed, for which an agent may ask a person, and then appended.
type recording struct {
	key     packets.Key
	ctx     context.Context
	cancel  context.CancelCauseFunc
	ending  decision.Ending // of the draft that the record ends
	leaving bool            // the reader wants to leave

	// Those below are the job's until its answer has come, or until nothing runs any more.
	begun  bool
	ended  bool
	answer recorded
}

// errLeaving is why a signature is not waited for any more.
var errLeaving = errors.New("the reviewer leaves")

// Append records a decision.
func (c *console) Append(e screen.Append) tea.Cmd {
	ctx, cancel := context.WithCancelCause(c.work.ctx)
	c.recording = &recording{key: e.View.Key(), ctx: ctx, cancel: cancel, ending: c.autosave.Ending()}
	c.stage.Status = "recording …"
	return c.carryOn(func(ctx context.Context) (records.Receipt, error) {
		return c.workbench.Record(ctx, e.View, e.Choice, e.Note)
	})
}

// carryOn runs the next step of recording.
func (c *console) carryOn(further func(context.Context) (records.Receipt, error)) tea.Cmd {
	r := c.recording
	return c.job("recording", func(context.Context) answer {
		r.begun, r.ended = true, false
		var receipt records.Receipt
		err := r.ending.Run(func() (err error) {
			receipt, err = further(r.ctx)
			return err
		})
		if waiting := (*decision.WaitingError)(nil); !errors.As(err, &waiting) {
			r.cancel(nil)
		}
		r.answer, r.ended = recorded{receipt, c.workbench.Now(), err}, true
		return r.answer
	})
}

// goOn waits until a signed decision can be appended.
func (c *console) goOn(waiting *decision.WaitingError) tea.Cmd {
	if !c.recording.leaving {
		c.stage.Status = "waiting for the anchor: another program keeps it locked …"
	}
	return c.carryOn(waiting.Again)
}

// pressRecording takes a key while a decision is being recorded: only the one that leaves acts, and only as long as nothing
// is appended. Then the answer says what was recorded.
func (c *console) pressRecording(p action.Press) tea.Cmd {
	if p.Name == "ctrl+c" {
		c.recording.leaving = true
		c.recording.cancel(errLeaving)
		return screen.Say{Text: "cancelling …"}.CarryOut(c)
	}
	return nil
}

// recorded is the result of recording a decision.
type recorded struct {
	receipt records.Receipt
	at      terms.Instant // when the answer came
	err     error
}

// arrive takes the answer. A reader who wanted to leave leaves if nothing is recorded because of that; anything else is
// shown first.
func (msg recorded) arrive(c *console) tea.Cmd {
	r := c.recording
	var waiting *decision.WaitingError
	if r != nil && errors.As(msg.err, &waiting) {
		return c.goOn(waiting)
	}
	if r != nil && c.work.ctx.Err() != nil {
		return nil // the program is being stopped: its last words say what was recorded, no screen shows it any more
	}
	c.recording, c.stage.Status = nil, ""
	if r != nil && r.leaving && cancelled(msg.err) {
		c.farewell = r.told()
		return c.quit(true)
	}
	return screen.Several{c.recorded(msg), c.lateFindings()}.CarryOut(c)
}

// cancelled tells whether an error says that the record was given up before it was appended.
func cancelled(err error) bool {
	var unknown *decision.UnknownOutcomeError
	return (errors.Is(err, errLeaving) || errors.Is(err, context.Canceled)) && !errors.As(err, &unknown)
}

// told says in a sentence how recording ended.
func (r *recording) told() string {
	var unknown *decision.UnknownOutcomeError
	switch {
	case r.begun && !r.ended:
		return decision.NotKnown(r.key, "")
	case errors.As(r.answer.err, &unknown):
		return decision.NotKnown(r.key, unknown.RecordID)
	case r.recorded():
		return fmt.Sprintf("%s is recorded: record %s, sequence %d", decision.On(r.key), r.answer.receipt.RecordID,
			r.answer.receipt.Sequence)
	}
	return decision.On(r.key) + " is not recorded"
}

// recorded tells whether the record is in the log.
func (r *recording) recorded() bool { return r.ended && r.answer.err == nil }

// recorded shows the result of recording a decision.
func (c *console) recorded(msg recorded) screen.Effect {
	d := c.decision() // a page that says that the packet has changed may lie over it by now
	if d == nil {
		return widget.Alarm{About: "The decision", Text: "there is an answer to a decision that is no longer on the screen; see the records"}
	}
	answer := decision.AnswerOf(msg.err)
	if answer.Locked != "" {
		c.scene.Locked, c.proof = answer.Locked, proofFound
	}
	table, key, _ := d.Draft()
	shown := d.Answered(&answer, msg.receipt, c.queue.Left(key), &c.scene)
	if answer.Result != decision.Recorded {
		return shown
	}
	c.autosave.forget()
	c.scene.Session.Decided(d.Summary(), msg.at)
	return screen.Several{shown, screen.RefreshQueue{Area: terms.AreaOf(table), IDs: []terms.ID{key.ID}}, screen.ReadHandIns{}}
}
