package domain

import "slices"

// An AmendmentPolicy is the frozen rule set that an amendment names (table trade_agreement_amendment_policies). Every
// member but the first four may be absent.
type AmendmentPolicy struct {
	PolicyID        ID
	PolicyVersion   int64
	ContractVersion string
	Status          AmendmentPolicyStatus
	FrozenAt        Instant
	StaleAfter      Instant
	Transitions     DeclaredTransitions
	PolicyHash      Hash
}

// An Amendment is one revision of a change to a locked agreement (table trade_agreement_amendment_records, seed 2.5).
// Every member but the first five may be absent.
type Amendment struct {
	AmendmentID          ID
	Revision             int64
	ContractVersion      string
	OwnerID              ID
	State                AmendmentState
	AgreementID          ID
	PolicyID             ID
	PolicyVersion        int64
	PolicyHash           Hash
	Transition           Transition
	SubjectType          SubjectType
	AmendmentType        AmendmentType
	ConfirmationState    ConfirmationState
	BeforeTermsHash      Hash
	AfterTermsHash       Hash
	ChangedTerms         DeclaredTerms
	ParentRecord         ParentRecord
	Effects              EffectFlags
	RequiredParties      []ID
	Confirmations        []Confirmation
	OriginalDeciderID    ID
	NeutralReview        NeutralReview
	Notice               Notice
	ReviewerQuality      ReviewerQuality
	BaselineIntegrity    BaselineIntegrity
	DestinationReview    DestinationReview
	PolicySnapshotBundle PolicySnapshotBundle
	AmendmentHash        Hash
}

// HasParty tells whether the person is a party to the amendment: its owner, a required party, or one who confirmed it.
func (a *Amendment) HasParty(person ID) bool {
	return person == a.OwnerID || slices.Contains(a.RequiredParties, person) ||
		slices.ContainsFunc(a.Confirmations, func(c Confirmation) bool { return c.PartyRef == person })
}

// ChangesDestination tells whether the record is a change of destination, by any of the three members that can say so.
func (a *Amendment) ChangesDestination() bool {
	return a.Transition == DestinationChange || a.AmendmentType == TypeDestinationChange ||
		a.ChangedTerms.Has(TermDestination)
}

// ChangesEvidenceStandard tells whether the amendment type or the changed terms name the evidence standard.
func (a *Amendment) ChangesEvidenceStandard() bool {
	return a.AmendmentType == TypeEvidenceStandardChange || a.ChangedTerms.Has(TermEvidenceStandard)
}

// States tells whether the record says by its transition, type or changed terms that it has the effect. Its effects
// cannot deny that.
func (a *Amendment) States(effect Effect) bool {
	switch effect {
	case FundsRedirect:
		return a.ChangesDestination()
	case CompensationChange:
		return a.AmendmentType == TypeCompensationChange || a.ChangedTerms.Has(TermCompensation)
	case PrivacyChange:
		return a.AmendmentType == TypePrivacyChange || a.ChangedTerms.Has(TermPrivacy)
	}
	return false
}

// RulesOut tells whether the record rules the effect out: it denies the effect, and states it nowhere else.
func (a *Amendment) RulesOut(effect Effect) bool {
	return a.Effects.Denies(effect) && !a.States(effect)
}

// confirmable are the effects that live confirmations of every required party cure: narrowed cancellation rights only
// in a pause or early termination (source 2.5.1).
func (a *Amendment) confirmable() EffectSet {
	if a.Transition == PauseOrEarlyTermination {
		return ConfirmableEffects.With(CancellationRightsNarrowed)
	}
	return ConfirmableEffects
}

// ParentRecord holds the parent record's hash when the agreement was locked and as it is observed now.
type ParentRecord struct{ HashAtLock, HashObserved Hash }

// EffectFlags says for each Effect whether the amendment has it; index 0 is not used.
type EffectFlags [ThirdPartyObligationChange + 1]Flag

// Denies tells whether the effect is said not to be there: only a present false says so.
func (e *EffectFlags) Denies(effect Effect) bool { return effect.Present() && e[effect].IsFalse() }

// A Confirmation is one party's renewed consent to certain effects under certain terms.
type Confirmation struct {
	PartyRef    ID
	Covers      EffectSet
	TermsHash   Hash
	ConfirmedAt Instant
	ExpiresAt   Instant
}

// Given tells whether the party has confirmed by now: not at no stated time, and not in the future.
func (c *Confirmation) Given(now Instant) bool { return c.ConfirmedAt.NotAfter(now) }

// live tells whether the confirmation is of those terms and in force now.
func (c *Confirmation) live(terms Hash, now Instant) bool {
	return c.Given(now) && c.TermsHash.Matches(terms) && !c.ExpiresAt.NotAfter(now)
}

// ReviewerQuality says whether the reviewers met the quality criteria.
type ReviewerQuality struct{ CriteriaMet Flag }

// BaselineIntegrity says whether the baseline was verified.
type BaselineIntegrity struct{ Verified Flag }

// DestinationReview says whether the recipient or destination was reviewed.
type DestinationReview struct{ Completed Flag }

// PolicySnapshotBundle is the snapshot of the policy that was kept with the amendment.
type PolicySnapshotBundle struct {
	Subject    ID // what the snapshot was taken for; any but an agreement amendment blocks
	PolicyHash Hash
}
