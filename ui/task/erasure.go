package task

import (
	"context"
	"errors"
	"fmt"
	"time"

	"docket/domain/records"
	"docket/ui/action"
	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
)

// WhyNotErase says why nothing can be erased now; "" if it can.
func WhyNotErase(s *screen.Scene) string {
	if s.LogCheck == screen.Checking {
		return "the log is being checked; erase when the check has finished"
	}
	return decision.WhyNotErase(s.Reviewer, s.Locked, s.Keyless)
}

// AskErase opens the dialog that erases those of the texts that exist: it asks what to erase and
// why, says what is erased and what stays, and takes the word.
func AskErase(s *screen.Scene, list []records.Erasure) screen.Cmd {
	from := s.Top()
	return s.Go("looking at what can be erased", func(ctx context.Context, workbench screen.Workbench) screen.Then {
		plans, err := workbench.PlanErasures(ctx, list)
		return func(s *screen.Scene) screen.Cmd {
			switch {
			case s.Overlay != nil || s.Top() != from || s.Recording:
				return nil // the reader has gone on
			case err != nil:
				answer := decision.ErasureAnswer(err)
				return widget.Alarm(s, answer.Title, answer.Text)
			case len(plans) == 0:
				return s.Say(decision.NothingToErase)
			}
			return s.Raise(&erasureDialog{plans: plans, clock: s.Clock, readyAt: s.Clock().Add(decision.Grace)})
		}
	})
}

type erasureDialog struct {
	plans   []records.ErasurePlan
	what    widget.List
	why     widget.List
	word    *widget.Word // nil before the last page
	reasons bool         // it asks why
	clock   func() time.Time
	readyAt time.Time // keys before that were typed before the page could be read
}

func (d *erasureDialog) plan() records.ErasurePlan {
	plan := d.plans[widget.Clamp(d.what.Cursor, len(d.plans))]
	if all := records.ErasureReasons.All(); d.reasons {
		plan.Erasure.Reason = all[widget.Clamp(d.why.Cursor, len(all))]
	}
	return plan
}

func (d *erasureDialog) Typing() bool { return d.word != nil }

func (d *erasureDialog) Press(p action.Press, s *screen.Scene) screen.Cmd {
	now := d.clock()
	verb, moving := widget.TypingMoves[p.Name]
	switch {
	case d.word != nil && moving:
		d.word.Move(verb)
	case d.word != nil && p.Name != "enter" && p.Name != "esc":
		d.word.Take(p, now)
	case p.Crowd || now.Before(d.readyAt):
		d.readyAt = now.Add(decision.Grace)
	case moving && d.reasons:
		d.why.Move(verb, len(records.ErasureReasons.All()))
	case moving:
		d.what.Move(verb, len(d.plans))
	case p.Name == "esc":
		return d.back(s)
	case p.Name == "enter":
		return d.goOn(s, now)
	}
	return nil
}

func (d *erasureDialog) goOn(s *screen.Scene, now time.Time) screen.Cmd {
	switch {
	case d.word != nil:
		if d.word.Missing(now) == "" {
			s.Lower()
			return s.Erase(s, d.plan().Erasure)
		}
	case d.reasons:
		d.word = widget.NewWord(records.EraseWord, decision.EraseQuestion, now)
	default:
		d.reasons, d.readyAt = true, now.Add(decision.Grace)
	}
	return nil
}

func (d *erasureDialog) back(s *screen.Scene) screen.Cmd {
	switch {
	case d.word != nil:
		d.word = nil
	case d.reasons:
		d.reasons = false
	default:
		s.Lower()
		return s.Say(decision.NothingErased)
	}
	return nil
}

func (d *erasureDialog) Keys() []screen.Key {
	keys := []screen.Key{{Key: "enter", Label: "go on"}, {Key: "esc", Label: "back"},
		{Key: "down", Label: "down"}, {Key: "up", Label: "up"}}
	if d.word != nil {
		keys[0].Label = "erase"
	}
	return keys
}

const dialogWidth = 76

func (d *erasureDialog) Box(width, height int) (line.Sheet, int) {
	size := min(width, dialogWidth)
	wide, high := size-4, height-2
	if d.word != nil {
		return line.Box(decision.EraseTitle, d.word.View(d.told(wide), wide, high, false, d.clock()).Window(0, high), size), size
	}
	list, question := &d.what, "What is erased?"
	var rows []line.Line
	for i := range d.plans {
		rows = append(rows, line.Of(theme.Plain, d.plans[i].Clause()))
	}
	if d.reasons {
		list, question, rows = &d.why, "Why?", nil
		for _, reason := range records.ErasureReasons.All() {
			rows = append(rows, line.Of(theme.Plain, reason.Label()).Pad(reasonWidth).And(theme.Dim, records.ErasureMeaning(reason)))
		}
	}
	asked := append(line.Sheet{line.Of(theme.Strong, question)},
		list.Rows(len(rows), max(min(len(rows), high-1), 1), wide, func(i int) line.Line {
			return rows[i].Fit(wide - widget.CursorWidth)
		})...)
	told := d.told(wide)
	if room := high - len(asked) - 1; room < len(told) {
		told = told.Window(0, max(room, 0)) // the last page says it as a whole
	}
	inner := append(told, nil)
	return line.Box(decision.EraseTitle, append(inner, asked...).Window(max(len(inner)+len(asked)-high, 0), high), size), size
}

const reasonWidth = 16

func (d *erasureDialog) told(width int) (sheet line.Sheet) {
	plan := d.plan()
	for i, sentence := range decision.ToldBefore(&plan) {
		if i == 0 {
			sheet = append(sheet, line.Of(theme.Warn, "! ").And(theme.Strong, sentence).Wrap(width, 2)...)
			continue
		}
		sheet = append(sheet, line.Of(theme.Dim, "- ").And(theme.Plain, sentence).Wrap(width, 2)...)
	}
	return sheet
}

func (r *Recording) Erase(s *screen.Scene, e records.Erasure) screen.Cmd {
	a := &attempt{ending: func(end func() error) error { return end() }}
	if e.What == records.ErasableDraft {
		a.ending = r.Drafts.Ending().Run
	}
	a.told = func() string {
		switch {
		case a.begun && !a.ended:
			return fmt.Sprintf("it is not known whether %s was erased; erase it again to find out", e)
		case a.recorded(), errors.Is(a.err, records.ErrErased):
			return fmt.Sprintf("%s was erased", e)
		}
		return "nothing was erased"
	}
	a.shown = func(s *screen.Scene) screen.Cmd { return r.erased(s, e, a.err) }
	return r.start(s, a, "erasing …", func(ctx context.Context, workbench screen.Workbench) (records.Receipt, error) {
		return records.Receipt{}, workbench.Erase(ctx, e)
	})
}

type holder interface {
	// Erased reads its data again.
	Erased(s *screen.Scene) screen.Cmd
}

func (r *Recording) erased(s *screen.Scene, e records.Erasure, err error) (cmd screen.Cmd) {
	answer := decision.ErasureAnswer(err)
	if answer.Locked != "" {
		s.Locked, s.LogCheck = answer.Locked, screen.Altered
	}
	if answer.Result == decision.Recorded {
		if e.What == records.ErasableDraft {
			r.Drafts.Close()
		}
		if one, is := s.Top().(holder); is {
			cmd = one.Erased(s)
		}
	}
	if err != nil {
		widget.Alarm(s, answer.Title, answer.Text)
	} else {
		s.Say(decision.Erased)
	}
	return cmd
}
