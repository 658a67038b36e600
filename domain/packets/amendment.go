package packets

import (
	"cmp"
	"reflect"
	"slices"

	"docket/domain/json"
	"docket/domain/terms"
)

// An AmendmentPolicy is the frozen rule set that an amendment names (table
// trade_agreement_amendment_policies). Every member but the first four may be absent.
type AmendmentPolicy struct {
	PolicyID        terms.ID                    `json:"policyId"`
	PolicyVersion   int64                       `json:"policyVersion"`
	ContractVersion string                      `json:"contractVersion"`
	Status          terms.AmendmentPolicyStatus `json:"status"`
	FrozenAt        terms.Instant               `json:"frozenAt,omitempty"`
	StaleAfter      terms.Instant               `json:"staleAfter,omitempty"`
	Transitions     terms.DeclaredTransitions   `json:"transitions,omitempty"`
	PolicyHash      terms.Hash                  `json:"policyHash,omitempty"`
}

// An Amendment is one revision of a change to a locked agreement (table
// trade_agreement_amendment_records, source 2.5). Every member but the first five may be absent.
type Amendment struct {
	AmendmentID          terms.ID                `json:"amendmentId"`
	Revision             int64                   `json:"revision"`
	ContractVersion      string                  `json:"contractVersion"`
	OwnerID              terms.ID                `json:"ownerId"`
	State                terms.AmendmentState    `json:"state"`
	AgreementID          terms.ID                `json:"agreementId,omitempty"`
	PolicyID             terms.ID                `json:"policyId,omitempty"`
	PolicyVersion        int64                   `json:"policyVersion,omitempty"`
	PolicyHash           terms.Hash              `json:"policyHash,omitempty"`
	Transition           terms.Transition        `json:"transition,omitempty"`
	SubjectType          terms.SubjectType       `json:"subjectType,omitempty"`
	AmendmentType        terms.AmendmentType     `json:"amendmentType,omitempty"`
	ConfirmationState    terms.ConfirmationState `json:"confirmationState,omitempty"`
	BeforeTermsHash      terms.Hash              `json:"beforeTermsHash,omitempty"`
	AfterTermsHash       terms.Hash              `json:"afterTermsHash,omitempty"`
	ChangedTerms         terms.DeclaredTerms     `json:"changedTerms,omitempty"`
	ParentRecord         ParentRecord            `json:"parentRecord,omitempty"`
	Effects              EffectFlags             `json:"effects,omitempty"`
	RequiredParties      []terms.ID              `json:"requiredParties,omitempty"`
	Confirmations        []Confirmation          `json:"confirmations,omitempty"`
	OriginalDeciderID    terms.ID                `json:"originalDeciderId,omitempty"`
	NeutralReview        NeutralReview           `json:"neutralReview,omitempty"`
	Notice               Notice                  `json:"notice,omitempty"`
	ReviewerQuality      ReviewerQuality         `json:"reviewerQuality,omitempty"`
	BaselineIntegrity    BaselineIntegrity       `json:"baselineIntegrity,omitempty"`
	DestinationReview    DestinationReview       `json:"destinationReview,omitempty"`
	PolicySnapshotBundle PolicySnapshotBundle    `json:"policySnapshotBundle,omitempty"`
	AmendmentHash        terms.Hash              `json:"amendmentHash,omitempty"`
}

// HasParty reports whether the person owns the amendment, is a required party or has confirmed it.
func (a *Amendment) HasParty(person terms.ID) bool {
	return person == a.OwnerID || slices.Contains(a.RequiredParties, person) ||
		slices.ContainsFunc(a.Confirmations, func(c Confirmation) bool { return c.PartyRef == person })
}

// ChangesDestination reports whether any of three members says that the destination changes.
func (a *Amendment) ChangesDestination() bool {
	return a.Transition == terms.DestinationChange || a.AmendmentType == terms.TypeDestinationChange ||
		a.ChangedTerms.Has(terms.TermDestination)
}

