package screen

import (
	"context"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/action"

	tea "github.com/charmbracelet/bubbletea"
)

// An Effect is a request of a screen or an overlay to the console, or the result of a job. It carries itself out, so no dispatcher can omit one; a nil Effect
// does nothing.
type Effect interface {
	// CarryOut carries it out; work that has to wait goes into the command that it returns.
	CarryOut(h Host) tea.Cmd
}

// A Background effect arrives unasked; the reader does not wait for it.
type Background interface{ Background() }

// Apply carries out an effect.
func Apply(e Effect, h Host) tea.Cmd {
	if e == nil {
		return nil
	}
	return e.CarryOut(h)
}

type (
	// Then runs on the UI goroutine, as a step or as the result of a job.
	Then func(Host) tea.Cmd
	// Unasked is a Then for which the reader does not wait.
	Unasked func(Host) tea.Cmd
	// Several are carried out in order.
	Several []Effect
	// Do carries out the action on the screen on top, as if its key had been pressed.
	Do struct{ Verb action.Verb }

	// Quit ends the program, without a question.
	Quit struct{}
	// Leave goes back to the screen below, Home to the queue.
	Leave struct{}
	Home  struct{}
	// Show puts a screen on top.
	Show struct{ Screen Screen }
	// Raise lays an overlay over the screen; Lower takes it away.
	Raise struct{ Overlay Overlay }
	Lower struct{}
	// Say writes to the status line, until the next key or, while waiting for an answer, until the answer.
	Say struct {
		Text    string
		Waiting bool
	}

	// Open reads a packet for the screen on top, which is a reader.
	Open struct{ Request Request }
	// OpenPacket shows a packet and reads it.
	OpenPacket struct {
		Request  Request
		Carried  *records.KeptDraft // a decision whose packet changed, and that continues on this one; nil: none
		Replaces records.RecordID   // a record that the reviewer wants to supersede; absent: none
		Resumes  bool               // the draft is resumed at once
		Rejected records.RecordID   // a record that the service rejected, for which the reviewer wants to judge again; absent: none
		Sought   string             // the text that the filter of the queue searched for, which a search in the packet continues; "": none
	}
	// ShowReceipt shows the receipt of the record that was made before the packet was opened.
	ShowReceipt struct{}
	// ShowRecord shows a record.
	ShowRecord struct{ Logged *records.LoggedRecord }

	// ReadQueue reads all of the area's queue again; RefreshQueue reads its changes, and the ids in any case.
	ReadQueue    struct{ Area terms.Area }
	RefreshQueue struct {
		Area terms.Area
		IDs  []terms.ID
	}
	// FilterQueue shows the area's queue through a filter.
	FilterQueue struct {
		Area  terms.Area
		Text  string
		Order queue.SortOrder // absent: as it is
	}
	// NextCase opens the packet of the row that follows in the queue's order: the next open one, or the one before. Where there is none, or Whole is set, the
	// receipt shows instead.
	NextCase struct {
		After     packets.Key
		Backwards bool
		Receipt   Screen // of what was recorded just before; nil: nothing was
		Whole     bool
	}

	// Append appends a decision. The note stays on this machine.
	Append struct {
		View   *views.View
		Choice records.Choice
		Note   string
	}
	// Erase erases a text that a person wrote; the reviewer signs the erasure.
	Erase struct{ Erasure records.Erasure }
	// DropDraft discards the drafts of a revision and of earlier ones.
	DropDraft struct {
		Table terms.Table
		Key   packets.Key
	}
	// ReadReviewer asks for the reviewer and the time.
	ReadReviewer struct{}
	// ReadHandIns asks for the tally of records handed in.
	ReadHandIns struct{}
)

// A Request asks for one packet. ticket distinguishes its answer from those of abandoned requests.
type Request struct {
	Ticket   int
	Table    terms.Table
	ID       terms.ID
	Revision int64 // 0: the latest
}

// Refused says why something is not done; "" does nothing.
func Refused(why string) Effect {
	if why == "" {
		return nil
	}
	return Say{Text: "✗ " + why}
}

func (e Then) CarryOut(h Host) tea.Cmd { return e(h) }

func (e Unasked) CarryOut(h Host) tea.Cmd { return e(h) }

func (Unasked) Background() {}

func (e Several) CarryOut(h Host) tea.Cmd {
	var cmds []tea.Cmd
	for _, one := range e {
		cmds = append(cmds, Apply(one, h))
	}
	return tea.Batch(cmds...)
}

func (e Do) CarryOut(h Host) tea.Cmd { return h.Do(e.Verb) }

func (Quit) CarryOut(h Host) tea.Cmd {
	h.Stage().Closing = true
	return tea.Quit
}

func (Leave) CarryOut(h Host) tea.Cmd {
	if t := h.Stage(); len(t.Over) > 0 {
		t.Over = t.Over[:len(t.Over)-1]
	}
	return nil
}

func (Home) CarryOut(h Host) tea.Cmd {
	h.Stage().Over = nil
	return nil
}

func (e Show) CarryOut(h Host) tea.Cmd {
	h.Stage().Show(e.Screen)
	return nil
}

func (e Raise) CarryOut(h Host) tea.Cmd {
	h.Stage().Overlay = e.Overlay
	return nil
}

func (Lower) CarryOut(h Host) tea.Cmd {
	h.Stage().Overlay = nil
	return nil
}

