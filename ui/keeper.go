package ui

import (
	"context"
	"sync"
	"time"

	"docket/domain"

	tea "github.com/charmbracelet/bubbletea"
)

// keeper sees to it that the decision on the screen outlives the program, however that ends. Changes are kept in the
// background, at most once in keepEvery; what is not on the disk when the program ends is put there by Run.
//
// Of each change there is a version. The desk is asked under the mutex and never for a version that is older than what
// it has, so that commands that overtake one another do no harm, and no draft comes back once its record is durable.
type keeper struct {
	delay time.Duration
	owner *decideScreen // whose draft it is
	draft datedDraft    // the newest version
	count int           // of versions so far
	due   bool          // it has changed since it was last given to the desk
	timer bool          // a command waits to give it to the desk

	mutex   sync.Mutex // guards those below, and is held while the desk is asked
	written int        // the newest version that the desk has kept
	settled int        // the newest version that is recorded or was discarded
}

// keepEvery is how long a change waits for others.
const keepEvery = 250 * time.Millisecond

// lastChance is how long the end of the program waits for the last version to be kept.
const lastChance = 5 * time.Second

// A datedDraft is a version of a draft.
type datedDraft struct {
	table   domain.Table
	key     domain.Key
	content domain.Draft
	version int
}

type (
	// draftDue says that a change has waited long enough.
	draftDue struct{}
	// draftKept is what has become of keeping or discarding a draft.
	draftKept struct {
		table   domain.Table
		id      domain.ID
		dropped bool
		err     error
	}
)

// decision is the one that is being made, on top or below what lies over it; nil if there is none.
func (c *console) decision() *decideScreen {
	for _, s := range c.stack {
		if d, is := s.(*decideScreen); is {
			return d
		}
	}
	return nil
}

// keepDraft looks whether the decision has changed, after every message.
func (c *console) keepDraft() tea.Cmd {
	k, d := &c.keeper, c.decision()
	if d != nil && d.touched() {
		if now := d.current(); k.owner != d || now != k.draft.content {
			p := d.packet
			k.owner, k.due = d, true
			k.count++
			k.draft = datedDraft{p.request.table, p.key(), now, k.count}
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
	return c.work.do("waiting to keep the draft", func(ctx context.Context) tea.Msg {
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

// draftIsDue gives the desk what is newest by now.
func (c *console) draftIsDue() tea.Cmd {
	c.keeper.timer = false
	if !c.keeper.due || c.recording != nil {
		return nil
	}
	return c.giveDraft()
}

func (c *console) giveDraft() tea.Cmd {
	k := &c.keeper
	k.due = false
	draft := k.draft
	return c.work.do("keeping the draft", func(ctx context.Context) tea.Msg {
		return draftKept{draft.table, draft.key.ID, false, k.keep(ctx, c.desk, draft)}
	})
}

// keep asks the desk to keep a version, unless it has that or a newer one, or the decision is done with.
func (k *keeper) keep(ctx context.Context, desk Desk, draft datedDraft) error {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if draft.version <= max(k.written, k.settled) {
		return nil
	}
	if err := desk.SaveDraft(ctx, draft.table, draft.key, draft.content); err != nil {
		return err
	}
	k.written = draft.version
	return nil
}

// settle runs what ends a decision. Where it goes well, no version up to the one given is kept any more.
func (k *keeper) settle(version int, end func() error) error {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	err := end()
	if err == nil {
		k.settled = max(k.settled, version)
	}
	return err
}

// last keeps what the program's end would lose. Nothing of the console may be running any more.
func (k *keeper) last(desk Desk) error {
	ctx, cancel := context.WithTimeout(context.Background(), lastChance)
	defer cancel()
	return k.keep(ctx, desk, k.draft)
}

// keepsDecision tells whether a decision is being made of which the desk keeps a draft, once the last one has been kept.
func (c *console) keepsDecision() bool {
	d := c.decision()
	return d != nil && d == c.keeper.owner
}

// forget lets go of a decision that is recorded or discarded.
func (k *keeper) forget() { k.owner, k.due = nil, false }

// discard drops the draft of a packet.
func (c *console) discard(e dropDraft) tea.Cmd {
	k := &c.keeper
	k.forget()
	k.count++
	version := k.count
	return c.work.do("dropping the draft", func(ctx context.Context) tea.Msg {
		err := k.settle(version, func() error { return c.desk.DropDraft(ctx, e.table, e.key) })
		return draftKept{e.table, e.key.ID, true, err}
	})
}

// keptOrDropped marks the case in the queue, or says what went wrong.
func (c *console) keptOrDropped(msg draftKept) effect {
	switch {
	case msg.err != nil && msg.dropped:
		return say{text: "✗ the draft could not be dropped: " + msg.err.Error()}
	case msg.err != nil:
		return say{text: "✗ the draft could not be kept: " + msg.err.Error()}
	}
	c.queue.markDraft(msg.table, msg.id, !msg.dropped)
	return nil
}
