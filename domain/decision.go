package domain

// Findings are what the decision of an appeal is made of, found while the facts are at hand.
type Findings struct {
	Subject   Subject
	SubjectID bool // the case names one
	Trigger   Trigger
	Requested Outcome
	Heard     bool // the notice is delivered
	Rule      OutcomeRule
	Factors   FactorSet
	Standing  bool // it is accepted

	held     bool // there is a case
	blockers BlockerSet
	affected bool    // the category of the standing is affected party
	chosen   Outcome // by a reviewer; absent for the decision that the rules advise
}

// findingsOf collects the findings. With no record nothing is established, whatever blockers were asked.
func findingsOf(f *appealFacts, blockers BlockerSet) Findings {
	found := Findings{held: f.record != nil, blockers: blockers}
	if found.held {
		found.Subject, found.SubjectID = f.record.Subject, f.record.SubjectID.Present()
		found.Trigger, found.Requested, found.Rule = f.record.Trigger, f.record.RequestedOutcome, f.outcomeRule()
		found.Heard = f.record.Notice.State == NoticeDelivered && f.record.Notice.DeliveredAt.NotAfter(f.now)
		found.Standing, found.affected = !blockers.Has(StandingMissing), f.record.Standing.Category == StandingAffectedParty
	}
	found.Factors = found.supportedFactors()
	return found
}

// Advisory is what the rules advise: on pass what was asked for if the policy permits it, else the policy's advice.
func (a Findings) Advisory(pass bool) Outcome {
	switch {
	case !pass:
		return BlockReliance
	case a.Rule.Compatible.Has(a.Requested):
		return a.Requested
	}
	return a.Rule.Advisory
}

// outcome is the one chosen or, where none is, the one that the rules advise.
func (a *Findings) outcome() Outcome {
	if a.chosen.Present() {
		return a.chosen
	}
	return a.Advisory(a.blockers.Empty())
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

// ReviewCodeOf returns the trigger's review code; none for an absent trigger.
func ReviewCodeOf(t Trigger) FactorCode {
	if !t.Present() {
		return 0
	}
	return reviewCodes[t]
}

// Findings are what the decision of an appeal is made of; the zero Findings for amendments.
func (j Judgment) Findings() Findings { return j.appeal }

// AdvisoryOutcome is what the rules advise for an appeal; absent for amendments.
func (j Judgment) AdvisoryOutcome() Outcome {
	if j.area != Appeals {
		return 0
	}
	return j.appeal.Advisory(j.Gate() == Pass)
}

// RequestedOutcome is what the case asks for; absent if it asks for none.
func (j Judgment) RequestedOutcome() Outcome { return j.appeal.Requested }

// FactorCodes are those that the evaluation itself supports; none for amendments.
func (j Judgment) FactorCodes() FactorSet {
	if j.area != Appeals {
		return 0
	}
	return j.appeal.Factors
}