func (e Say) CarryOut(h Host) tea.Cmd {
	h.Stage().Say(e.Text, e.Waiting)
	return nil
}

func (e Open) CarryOut(h Host) tea.Cmd {
	h.Stage().Tickets++
	e.Request.Ticket = h.Stage().Tickets
	if r, is := h.Stage().Top().(reader); is {
		r.Asked(e.Request)
	}
	return h.Ask("opening a packet", func(ctx context.Context, workbench Workbench) Effect {
		openedAt := workbench.Now()
		file, err := workbench.Open(ctx, e.Request.Table, e.Request.ID, e.Request.Revision)
		return Opened{e.Request, &file, openedAt, err}
	})
}

// Opened answers a request.
type Opened struct {
	Request  Request
	CaseFile *queue.CaseFile
	OpenedAt terms.Instant // taken before the packet was judged
	Err      error
}

func (e Opened) CarryOut(h Host) tea.Cmd {
	for _, s := range h.Stage().Over {
		if r, is := s.(reader); is && r.Awaits(e.Request.Ticket) {
			return Apply(r.Arrived(e, h.Scene()), h)
		}
	}
	return nil
}

func (e OpenPacket) CarryOut(h Host) tea.Cmd {
	if t := h.Stage(); len(t.Over) == 0 {
		t.Receipt = nil
	}
	h.Stage().Show(h.Packet(e))
	return Open{e.Request}.CarryOut(h)
}

func (ShowReceipt) CarryOut(h Host) tea.Cmd {
	if receipt := h.Stage().Receipt; receipt != nil {
		return Show{receipt}.CarryOut(h)
	}
	return Say{Text: "✗ no record was made just before; the records are in the list of records"}.CarryOut(h)
}

func (e ShowRecord) CarryOut(h Host) tea.Cmd {
	h.Stage().Show(h.Record(e.Logged))
	return nil
}

func (e ReadQueue) CarryOut(h Host) tea.Cmd { return h.Stage().Queue.Read(h, e.Area) }

func (e RefreshQueue) CarryOut(h Host) tea.Cmd { return h.Stage().Queue.Refresh(h, e.Area, e.IDs...) }

func (e FilterQueue) CarryOut(h Host) tea.Cmd {
	h.Stage().Over = nil
	h.Stage().Queue.Filter(e.Area, e.Text, e.Order, h.Scene())
	return nil
}

func (e NextCase) CarryOut(h Host) tea.Cmd {
	next, found := h.Stage().Queue.Next(e.After, e.Backwards)
	switch {
	case e.Receipt != nil && (!found || e.Whole):
		return Several{Home{}, Show{e.Receipt}}.CarryOut(h)
	case !found:
		return Say{Text: "no other open case in this list"}.CarryOut(h)
	}
	h.Stage().Over = nil
	show := next.CarryOut(h)
	h.Stage().Receipt = e.Receipt
	return show
}

func (e Append) CarryOut(h Host) tea.Cmd { return h.Append(e) }

func (e Erase) CarryOut(h Host) tea.Cmd { return h.Erase(e.Erasure) }

func (e DropDraft) CarryOut(h Host) tea.Cmd { return h.DropDraft(e.Table, e.Key) }

func (ReadReviewer) CarryOut(h Host) tea.Cmd {
	return h.Ask("asking who works here", func(_ context.Context, workbench Workbench) Effect {
		return ReviewerRead{workbench.Reviewer(), workbench.Now()}
	})
}

// ReviewerRead is the reviewer.
type ReviewerRead struct {
	Reviewer records.Reviewer
	Now      terms.Instant
}

func (ReviewerRead) Background() {}

func (e ReviewerRead) CarryOut(h Host) tea.Cmd {
	s := h.Scene()
	s.Reviewer, s.Ready = e.Reviewer, true
	s.Pass(e.Now)
	h.Stage().Queue.Recount(s)
	return nil
}

func (ReadHandIns) CarryOut(h Host) tea.Cmd {
	return h.Ask("asking what was handed in", func(ctx context.Context, workbench Workbench) Effect {
		tally, err := workbench.HandIns(ctx)
		now := workbench.Now()
		return Unasked(func(h Host) tea.Cmd { return takeHandIns(h, tally, now, err) })
	})
}

// A follower is a screen that shows the service's answers to records.
type follower interface {
	// Answered is called when the service has answered.
	Answered() Effect
}

// takeHandIns takes the tally. If it has changed, the queue and the records are refreshed.
func takeHandIns(h Host, tally records.HandInTally, now terms.Instant, err error) tea.Cmd {
	h.Scene().Pass(now)
	t := &h.Scene().Service
	if err != nil {
		t.Trouble = err.Error()
		return nil
	}
	before, known := t.Tally, t.Read
	*t = Service{Tally: tally, Read: true}
	if !known || before.Accepted == tally.Accepted && before.Rejected == tally.Rejected {
		return nil
	}
	effects := Several{RefreshQueue{Area: terms.Appeals}, RefreshQueue{Area: terms.Amendments}}
	for _, s := range h.Stage().Over {
		if one, is := s.(follower); is {
			effects = append(effects, one.Answered())
		}
	}
	return effects.CarryOut(h)
}

// OpenRow shows the packet of a row.
func OpenRow(row *queue.Row) OpenPacket {
	return OpenPacket{Request: Request{Table: row.Table, ID: row.ID, Revision: row.Revision}}
}
