package rules

import (
	"docket/domain/packets"
	"docket/domain/terms"
	"fmt"
)

// An Evaluation is what the rules conclude. Only Evaluate makes one; the zero one is blocked.
type Evaluation struct {
	area     terms.Area
	judged   bool
	blockers terms.BlockerSet

	appeal     Findings
	transition terms.Transition
	guarded    terms.GuardedSet // what a blocked gate holds back
}

// Evaluate asks every rule of the area's book and returns all that hold; it is a pure function.
func Evaluate(q *Input) Evaluation {
	switch q.area {
	case terms.Appeals:
		return evaluateAppeal(q)
	case terms.Amendments:
		return evaluateAmendment(q)
	}
	return Evaluation{}
}

func (q *Input) appealFacts() appealFacts {
	return appealFacts{policy: q.appealPolicy.Pointer(), policyHashes: q.appealPolicy.HashesMatched(),
		record: q.appealCase.Pointer(), hashes: q.appealCase.HashesMatched(), latest: q.latest, now: q.at}
}

func evaluateAppeal(q *Input) Evaluation {
	facts := q.appealFacts()
	j := Evaluation{area: terms.Appeals, judged: true}
	j.blockers = evaluate(appealRules[:], &facts, facts.record != nil)
	j.appeal = findingsOf(&facts, j.blockers)
	return j
}

func (q *Input) amendmentFacts() amendmentFacts {
	facts := amendmentFacts{policy: q.amendmentPolicy.Pointer(), policyHashes: q.amendmentPolicy.HashesMatched(),
		record: q.amendment.Pointer(), hashes: q.amendment.HashesMatched(), latest: q.latest, now: q.at}
	if facts.record != nil {
		facts.consent = facts.record.Consent(q.at)
	}
	return facts
}

func evaluateAmendment(q *Input) Evaluation {
	facts := q.amendmentFacts()
	j := Evaluation{area: terms.Amendments, judged: true, guarded: GuardedBy(0)}
	if facts.record != nil {
		j.transition, j.guarded = facts.record.Transition, GuardedOf(facts.record)
	}
	j.blockers = evaluate(amendmentRules[:], &facts, facts.record != nil)
	return j
}

// Area tells which rule book answered.
func (j Evaluation) Area() terms.Area { return j.area }

// Gate is Pass only if every rule was asked and none holds.
func (j Evaluation) Gate() terms.Gate {
	if j.judged && j.blockers.Empty() {
		return terms.Pass
	}
	return terms.Blocked
}

// Blockers lists what holds, in the order of source 7; never nil.
func (j Evaluation) Blockers() []terms.Blocker { return InOrder(j.area, j.blockers) }

// BlockerSet is what holds, as a set.
func (j Evaluation) BlockerSet() terms.BlockerSet { return j.blockers }

// Guarded lists the actions that a blocked gate of an amendment holds back.
func (j Evaluation) Guarded() terms.GuardedSet { return j.guarded }

// Transition is the transition of the amendment judged; absent for appeals.
func (j Evaluation) Transition() terms.Transition { return j.transition }

// ProtectedBoundary is the contract's text of what the transition protects; "" where it has none.
func (j Evaluation) ProtectedBoundary() string {
	definition, _ := Definition(j.transition)
	return definition.ProtectedBoundary
}

// BlockedTransitions lists the actions that may not proceed, never nil, in the order of source
// 2.5.1: those of GuardedOf on blocked, none on pass and for appeals.
func (j Evaluation) BlockedTransitions() []terms.GuardedAction {
	if j.area != terms.Amendments {
		return []terms.GuardedAction{}
	}
	return HeldBack(j.Gate(), j.guarded)
}

