package rules

import "docket/domain/terms"

// OutcomesOnBlocked are what may be recorded on some packet whose gate is blocked.
const OutcomesOnBlocked = terms.OutcomeSet(1<<terms.RequestEvidence | 1<<terms.RouteHumanReview | 1<<terms.BlockReliance | 1<<terms.CloseUnresolved)

// outcomesUnheard are what may be recorded on a pass where no notice was delivered, as far as the rule permits it.
const outcomesUnheard = terms.OutcomeSet(1<<terms.RequestEvidence | 1<<terms.RouteHumanReview | 1<<terms.OpenChallengeWindow)

// outcomesWithoutRule may be recorded on a blocked gate where there is no usable rule that would permit anything.
const outcomesWithoutRule = terms.OutcomeSet(1<<terms.RequestEvidence | 1<<terms.RouteHumanReview)

// Obstacle says why the outcome may not be recorded under the gate; "" if it may. An outcome has to fit the trigger, must block
// as long as the gate is blocked, and must settle nothing if nobody was heard.
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
	case gate == terms.Pass && !found.Heard && !outcomesUnheard.Has(outcome), gate != terms.Pass && !found.Heard && outcome == terms.CloseUnresolved:
		return "no notice was delivered, so nobody was heard"
	}
	return ""
}
