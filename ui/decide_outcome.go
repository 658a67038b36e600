package ui

import (
	"docket/domain"
	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/theme"
	"docket/ui/wording"
)

// outcomeStep chooses the outcome of an appeal. What may not be chosen is shown with the reason. Nothing is chosen for the
// reviewer: where the cursor stands is no choice, and the step is left only with the cursor on what was chosen.
var outcomeStep = outcomeStepOf(func(draft *domain.Draft) *domain.Outcome { return &draft.Outcome })

// outcomeStepOf makes a step that chooses an outcome.
func outcomeStepOf(at func(*domain.Draft) *domain.Outcome) step {
	return step{
		outcome: at,
		missing: func(d *decideScreen, _ *scene) string {
			option := d.optionAtCursor()
			if option.Obstacle != "" {
				return option.Outcome.Label() + " may not be chosen: " + option.Obstacle
			}
			if option.Outcome != *at(&d.Draft) {
				return option.Outcome.Label() + " is not chosen: press Space to choose it"
			}
			return ""
		},
		rows: func(*decideScreen) int { return domain.Outcomes.Len() },
		choose: func(d *decideScreen, _ *scene) effect {
			option := d.optionAtCursor()
			if option.Obstacle != "" {
				return say{text: "✗ " + option.Outcome.Label() + " may not be chosen: " + option.Obstacle}
			}
			d.take(option.Outcome)
			return nil
		},
		view: func(d *decideScreen, s *scene, height int) line.Sheet {
			options := d.Options()
			sheet := make(line.Sheet, len(options))
			for i, option := range options {
				sheet[i] = d.optionLine(option, i == d.list().cursor, s)
			}
			below := line.Sheet(line.Of(theme.Plain, domain.EffectOf(d.optionAtCursor().Outcome).Meaning).Wrap(s.width, 0))
			return d.pick(d.outcomeQuestion(s), sheet, below, s, height)
		},
	}
}

// take takes an outcome where the step's belongs.
func (d *decideScreen) take(outcome domain.Outcome) {
	if d.Step() == decision.First {
		d.Preliminary = outcome
		return
	}
	d.Choose(outcome)
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
		if chosen := *d.step().outcome(&d.Draft); chosen.Present() && option.Outcome == chosen {
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
	case option.Outcome == *d.step().outcome(&d.Draft):
		mark, role = line.Of(theme.Pass, "● "), theme.Strong
	}
	out := mark.Plus(line.Of(role, option.Outcome.Label()).Pad(outcomeWidth + 1))
	between := " "
	for _, word := range d.optionMarks(option) {
		out, between = out.And(theme.Dim, between).And(theme.Accent, word), " · "
	}
	if option.Obstacle != "" {
		out = out.And(theme.Dim, between+option.Obstacle)
	}
	return cursorLine(out, here, s.width)
}

// optionMarks say who is for an outcome. What the rules advise is not said before the reviewer has.
func (d *decideScreen) optionMarks(option domain.Option) (marks []string) {
	for _, mark := range []struct {
		holds bool
		word  string
	}{
		{option.Advised && !d.packet.blind, "advised"},
		{option.Outcome == d.Preliminary && !d.packet.blind, "your first"},
		{option.Asked, "asked for"},
	} {
		if mark.holds {
			marks = append(marks, mark.word)
		}
	}
	return marks
}

// outcomeWidth is that of the longest outcome.
var outcomeWidth = func() int {
	width := 0
	for _, outcome := range domain.Outcomes.All() {
		width = max(width, len(outcome.Label()))
	}
	return width
}()

// cursorLine sets off the line under the cursor by a glyph as well as by its background.
func cursorLine(l line.Line, here bool, width int) line.Line {
	if here {
		return line.Of(theme.Accent, "❯ ").Plus(l).Selected(width)
	}
	return line.Of(theme.Plain, "  ").Plus(l)
}

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
