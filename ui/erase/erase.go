// Package erase is the dialog that erases text that a person wrote: it asks what to erase and why, says what is erased and what stays, and takes the word.
package erase

import (
	"context"
	"time"

	"docket/domain/records"
	"docket/ui/action"
	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// Obstacle says why nothing can be erased now; "" if it can.
func Obstacle(s *screen.Scene) string {
	if s.LogCheck == screen.Checking {
		return "the log is being checked; erase when the check has finished"
	}
	return decision.WhyNotErase(s.Reviewer, s.Locked, s.Keyless)
}

// Ask opens the dialog for those of the texts that exist.
func Ask(list []records.Erasure) screen.Effect { return ask{list} }

type (
	ask struct{ list []records.Erasure }
	// planned answers it.
	planned struct {
		from  screen.Screen // that asked
		plans []records.ErasurePlan
		err   error
	}
)

func (e ask) CarryOut(h screen.Host) tea.Cmd {
	from := h.Stage().Top()
	return h.Ask("looking at what can be erased", func(ctx context.Context, workbench screen.Workbench) screen.Effect {
		plans, err := workbench.PlanErasures(ctx, e.list)
		return planned{from, plans, err}
	})
}

func (e planned) CarryOut(h screen.Host) tea.Cmd {
	switch {
	case h.Stage().Overlay != nil || h.Stage().Top() != e.from || h.Scene().Recording:
		return nil // the reader has gone on
	case e.err != nil:
		answer := decision.ErasureAnswer(e.err)
		return widget.Alarm{About: answer.Title, Text: answer.Text}.CarryOut(h)
	case len(e.plans) == 0:
		return screen.Say{Text: decision.NothingToErase}.CarryOut(h)
	}
	d := &dialog{plans: e.plans, clock: h.Scene().Clock, readyAt: h.Scene().Clock().Add(decision.Grace)}
	return screen.Raise{Overlay: d}.CarryOut(h)
}

// A dialog asks what is erased, then why, then for the word.
type dialog struct {
	plans   []records.ErasurePlan
	what    widget.List
	why     widget.List
	word    *widget.Word // nil before the last page
	reasons bool         // it asks why
	clock   func() time.Time
	readyAt time.Time // keys before that were typed before the page could be read
}

func (d *dialog) plan() records.ErasurePlan {
	plan := d.plans[widget.Clamp(d.what.Cursor, len(d.plans))]
	if all := records.ErasureReasons.All(); d.reasons {
		plan.Erasure.Reason = all[widget.Clamp(d.why.Cursor, len(all))]
	}
	return plan
}

// Typing reports whether keys are letters of the word.
func (d *dialog) Typing() bool { return d.word != nil }

// moves are the keys that move in the dialog.
var moves = map[string]action.Verb{"up": action.GoUp, "down": action.GoDown, "pgup": action.PageUp, "pgdown": action.PageDown}

func (d *dialog) Press(p action.Press) screen.Effect {
	now := d.clock()
	verb, moving := moves[p.Name]
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
		return d.back()
	case p.Name == "enter":
		return d.goOn(now)
	}
	return nil
}

// goOn takes the answer of the page.
func (d *dialog) goOn(now time.Time) screen.Effect {
	switch {
	case d.word != nil:
		if d.word.Missing(now) == "" {
			return screen.Several{screen.Lower{}, screen.Erase{Erasure: d.plan().Erasure}}
		}
	case d.reasons:
		d.word = widget.NewWord(records.EraseWord, decision.EraseQuestion, now)
	default:
		d.reasons, d.readyAt = true, now.Add(decision.Grace)
	}
	return nil
}

// back goes to the page before, and from the first one leaves the dialog.
func (d *dialog) back() screen.Effect {
	switch {
	case d.word != nil:
		d.word = nil
	case d.reasons:
		d.reasons = false
	default:
		return screen.Several{screen.Lower{}, screen.Say{Text: decision.NothingErased}}
	}
	return nil
}

func (d *dialog) Keys() []screen.Key {
	keys := []screen.Key{{Key: "enter", Label: "go on"}, {Key: "esc", Label: "back"}, {Key: "down", Label: "down"}, {Key: "up", Label: "up"}}
	if d.word != nil {
		keys[0].Label = "erase"
	}
	return keys
}

// dialogWidth is how wide the dialog is at most.
const dialogWidth = 76

func (d *dialog) Box(width, height int) (line.Sheet, int) {
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
	asked := line.Sheet{line.Of(theme.Strong, question)}
	top, end := list.Window(len(rows), max(min(len(rows), high-len(asked)), 1))
	for i := top; i < end; i++ {
		asked = append(asked, widget.CursorLine(rows[i], i == list.Cursor, wide).Fit(wide))
	}
	told := d.told(wide)
	if room := high - len(asked) - 1; room < len(told) {
		told = told.Window(0, max(room, 0)) // the last page says it as a whole
	}
	inner := append(told, nil)
	return line.Box(decision.EraseTitle, append(inner, asked...).Window(max(len(inner)+len(asked)-high, 0), high), size), size
}

const reasonWidth = 16

// told says what the erasure does and what stays.
func (d *dialog) told(width int) (sheet line.Sheet) {
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
