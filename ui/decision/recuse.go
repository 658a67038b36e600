package decision

import (
	"slices"

	"docket/domain/terms"
	"docket/ui/wording"
)

// RecuseText asks for the statement of a recusal.
const RecuseText = "Why can you not decide this case neutrally? The parties read the reason: write no private details"

// Recuse makes the decision a recusal: it adds neutral_review_missing, with the outcome that routes
// the case to another reviewer if that may be recorded, else the one that blocks reliance. It goes
// to the review or the first incomplete step: the statement, without a reason.
func (d *Decision) Recuse(reason string) {
	if d.fixed(terms.NeutralReviewMissing) == "" {
		d.Added = d.Added.With(terms.NeutralReviewMissing)
	}
	d.steps = slices.DeleteFunc(d.steps, func(s Step) bool { return s == First })
	d.at, d.furthest = 0, 0
	if reason != "" {
		d.Statement = reason // else what was written before stays, to be edited
	}
	if d.View().Area() == terms.Appeals {
		d.Outcome = terms.BlockReliance
		if d.obstacle(terms.RouteHumanReview) == "" {
			d.Outcome = terms.RouteHumanReview
		}
		d.Factors = d.offered(d.Factors, true)
	}
	d.Notices = nil
	d.Forward()
	if at := slices.Index(d.steps, Statement); reason == "" && d.at > at {
		d.at = at
	}
	if d.Step() == Statement {
		d.Notices = []string{RecuseText}
	}
}

// DepartsFrom precedes the advised outcome where another one is chosen.
const DepartsFrom = wording.Departs + ":"

// Departs reports whether the chosen outcome departs from the advice, once that is shown.
func (d *Decision) Departs() bool {
	return d.Outcome.Present() && !d.Blind() && d.Outcome != d.Advised()
}
