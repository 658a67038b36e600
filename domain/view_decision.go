package domain

// A Decision is the advisory decision of an appeal (seed 2.3.7). It binds nobody: humanReviewRequired is always true
// and stateMutation always false.
type Decision struct {
	Status               DecisionStatus `json:"status"`
	Outcome              Outcome        `json:"outcome"`
	FactorCodes          []FactorCode   `json:"factorCodes"`
	HumanReviewRequired  bool           `json:"humanReviewRequired"`
	StateMutation        bool           `json:"stateMutation"`
	StandingAccepted     bool           `json:"standingAccepted"`
	ReviewScope          []Subject      `json:"reviewScope"`
	RequiredArtifacts    []string       `json:"requiredArtifacts"`
	PrivacyActions       []string       `json:"privacyActions"`
	ProvenanceActivity   string         `json:"provenanceActivity"`
	TraceabilityStep     string         `json:"traceabilityBusinessStep"`
	AppealScopeStatement string         `json:"appealScopeStatement"`
	Blockers             []Blocker      `json:"blockers"`
}

// DecisionOf writes the advisory decision of an appeal out in full; the zero Decision for amendments.
func DecisionOf(j Judgment) Decision {
	if j.Area() != Appeals {
		return Decision{}
	}
	found := j.Findings()
	status := DecisionBlocked
	if j.Gate() == Pass {
		status = ReadyForHumanReview
	}
	outcome := j.AdvisoryOutcome()
	effect := EffectOf(outcome)
	return Decision{
		Status: status, Outcome: outcome, FactorCodes: found.Factors.Words(),
		HumanReviewRequired: true, StateMutation: false,
		StandingAccepted: found.Standing, ReviewScope: ReviewScope(found.Subject),
		RequiredArtifacts: requiredArtifacts(found.Trigger, j.Gate()), PrivacyActions: privacyActions(j.BlockerSet()),
		ProvenanceActivity: effect.ProvenanceActivity, TraceabilityStep: effect.TraceabilityStep,
		AppealScopeStatement: scopeStatement(found.Subject, found.SubjectID),
		Blockers:             j.Blockers(),
	}
}

// ReviewScope is the one subject under review, or none; never nil.
func ReviewScope(subject Subject) []Subject {
	if !subject.Present() {
		return []Subject{}
	}
	return []Subject{subject}
}
