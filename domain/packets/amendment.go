package packets

import (
	"cmp"
	"slices"

	"docket/domain/json"
	"docket/domain/terms"
)

// An AmendmentPolicy is the frozen rule set that an amendment names (table trade_agreement_amendment_policies). Every
// member but the first four may be absent.
type AmendmentPolicy struct {
	PolicyID        terms.ID
	PolicyVersion   int64
	ContractVersion string
	Status          terms.AmendmentPolicyStatus
	FrozenAt        terms.Instant
	StaleAfter      terms.Instant
	Transitions     terms.DeclaredTransitions
	PolicyHash      terms.Hash
}

// An Amendment is one revision of a change to a locked agreement (table trade_agreement_amendment_records, source 2.5).
// Every member but the first five may be absent.
type Amendment struct {
	AmendmentID          terms.ID
	Revision             int64
	ContractVersion      string
	OwnerID              terms.ID
	State                terms.AmendmentState
	AgreementID          terms.ID
	PolicyID             terms.ID
	PolicyVersion        int64
	PolicyHash           terms.Hash
	Transition           terms.Transition
	SubjectType          terms.SubjectType
	AmendmentType        terms.AmendmentType
	ConfirmationState    terms.ConfirmationState
	BeforeTermsHash      terms.Hash
	AfterTermsHash       terms.Hash
	ChangedTerms         terms.DeclaredTerms
	ParentRecord         ParentRecord
	Effects              EffectFlags
	RequiredParties      []terms.ID
	Confirmations        []Confirmation
	OriginalDeciderID    terms.ID
	NeutralReview        NeutralReview
	Notice               Notice
	ReviewerQuality      ReviewerQuality
	BaselineIntegrity    BaselineIntegrity
	DestinationReview    DestinationReview
	PolicySnapshotBundle PolicySnapshotBundle
	AmendmentHash        terms.Hash
}

// HasParty reports whether the person is a party to the amendment: its owner, a required party, or one who confirmed it.
func (a *Amendment) HasParty(person terms.ID) bool {
	return person == a.OwnerID || slices.Contains(a.RequiredParties, person) ||
		slices.ContainsFunc(a.Confirmations, func(c Confirmation) bool { return c.PartyRef == person })
}

// ChangesDestination reports whether the record is a change of destination, by any of the three members that can say so.
func (a *Amendment) ChangesDestination() bool {
	return a.Transition == terms.DestinationChange || a.AmendmentType == terms.TypeDestinationChange ||
		a.ChangedTerms.Has(terms.TermDestination)
}

// ChangesEvidenceStandard reports whether the amendment type or the changed terms name the evidence standard.
func (a *Amendment) ChangesEvidenceStandard() bool {
	return a.AmendmentType == terms.TypeEvidenceStandardChange || a.ChangedTerms.Has(terms.TermEvidenceStandard)
}

// States reports whether the record says by its transition, type or changed terms that it has the effect. Its effects
// cannot deny that.
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

// RulesOut reports whether the record rules the effect out: it denies the effect, and states it nowhere else.
func (a *Amendment) RulesOut(effect terms.Effect) bool {
	return a.Effects.denies(effect) && !a.States(effect)
}

// confirmable are the effects that live confirmations of every required party cure: narrowed cancellation rights only
// in a pause or early termination, and none in a correction, which may only clarify (source 2.5.1).
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

// ParentRecord holds the parent record's hash when the agreement was locked and as it is observed now.
type ParentRecord struct{ HashAtLock, HashObserved terms.Hash }

// EffectFlags says for each Effect whether the amendment has it; index 0 is not used.
type EffectFlags [terms.ThirdPartyObligationChange + 1]terms.Flag

// denies reports whether the effect is said not to be there: only a present false says so.
func (e *EffectFlags) denies(effect terms.Effect) bool {
	return effect.Present() && e[effect].IsFalse()
}

// A Confirmation is one party's renewed consent to certain effects under certain terms.
type Confirmation struct {
	PartyRef    terms.ID
	Covers      terms.EffectSet
	TermsHash   terms.Hash
	ConfirmedAt terms.Instant
	ExpiresAt   terms.Instant
}

// Given reports whether the party has confirmed by now: the confirmation states a time, and that time has come.
func (c *Confirmation) Given(now terms.Instant) bool { return c.ConfirmedAt.NotAfter(now) }

func (c *Confirmation) live(named terms.Hash, now terms.Instant) bool {
	return c.Given(now) && c.TermsHash.Matches(named) && !c.ExpiresAt.NotAfter(now)
}

