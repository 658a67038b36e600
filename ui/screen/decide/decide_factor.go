package decide

import (
	"docket/domain"
	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"
)

// factorStep chooses factor codes among those that the evaluation gives for the chosen outcome. All of them are chosen to
// begin with; some always stand.
var factorStep = step{
	rows: func(d *Screen) int { return len(d.Codes()) },
	choose: func(d *Screen, _ *screen.Scene) screen.Effect {
		codes := d.Codes()
		if why := d.ToggleFactor(codes[widget.Clamp(d.list().Cursor, len(codes))].Code); why != "" {
			return screen.Say{Text: "✗ " + why}
		}
		return nil
	},
	view: func(d *Screen, s *screen.Scene, height int) line.Sheet {
		codes := d.Codes()
		rows := make(line.Sheet, len(codes))
		for i, one := range codes {
			mark := checkbox(d.Factors.Has(one.Code))
			if one.Always {
				mark = line.Of(theme.Pass, "[✓] ")
			}
			rows[i] = widget.CursorLine(mark.Plus(line.Of(theme.Plain, one.Code.String()).Pad(factorWidth)).And(theme.Dim, "  "+whyFactor(one)),
				i == d.list().Cursor, s.Width)
		}
		here := codes[widget.Clamp(d.list().Cursor, len(codes))]
		return d.pick(d.Question()+" Space chooses, Enter takes "+
			wording.Plural(d.Factors.Len(), "code", "codes")+".", rows, factorWords(here, s.Width), s, height)
	},
}

// whyFactor says why a code can be chosen.
func whyFactor(one domain.FactorReason) string {
	if one.Always && one.Why != decision.AlwaysRequired {
		return decision.AlwaysRequired + ": " + one.Why
	}
	return one.Why
}

// factorWords says what a code states, and why it can be chosen.
func factorWords(one domain.FactorReason, width int) line.Sheet {
	sheet := line.Sheet(line.Of(theme.Plain, domain.FactorMeaning(one.Code)).Wrap(width, 0))
	return append(sheet, line.Of(theme.Pass, "✓ ").And(theme.Dim, whyFactor(one)+".").Wrap(width, 2)...)
}

// factorWidth is that of the longest factor code.
var factorWidth = func() int {
	width := 0
	for _, code := range domain.FactorCodes.All() {
		width = max(width, len(code.String()))
	}
	return width
}()

func checkbox(chosen bool) line.Line {
	if chosen {
		return line.Of(theme.Accent, "[x] ")
	}
	return line.Of(theme.Dim, "[ ] ")
}
