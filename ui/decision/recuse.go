package decision

import (
	"slices"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/wording"
)

// What a recusal asks for.
const (
	RecuseTitle = "Recuse"
	RecuseText  = "Why can you not decide this case neutrally? The reason is recorded as your statement: write no private details."
)

// Recuse makes the decision one in which the reviewer steps back: it adds the blocker that no neutral review is there, with the
// outcome that routes the case to somebody else where that may be recorded, else the one that blocks reliance. It goes to the
// review, or to the first step that lacks something.
func (d *Decision) Recuse(reason string, reviewer records.Reviewer) {
	if d.Fixed(terms.NeutralReviewMissing) == "" {
		d.Added = d.Added.With(terms.NeutralReviewMissing)
	}
	d.steps = slices.DeleteFunc(d.steps, func(s Step) bool { return s == First })
	d.at, d.furthest = 0, 0
	d.Statement = reason
	if d.View().Area() == terms.Appeals {
		d.Outcome = terms.BlockReliance
		if d.obstacle(terms.RouteHumanReview) == "" {
			d.Outcome = terms.RouteHumanReview
		}
		d.Factors = d.offered(d.Factors, true)
	}
	d.Notices = nil
	d.ToReview(reviewer)
}

// ToReview goes on to the review, as far as no step lacks anything. It returns what the step lacks at which it stops.
func (d *Decision) ToReview(reviewer records.Reviewer) (missing string) {
	for d.Step() != Review {
		if d.Step() == First {
			return "your own judgment comes first"
		}
		if missing = d.Missing(d.Step(), reviewer); missing != "" {
			return missing
		}
		at := d.at
		if d.Forward(); d.at <= at {
			return d.Missing(d.Step(), reviewer)
		}
	}
	return ""
}

// DepartsFrom is said of an outcome that is not the advised one, which follows.
const DepartsFrom = wording.Departs + ":"

// Departs reports whether the outcome that is chosen departs from the advice; not before the advice is shown.
func (d *Decision) Departs() bool {
	return d.Outcome.Present() && !d.Blind() && d.Outcome != d.Advised()
}
