package views

import (
	"docket/domain/rules"
	"docket/domain/terms"
)

// A Decision is the advisory decision of an appeal (source 2.3.7). It binds nobody: humanReviewRequired is always true
// and stateMutation always false.
type Decision struct {
	Status               terms.DecisionStatus `json:"status"`
	Outcome              terms.Outcome        `json:"outcome"`
	FactorCodes          []terms.FactorCode   `json:"factorCodes"`
	HumanReviewRequired  bool                 `json:"humanReviewRequired"`
	StateMutation        bool                 `json:"stateMutation"`
	StandingAccepted     bool                 `json:"standingAccepted"`
	ReviewScope          []terms.Subject      `json:"reviewScope"`
	RequiredArtifacts    []string             `json:"requiredArtifacts"`
	PrivacyActions       []string             `json:"privacyActions"`
	ProvenanceActivity   string               `json:"provenanceActivity"`
	TraceabilityStep     string               `json:"traceabilityBusinessStep"`
	AppealScopeStatement string               `json:"appealScopeStatement"`
	Blockers             []terms.Blocker      `json:"blockers"`
}

// DecisionOf writes the advisory decision of an appeal out in full; the zero Decision for amendments.
func DecisionOf(j rules.Evaluation) Decision {
	if j.Area() != terms.Appeals {
		return Decision{}
	}
	found := j.Findings()
	status := terms.DecisionBlocked
	if j.Gate() == terms.Pass {
		status = terms.ReadyForHumanReview
	}
	outcome := j.AdvisoryOutcome()
	effect := EffectOf(outcome)
	return Decision{
		Status: status, Outcome: outcome, FactorCodes: found.Factors.Terms(),
		HumanReviewRequired: true, StateMutation: false,
		StandingAccepted: found.Standing, ReviewScope: ReviewScope(found.Subject),
		RequiredArtifacts: requiredArtifacts(found.Trigger, j.Gate()), PrivacyActions: privacyActions(j.BlockerSet()),
		ProvenanceActivity: effect.ProvenanceActivity, TraceabilityStep: effect.TraceabilityStep,
		AppealScopeStatement: scopeStatement(found.Subject, found.SubjectID),
		Blockers:             j.Blockers(),
	}
}

// ReviewScope is the one subject under review, or none; never nil.
func ReviewScope(subject terms.Subject) []terms.Subject {
	if !subject.Present() {
		return []terms.Subject{}
	}
	return []terms.Subject{subject}
}

// An OutcomeEffect is what an outcome is called in the provenance trail and in the business steps, and what choosing it
// means in plain words. The names of source 2.3.7 and 6 are given for open_challenge_window; the others are this
// project's choice.
type OutcomeEffect struct {
	ProvenanceActivity string
	TraceabilityStep   string
	Meaning            string
}

// outcomeEffects is indexed by Outcome.
var outcomeEffects = [...]OutcomeEffect{
	terms.UpholdDecision: {"decision_upheld", "challenge_closed",
		"The challenged decision stands."},
	terms.RequestEvidence: {"evidence_requested", "evidence_pending",
		"More evidence is asked for before anything is decided."},
	terms.RouteHumanReview: {"human_review_routed", "review_routed",
		"Another human reviewer has to look at it."},
	terms.OpenChallengeWindow: {"challenge_window_opened", "challenge_opened",
		"A window should open in which the item can be challenged."},
	terms.BlockReliance: {"reliance_blocked", "reliance_held",
		"Nothing may rely on the item for now."},
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
