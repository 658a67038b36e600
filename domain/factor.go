package domain

// A factorRule says when the evaluation of an appeal supports a factor code, and why in either case (seed 2.3.7). The
// reasons are plain words that hold nothing of the case.
type factorRule struct {
	code   FactorCode
	holds  func(*Findings) bool
	yes    string // why it is supported
	no     string // why it is not
	always bool   // also without a record
}

// factorRules is the one table of what the evaluation supports, besides the review code of the trigger.
var factorRules = [...]factorRule{
	{code: SpecificReviewedClaim, holds: func(f *Findings) bool { return f.Subject.Present() && f.SubjectID },
		yes: "the case names a subject and its id", no: "the case does not name both a subject and its id"},
	{code: StandingEstablished, holds: func(f *Findings) bool { return f.Standing },
		yes: "standing_missing does not hold", no: "standing_missing holds"},
	{code: AffectedPartyStanding, holds: func(f *Findings) bool { return f.Standing && f.affected },
		yes: "standing is accepted, and its category is affected party",
		no:  "standing is not accepted, or its category is not affected party"},
	{code: EvidenceScopeNamed, holds: func(f *Findings) bool { return !f.blockers.Has(EvidenceScopeMissing) },
		yes: "evidence_scope_missing does not hold", no: "evidence_scope_missing holds"},
	{code: ChallengeWindowRequired, holds: func(f *Findings) bool { return f.outcome() == OpenChallengeWindow },
		yes: "the outcome is open challenge window", no: "the outcome is not open challenge window"},
	{code: HumanReviewRequired, always: true, yes: "always required"},
	{code: NoUnrelatedMoralDisagreement, holds: func(f *Findings) bool { return !f.blockers.Has(ScopeMissing) },
		yes: "scope_missing does not hold", no: "scope_missing holds"},
	{code: ProvenanceActivityRequired, always: true, yes: "always required"},
	{code: PrivateDetailsRedacted, holds: func(f *Findings) bool { return !f.blockers.Has(PrivateDetailsUnredacted) },
		yes: "private_details_unredacted does not hold", no: "private_details_unredacted holds"},
}

// supportedFactors are the codes that the findings support. Without a record only what is always so is supported,
// whatever blockers were asked.
func (f *Findings) supportedFactors() FactorSet {
	set := SetOf(ReviewCodeOf(f.Trigger))
	for i := range factorRules {
		if rule := &factorRules[i]; rule.always || f.held && rule.holds(f) {
			set = set.With(rule.code)
		}
	}
	return set
}

// A FactorReason says whether the evaluation supports a factor code, and why.
type FactorReason struct {
	Code      FactorCode
	Supported bool
	Always    bool   // it stands whatever the reviewer chooses
	Why       string // one clause, safe to print
}

// FactorReasonsFor lists every factor code with what the evaluation says of it for an outcome that a reviewer chooses, under
// the blockers that people added. None for amendments. With an absent outcome that which the rules advise is meant.
func (j Judgment) FactorReasonsFor(outcome Outcome, added BlockerSet) []FactorReason {
	if j.area != Appeals {
		return nil
	}
	j.appeal.chosen = outcome
	j.appeal.blockers = j.appeal.blockers.Union(added)
	j.appeal.Standing = j.appeal.Standing && !j.appeal.blockers.Has(StandingMissing)
	j.appeal.Factors = j.appeal.supportedFactors()
	return j.FactorReasons()
}

// FactorReasons lists every factor code in the vocabulary's order with what the evaluation says of it; none for amendments.
func (j Judgment) FactorReasons() []FactorReason {
	if j.area != Appeals {
		return nil
	}
	reasons := make([]FactorReason, 0, FactorCodes.Len())
	supported := j.FactorCodes()
	for _, code := range FactorCodes.All() {
		reasons = append(reasons, FactorReason{Code: code, Supported: supported.Has(code), Always: j.alwaysStands(code),
			Why: j.factorReason(code, supported.Has(code))})
	}
	return reasons
}

// alwaysStands tells whether a record always holds the code: the trigger's review code is such a one.
func (j Judgment) alwaysStands(code FactorCode) bool {
	for i := range factorRules {
		if factorRules[i].code == code {
			return factorRules[i].always
		}
	}
	return code == ReviewCodeOf(j.appeal.Trigger)
}

func (j Judgment) factorReason(code FactorCode, supported bool) string {
	for i := range factorRules {
		rule := &factorRules[i]
		switch {
		case rule.code != code:
		case supported:
			return rule.yes
		case !j.appeal.held:
			return "there is no case"
		default:
			return rule.no
		}
	}
	switch {
	case supported:
		return "the trigger is " + j.appeal.Trigger.Label()
	case !j.appeal.Trigger.Present():
		return "the case names no trigger"
	}
	return "the trigger is another one"
}
