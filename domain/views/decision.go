package views

import (
	"docket/domain/rules"
	"docket/domain/terms"
)

// A Decision is the advisory decision of an appeal (source 2.3.7). It binds nobody:
// humanReviewRequired is always true and stateMutation always false.
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

// DecisionOf writes out the advisory decision of an appeal; the zero Decision for amendments.
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