// ChangesEvidenceStandard reports whether the type or the changed terms name the evidence standard.
func (a *Amendment) ChangesEvidenceStandard() bool {
	return a.AmendmentType == terms.TypeEvidenceStandardChange || a.ChangedTerms.Has(terms.TermEvidenceStandard)
}

// States reports whether transition, type or changed terms name the effect; effects cannot deny it.
func (a *Amendment) States(effect terms.Effect) bool {
	switch effect {
	case terms.FundsRedirect:
		return a.ChangesDestination()
	case terms.CompensationChange:
		return a.AmendmentType == terms.TypeCompensationChange || a.ChangedTerms.Has(terms.TermCompensation)
	case terms.PrivacyChange:
		return a.AmendmentType == terms.TypePrivacyChange || a.ChangedTerms.Has(terms.TermPrivacy)
	}
	return false
}

// RulesOut reports whether the record denies the effect and states it nowhere else.
func (a *Amendment) RulesOut(effect terms.Effect) bool {
	return a.Effects.denies(effect) && !a.States(effect)
}

// confirmable are the effects that live confirmations cure: narrowed cancellation rights only in a
// pause or early termination, and none in a correction, which may only clarify (source 2.5.1).
func (a *Amendment) confirmable() terms.EffectSet {
	switch a.Transition {
	case terms.PauseOrEarlyTermination:
		return terms.ConfirmableEffects.With(terms.CancellationRightsNarrowed)
	case terms.PostLockCorrection:
		return 0
	}
	return terms.ConfirmableEffects
}

// CanConfirm reports whether confirmations can cure the effect under the record's transition.
func (a *Amendment) CanConfirm(effect terms.Effect) bool { return a.confirmable().Has(effect) }

// ParentRecord holds the parent record's hash at the lock of the agreement and as observed now.
type ParentRecord struct {
	HashAtLock   terms.Hash `json:"hashAtLock,omitempty"`
	HashObserved terms.Hash `json:"hashObserved,omitempty"`
}

// EffectFlags says for each Effect whether the amendment has it; index 0 is not used.
type EffectFlags [terms.ThirdPartyObligationChange + 1]terms.Flag

// denies reports whether the effect is said not to be there: only a present false says so.
func (e *EffectFlags) denies(effect terms.Effect) bool {
	return effect.Present() && e[effect].IsFalse()
}

// A Confirmation is one party's renewed consent to certain effects under certain terms.
type Confirmation struct {
	PartyRef    terms.ID        `json:"partyRef,omitempty"`
	Covers      terms.EffectSet `json:"covers,omitempty"`
	TermsHash   terms.Hash      `json:"termsHash,omitempty"`
	ConfirmedAt terms.Instant   `json:"confirmedAt,omitempty"`
	ExpiresAt   terms.Instant   `json:"expiresAt,omitempty"`
}

// Given reports whether the confirmation states a time that has come by now.
func (c *Confirmation) Given(now terms.Instant) bool { return c.ConfirmedAt.NotAfter(now) }

func (c *Confirmation) live(named terms.Hash, now terms.Instant) bool {
	return c.Given(now) && c.TermsHash.Matches(named) && !c.ExpiresAt.NotAfter(now)
}

// ReviewerQuality says whether the reviewers met the quality criteria.
type ReviewerQuality struct {
	CriteriaMet terms.Flag `json:"criteriaMet,omitempty"`
}

// BaselineIntegrity says whether the baseline was verified.
type BaselineIntegrity struct {
	Verified terms.Flag `json:"verified,omitempty"`
}

// DestinationReview says whether the recipient or destination was reviewed.
type DestinationReview struct {
	Completed terms.Flag `json:"completed,omitempty"`
}

// PolicySnapshotBundle is the snapshot of the policy that was kept with the amendment.
type PolicySnapshotBundle struct {
	Subject    terms.ID   `json:"subject,omitempty"` // any but an agreement amendment blocks
	PolicyHash terms.Hash `json:"policyHash,omitempty"`
}

// A Consent is what the confirmations of an amendment add up to. An absent party, term or time
// never counts as agreement: the zero Consent is none.
type Consent struct {
	Confirmed terms.EffectSet // that every required party confirmed, live; none without a party
	Complete  bool            // there are required parties, and each confirmed something
	Expired   bool            // a required party confirmed, and all it confirmed has expired
}

