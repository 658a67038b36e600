package domain

// appealFindings are what the decision of an appeal is made of, found while the facts are at hand.
type appealFindings struct {
	held      bool // there is a case
	blockers  BlockerSet
	subject   Subject
	subjectID bool // the case names one
	trigger   Trigger
	requested Outcome
	heard     bool // the notice is delivered
	rule      OutcomeRule
	factors   FactorSet
	standing  bool
	affected  bool    // the category of the standing is affected party
	chosen    Outcome // by a reviewer; absent for the decision that the rules advise
}

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

// findingsOf collects the findings. With no record nothing is established, whatever blockers were asked.
func findingsOf(f *appealFacts, blockers BlockerSet) appealFindings {
	found := appealFindings{held: f.record != nil, blockers: blockers}
	if found.held {
		found.subject, found.subjectID = f.record.Subject, f.record.SubjectID.Present()
		found.trigger, found.requested, found.rule = f.record.Trigger, f.record.RequestedOutcome, f.outcomeRule()
		found.heard = f.record.Notice.State == NoticeDelivered && f.record.Notice.DeliveredAt.notAfter(f.now)
		found.standing, found.affected = !blockers.Has(StandingMissing), f.record.Standing.Category == StandingAffectedParty
	}
	found.factors = found.supportedFactors()
	return found
}

// advisory is what the rules advise: on pass what was asked for if the policy permits it, else the policy's advice.
func (a *appealFindings) advisory(pass bool) Outcome {
	switch {
	case !pass:
		return BlockReliance
	case a.rule.Compatible.Has(a.requested):
		return a.requested
	}
	return a.rule.Advisory
}

// outcome is the one chosen or, where none is, the one that the rules advise.
func (a *appealFindings) outcome() Outcome {
	if a.chosen.Present() {
		return a.chosen
	}
	return a.advisory(a.blockers.Empty())
}

// reviewCodes is indexed by Trigger: the factor code that says which kind of review the trigger asks for.
var reviewCodes = [...]FactorCode{
	DuplicateProof:         DuplicateProofReview,
	CoerciveBaseline:       CoerciveBaselineReview,
	WrongScopeEvidence:     WrongScopeEvidenceReview,
	MaterialFactualError:   MaterialFactualErrorReview,
	PrivacyDisclosureError: PrivacyDisclosureReview,
	ExternalityRemedyGap:   ExternalityRemedyReview,
	ReviewerConflict:       ReviewerConflictReview,
	PolicyMisapplied:       PolicyFlagReview,
}

// reviewCodeOf returns the trigger's review code; none for an absent trigger.
func reviewCodeOf(t Trigger) FactorCode {
	if !t.Present() {
		return 0
	}
	return reviewCodes[t]
}

// AdvisoryOutcome is what the rules advise for an appeal; absent for amendments.
func (j Judgment) AdvisoryOutcome() Outcome {
	if j.area != Appeals {
		return 0
	}
	return j.appeal.advisory(j.Gate() == Pass)
}

// RequestedOutcome is what the case asks for; absent if it asks for none.
func (j Judgment) RequestedOutcome() Outcome { return j.appeal.requested }

// FactorCodes are those that the evaluation itself supports; none for amendments.
func (j Judgment) FactorCodes() FactorSet {
	if j.area != Appeals {
		return 0
	}
	return j.appeal.factors
}

// Decision writes the advisory decision of an appeal out in full; the zero Decision for amendments.
func (j Judgment) Decision() Decision {
	if j.area != Appeals {
		return Decision{}
	}
	status := DecisionBlocked
	if j.Gate() == Pass {
		status = ReadyForHumanReview
	}
	outcome := j.AdvisoryOutcome()
	effect := EffectOf(outcome)
	return Decision{
		Status: status, Outcome: outcome, FactorCodes: j.appeal.factors.Words(),
		HumanReviewRequired: true, StateMutation: false,
		StandingAccepted: j.appeal.standing, ReviewScope: reviewScope(j.appeal.subject),
		RequiredArtifacts: requiredArtifacts(j.appeal.trigger, j.Gate()), PrivacyActions: privacyActions(j.blockers),
		ProvenanceActivity: effect.ProvenanceActivity, TraceabilityStep: effect.TraceabilityStep,
		AppealScopeStatement: scopeStatement(j.appeal.subject, j.appeal.subjectID),
		Blockers:             j.Blockers(),
	}
}

// reviewScope is the one subject under review, or none; never nil.
func reviewScope(subject Subject) []Subject {
	if !subject.Present() {
		return []Subject{}
	}
	return []Subject{subject}
}