// ReviewerQuality says whether the reviewers met the quality criteria.
type ReviewerQuality struct{ CriteriaMet terms.Flag }

// BaselineIntegrity says whether the baseline was verified.
type BaselineIntegrity struct{ Verified terms.Flag }

// DestinationReview says whether the recipient or destination was reviewed.
type DestinationReview struct{ Completed terms.Flag }

// PolicySnapshotBundle is the snapshot of the policy that was kept with the amendment.
type PolicySnapshotBundle struct {
	Subject    terms.ID // what the snapshot was taken for; any but an agreement amendment blocks
	PolicyHash terms.Hash
}

// A Consent is what the confirmations of an amendment add up to. It is computed in one pass, because a record may name tens of
// thousands of parties. An absent party, term or time never counts as agreement: the zero Consent is none.
type Consent struct {
	Confirmed terms.EffectSet // what every required party has a live confirmation of; no party is not every party
	Complete  bool            // there are required parties, and each has given at least one confirmation, of any terms
	Expired   bool            // a required party has given confirmations, and all of those have expired
}

type partyConsent struct {
	party   terms.ID
	live    terms.EffectSet // what the live ones cover
	expired bool            // all have expired
}

// Consent sums the confirmations up for every required party.
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

// byParty appends what each party has confirmed by now, sorted by party. A confirmation that is not given does not count.
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

