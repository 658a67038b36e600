package queue

import (
	"context"
	"fmt"
	"slices"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/action"
	"docket/ui/decision"
	"docket/ui/mark"
	"docket/ui/screen"
	"docket/ui/widget"
	"docket/ui/wording"

	tea "github.com/charmbracelet/bubbletea"
)

// Adding the same blocker to several decisions: it is asked for once, each case gets a draft with it, and the cases are opened one after another at their
// reviews. Every record has its own review and its own word.

// A round goes through the cases that were given a draft together.
type round struct {
	table terms.Table
	left  []packets.Key // those that are not recorded yet
}

// whyNotBlock says why the reviewer cannot add a blocker to the marked cases; "" if they can.
func (q *Screen) whyNotBlock(s *screen.Scene) string {
	switch count := q.current().marks.Len(); {
	case count == 0:
		return fmt.Sprintf("%s; %s marks one", wording.NothingMarked, s.Keys.KeyOf(action.Mark, action.InQueue))
	case count > mark.MostDrafts:
		return fmt.Sprintf("at most %s decisions are begun together, because each is reviewed and signed separately; %s cases are marked",
			wording.Thousands(mark.MostDrafts), wording.Thousands(count))
	case s.Locked != "":
		return s.Locked
	case s.Keyless != "":
		return wording.Unsigned(s.Keyless)
	case !s.Reviewer.Known():
		return decision.NoReviewer
	}
	return ""
}

// askBlockers asks for the addition to the decisions on the marked cases: blockers, the outcome of appeals, the statement, the note.
func (q *Screen) askBlockers() screen.Effect {
	book := rules.Book(q.Area)
	lines := make([]widget.Pickable, len(book))
	for i, rule := range book {
		lines[i] = widget.Pickable{Name: rule.Code.String(), Meaning: rule.Meaning}
	}
	count := wording.Plural(q.current().marks.Len(), "marked case", "marked cases")
	return screen.Raise{Overlay: &widget.Picker{Title: fmt.Sprintf("Add a blocker to %s", count), Lines: lines, Several: true,
		Text:    "Each case gets a draft with the blockers and is then opened at its review. You review and sign each one separately.",
		Missing: "choose at least one blocker with Space",
		Answer: func(chosen []int) screen.Effect {
			var added decision.Addition
			for _, i := range chosen {
				added.Blockers = added.Blockers.With(book[i].Code)
			}
			if q.Area == terms.Appeals {
				return q.askOutcome(added)
			}
			return q.askStatement(added)
		}}}
}

// askOutcome asks for the outcome. At first it is left to each case.
func (q *Screen) askOutcome(added decision.Addition) screen.Effect {
	outcomes := decision.BlockedOutcomes()
	lines := []widget.Pickable{{Name: "choose in each case"}}
	for _, outcome := range outcomes {
		lines = append(lines, widget.Pickable{Name: outcome.Label(), Meaning: views.EffectOf(outcome).Meaning})
	}
	return screen.Raise{Overlay: &widget.Picker{Title: "Which outcome?", Lines: lines,
		Text: "With the blocker each gate is blocked. Where the outcome may not be recorded, or a draft has another one, you choose in that case.",
		Answer: func(chosen []int) screen.Effect {
			if chosen[0] > 0 {
				added.Outcome = outcomes[chosen[0]-1]
			}
			return q.askStatement(added)
		}}}
}

func (q *Screen) askStatement(added decision.Addition) screen.Effect {
	return screen.Raise{Overlay: &widget.Prompt{Title: "Your reasons",
		Text:    "A blocker that you add needs a statement of reasons, for the parties and every reader of the record: write no private details.",
		Missing: wording.StatementMissing, Editor: widget.NewEditor("❯ ", "your reasons", ""), Fault: decision.StatementFault,
		Answer: func(text string) screen.Effect {
			added.Statement = text
			return q.askNote(added)
		}}}
}

func (q *Screen) askNote(added decision.Addition) screen.Effect {
	return screen.Raise{Overlay: &widget.Prompt{Title: "A note for yourself", Optional: true,
		Text:   "Optional. It stays on this machine; each record holds only its digest.",
		Editor: widget.NewEditor("❯ ", "optional", ""),
		Answer: func(text string) screen.Effect {
			added.Note = text
			return beginTogether{q, added}
		}}}
}

type (
	// beginTogether gives each marked case a draft.
	beginTogether struct {
		queue *Screen
		added decision.Addition
	}
	// begunTogether is the result.
	begunTogether struct {
		queue   *Screen
		table   terms.Table
		drafted []packets.Key
		passed  []mark.Passed
		err     error
	}
)

