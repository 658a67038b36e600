// Package decide holds the screens of a decision: its steps over the packet, the receipt, and the
// page that says that the packet has changed. Package decision has the flow of a decision; this one
// draws it.
package decide

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/action"
	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/screen/packet"
	"docket/ui/widget"
)

type step struct {
	// missing says what the step still lacks; "" if it may be left. nil: Missing applies.
	missing func(d *Screen, s *screen.Scene) string
	rows    func(d *Screen) int
	choose  func(d *Screen, s *screen.Scene) (why string) // on the line under the cursor; why not
	view    func(d *Screen, s *screen.Scene, height int) line.Sheet
}

var steps = map[decision.Step]step{decision.First: outcomeStep, decision.Outcome: outcomeStep, decision.Factors: factorStep,
	decision.Blockers: blockerStep, decision.Statement: statementStep, decision.Note: noteStep, decision.Review: reviewStep}

// Screen makes a decision step by step. It is over the screen of its packet.
type Screen struct {
	*decision.Decision
	awaits  screen.Ticket // of the evaluation that is waited for
	Packet  *packet.Screen
	begun   records.Draft // before anything was chosen
	resumed bool          // it resumes a draft
	lists   []widget.List // one a step
	search  string
	editor  *widget.Editor // while something is typed
	area    *widget.Area   // while the statement is
	reading bool           // the keys go to the packet

	word *widget.Word        // of the last page
	seen []views.SectionName // the sections that had been on the screen when it was opened
	said bool                // all that is said had
}

func newDecideScreen(p *packet.Screen, kept *records.KeptDraft, s *screen.Scene) *Screen {
	d := &Screen{Packet: p, Decision: decision.New(p.CaseFile, p.OpenedAt, s.Reviewer, p.Blind)}
	if kept != nil {
		d.Resume(kept, p.Blind)
		d.resumed = true
	}
	d.lay()
	d.prepare(s)
	d.begun = d.Current()
	return d
}

func (d *Screen) lay() { d.lists = make([]widget.List, len(d.Steps())) }

func (d *Screen) step() step { return steps[d.Step()] }

func (d *Screen) list() *widget.List { return &d.lists[d.At()] }

func (d *Screen) Place() action.Place {
	if d.reading {
		if d.Packet.Typing() {
			return action.InFind
		}
		return action.InReading
	}
	return d.stepPlace()
}

func (d *Screen) stepPlace() action.Place {
	switch {
	case d.Step() == decision.Statement:
		return action.InStatement
	case d.Step() == decision.Note:
		return action.InNote
	case d.Step() == decision.Review:
		return action.InReview
	case d.editor != nil:
		return action.InSearch
	case d.Step() == decision.Blockers:
		return action.InBlockers
	}
	return action.InDecision
}

func (d *Screen) enter(s *screen.Scene) screen.Cmd {
	d.prepare(s)
	return d.evaluateAgain(s)
}

func (d *Screen) prepare(s *screen.Scene) {
	d.editor, d.area = nil, nil
	switch d.stepPlace() {
	case action.InStatement:
		d.area = widget.NewArea(statementHint, d.Statement)
	case action.InNote:
		d.editor = widget.NewEditor("❯ ", "optional: a line for yourself", d.Note)
	case action.InReview:
		d.openReview(s)
	}
	switch d.Step() {
	case decision.First, decision.Outcome:
		d.outcomeCursor()
	case decision.Blockers:
		if added := slices.IndexFunc(d.found(), func(row decision.BlockerRow) bool { return row.Added }); added >= 0 {
			d.list().Cursor = added // in sight, though the list is longer than the window
		}
	}
}

func (d *Screen) Obstacle(v action.Verb, s *screen.Scene) string {
	if d.reading {
		packet, _ := d.sides(s)
		switch v {
		case action.EditFilter, action.LaterMatch, action.EarlierMatch:
			return d.Packet.Obstacle(v, &packet)
		}
		return ""
	}
	switch v {
	case action.DiscardDraft:
		if !d.Touched() {
			return "nothing is chosen yet"
		}
	case action.PickNumber, action.Toggle:
		if d.step().choose == nil && (v == action.Toggle || d.Step() != decision.Review) {
			return "there is nothing to choose here"
		}
	case action.Accept:
		if d.Place() == action.InSearch {
			return ""
		}
		if d.step().missing != nil {
			return d.step().missing(d, s)
		}
		return d.Missing(d.Step())
	case action.InsertPrepared:
		if len(d.PreparedFor(s.Prepared)) == 0 {
			return decision.NonePrepared
		}
	}
	return ""
}

