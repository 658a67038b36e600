package decide

import (
	"slices"

	"docket/domain"
	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"
)

// outcomeStep chooses the outcome of an appeal. What may not be chosen is shown with the reason. Nothing is chosen for the
// reviewer: where the cursor stands is no choice, and the step is left only with the cursor on what was chosen.
//
// In blind-first mode the step comes twice, the first time for the reviewer's own judgment. The digest that a record holds of
// its packet covers the whole view, the advice included: by the time of the final outcome all of it has been on the screen.
// That it was not before is what the preliminary outcome says, and the order in which the sections were seen.
var outcomeStep = step{
	missing: func(d *Screen, _ *screen.Scene) string {
		option := d.optionAtCursor()
		if option.Obstacle != "" {
			return decision.MayNotBeChosen(option)
		}
		if option.Outcome != d.Chosen() {
			return option.Outcome.Label() + " is not chosen: press Space to choose it"
		}
		return ""
	},
	rows: func(*Screen) int { return domain.Outcomes.Len() },
	choose: func(d *Screen, _ *screen.Scene) screen.Effect {
		if why := d.Choose(d.optionAtCursor().Outcome); why != "" {
			return screen.Say{Text: "✗ " + why}
		}
		return nil
	},
	view: func(d *Screen, s *screen.Scene, height int) line.Sheet {
		options := d.Options()
		sheet := make(line.Sheet, len(options))
		for i, option := range options {
			sheet[i] = d.optionLine(option, i == d.list().Cursor, s)
		}
		if d.Preliminary.Present() && !d.Blind() {
			d.seeAdvice(s)
		}
		below := line.Sheet(line.Of(theme.Plain, domain.EffectOf(d.optionAtCursor().Outcome).Meaning).Wrap(s.Width, 0))
		return d.pick(d.Question(), sheet, below, s, height)
	},
}

// seeAdvice notes that the advice, which the options show, has been seen.
func (d *Screen) seeAdvice(s *screen.Scene) {
	if !s.Covered && !slices.Contains(d.Packet.Seen, domain.SectionAdvisory) {
		d.Packet.Seen = append(d.Packet.Seen, domain.SectionAdvisory)
	}
}

func (d *Screen) optionAtCursor() domain.Option {
	options := d.Options()
	return options[widget.Clamp(d.list().Cursor, len(options))]
}

// outcomeCursor puts the cursor on what is chosen, else on the first outcome that may be.
func (d *Screen) outcomeCursor() {
	first := -1
	for i, option := range d.Options() {
		if option.Obstacle == "" && first < 0 {
			first = i
		}
		if chosen := d.Chosen(); chosen.Present() && option.Outcome == chosen {
			first = i
			break
		}
	}
	d.list().Cursor = max(first, 0)
}

func (d *Screen) optionLine(option domain.Option, here bool, s *screen.Scene) line.Line {
	mark, role := line.Of(theme.Dim, "○ "), theme.Plain
	switch {
	case option.Obstacle != "":
		mark, role = line.Of(theme.Bad, "✗ "), theme.Dim
	case option.Outcome == d.Chosen():
		mark, role = line.Of(theme.Pass, "● "), theme.Strong
	}
	out := mark.Plus(line.Of(role, option.Outcome.Label()).Pad(outcomeWidth + 1))
	between := " "
	for _, word := range d.Marks(option) {
		out, between = out.And(theme.Dim, between).And(theme.Accent, word), " · "
	}
	if option.Obstacle != "" {
		out = out.And(theme.Dim, between+option.Obstacle)
	}
	return widget.CursorLine(out, here, s.Width)
}

// outcomeWidth is that of the longest outcome.
var outcomeWidth = func() int {
	width := 0
	for _, outcome := range domain.Outcomes.All() {
		width = max(width, len(outcome.Label()))
	}
	return width
}()

// pick draws a step in which lines are chosen: a question, the lines that the window shows, and below them what the one
// under the cursor means.
func (d *Screen) pick(question string, rows, below line.Sheet, s *screen.Scene, height int) line.Sheet {
	var sheet line.Sheet
	if !s.Compact {
		sheet = append(line.Sheet(line.Of(theme.Dim, question).Wrap(s.Width, 0)), nil)
		below = append(line.Sheet{line.Rule(s.Width)}, below...)
	}
	if height < len(sheet)+len(below)+4 || s.Compact && height < len(below)+len(rows) {
		below = nil
	}
	room := max(min(height-len(sheet)-len(below), len(rows)), 1)
	top, end := d.list().Window(len(rows), room)
	sheet = append(sheet, rows[top:end]...)
	if more := len(rows) - end; more > 0 && len(below) > 0 && !s.Compact {
		below[0] = line.Spread(line.Rule(s.Width-12), line.Of(theme.Dim, "↓ "+wording.Thousands(more)+" more"), s.Width)
	}
	return append(sheet, below...)
}
