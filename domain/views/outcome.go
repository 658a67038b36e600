package views

import (
	"docket/domain/terms"
)

// An OutcomeEffect names an outcome in the provenance trail and in the business steps, and says
// what it means. Source 2.3.7 and 6 give open_challenge_window; the rest is this project's choice.
type OutcomeEffect struct {
	ProvenanceActivity string
	TraceabilityStep   string
	Meaning            string
}

// What an outcome means, in the words that the reviewer and the parties both read.
const (
	evidenceAskedFor = "More evidence is asked for before anything is decided."
	noReliance       = "Nothing may rely on the item for now."
)

var outcomeEffects = [...]OutcomeEffect{
	terms.UpholdDecision: {"decision_upheld", "challenge_closed",
		"The challenged decision stands."},
	terms.RequestEvidence: {"evidence_requested", "evidence_pending",
		evidenceAskedFor},
	terms.RouteHumanReview: {"human_review_routed", "review_routed",
		"Another human reviewer has to look at it."},
	terms.OpenChallengeWindow: {"challenge_window_opened", "challenge_opened",
		"A window should open in which the item can be challenged."},
	terms.BlockReliance: {"reliance_blocked", "reliance_held",
		noReliance},
	terms.RecordRemedy: {"remedy_recorded", "remedy_recorded",
		"A remedy should be put on record."},
	terms.CloseUnresolved: {"challenge_closed_unresolved", "challenge_closed",
		"The appeal ends without being resolved."},
	terms.CorrectRecord: {"record_correction_proposed", "correction_proposed",
		"The record should be corrected; the correction itself is made elsewhere."},
}

// EffectOf describes an outcome; the zero OutcomeEffect for an absent one.
func EffectOf(o terms.Outcome) OutcomeEffect {
	if !o.Present() {
		return OutcomeEffect{}
	}
	return outcomeEffects[o]
}
