package task

import (
	"context"
	"fmt"
	"time"

	"docket/domain/packets"
	"docket/domain/terms"
	"docket/ui/decision"
	"docket/ui/screen"
	"docket/ui/wording"

	tea "github.com/charmbracelet/bubbletea"
)

// An Autosave saves the decision on the screen in the background, at most once in Delay, so that it survives the end of the
// program, also a crash. Flush saves the last version.
type Autosave struct {
	decision.Autosave
	Delay time.Duration  // how long a change waits for others
	owner screen.Decider // the decision whose draft it is
	due   bool           // it has changed since the last save
	timer bool           // a command waits to save it
}

type (
	// draftDue says that a change has waited long enough.
	draftDue struct{ autosave *Autosave }
	// draftKept is the result of saving or deleting a draft.
	draftKept struct {
		table   terms.Table
		id      terms.ID
		dropped bool
		err     error
	}
)

// Look notes whether the decision has changed. It is called after every message.
func (k *Autosave) Look(h screen.Host) tea.Cmd {
	d := h.Stage().Decision()
	if d != nil && d.Touched() {
		if k.owner != d {
			k.Close()
		}
		if k.Note(d.Draft()) {
			k.owner, k.due = d, true
		}
	}
	switch {
	case !k.due || h.Scene().Recording || h.Stage().Closing:
		return nil
	case d != k.owner:
		return k.save(h)
	case k.timer:
		return nil
	}
	k.timer = true
	delay := k.Delay
	return h.Ask("waiting to keep the draft", func(ctx context.Context, _ screen.Workbench) screen.Effect {
		if delay <= 0 {
			return draftDue{k}
		}
		timer := time.NewTimer(delay)
		defer timer.Stop()
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
			return draftDue{k}
		}
	})
}

func (draftDue) Background() {}

// CarryOut saves the newest version.
func (e draftDue) CarryOut(h screen.Host) tea.Cmd {
	e.autosave.timer = false
	if !e.autosave.due || h.Scene().Recording {
		return nil
	}
	return e.autosave.save(h)
}

func (k *Autosave) save(h screen.Host) tea.Cmd {
	k.due = false
	draft := k.Newest()
	return h.Ask("keeping the draft", func(ctx context.Context, _ screen.Workbench) screen.Effect {
		return draftKept{draft.Table, draft.Key.ID, false, k.Save(ctx, draft)}
	})
}

// Keeps reports whether the workbench has the draft of a decision under way, once the last version is saved.
func (k *Autosave) Keeps(t *screen.Stage) bool {
	d := t.Decision()
	return d != nil && d == k.owner
}

// Forget lets go of a decision that is recorded or discarded.
func (k *Autosave) Forget() {
	k.owner, k.due = nil, false
	k.Close()
}

// Discard discards the drafts of a revision and of earlier ones.
func (k *Autosave) Discard(h screen.Host, table terms.Table, key packets.Key) tea.Cmd {
	k.Forget()
	drop := k.Drop(table, key)
	return h.Ask("dropping the draft", func(ctx context.Context, _ screen.Workbench) screen.Effect {
		return draftKept{table, key.ID, true, drop(ctx)}
	})
}

func (draftKept) Background() {}

// CarryOut marks the case in the queue, or shows the error.
func (e draftKept) CarryOut(h screen.Host) tea.Cmd {
	switch {
	case e.err != nil && e.dropped:
		return screen.Say{Text: "✗ " + wording.DraftNotDropped + ": " + e.err.Error()}.CarryOut(h)
	case e.err != nil:
		return screen.Say{Text: fmt.Sprintf("✗ the draft could not be saved: %s", e.err)}.CarryOut(h)
	}
	h.Stage().Queue.MarkDraft(e.table, e.id, !e.dropped)
	return nil
}
