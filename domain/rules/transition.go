package rules

import (
	"docket/domain/packets"
	"docket/domain/terms"
)

// A TransitionDefinition is the contract's text for a transition (source 2.5.1) and, as this
// project's choice, what it applies to. Every transition needs both amendment tables as records.
type TransitionDefinition struct {
	Key               terms.Transition
	ProtectedBoundary string
	Blocks            []terms.GuardedAction  // what may not proceed while the gate is blocked
	SubjectTypes      terms.SubjectTypeSet   // what it may change
	AmendmentTypes    terms.AmendmentTypeSet // how it may change it
}

const (
	anySubjectType = terms.SubjectTypeSet(1<<terms.LockedDonationOffset | 1<<terms.LockedPledgeSwap |
		1<<terms.MatchedTradeLockProposal | 1<<terms.ClearedTradeAgreement)
	materialChanges = terms.AmendmentTypeSet(1<<terms.TypeMutualModification | 1<<terms.TypeScheduleChange |
		1<<terms.TypeCompensationChange | 1<<terms.TypeDestinationChange | 1<<terms.TypeEvidenceStandardChange |
		1<<terms.TypeBaselineCorrection | 1<<terms.TypePrivacyChange | 1<<terms.TypeOther)
)

// transitionDefinitions is source 2.5.1, indexed by Transition less one.
var transitionDefinitions = [...]TransitionDefinition{
	{
		terms.DonationOffsetMaterialChange,
		"A locked donation offset cannot change amount, ratio, baseline, destination, donor treatment, evidence " +
			"standard or remedy by editing parent records.",
		[]terms.GuardedAction{terms.PaymentCapture, terms.PublicCompletedClaim, terms.PayoutRelease},
		1<<terms.LockedDonationOffset | 1<<terms.ClearedTradeAgreement,
		materialChanges,
	},
	{
		terms.PledgeSwapMaterialChange,
		"A locked pledge swap needs append-only amendment records, renewed confirmations and neutral review before a " +
			"burden-shifting change can bear reliance.",
		[]terms.GuardedAction{terms.PerformanceStart, terms.MatchedTradeLockUpdate, terms.RelianceBearingPreview},
		1<<terms.LockedPledgeSwap | 1<<terms.MatchedTradeLockProposal | 1<<terms.ClearedTradeAgreement,
		materialChanges,
	},
	{
		terms.PostLockCorrection,
		"A correction may only clarify terms, and only when before/after hashes show no retroactive performance change " +
			"and no evidence-claim change.",
		[]terms.GuardedAction{terms.TermsSnapshotUpdate, terms.EvidenceAcceptance, terms.ClearedAgreementUpdate},
		anySubjectType,
		1 << terms.TypeCorrection,
	},
	{
		terms.PauseOrEarlyTermination,
		"A pause or early termination cannot narrow cancellation rights, redirect funds or change compensation without " +
			"confirmation by the affected parties and neutral review where required.",
		[]terms.GuardedAction{terms.PerformancePause, terms.EarlyTerminationAction, terms.RefundOrCarryForward},
		anySubjectType,
		1<<terms.TypePause | 1<<terms.TypeEarlyTermination,
	},
	{
		terms.EvidenceStandardChange,
		"After lock, an evidence standard cannot change so as to turn old evidence into a different claim type.",
		[]terms.GuardedAction{terms.EvidenceReview, terms.ImpactClaimPublication, terms.BreachRemedy},
		anySubjectType,
		1 << terms.TypeEvidenceStandardChange,
	},
	{
		terms.DestinationChange,
		"Needs renewed confirmation, policy snapshots, notice and recipient/destination review before capture, payout " +
			"or public money claims.",
		[]terms.GuardedAction{terms.PaymentCapture, terms.DestinationReuse, terms.PublicMoneyMetric},
		anySubjectType,
		1 << terms.TypeDestinationChange,
	},
}

// TransitionDefinitions lists the definitions in the source's order.
func TransitionDefinitions() []TransitionDefinition {
	return append([]TransitionDefinition(nil), transitionDefinitions[:]...)
}

// Definition returns the definition of a transition; false for an absent one.
func Definition(t terms.Transition) (TransitionDefinition, bool) {
	if !t.Present() {
		return TransitionDefinition{}, false
	}
	return transitionDefinitions[t-1], true
}

// Fits reports whether transition, subject type and amendment type are present and go together.
func Fits(t terms.Transition, subject terms.SubjectType, kind terms.AmendmentType) bool {
	return t.Present() && transitionDefinitions[t-1].SubjectTypes.Has(subject) &&
		transitionDefinitions[t-1].AmendmentTypes.Has(kind)
}

// judgeable reports whether all parts are present and fit, and a term changes where one has to.
func judgeable(a *packets.Amendment) bool {
	return Fits(a.Transition, a.SubjectType, a.AmendmentType) && NamesItsTerms(a)
}

// NamesItsTerms reports whether the changed terms are present and not empty. A pause or early
// termination may change none, unless its hashes say that the terms differ.
func NamesItsTerms(a *packets.Amendment) bool {
	differ := a.BeforeTermsHash.Present() && a.AfterTermsHash.Present() && !a.AfterTermsHash.Matches(a.BeforeTermsHash)
	return a.ChangedTerms.Present() &&
		(!a.ChangedTerms.Set.Empty() || a.Transition == terms.PauseOrEarlyTermination && !differ)
}

// GuardedOf returns the actions that a blocked gate holds back: those that the transition blocks,
// and those that a change of destination or of the evidence standard blocks if the amendment is one
// by its other members. Without a transition it returns all actions.
func GuardedOf(a *packets.Amendment) terms.GuardedSet {
	set := GuardedBy(a.Transition)
	if a.ChangesDestination() {
		set = set.Union(GuardedBy(terms.DestinationChange))
	}
	if a.ChangesEvidenceStandard() {
		set = set.Union(GuardedBy(terms.EvidenceStandardChange))
	}
	return set
}

// everyGuardedAction holds the actions that any transition blocks: the whole vocabulary.
var everyGuardedAction = terms.SetOf(terms.GuardedActions.All()...)

// GuardedBy returns the actions that the transition blocks (source 2.5.1); all without one.
func GuardedBy(t terms.Transition) terms.GuardedSet {
	if definition, ok := Definition(t); ok {
		return terms.SetOf(definition.Blocks...)
	}
	return everyGuardedAction
}

// HeldBack lists the actions that may not proceed under the gate, never nil; it is empty on pass.
func HeldBack(gate terms.Gate, guarded terms.GuardedSet) []terms.GuardedAction {
	if gate == terms.Pass {
		return []terms.GuardedAction{}
	}
	return guarded.Terms()
}