func (e beginTogether) CarryOut(h screen.Host) tea.Cmd {
	s := h.Scene()
	locked, keyless, reviewer := s.Locked, s.Keyless, s.Reviewer
	draft := mark.Drafting{Table: terms.RecordTable(e.queue.Area), Addition: e.added, Reviewer: reviewer, Blind: s.BlindFirst,
		WhyNot:     func(file *queue.CaseFile) string { return decision.WhyNot(file, reviewer, locked, keyless) },
		DiscardKey: s.Keys.KeyOf(action.DiscardDraft, action.InPacket)}
	var unreadable []mark.Passed
	for _, row := range e.queue.current().marked() {
		if row.Unreadable != "" {
			unreadable = append(unreadable, mark.Passed{ID: row.ID, Why: wording.RowUnreadable})
			continue
		}
		draft.Keys = append(draft.Keys, mark.KeyOf(&row))
	}
	return tea.Batch(screen.Say{Text: "beginning the decisions …", Waiting: true}.CarryOut(h),
		h.Ask("beginning decisions together", func(ctx context.Context, workbench screen.Workbench) screen.Effect {
			drafted, passed, err := draft.Run(ctx, workbench)
			return begunTogether{e.queue, draft.Table, drafted, append(unreadable, passed...), err}
		}))
}

// CarryOut opens the first case that has its draft, and names those that are passed over.
func (e begunTogether) CarryOut(h screen.Host) tea.Cmd {
	q, d := e.queue, e.queue.areas[terms.AreaOf(e.table)]
	for _, key := range e.drafted {
		q.MarkDraft(e.table, key.ID, true)
	}
	for _, one := range e.passed {
		d.marks.Drop(packets.Key{ID: one.ID})
	}
	d.keepMarks(false)
	if e.err != nil {
		return widget.Alarm{About: wording.Capital(wording.SomeNotBegun), Text: wording.HaveDrafts(len(e.drafted)) + ": " + e.err.Error()}.CarryOut(h)
	}
	var effects screen.Several
	if len(e.drafted) > 0 {
		q.round = &round{e.table, e.drafted}
		effects = append(effects, q.round.open(e.drafted[0]))
	}
	if len(e.passed) > 0 {
		effects = append(effects, widget.Alarm{About: fmt.Sprintf("Passed over: %s", wording.Plural(len(e.passed), "case", "cases")),
			Text: mark.Listed(e.passed, len(e.passed))})
	}
	return effects.CarryOut(h)
}

// open opens a case of the round at its decision.
func (r *round) open(key packets.Key) screen.Effect {
	return screen.Several{
		screen.OpenPacket{Request: screen.Request{Table: r.table, ID: key.ID, Revision: key.Number}, Resumes: true},
		screen.Say{Text: wording.LeftToSign(len(r.left))},
	}
}

// next is the case of the round that follows; false if there is no other.
func (r *round) next(after packets.Key) (packets.Key, bool) {
	at := slices.Index(r.left, after)
	for n := 1; n <= len(r.left); n++ {
		if key := r.left[(at+n)%len(r.left)]; key != after {
			return key, true
		}
	}
	return packets.Key{}, false
}

// Recorded takes the mark off a case, and says how many cases of the round are left.
func (q *Screen) Recorded(table terms.Table, key packets.Key, s *screen.Scene) screen.Effect {
	d := q.areas[terms.AreaOf(table)]
	d.marks.Drop(key)
	d.keepMarks(false)
	if q.round == nil || q.round.table != table {
		return nil
	}
	at := slices.Index(q.round.left, key)
	if at < 0 {
		return nil
	}
	q.round.left = slices.Concat(q.round.left[at+1:], q.round.left[:at]) // the next one first
	if len(q.round.left) == 0 {
		q.round = nil
		return screen.Say{Text: wording.AllRecorded}
	}
	return screen.Say{Text: fmt.Sprintf("%s left; %s opens the next one at its review",
		wording.Plural(len(q.round.left), "marked case is", "marked cases are"), s.Keys.KeyOf(action.Accept, action.InReceipt))}
}

// endRound ends the round once its reader is back at the queue, and says how many cases are left.
func (q *Screen) endRound(h screen.Host) tea.Cmd {
	if q.round == nil {
		return nil
	}
	left, resumes := len(q.round.left), h.Scene().Key(action.Decide, action.InPacket)
	q.round = nil
	return h.Ask("leaving a round", func(context.Context, screen.Workbench) screen.Effect {
		return screen.Say{Text: fmt.Sprintf("%s left; your choices are kept as drafts, %s resumes each", wording.Plural(left, "marked case is", "marked cases are"), resumes)}
	})
}
