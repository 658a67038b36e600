package ui

import (
	"context"
	"time"

	"docket/domain/packets"
	"docket/domain/terms"
	"docket/ui/decision"
	"docket/ui/screen"
	"docket/ui/wording"

	tea "github.com/charmbracelet/bubbletea"
)

// autosave saves the decision on the screen in the background, at most once in saveEvery, so that it
// survives the end of the program, also a crash. Run saves the last version.
type autosave struct {
	decision.Autosave
	delay time.Duration
	owner screen.Decider // the decision whose draft it is
	due   bool           // it has changed since it was last given to the workbench
	timer bool           // a command waits to give it to the workbench
}

// saveEvery is how long a change waits for others.
const saveEvery = 250 * time.Millisecond

type (
	// draftDue says that a change has waited long enough.
	draftDue struct{}
	// draftKept is the result of saving or deleting a draft.
	draftKept struct {
		table   terms.Table
		id      terms.ID
		dropped bool
		err     error
	}
)

// decision is the one that is being made, on top or below what lies over it; nil if there is none.
func (c *console) decision() screen.Decider {
	for _, s := range c.stage.Over {
		if d, is := s.(screen.Decider); is {
			return d
		}
	}
	return nil
}

// keepDraft looks whether the decision has changed, after every message.
func (c *console) keepDraft() tea.Cmd {
	k, d := &c.autosave, c.decision()
	if d != nil && d.Touched() {
		if k.owner != d {
			k.Close()
		}
		if k.Note(d.Draft()) {
			k.owner, k.due = d, true
		}
	}
	switch {
	case !k.due || c.recording != nil || c.closing:
		return nil
	case d != k.owner:
		return c.giveDraft()
	case k.timer:
		return nil
	}
	k.timer = true
	return c.job("waiting to keep the draft", func(ctx context.Context) answer {
		if k.delay <= 0 {
			return draftDue{}
		}
		timer := time.NewTimer(k.delay)
		defer timer.Stop()
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
			return draftDue{}
		}
	})
}

func (draftDue) Background() {}

// arrive gives the workbench the newest version.
func (draftDue) arrive(c *console) tea.Cmd {
	c.autosave.timer = false
	if !c.autosave.due || c.recording != nil {
		return nil
	}
	return c.giveDraft()
}

func (c *console) giveDraft() tea.Cmd {
	k := &c.autosave
	k.due = false
	draft := k.Newest()
	return c.job("keeping the draft", func(ctx context.Context) answer {
		return draftKept{draft.Table, draft.Key.ID, false, k.Save(ctx, draft)}
	})
}

// keepsDecision tells whether a decision is under way whose draft the workbench has, once the last version is saved.
func (c *console) keepsDecision() bool {
	d := c.decision()
	return d != nil && d == c.autosave.owner
}

// forget lets go of a decision that is recorded or discarded.
func (k *autosave) forget() {
	k.owner, k.due = nil, false
	k.Close()
}

// DropDraft discards what was begun on a revision and on earlier ones.
func (c *console) DropDraft(table terms.Table, key packets.Key) tea.Cmd {
	c.autosave.forget()
	drop := c.autosave.Drop(table, key)
	return c.job("dropping the draft", func(ctx context.Context) answer {
		return draftKept{table, key.ID, true, drop(ctx)}
	})
}

func (draftKept) Background() {}

// arrive marks the case in the queue, or says what went wrong.
func (msg draftKept) arrive(c *console) tea.Cmd {
	switch {
	case msg.err != nil && msg.dropped:
		return screen.Say{Text: "✗ " + wording.DraftNotDropped + ": " + msg.err.Error()}.CarryOut(c)
	case msg.err != nil:
		return screen.Say{Text: "✗ the draft could not be kept: " + msg.err.Error()}.CarryOut(c)
	}
	c.queue.MarkDraft(msg.table, msg.id, !msg.dropped)
	return nil
}
