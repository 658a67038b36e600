package rules

import "docket/domain/terms"

// OutcomesOnBlocked are what may be recorded on some packet whose gate is blocked.
const OutcomesOnBlocked = terms.OutcomeSet(1<<terms.RequestEvidence | 1<<terms.RouteHumanReview |
	1<<terms.BlockReliance | 1<<terms.CloseUnresolved)

// outcomesUnheard may be recorded on a pass without a delivered notice, if the rule permits them.
const outcomesUnheard = terms.OutcomeSet(1<<terms.RequestEvidence | 1<<terms.RouteHumanReview | 1<<terms.OpenChallengeWindow)

// outcomesWithoutRule may be recorded on a blocked gate where no usable rule permits anything.
const outcomesWithoutRule = terms.OutcomeSet(1<<terms.RequestEvidence | 1<<terms.RouteHumanReview)

// Obstacle says why the outcome may not be recorded under the gate; "" if it may. It has to fit the
// trigger, block while the gate is blocked, and settle nothing if nobody was heard.
func (found Findings) Obstacle(gate terms.Gate, outcome terms.Outcome) string {
	permitted := found.Rule.Compatible
	if !found.Rule.Usable() {
		permitted = 0
	}
	switch {
	case !outcome.Present():
		return "no outcome is chosen"
	case outcome == terms.BlockReliance && (gate != terms.Pass || !found.Heard):
		return ""
	case gate != terms.Pass && !OutcomesOnBlocked.Has(outcome):
		return "the gate is blocked"
	case gate != terms.Pass && permitted.Empty() && outcomesWithoutRule.Has(outcome):
		return ""
	case !permitted.Has(outcome):
		return "not in this policy"
	case gate == terms.Pass && !found.Heard && !outcomesUnheard.Has(outcome), gate != terms.Pass &&
		!found.Heard && outcome == terms.CloseUnresolved:
		return "no notice was delivered, so nobody was heard"
	}
	return ""
}
