package screen

import (
	"context"
	"time"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/action"

	tea "github.com/charmbracelet/bubbletea"
)

// A Host carries out what screens cannot do alone. Its methods are called from Update only, and none of them waits: work that has to wait goes into the command
// that is returned.
type Host interface {
	// Ask runs a job in the background and then carries out the effect that it returns. The context ends when the
	// console does. about describes the job in fixed words of the console, for the trace and for the error if it panics.
	Ask(about string, job func(context.Context, Workbench) Effect) tea.Cmd
	// Do runs the action on the screen on top, as if its key had been pressed, or says why it cannot run.
	Do(v action.Verb) tea.Cmd
	// Scene is the state that screens can see.
	Scene() *Scene
	// Stage holds what is shown.
	Stage() *Stage
	// Packet makes the screen of a packet, Record that of a record. They are shown by an effect.
	Packet(of OpenPacket) Screen
	Record(logged *records.LoggedRecord) Screen
	// Append records a decision. Until that has ended, no key acts but the one that cancels it.
	Append(decision Append) tea.Cmd
	// Erase erases text that a person wrote. Until that has ended, no key acts but the one that cancels it.
	Erase(e records.Erasure) tea.Cmd
	// DropDraft discards the drafts of a revision and of earlier ones.
	DropDraft(table terms.Table, key packets.Key) tea.Cmd
}

// A Queue is the screen below all others, as the others use it.
type Queue interface {
	Screen
	// Read reads all of an area's queue again.
	Read(h Host, area terms.Area) tea.Cmd
	// Refresh asks for what has changed in an area since it was read, and for the rows of the ids in any case.
	Refresh(h Host, area terms.Area, ids ...terms.ID) tea.Cmd
	// Filter goes to an area with a filter and an order; absent: the order that it has.
	Filter(area terms.Area, text string, order queue.SortOrder, s *Scene)
	// Next puts the cursor on the next open case of the list, or on the one before, and returns what opens it; false if there
	// is no other.
	Next(after packets.Key, backwards bool) (OpenPacket, bool)
	// Recorded notes that a decision on a case is recorded.
	Recorded(table terms.Table, key packets.Key)
	// Left counts the open cases of the list, except one.
	Left(but packets.Key) int
	// Recount counts the rows again once the reviewer is known.
	Recount(s *Scene)
	// MarkDraft notes that a decision was begun on a case, or that there is none any more.
	MarkDraft(table terms.Table, id terms.ID, there bool)
}

// A Stage holds what is shown: the queue, the screens over it, an overlay over those, and the status line.
type Stage struct {
	Queue   Queue
	Over    []Screen // the last one is on top
	Receipt Screen   // of the record that was made before the lowest of Over was opened; nil: none was
	Overlay Overlay  // nil: none
	Status  string
	Waiting bool // for an answer that ends the status
	Tickets int  // of requests so far
	Closing bool // the program ends: nothing shows any more, and no key acts
}

// Decision is the decision under way, on top or covered; nil if there is none.
func (t *Stage) Decision() Decider {
	for _, s := range t.Over {
		if d, is := s.(Decider); is {
			return d
		}
	}
	return nil
}

// TakesText reports whether keys are currently text.
func (t *Stage) TakesText() bool {
	if over, is := t.Overlay.(interface{ Typing() bool }); is {
		return over.Typing()
	}
	return t.Overlay == nil && t.Top().Typing()
}

// Top is the screen that shows.
func (t *Stage) Top() Screen {
	if n := len(t.Over); n > 0 {
		return t.Over[n-1]
	}
	return t.Queue
}

// Show puts a screen on top.
func (t *Stage) Show(one Screen) { t.Over = append(t.Over, one) }

// Say sets the status line. A waiting text stays until the work ends.
func (t *Stage) Say(text string, waiting bool) { t.Status, t.Waiting = text, waiting }

// After asks for something after a delay.
func After(h Host, wait time.Duration, about string, then func(Workbench) Effect) tea.Cmd {
	return h.Ask(about, func(ctx context.Context, workbench Workbench) Effect {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
			return then(workbench)
		}
	})
}