type partyConsent struct {
	party   terms.ID
	live    terms.EffectSet // what the live ones cover
	expired bool            // all have expired
}

// Consent sums up the confirmations in one pass: a record may name tens of thousands of parties.
func (a *Amendment) Consent(now terms.Instant) Consent {
	if len(a.RequiredParties) == 0 {
		return Consent{}
	}
	var room [8]partyConsent // enough for most amendments to be judged without allocating
	byParty := a.byParty(room[:0], now)
	sum := Consent{Confirmed: a.confirmable(), Complete: true}
	for _, party := range a.RequiredParties {
		i, found := slices.BinarySearchFunc(byParty, party, func(p partyConsent, id terms.ID) int { return cmp.Compare(p.party, id) })
		if !found {
			sum.Confirmed, sum.Complete = 0, false
			continue
		}
		sum.Confirmed &= byParty[i].live
		sum.Expired = sum.Expired || byParty[i].expired
	}
	return sum
}

// byParty appends each party's given confirmations, sorted by party.
func (a *Amendment) byParty(into []partyConsent, now terms.Instant) []partyConsent {
	for i := range a.Confirmations {
		c := &a.Confirmations[i]
		if !c.Given(now) {
			continue
		}
		one := partyConsent{party: c.PartyRef, expired: c.ExpiresAt.NotAfter(now)}
		if c.live(a.AfterTermsHash, now) {
			one.live = c.Covers
		}
		into = append(into, one)
	}
	slices.SortFunc(into, func(p, q partyConsent) int { return cmp.Compare(p.party, q.party) })
	merged := into[:0]
	for _, one := range into {
		if last := len(merged) - 1; last >= 0 && merged[last].party == one.party {
			merged[last].live = merged[last].live.Union(one.live)
			merged[last].expired = merged[last].expired && one.expired
			continue
		}
		merged = append(merged, one)
	}
	return merged
}

// A PartyConsent is what a party's confirmations that are in force cover.
type PartyConsent struct {
	Party  terms.ID
	Covers terms.EffectSet
}

// PartyConsents lists what each party has confirmed of these terms by now: the required parties in
// their order, even with nothing, then the others that have confirmed, sorted.
func (a *Amendment) PartyConsents(now terms.Instant) []PartyConsent {
	byParty := a.byParty(nil, now)
	list := make([]PartyConsent, 0, len(a.RequiredParties)+len(byParty))
	required := make(map[terms.ID]bool, len(a.RequiredParties))
	for _, party := range a.RequiredParties {
		one := PartyConsent{Party: party}
		if i, found := slices.BinarySearchFunc(byParty, party, func(p partyConsent, id terms.ID) int {
			return cmp.Compare(p.party, id)
		}); found {
			one.Covers = byParty[i].live
		}
		list, required[party] = append(list, one), true
	}
	for i := range byParty {
		if one := &byParty[i]; !required[one.party] && one.party.Present() && !one.live.Empty() {
			list = append(list, PartyConsent{one.party, one.live})
		}
	}
	return list
}

// ConfirmationRequired reports whether the parties must confirm again: all but corrections.
func (a *Amendment) ConfirmationRequired() bool { return a.Transition != terms.PostLockCorrection }

// ConfirmsOtherTerms reports whether a confirmation names no terms, or other than the amendment's.
func (a *Amendment) ConfirmsOtherTerms() bool {
	for i := range a.Confirmations {
		if !a.Confirmations[i].TermsHash.Matches(a.AfterTermsHash) {
			return true
		}
	}
	return false
}

func effectsMember(name string, at func(reflect.Value) *EffectFlags) Member[reflect.Value] {
	members := make([]Member[*EffectFlags], 0, terms.Effects.Len())
	for _, effect := range terms.Effects.All() {
		members = append(members, flagMember(effect.String(), func(e *EffectFlags) *terms.Flag { return &e[effect] }))
	}
	return json.ObjectMember(name, json.NewReader(members...), at)
}
