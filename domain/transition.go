package domain

// A TransitionDefinition is the contract's text for a transition (seed 2.5.1) and, as this project's choice, what it
// may be applied to. Every transition needs both amendment tables as records.
type TransitionDefinition struct {
	Key               Transition
	ProtectedBoundary string
	Blocks            []GuardedAction  // what may not proceed while the gate is blocked
	SubjectTypes      SubjectTypeSet   // what it may change
	AmendmentTypes    AmendmentTypeSet // how it may change it
}

const (
	anySubjectType = SubjectTypeSet(1<<LockedDonationOffset | 1<<LockedPledgeSwap |
		1<<MatchedTradeLockProposal | 1<<ClearedTradeAgreement)
	materialChanges = AmendmentTypeSet(1<<TypeMutualModification | 1<<TypeScheduleChange |
		1<<TypeCompensationChange | 1<<TypeDestinationChange | 1<<TypeEvidenceStandardChange |
		1<<TypeBaselineCorrection | 1<<TypePrivacyChange | 1<<TypeOther)
)

// transitionDefinitions is seed 2.5.1, indexed by Transition less one.
var transitionDefinitions = [...]TransitionDefinition{
	{
		DonationOffsetMaterialChange,
		"A locked donation offset cannot change amount, ratio, baseline, destination, donor treatment, evidence " +
			"standard or remedy by editing parent records.",
		[]GuardedAction{PaymentCapture, PublicCompletedClaim, PayoutRelease},
		1<<LockedDonationOffset | 1<<ClearedTradeAgreement,
		materialChanges,
	},
	{
		PledgeSwapMaterialChange,
		"A locked pledge swap needs append-only amendment records, renewed confirmations and neutral review before a " +
			"burden-shifting change can bear reliance.",
		[]GuardedAction{PerformanceStart, MatchedTradeLockUpdate, RelianceBearingPreview},
		1<<LockedPledgeSwap | 1<<MatchedTradeLockProposal | 1<<ClearedTradeAgreement,
		materialChanges,
	},
	{
		PostLockCorrection,
		"A correction may only clarify terms, and only when before/after hashes show no retroactive performance change " +
			"and no evidence-claim change.",
		[]GuardedAction{TermsSnapshotUpdate, EvidenceAcceptance, ClearedAgreementUpdate},
		anySubjectType,
		1 << TypeCorrection,
	},
	{
		PauseOrEarlyTermination,
		"A pause or early termination cannot narrow cancellation rights, redirect funds or change compensation without " +
			"confirmation by the affected parties and neutral review where required.",
		[]GuardedAction{PerformancePause, EarlyTerminationAction, RefundOrCarryForward},
		anySubjectType,
		1<<TypePause | 1<<TypeEarlyTermination,
	},
	{
		EvidenceStandardChange,
		"After lock, an evidence standard cannot change so as to turn old evidence into a different claim type.",
		[]GuardedAction{EvidenceReview, ImpactClaimPublication, BreachRemedy},
		anySubjectType,
		1 << TypeEvidenceStandardChange,
	},
	{
		DestinationChange,
		"Needs renewed confirmation, policy snapshots, notice and recipient/destination review before capture, payout " +
			"or public money claims.",
		[]GuardedAction{PaymentCapture, DestinationReuse, PublicMoneyMetric},
		anySubjectType,
		1 << TypeDestinationChange,
	},
}

// TransitionDefinitions lists the definitions in the source's order.
func TransitionDefinitions() []TransitionDefinition {
	return append([]TransitionDefinition(nil), transitionDefinitions[:]...)
}

// Definition returns the definition of a transition; false for an absent one.
func Definition(t Transition) (TransitionDefinition, bool) {
	if !t.Present() {
		return TransitionDefinition{}, false
	}
	return transitionDefinitions[t-1], true
}

// Fits tells whether the transition, the subject type and the amendment type are all present and go together.
func Fits(t Transition, subject SubjectType, kind AmendmentType) bool {
	return t.Present() && transitionDefinitions[t-1].SubjectTypes.Has(subject) &&
		transitionDefinitions[t-1].AmendmentTypes.Has(kind)
}

// judgeable tells whether transition, subject type, amendment type and changed terms are all present, the three go
// together, and a term changes wherever one has to.
func judgeable(a *Amendment) bool {
	return Fits(a.Transition, a.SubjectType, a.AmendmentType) && a.ChangedTerms.Present() &&
		(a.Transition == PauseOrEarlyTermination || !a.ChangedTerms.Words.Empty())
}

// GuardedOf is what a blocked gate holds back: what the transition blocks, and what a change of destination or of the
// evidence standard blocks where the amendment is one by its other members; everything where there is no transition.
func GuardedOf(a *Amendment) GuardedSet {
	set := GuardedBy(a.Transition)
	if a.ChangesDestination() {
		set = set.Union(GuardedBy(DestinationChange))
	}
	if a.ChangesEvidenceStandard() {
		set = set.Union(GuardedBy(EvidenceStandardChange))
	}
	return set
}

// everyGuardedAction is what any transition blocks: the vocabulary has no other words.
var everyGuardedAction = SetOf(GuardedActions.All()...)

// GuardedBy is what the transition blocks (source 2.5.1), or what any of them blocks where there is none.
func GuardedBy(t Transition) GuardedSet {
	if definition, ok := Definition(t); ok {
		return SetOf(definition.Blocks...)
	}
	return everyGuardedAction
}

// HeldBack lists what may not proceed under the gate, never nil: nothing on pass.
func HeldBack(gate Gate, guarded GuardedSet) []GuardedAction {
	if gate == Pass {
		return []GuardedAction{}
	}
	return guarded.Words()
}
