package ui

import (
	"context"
	"time"

	"docket/domain"

	tea "github.com/charmbracelet/bubbletea"
)

// A Host carries out what screens cannot do by themselves. Its methods are called from Update only, and none of them
// waits: what has to wait goes into the command that is returned.
type Host interface {
	// Ask runs a job beside everything else and then carries out what it returns; nil is nothing. The context ends when the
	// console does. about says in the console's own words what the job does, for the trace and for the error if it panics.
	Ask(about string, job func(context.Context, Desk) effect) tea.Cmd
	// Do runs the action on the screen on top, as if its key had been pressed, or says why it cannot run.
	Do(v verb) tea.Cmd
	// Scene is what screens know about the world.
	Scene() *scene
	// Stage is what is on the screen.
	Stage() *stage
	// Queue is the screen below all others.
	Queue() Queue
	// Packet makes the screen of a packet, Record that of a record. They are shown by an effect.
	Packet(of openPacket) screen
	Record(logged *domain.LoggedRecord) screen
	// Append records a decision. Keys wait until it is known what has become of it.
	Append(decision record) tea.Cmd
	// DropDraft discards what was begun on a revision and on earlier ones.
	DropDraft(table domain.Table, key domain.Key) tea.Cmd
}

// A Queue is what other screens want of the queue.
type Queue interface {
	// Read reads all of an area's queue again.
	Read(h Host, area domain.Area) tea.Cmd
	// Refresh asks for what has changed in an area since it was read, and for the rows of the ids in any case.
	Refresh(h Host, area domain.Area, ids ...domain.ID) tea.Cmd
	// Filter goes to an area with a filter.
	Filter(area domain.Area, text string, s *scene)
	// Next puts the cursor on the next open case of the list, or on the one before, and returns what opens it; false if there
	// is no other.
	Next(after domain.Key, backwards bool) (effect, bool)
}

// A stage is what is on the screen: the queue, the screens over it, an overlay over those, and the status line.
type stage struct {
	bottom  screen
	over    []screen // the last one is on top
	overlay overlay  // nil: none
	status  string
	waiting bool // for an answer that ends the status
	tickets int  // of requests so far
}

// top is the screen that shows.
func (t *stage) top() screen {
	if n := len(t.over); n > 0 {
		return t.over[n-1]
	}
	return t.bottom
}

// has tells whether a screen is there, on top or below others.
func (t *stage) has(one screen) bool {
	for _, s := range t.over {
		if s == one {
			return true
		}
	}
	return t.bottom == one
}

func (t *stage) show(one screen) { t.over = append(t.over, one) }

func (t *stage) say(text string, waiting bool) { t.status, t.waiting = text, waiting }

// after asks for something after a while; never, where screens may not look at the clock.
func after(h Host, wait time.Duration, about string, then func(Desk) effect) tea.Cmd {
	if !h.Scene().ticking {
		return nil
	}
	return h.Ask(about, func(ctx context.Context, desk Desk) effect {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
			return then(desk)
		}
	})
}
