package ui

import (
	"slices"

	"docket/domain"
	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/theme"
	"docket/ui/wording"
)

// outcomeStep chooses the outcome of an appeal. What may not be chosen is shown with the reason. Nothing is chosen for the
// reviewer: where the cursor stands is no choice, and the step is left only with the cursor on what was chosen.
//
// In blind-first mode the step comes twice, the first time for the reviewer's own judgment. The digest that a record holds of
// its packet covers the whole view, the advice included: by the time of the final outcome all of it has been on the screen.
// That it was not before is what the preliminary outcome says, and the order in which the sections were seen.
var outcomeStep = step{
	missing: func(d *decideScreen, _ *scene) string {
		option := d.optionAtCursor()
		if option.Obstacle != "" {
			return decision.MayNotBeChosen(option)
		}
		if option.Outcome != d.Chosen() {
			return option.Outcome.Label() + " is not chosen: press Space to choose it"
		}
		return ""
	},
	rows: func(*decideScreen) int { return domain.Outcomes.Len() },
	choose: func(d *decideScreen, _ *scene) effect {
		if why := d.Choose(d.optionAtCursor().Outcome); why != "" {
			return say{text: "✗ " + why}
		}
		return nil
	},
	view: func(d *decideScreen, s *scene, height int) line.Sheet {
		options := d.Options()
		sheet := make(line.Sheet, len(options))
		for i, option := range options {
			sheet[i] = d.optionLine(option, i == d.list().cursor, s)
		}
		if d.Preliminary.Present() && !d.Blind() {
			d.seeAdvice(s)
		}
		below := line.Sheet(line.Of(theme.Plain, domain.EffectOf(d.optionAtCursor().Outcome).Meaning).Wrap(s.width, 0))
		return d.pick(d.Question(), sheet, below, s, height)
	},
}

// seeAdvice notes that the advice, which the options show, has been seen.
func (d *decideScreen) seeAdvice(s *scene) {
	if !s.covered && !slices.Contains(d.packet.seen, domain.SectionAdvisory) {
		d.packet.seen = append(d.packet.seen, domain.SectionAdvisory)
	}
}

func (d *decideScreen) optionAtCursor() domain.Option {
	options := d.Options()
	return options[clamp(d.list().cursor, len(options))]
}

// outcomeCursor puts the cursor on what is chosen, else on the first outcome that may be.
func (d *decideScreen) outcomeCursor() {
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
	d.list().cursor = max(first, 0)
}

func (d *decideScreen) optionLine(option domain.Option, here bool, s *scene) line.Line {
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
	return cursorLine(out, here, s.width)
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
func (d *decideScreen) pick(question string, rows, below line.Sheet, s *scene, height int) line.Sheet {
	var sheet line.Sheet
	if !s.compact {
		sheet = append(line.Sheet(line.Of(theme.Dim, question).Wrap(s.width, 0)), nil)
		below = append(line.Sheet{line.Rule(s.width)}, below...)
	}
	if height < len(sheet)+len(below)+4 || s.compact && height < len(below)+len(rows) {
		below = nil
	}
	room := max(min(height-len(sheet)-len(below), len(rows)), 1)
	top, end := d.list().window(len(rows), room)
	sheet = append(sheet, rows[top:end]...)
	if more := len(rows) - end; more > 0 && len(below) > 0 && !s.compact {
		below[0] = line.Spread(line.Rule(s.width-12), line.Of(theme.Dim, "↓ "+wording.Thousands(more)+" more"), s.width)
	}
	return append(sheet, below...)
}
