package decision

import (
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
)

// An Addition is added to the decisions on several cases. Each decision is still reviewed and recorded separately.
type Addition struct {
	Blockers  terms.BlockerSet
	Outcome   terms.Outcome // of appeals; absent: it is chosen in each decision
	Statement string
	Note      string
}

// Add applies an addition: the blockers that do not hold yet; outcome, statement and note where the decision has none, so that no
// part of a draft is lost. It goes to the review, or to the first incomplete step. While the advice is held back, no outcome is
// set.
func (d *Decision) Add(a Addition, reviewer records.Reviewer) {
	d.Added = d.Added.Union(a.Blockers.Minus(fixed(d.View())))
	if d.Statement == "" {
		d.Statement = a.Statement
	}
	if d.Note == "" {
		d.Note = a.Note
	}
	if d.Outcome.Present() || d.Blind() || d.obstacle(a.Outcome) != "" {
		d.dropFactors()
	} else {
		d.Outcome = a.Outcome
		d.Factors = d.offered(d.Factors, true)
	}
	d.Notices = nil
	d.ToReview(reviewer)
}

// BlockedOutcomes are the outcomes that an Addition can have: those that some rule permits where the gate is blocked.
func BlockedOutcomes() []terms.Outcome { return rules.OutcomesOnBlocked.Terms() }