func (d *Screen) Handle(v action.Verb, s *screen.Scene) screen.Cmd {
	if d.reading {
		return d.readPacket(v, s)
	}
	if v == action.SwitchPane {
		d.reading = true
		return nil
	}
	if d.Place() == action.InReview {
		if d.word.Move(v) {
			return nil
		}
	} else if d.step().rows != nil && d.list().Move(v, d.step().rows(d)) {
		return nil
	}
	switch v {
	case action.Accept:
		switch d.Place() {
		case action.InSearch:
			d.editor = nil
			return nil
		case action.InReview:
			return d.record(s)
		}
		return d.forward(s)
	case action.GoBack:
		return d.back(s)
	case action.Toggle:
		return s.Refuse(d.step().choose(d, s))
	case action.PickNumber:
		return d.pickNumber(s)
	case action.DiscardDraft:
		return s.Raise(&widget.Question{Title: "Discard the decision?", Text: "What you chose on this packet is discarded.",
			Yes: "discard", No: "keep", Answer: func(s *screen.Scene) screen.Cmd {
				s.Leave()
				kept := d.Kept(s.Now)
				return discarded(s, d.Packet, &kept)
			}})
	case action.InsertPrepared:
		return d.prepared(s)
	case action.EditFilter:
		d.editor = widget.NewEditor("/ ", "part of a code or of its meaning", d.search)
	}
	return nil
}

func (d *Screen) readPacket(v action.Verb, s *screen.Scene) screen.Cmd {
	packet, _ := d.sides(s)
	switch {
	case d.Packet.Typing():
		return d.Packet.Handle(v, &packet)
	case v == action.SwitchPane:
		d.reading = false
		if d.Step() == decision.Review && (d.said != d.Packet.Said || len(d.seen) != len(d.Packet.Seen)) {
			d.openReview(s) // it says what was seen
		}
	case v == action.Fold:
		return d.Packet.FoldHere(&packet)
	default:
		return d.Packet.Handle(v, &packet)
	}
	return nil
}

// pickNumber chooses the line of that number; in the review it goes to the step to change.
func (d *Screen) pickNumber(s *screen.Scene) screen.Cmd {
	number, err := strconv.Atoi(s.Pressed)
	if d.Step() == decision.Review {
		if err != nil || number < 1 || number >= len(d.Steps()) || d.Steps()[number-1] == decision.First {
			return s.Say("✗ press the number of a step to change it")
		}
		d.Enter(d.Steps()[number-1])
		return d.enter(s)
	}
	if err != nil || number < 1 || number > d.step().rows(d) {
		return s.Say("✗ press the number of a line to choose it")
	}
	d.list().Cursor = number - 1
	if why := d.step().choose(d, s); d.Step() != decision.Outcome || d.optionAtCursor().Outcome != d.Chosen() {
		return s.Refuse(why)
	}
	return d.forward(s)
}

func (d *Screen) forward(s *screen.Scene) screen.Cmd {
	d.Forward()
	d.Packet.Blind = d.Packet.Blind && d.Blind()
	return d.enter(s)
}

// back keeps all choices: a changed step goes to the review, the first one leaves the decision.
func (d *Screen) back(s *screen.Scene) screen.Cmd {
	lost := ""
	switch d.Place() {
	case action.InSearch:
		d.editor, d.search = nil, ""
		return nil
	case action.InStatement:
		if text := strings.TrimSpace(d.area.Text()); d.Statement != text {
			lost = fmt.Sprintf("not all of the text is kept: %s", d.StatementFault(text))
		}
	}
	if lost != "" {
		d.Enter(d.Steps()[d.At()-1]) // part of the text is gone: not to the review with the rest
	} else if !d.Back() {
		return d.leave(s)
	}
	cmd := d.enter(s)
	s.Refuse(lost)
	return cmd
}

func (d *Screen) Typing() bool {
	if d.reading {
		return d.Packet.Typing()
	}
	return d.editor != nil || d.area != nil || d.Step() == decision.Review
}

func (d *Screen) Typed(p action.Press, s *screen.Scene) screen.Cmd {
	if d.reading {
		packet, _ := d.sides(s)
		return d.Packet.Typed(p, &packet)
	}
	if d.Place() == action.InReview {
		d.word.Take(p, s.Clock())
		return nil
	}
	if d.area != nil {
		return s.Refuse(d.write(p))
	}
	refused := d.editor.Take(p)
	if d.Place() == action.InSearch {
		d.search = d.editor.Text()
		*d.list() = widget.List{Height: d.list().Height}
	} else {
		d.Note = strings.TrimSpace(d.editor.Text())
	}
	return s.Refuse(refused)
}

func (d *Screen) Touched() bool { return d.resumed || d.Current() != d.begun }

func (d *Screen) leave(s *screen.Scene) screen.Cmd {
	if !d.Touched() {
		return s.Leave()
	}
	d.Packet.CaseFile.Draft = d.Kept(s.Now)
	s.Leave()
	return s.Say(fmt.Sprintf("nothing is recorded; your choices are saved as a draft, %s continues it",
		s.Key(action.Decide, action.InPacket)))
}

func (d *Screen) Draft() (terms.Table, packets.Key, records.Draft) {
	return d.Packet.Request.Table, d.Packet.Key(), d.Current()
}

func (d *Screen) Answered(answer *decision.Answer, receipt records.Receipt, left int, s *screen.Scene) screen.Cmd {
	switch answer.Result {
	case decision.Recorded:
		shown := &receiptScreen{receipt: receipt, key: d.Packet.Key(),
			page: d.Receipt(&receipt, s.Service.Tally.Service != "", left)}
		return s.NextCase(shown.key, false, shown, receipt.Caution != "")
	case decision.Changed:
		return openStale(s, d, answer.Changes)
	}
	d.word.Ask(s.Clock())
	return widget.Alarm(s, answer.Title, answer.Text)
}