// PartyConsents lists what each party has confirmed of these terms, as of now: the required parties in their order, then the
// others that have confirmed, sorted. A required party that has not covers nothing.
func (a *Amendment) PartyConsents(now terms.Instant) []PartyConsent {
	byParty := a.byParty(nil, now)
	list := make([]PartyConsent, 0, len(a.RequiredParties)+len(byParty))
	required := make(map[terms.ID]bool, len(a.RequiredParties))
	for _, party := range a.RequiredParties {
		one := PartyConsent{Party: party}
		if i, found := slices.BinarySearchFunc(byParty, party, func(p partyConsent, id terms.ID) int { return cmp.Compare(p.party, id) }); found {
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

// ConfirmationRequired reports whether the parties must confirm again: always, but for a correction.
func (a *Amendment) ConfirmationRequired() bool { return a.Transition != terms.PostLockCorrection }

// ConfirmsOtherTerms reports whether any confirmation names no terms, or terms other than those that the amendment brings.
func (a *Amendment) ConfirmsOtherTerms() bool {
	for i := range a.Confirmations {
		if !a.Confirmations[i].TermsHash.Matches(a.AfterTermsHash) {
			return true
		}
	}
	return false
}

// The shapes of the two amendment tables, in the order in which they are documented.

var amendmentPolicyShape = json.NewReader(
	json.Required(IDMember("policyId", func(p *AmendmentPolicy) *terms.ID { return &p.PolicyID })),
	json.Required(json.VersionMember[Reading]("policyVersion", func(p *AmendmentPolicy) *int64 { return &p.PolicyVersion })),
	json.Required(versionMember(func(p *AmendmentPolicy, v Text) { p.ContractVersion = v.String() })),
	json.Required(TermMember("status", func(p *AmendmentPolicy) *terms.AmendmentPolicyStatus { return &p.Status })),
	TimeMember("frozenAt", func(p *AmendmentPolicy) *terms.Instant { return &p.FrozenAt }),
	TimeMember("staleAfter", func(p *AmendmentPolicy) *terms.Instant { return &p.StaleAfter }),
	declaredMember("transitions", func(p *AmendmentPolicy) *terms.DeclaredTransitions { return &p.Transitions }),
	statedHash("policyHash", func(p *AmendmentPolicy) *terms.Hash { return &p.PolicyHash }),
)

var amendmentShape = json.NewReader(
	json.Required(IDMember("amendmentId", func(a *Amendment) *terms.ID { return &a.AmendmentID })),
	json.Required(json.VersionMember[Reading]("revision", func(a *Amendment) *int64 { return &a.Revision })),
	json.Required(versionMember(func(a *Amendment, v Text) { a.ContractVersion = v.String() })),
	json.Required(IDMember("ownerId", func(a *Amendment) *terms.ID { return &a.OwnerID })),
	json.Required(TermMember("state", func(a *Amendment) *terms.AmendmentState { return &a.State })),
	IDMember("agreementId", func(a *Amendment) *terms.ID { return &a.AgreementID }),
	IDMember("policyId", func(a *Amendment) *terms.ID { return &a.PolicyID }),
	json.VersionMember[Reading]("policyVersion", func(a *Amendment) *int64 { return &a.PolicyVersion }),
	HashMember("policyHash", func(a *Amendment) *terms.Hash { return &a.PolicyHash }),
	TermMember("transition", func(a *Amendment) *terms.Transition { return &a.Transition }),
	TermMember("subjectType", func(a *Amendment) *terms.SubjectType { return &a.SubjectType }),
	TermMember("amendmentType", func(a *Amendment) *terms.AmendmentType { return &a.AmendmentType }),
	TermMember("confirmationState", func(a *Amendment) *terms.ConfirmationState { return &a.ConfirmationState }),
	HashMember("beforeTermsHash", func(a *Amendment) *terms.Hash { return &a.BeforeTermsHash }),
	HashMember("afterTermsHash", func(a *Amendment) *terms.Hash { return &a.AfterTermsHash }),
	declaredMember("changedTerms", func(a *Amendment) *terms.DeclaredTerms { return &a.ChangedTerms }),
	json.ObjectMember("parentRecord", json.NewReader(
		HashMember("hashAtLock", func(p *ParentRecord) *terms.Hash { return &p.HashAtLock }),
		HashMember("hashObserved", func(p *ParentRecord) *terms.Hash { return &p.HashObserved }),
	), func(a *Amendment) *ParentRecord { return &a.ParentRecord }),
	json.ObjectMember("effects", effectsShape, func(a *Amendment) *EffectFlags { return &a.Effects }),
	idsMember("requiredParties", func(a *Amendment) *[]terms.ID { return &a.RequiredParties }),
	json.ListMember("confirmations", confirmationShape, func(a *Amendment) *[]Confirmation { return &a.Confirmations }),
	IDMember("originalDeciderId", func(a *Amendment) *terms.ID { return &a.OriginalDeciderID }),
	json.ObjectMember("neutralReview", neutralReviewShape, func(a *Amendment) *NeutralReview { return &a.NeutralReview }),
	json.ObjectMember("notice", noticeShape, func(a *Amendment) *Notice { return &a.Notice }),
	json.ObjectMember("reviewerQuality", json.NewReader(
		flagMember("criteriaMet", func(q *ReviewerQuality) *terms.Flag { return &q.CriteriaMet }),
	), func(a *Amendment) *ReviewerQuality { return &a.ReviewerQuality }),
	json.ObjectMember("baselineIntegrity", json.NewReader(
		flagMember("verified", func(b *BaselineIntegrity) *terms.Flag { return &b.Verified }),
	), func(a *Amendment) *BaselineIntegrity { return &a.BaselineIntegrity }),
	json.ObjectMember("destinationReview", json.NewReader(
		flagMember("completed", func(d *DestinationReview) *terms.Flag { return &d.Completed }),
	), func(a *Amendment) *DestinationReview { return &a.DestinationReview }),
	json.ObjectMember("policySnapshotBundle", json.NewReader(
		IDMember("subject", func(b *PolicySnapshotBundle) *terms.ID { return &b.Subject }),
		HashMember("policyHash", func(b *PolicySnapshotBundle) *terms.Hash { return &b.PolicyHash }),
	), func(a *Amendment) *PolicySnapshotBundle { return &a.PolicySnapshotBundle }),
	statedHash("amendmentHash", func(a *Amendment) *terms.Hash { return &a.AmendmentHash }),
)

var effectsShape = func() *ShapeOf[*EffectFlags] {
	members := make([]Member[*EffectFlags], 0, terms.Effects.Len())
	for _, effect := range terms.Effects.All() {
		members = append(members, flagMember(effect.String(), func(e *EffectFlags) *terms.Flag { return &e[effect] }))
	}
	return json.NewReader(members...)
}()

var confirmationShape = json.NewReader(
	IDMember("partyRef", func(c *Confirmation) *terms.ID { return &c.PartyRef }),
	TermsMember("covers", func(c *Confirmation) *terms.EffectSet { return &c.Covers }),
	HashMember("termsHash", func(c *Confirmation) *terms.Hash { return &c.TermsHash }),
	TimeMember("confirmedAt", func(c *Confirmation) *terms.Instant { return &c.ConfirmedAt }),
	TimeMember("expiresAt", func(c *Confirmation) *terms.Instant { return &c.ExpiresAt }),
)
