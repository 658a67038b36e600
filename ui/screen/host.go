package screen

import (
	"context"
	"slices"
	"time"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/action"

	tea "github.com/charmbracelet/bubbletea"
)

// A Cmd is work that has to wait, which the program runs; nil is none.
type Cmd = tea.Cmd

// Then runs on the UI goroutine: it follows from a key, or from a job. nil does nothing.
type Then func(s *Scene) Cmd

// A Result is the message of a job.
type Result struct {
	Then    Then
	Unasked bool // the reader does not wait for it
}

// A Stage holds what is shown: the queue, the screens over it, an overlay over those, and the
// status line. Its methods are called from Update only, and none waits: work that has to wait goes
// into the command returned.
type Stage struct {
	Queue   Queue
	Over    []Screen // the last one is on top
	Receipt Screen   // of the record that was made before the lowest of Over was opened; nil: none was
	Overlay Overlay  // nil: none
	Status  string
	Waiting bool // for an answer that ends the status
	Closing bool // the program ends: nothing shows any more, and no key acts

	Host
	tickets Ticket // of requests so far
}

// A Host is what the console does for its screens.
type Host struct {
	Workbench Workbench
	// Run makes a command of a job, whose message comes back to Update. The context ends when the
	// console does. about describes the job in fixed words of the console, for the trace and for
	// the error if it panics.
	Run func(about string, job func(context.Context) tea.Msg) Cmd
	// Do runs the action on the screen on top, like its key, or says why it cannot run.
	Do func(v action.Verb) Cmd
	// Packet makes the screen of a packet, Record that of a record.
	Packet func(of OpenPacket) Reader
	Record func(logged *records.LoggedRecord) Screen
	// Append records a decision; until it ends, only the key that cancels it acts. The note stays
	// here.
	Append func(s *Scene, v *views.View, choice records.Choice, note string) Cmd
	// Erase erases text that a person wrote; until it ends, only the key that cancels it acts.
	Erase func(s *Scene, e records.Erasure) Cmd
	// DropDraft discards the drafts of a revision and of earlier ones.
	DropDraft func(table terms.Table, key packets.Key) Cmd
}

// A Reader is a screen that reads what it shows.
type Reader interface {
	Screen
	Read(s *Scene) Cmd
}

// A Queue is the screen below all others, as the others use it.
type Queue interface {
	Screen
	// Read reads all of an area's queue again.
	Read(s *Scene, area terms.Area) Cmd
	// Refresh asks for an area's changes since it was read, and for the rows of the ids in any case.
	Refresh(s *Scene, area terms.Area, ids ...terms.ID) Cmd
	// Filter goes to an area with a filter and an order; absent: the order that it has.
	Filter(s *Scene, area terms.Area, text string, order queue.SortOrder)
	// Next moves to the next or previous open case of the list and returns what opens it; false if
	// none.
	Next(after packets.Key, backwards bool) (OpenPacket, bool)
	// Left counts the open cases of the list, except one.
	Left(but packets.Key) int
	// Recount counts the rows again once the reviewer is known.
	Recount(s *Scene)
	// MarkDraft notes that a decision was begun on a case, or that there is none any more.
	MarkDraft(table terms.Table, id terms.ID, there bool)
}

// Go runs a job for which the reader waits. What it returns then runs on the UI goroutine.
func (t *Stage) Go(about string, job func(context.Context, Workbench) Then) Cmd {
	return t.run(about, false, job)
}

// Background is Go for a job for which the reader does not wait.
func (t *Stage) Background(about string, job func(context.Context, Workbench) Then) Cmd {
	return t.run(about, true, job)
}

func (t *Stage) run(about string, unasked bool, job func(context.Context, Workbench) Then) Cmd {
	return t.Run(about, func(ctx context.Context) tea.Msg {
		if then := job(ctx, t.Workbench); then != nil {
			return Result{then, unasked}
		}
		return nil
	})
}

// After is Background after a delay.
func (t *Stage) After(wait time.Duration, about string, job func(Workbench) Then) Cmd {
	return t.Background(about, func(ctx context.Context, workbench Workbench) Then {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
			return job(workbench)
		}
	})
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

func (t *Stage) Top() Screen {
	if n := len(t.Over); n > 0 {
		return t.Over[n-1]
	}
	return t.Queue
}

func (t *Stage) Show(one Screen) Cmd {
	t.Over = append(t.Over, one)
	return nil
}

// Leave goes back to the screen below, Home to the queue.
func (t *Stage) Leave() Cmd {
	t.Over = t.Over[:max(len(t.Over)-1, 0)]
	return nil
}

func (t *Stage) Home() Cmd {
	t.Over = nil
	return nil
}

// Raise lays an overlay over the screen; Lower takes it away.
func (t *Stage) Raise(over Overlay) Cmd {
	t.Overlay = over
	return nil
}

func (t *Stage) Lower() Cmd { return t.Raise(nil) }

// Quit ends the program, without a question.
func (t *Stage) Quit() Cmd {
	t.Closing = true
	return tea.Quit
}

// Say writes to the status line, until the next key.
func (t *Stage) Say(text string) Cmd {
	t.Status, t.Waiting = text, false
	return nil
}