// Findings are the facts from which the decision of an appeal is made.
type Findings struct {
	Subject   terms.Subject
	SubjectID bool // the case names one
	Trigger   terms.Trigger
	Requested terms.Outcome
	Heard     bool // the notice is delivered
	Rule      packets.OutcomeRule
	Factors   terms.FactorSet
	Standing  bool // it is accepted

	held     bool // there is a case
	blockers terms.BlockerSet
	affected bool          // the category of the standing is affected party
	chosen   terms.Outcome // by a reviewer; absent for the decision that the rules advise
}

// findingsOf establishes nothing without a record.
func findingsOf(f *appealFacts, blockers terms.BlockerSet) Findings {
	found := Findings{held: f.record != nil, blockers: blockers}
	if found.held {
		found.Subject, found.SubjectID = f.record.Subject, f.record.SubjectID.Present()
		found.Trigger, found.Requested, found.Rule = f.record.Trigger, f.record.RequestedOutcome, f.outcomeRule()
		found.Heard = f.record.Notice.DeliveredBy(f.now)
		found.Standing, found.affected = !blockers.Has(terms.StandingMissing), f.record.Standing.Category == terms.StandingAffectedParty
	}
	found.Factors = found.supportedFactors()
	return found
}

// Advisory is the requested outcome on a pass if the policy permits it, else the policy's advice.
func (a Findings) Advisory(pass bool) terms.Outcome {
	switch {
	case !pass:
		return terms.BlockReliance
	case a.Rule.Compatible.Has(a.Requested):
		return a.Requested
	}
	return a.Rule.Advisory
}

func (a *Findings) outcome() terms.Outcome {
	if a.chosen.Present() {
		return a.chosen
	}
	return a.Advisory(a.blockers.Empty())
}

// reviewCodes is indexed by Trigger: which kind of review it asks for.
var reviewCodes = [...]terms.FactorCode{
	terms.DuplicateProof:         terms.DuplicateProofReview,
	terms.CoerciveBaseline:       terms.CoerciveBaselineReview,
	terms.WrongScopeEvidence:     terms.WrongScopeEvidenceReview,
	terms.MaterialFactualError:   terms.MaterialFactualErrorReview,
	terms.PrivacyDisclosureError: terms.PrivacyDisclosureReview,
	terms.ExternalityRemedyGap:   terms.ExternalityRemedyReview,
	terms.ReviewerConflict:       terms.ReviewerConflictReview,
	terms.PolicyMisapplied:       terms.PolicyFlagReview,
}

// ReviewCodeOf returns the trigger's review code; none for an absent trigger.
func ReviewCodeOf(t terms.Trigger) terms.FactorCode {
	if !t.Present() {
		return 0
	}
	return reviewCodes[t]
}

// Findings are the facts behind the decision of an appeal; the zero Findings for amendments.
func (j Evaluation) Findings() Findings { return j.appeal }

// AdvisoryOutcome is the outcome that the rules advise for an appeal; absent for amendments.
func (j Evaluation) AdvisoryOutcome() terms.Outcome {
	if j.area != terms.Appeals {
		return 0
	}
	return j.appeal.Advisory(j.Gate() == terms.Pass)
}

// RequestedOutcome is the outcome that the case asks for; absent if it asks for none.
func (j Evaluation) RequestedOutcome() terms.Outcome { return j.appeal.Requested }

// FactorCodes are those that the evaluation itself supports; none for amendments.
func (j Evaluation) FactorCodes() terms.FactorSet {
	if j.area != terms.Appeals {
		return 0
	}
	return j.appeal.Factors
}

// A factorRule says when a code is supported, and why, with nothing of the case (source 2.3.7).
type factorRule struct {
	code   terms.FactorCode
	holds  func(*Findings) bool
	yes    string // why it is supported
	no     string // why it is not
	always bool   // also without a record
}

