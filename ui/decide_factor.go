package ui

import (
	"docket/domain"
	"docket/ui/line"
	"docket/ui/theme"
)

// factorStep chooses factor codes. Those that the evaluation supports are chosen to begin with.
var factorStep = step{
	rows: func(*decideScreen) int { return domain.FactorCodes.Len() },
	choose: func(d *decideScreen, _ *scene) effect {
		code := domain.FactorCodes.All()[d.list().cursor]
		if d.Factors.Has(code) {
			d.Factors = d.Factors.Without(code)
		} else {
			d.Factors = d.Factors.With(code)
		}
		return nil
	},
	view: func(d *decideScreen, s *scene, height int) line.Sheet {
		reasons := d.View().Judgment().FactorReasons()
		rows := make(line.Sheet, len(reasons))
		for i, reason := range reasons {
			out := checkbox(d.Factors.Has(reason.Code)).Plus(line.Of(theme.Plain, reason.Code.String()).Pad(factorWidth))
			if reason.Supported {
				out = out.And(theme.Pass, " ✓ ")
			} else {
				out = out.And(theme.Dim, " · ")
			}
			rows[i] = cursorLine(out.And(theme.Dim, reason.Why), i == d.list().cursor, s.width)
		}
		here := reasons[clamp(d.list().cursor, len(reasons))]
		return d.pick("Which reasons carry the decision? Space chooses, Enter takes "+
			plural(d.Factors.Len(), "code", "codes")+".", rows, factorWords(here, s.width), s, height)
	},
}

// factorWords says what a code states, and why it was chosen to begin with or not.
func factorWords(reason domain.FactorReason, width int) line.Sheet {
	sheet := line.Sheet(line.Of(theme.Plain, domain.FactorMeaning(reason.Code)).Wrap(width, 0))
	why := line.Of(theme.Dim, "· Not supported by the evaluation: "+reason.Why+". Choose it only if you do.")
	if reason.Supported {
		why = line.Of(theme.Pass, "✓ ").And(theme.Dim, "Chosen to begin with: "+reason.Why+".")
	}
	return append(sheet, why.Wrap(width, 2)...)
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
