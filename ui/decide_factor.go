package ui

import (
	"docket/domain"
	"docket/ui/line"
	"docket/ui/theme"
)

// factorStep chooses factor codes. Those that the evaluation supports are chosen to begin with.
var factorStep = step{
	name: "factors",
	missing: func(d *decideScreen, _ *scene) string {
		if d.draft.factors.Empty() {
			return "at least one factor code is needed; Space chooses"
		}
		return ""
	},
	rows: func(*decideScreen) int { return domain.FactorCodes.Len() },
	choose: func(d *decideScreen, _ *scene) effect {
		code := domain.FactorCodes.All()[d.list().cursor]
		if d.draft.factors.Has(code) {
			d.draft.factors = d.draft.factors.Without(code)
		} else {
			d.draft.factors = d.draft.factors.With(code)
		}
		return nil
	},
	view: func(d *decideScreen, s *scene, height int) line.Sheet {
		codes := domain.FactorCodes.All()
		supported := d.packetView().Judgment().FactorCodes()
		rows := make(line.Sheet, len(codes))
		for i, code := range codes {
			out := checkbox(d.draft.factors.Has(code)).Plus(line.Of(theme.Plain, code.String()).Pad(factorWidth))
			if supported.Has(code) {
				out = out.And(theme.Pass, " ✓ ")
			} else {
				out = out.And(theme.Dim, " · ")
			}
			rows[i] = cursorLine(out.And(theme.Dim, domain.FactorMeaning(code)), i == d.list().cursor, s.width)
		}
		here := codes[clamp(d.list().cursor, len(codes))]
		why := "The evaluation does not support it; choose it only if you do."
		if supported.Has(here) {
			why = "✓ The evaluation supports it, so it was chosen to begin with."
		}
		below := line.Sheet(line.Of(theme.Plain, domain.FactorMeaning(here)+" ").And(theme.Dim, why).Wrap(s.width, 0))
		return d.pick("Which reasons carry the decision? Space chooses, Enter takes "+
			plural(d.draft.factors.Len(), "code", "codes")+".", rows, below, s, height)
	},
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