// Await writes to the status line until an answer comes.
func (t *Stage) Await(text string) Cmd {
	t.Status, t.Waiting = text, true
	return nil
}

// Refuse says why something is not done; "" does nothing.
func (t *Stage) Refuse(why string) Cmd {
	if why == "" {
		return nil
	}
	return t.Say("✗ " + why)
}

// A Request asks for one packet.
type Request struct {
	Table    terms.Table
	ID       terms.ID
	Revision int64 // 0: the latest
}

// A Ticket is that of the answer a screen awaits; 0 for none.
type Ticket int

// Opened answers a request.
type Opened struct {
	Request  Request
	CaseFile *queue.CaseFile
	OpenedAt terms.Instant // taken before the packet was judged
	Err      error
}

// Open reads a packet for a screen; the answer is dropped if that was left, or awaits another one.
func (t *Stage) Open(on Screen, awaits *Ticket, r Request, arrived func(s *Scene, o *Opened) Cmd) Cmd {
	t.tickets++
	mine := t.tickets
	*awaits = mine
	return t.Go("opening a packet", func(ctx context.Context, workbench Workbench) Then {
		openedAt := workbench.Now()
		file, err := workbench.Open(ctx, r.Table, r.ID, r.Revision)
		return func(s *Scene) Cmd {
			if *awaits != mine || !slices.Contains(s.Over, on) {
				return nil
			}
			*awaits = 0
			return arrived(s, &Opened{r, &file, openedAt, err})
		}
	})
}

// OpenPacket is what a packet is opened for.
type OpenPacket struct {
	Request  Request
	Carried  *records.KeptDraft // a decision whose packet changed, to continue on this one; nil: none
	Replaces records.RecordID   // a record that the reviewer wants to supersede; absent: none
	Resumes  bool               // the draft is resumed at once
	Rejected records.RecordID   // a rejected record, to be judged again; absent: none
	Sought   string             // the text of the queue's filter, for a search in the packet; "": none
}

// OfRow opens the packet of a row.
func OfRow(row *queue.Row) OpenPacket {
	return OpenPacket{Request: Request{Table: row.Table, ID: row.ID, Revision: row.Revision}}
}

func (s *Scene) OpenPacket(of OpenPacket) Cmd {
	if len(s.Over) == 0 {
		s.Receipt = nil
	}
	shown := s.Packet(of)
	s.Show(shown)
	return shown.Read(s)
}

// ShowReceipt shows the receipt of the record that was made before the packet was opened.
func (t *Stage) ShowReceipt() Cmd {
	if t.Receipt == nil {
		return t.Refuse("no record was made just before; the records are in the list of records")
	}
	return t.Show(t.Receipt)
}

// FilterQueue shows the area's queue through a filter. An absent order is the one that it has.
func (s *Scene) FilterQueue(area terms.Area, text string, order queue.SortOrder) Cmd {
	s.Home()
	s.Queue.Filter(s, area, text, order)
	return nil
}

// NextCase opens the packet of the row that follows in the queue's order: the next open one, or the
// one before. receipt, if not nil, is of what was recorded just before. It shows instead where
// there is no such row, or whole is set.
func (s *Scene) NextCase(after packets.Key, backwards bool, receipt Screen, whole bool) Cmd {
	next, found := s.Queue.Next(after, backwards)
	switch {
	case receipt != nil && (!found || whole):
		s.Home()
		return s.Show(receipt)
	case !found:
		return s.Say("no other open case in this list")
	}
	s.Home()
	cmd := s.OpenPacket(next)
	s.Receipt = receipt
	return cmd
}

func (s *Scene) ReadReviewer() Cmd {
	return s.Background("asking who works here", func(_ context.Context, workbench Workbench) Then {
		reviewer, now := workbench.Reviewer(), workbench.Now()
		return func(s *Scene) Cmd {
			s.Reviewer, s.Ready = reviewer, true
			s.Pass(now)
			s.Queue.Recount(s)
			return nil
		}
	})
}

// A follower is a screen that shows the service's answers to records.
type follower interface {
	// Answered is called when the service has answered.
	Answered(s *Scene) Cmd
}

// ReadHandIns asks for the tally of records handed in, and if it has changed refreshes what shows
// it.
func (s *Scene) ReadHandIns() Cmd {
	return s.Background("asking what was handed in", func(ctx context.Context, workbench Workbench) Then {
		tally, err := workbench.HandIns(ctx)
		now := workbench.Now()
		return func(s *Scene) Cmd {
			s.Pass(now)
			if err != nil {
				s.Service.Trouble = err.Error()
				return nil
			}
			before, known := s.Service.Tally, s.Service.Read
			s.Service = Service{Tally: tally, Read: true}
			if !known || before.Accepted == tally.Accepted && before.Rejected == tally.Rejected {
				return nil
			}
			cmds := []Cmd{s.RefreshQueues()}
			for _, one := range s.Over {
				if f, is := one.(follower); is {
					cmds = append(cmds, f.Answered(s))
				}
			}
			return tea.Batch(cmds...)
		}
	})
}

func (s *Scene) RefreshQueues() Cmd {
	return tea.Batch(s.Queue.Refresh(s, terms.Appeals), s.Queue.Refresh(s, terms.Amendments))
}