// factorRules lacks only the review code of the trigger.
var factorRules = [...]factorRule{
	{code: terms.SpecificReviewedClaim, holds: func(f *Findings) bool { return f.Subject.Present() && f.SubjectID },
		yes: "the case names a subject and its id", no: "the case does not name both a subject and its id"},
	{code: terms.StandingEstablished, holds: func(f *Findings) bool { return f.Standing },
		yes: "standing is accepted", no: "standing is not accepted"},
	{code: terms.AffectedPartyStanding, holds: func(f *Findings) bool { return f.Standing && f.affected },
		yes: "standing is accepted, and its category is affected party",
		no:  "standing is not accepted, or its category is not affected party"},
	{code: terms.EvidenceScopeNamed, holds: func(f *Findings) bool { return !f.blockers.Has(terms.EvidenceScopeMissing) },
		yes: "the evidence is named", no: "the evidence is not named"},
	{code: terms.ChallengeWindowRequired, holds: func(f *Findings) bool { return f.outcome() == terms.OpenChallengeWindow },
		yes: "the outcome is open challenge window", no: "the outcome is not open challenge window"},
	{code: terms.HumanReviewRequired, always: true, yes: "always required"},
	{code: terms.NoUnrelatedMoralDisagreement, holds: func(f *Findings) bool { return !f.blockers.Has(terms.ScopeMissing) },
		yes: "the appeal is about one item", no: "the appeal is not about one item"},
	{code: terms.ProvenanceActivityRequired, always: true, yes: "always required"},
	{code: terms.PrivateDetailsRedacted, holds: func(f *Findings) bool { return !f.blockers.Has(terms.PrivateDetailsUnredacted) },
		yes: "private details are redacted", no: "private details are not redacted"},
}

// supportedFactors without a record are only those that always are.
func (f *Findings) supportedFactors() terms.FactorSet {
	set := terms.SetOf(ReviewCodeOf(f.Trigger))
	for i := range factorRules {
		if rule := &factorRules[i]; rule.always || f.held && rule.holds(f) {
			set = set.With(rule.code)
		}
	}
	return set
}

// A FactorReason says whether the evaluation supports a factor code, and why.
type FactorReason struct {
	Code      terms.FactorCode
	Supported bool
	Always    bool   // it stands for every choice
	Why       string // one clause, safe to print
}

// FactorReasonsFor lists every factor code and says whether the evaluation supports it for an
// outcome that a reviewer chooses, with the blockers that people added. An absent outcome stands
// for the advised one. It returns none for amendments.
func (j Evaluation) FactorReasonsFor(outcome terms.Outcome, added terms.BlockerSet) []FactorReason {
	if j.area != terms.Appeals {
		return nil
	}
	j.appeal.chosen = outcome
	j.appeal.blockers = j.appeal.blockers.Union(added)
	j.appeal.Standing = j.appeal.Standing && !j.appeal.blockers.Has(terms.StandingMissing)
	j.appeal.Factors = j.appeal.supportedFactors()
	return j.FactorReasons()
}

// FactorReasons explains every factor code in the vocabulary's order; none for amendments.
func (j Evaluation) FactorReasons() []FactorReason {
	if j.area != terms.Appeals {
		return nil
	}
	reasons := make([]FactorReason, 0, terms.FactorCodes.Len())
	for _, code := range terms.FactorCodes.All() {
		reasons = append(reasons, j.factorReason(code))
	}
	return reasons
}

// factorReason always supports the review code of the trigger.
func (j Evaluation) factorReason(code terms.FactorCode) FactorReason {
	r := FactorReason{Code: code, Supported: j.appeal.Factors.Has(code)}
	for i := range factorRules {
		if rule := &factorRules[i]; rule.code == code {
			switch r.Always = rule.always; {
			case r.Supported:
				r.Why = rule.yes
			case !j.appeal.held:
				r.Why = "there is no case"
			default:
				r.Why = rule.no
			}
			return r
		}
	}
	r.Always = code == ReviewCodeOf(j.appeal.Trigger)
	switch {
	case r.Supported:
		r.Why = fmt.Sprintf("the trigger is %s", j.appeal.Trigger.Label())
	case !j.appeal.Trigger.Present():
		r.Why = "the case names no trigger"
	default:
		r.Why = "the trigger differs"
	}
	return r
}
