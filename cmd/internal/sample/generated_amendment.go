package sample

import (
	"slices"
	"time"

	"docket/domain/packets"
	"docket/domain/terms"
)

// generatedAmendment is a synthetic amendment before it is written. A new one passes; a defect may follow.
type generatedAmendment struct {
	generatedReview
	policy                                generatedPolicy
	id, contract, owner, agreement, state string
	transition, subjectType, kind         string
	confirmationState                     string
	before, after, atLock, observed       string
	changedTerms                          []string
	effects                               []string // those that are on
	parties                               []string
	covers                                []string
	confirmedTerms                        string
	confirmedAt, expiresAt                time.Time
	qualified, verified, destination      bool
	snapshotHash                          string
	edited                                bool // after sealing
}

// drawAmendment makes an amendment that passes until its confirmations expire.
func (g *generator) drawAmendment(number int) generatedAmendment {
	definition := g.transitions[g.random.IntN(len(g.transitions))]
	applied := g.ago(24, 30*24)
	a := generatedAmendment{
		generatedReview:   g.drawReview(applied),
		policy:            g.policies[currentOffsets],
		id:                g.id("amd", number),
		contract:          terms.AmendmentContract.Version,
		owner:             g.reference("own"),
		agreement:         g.reference("agr"),
		state:             "applied",
		transition:        definition.key.String(),
		subjectType:       pick(g, definition.subjectTypes),
		kind:              pick(g, definition.kinds),
		confirmationState: "passed",
		before:            g.hash(),
		after:             g.hash(),
		atLock:            g.hash(),
		changedTerms:      []string{"wording"},
		effects:           []string{},
		parties:           []string{g.reference("pty"), g.reference("pty")},
		confirmedAt:       applied,
		expiresAt:         g.ahead(10*24, 60*24),
		qualified:         true,
		verified:          true,
		destination:       true,
	}
	if definition.key == terms.PledgeSwapMaterialChange {
		a.policy = g.policies[currentSwaps]
	}
	if definition.key != terms.PostLockCorrection {
		a.changedTerms = []string{pick(g, g.terms)}
		if g.random.IntN(2) == 0 {
			a.effects = []string{pick(g, g.effects)}
		}
	}
	for _, word := range append([]string{a.kind}, a.changedTerms...) {
		if effect := statedEffects[word]; effect != "" && !slices.Contains(a.effects, effect) {
			a.effects = append(a.effects, effect)
		}
	}
	a.observed, a.covers, a.confirmedTerms, a.snapshotHash = a.atLock, a.effects, a.after, a.policy.hash
	return a
}

// statedEffects returns the effects that an amendment has by its type or by a changed term; they cannot be denied.
var statedEffects = map[string]string{
	"compensation_change": "compensationChange", "compensation": "compensationChange",
	"privacy_change": "privacyChange", "privacy": "privacyChange",
	"destination_change": "fundsRedirect", "destination": "fundsRedirect",
}

// write writes the record in canonical form without amendmentHash, and returns the place of that.
func (a *generatedAmendment) write(w *jsonWriter) ownHash {
	w.start()
	w.string("afterTermsHash", a.after)
	w.string("agreementId", a.agreement)
	own := ownHash{len(w.Text()), "amendmentHash", a.edited}
	w.string("amendmentId", a.id)
	w.string("amendmentType", a.kind)
	w.open("baselineIntegrity")
	w.bool("verified", a.verified)
	w.close()
	w.string("beforeTermsHash", a.before)
	w.strings("changedTerms", a.changedTerms)
	w.string("confirmationState", a.confirmationState)
	a.writeConfirmations(w)
	w.string("contractVersion", a.contract)
	w.open("destinationReview")
	w.bool("completed", a.destination)
	w.close()
	w.open("effects")
	for _, effect := range effectsByName {
		w.bool(effect, slices.Contains(a.effects, effect))
	}
	w.close()
	a.writeReview(w)
	a.writeNotice(w)
	w.string("originalDeciderId", a.decider)
	w.string("ownerId", a.owner)
	w.open("parentRecord")
	w.string("hashAtLock", a.atLock)
	w.string("hashObserved", a.observed)
	w.close()
	w.string("policyHash", a.policy.hash)
	w.string("policyId", a.policy.id)
	w.open("policySnapshotBundle")
	w.string("policyHash", a.snapshotHash)
	w.string("subject", "agreement_amendment")
	w.close()
	w.int("policyVersion", a.policy.version)
	w.strings("requiredParties", a.parties)
	w.open("reviewerQuality")
	w.bool("criteriaMet", a.qualified)
	w.close()
	w.int("revision", 1)
	w.string("state", a.state)
	w.string("subjectType", a.subjectType)
	w.string("transition", a.transition)
	w.close()
	return own
}

// effectsByName are all effects in the order of the canonical form.
var effectsByName = slices.Sorted(slices.Values(terms.Effects.Texts()))

// writeConfirmations writes one confirmation for each party, all alike.
func (a *generatedAmendment) writeConfirmations(w *jsonWriter) {
	w.Name("confirmations").OpenList()
	if !a.confirmedAt.IsZero() {
		for _, party := range a.parties {
			w.Open()
			w.time("confirmedAt", a.confirmedAt)
			w.strings("covers", a.covers)
			w.time("expiresAt", a.expiresAt)
			w.string("partyRef", party)
			w.string("termsHash", a.confirmedTerms)
			w.close()
		}
	}
	w.CloseList()
}

// inState returns the defect "the amendment is in this earlier state".
func inState(code terms.Blocker, state terms.AmendmentState) defect[generatedAmendment] {
	return defect[generatedAmendment]{code, func(_ *generator, a *generatedAmendment) { a.state = state.String() }}
}

// unconfirmed returns the defect "it has this effect, which was not confirmed".
func unconfirmed(code terms.Blocker, effect terms.Effect) defect[generatedAmendment] {
	return defect[generatedAmendment]{code, func(_ *generator, a *generatedAmendment) {
		a.effects, a.covers = []string{effect.String()}, []string{}
	}}
}

// underPolicy returns the defect "it names that policy".
func underPolicy(code terms.Blocker, key packets.Key) defect[generatedAmendment] {
	return defect[generatedAmendment]{code, func(g *generator, a *generatedAmendment) {
		a.policy = g.policies[key]
		a.snapshotHash = a.policy.hash
	}}
}

// amendmentDefects has one defect for each blocker of an amendment.
var amendmentDefects = []defect[generatedAmendment]{
	{terms.PolicyMissing, func(_ *generator, a *generatedAmendment) { a.policy.version = 99 }},
	underPolicy(terms.PolicyMutable, draftAmendments),
	underPolicy(terms.PolicyStale, staleAmendments),
	underPolicy(terms.PolicySuperseded, formerOffsets),
	{terms.AmendmentMissing, func(_ *generator, a *generatedAmendment) { a.kind = "" }},
	inState(terms.AmendmentUnconfirmed, terms.AmendmentPresented),
	inState(terms.AmendmentNotApproved, terms.AmendmentConfirmed),
	inState(terms.AmendmentNotApplied, terms.AmendmentApproved),
	inState(terms.AmendmentRejectedOrWithdrawn, terms.AmendmentWithdrawn),
	inState(terms.AmendmentStaleBlocker, terms.AmendmentStale),
	inState(terms.AmendmentSupersededBlocker, terms.AmendmentSuperseded),
	{terms.ParentRecordEditDetected, func(g *generator, a *generatedAmendment) { a.observed = g.hash() }},
	unconfirmed(terms.RetroactivePerformanceChange, terms.RetroactivePerformance),
	unconfirmed(terms.EvidenceClaimRetypedBlocker, terms.EvidenceClaimRetyped),
	unconfirmed(terms.ExposureIncreaseUnconfirmed, terms.ExposureIncrease),
	unconfirmed(terms.FundsRedirectUnconfirmed, terms.FundsRedirect),
	unconfirmed(terms.CompensationChangeUnconfirmed, terms.CompensationChange),
	unconfirmed(terms.CancellationRightsNarrowedBlocker, terms.CancellationRightsNarrowed),
	unconfirmed(terms.PrivacyChangeUnconfirmed, terms.PrivacyChange),
	unconfirmed(terms.DonorOfRecordChangeUnconfirmed, terms.DonorOfRecordChange),
	unconfirmed(terms.ThirdPartyObligationChangeUnconfirmed, terms.ThirdPartyObligationChange),
	{terms.RenewedConfirmationMissing, func(_ *generator, a *generatedAmendment) { a.confirmationState = "missing" }},
	{terms.RenewedConfirmationStale, func(g *generator, a *generatedAmendment) { a.expiresAt = g.ago(1, 24) }},
	{terms.ParticipantConfirmationScopeMismatch,
		func(g *generator, a *generatedAmendment) { a.confirmedTerms = g.hash() }},
	{terms.NeutralReviewMissing, func(_ *generator, a *generatedAmendment) { a.conflict = true }},
	{terms.NoticeMissing, func(_ *generator, a *generatedAmendment) {
		a.noticeState, a.deliveredAt = "queued", time.Time{}
	}},
	{terms.ReviewerQualityMissing, func(_ *generator, a *generatedAmendment) { a.qualified = false }},
	{terms.BaselineIntegrityMissing, func(_ *generator, a *generatedAmendment) { a.verified = false }},
	{terms.BeforeTermsHashMissing, func(_ *generator, a *generatedAmendment) { a.before = "" }},
	{terms.AfterTermsHashMissing, func(_ *generator, a *generatedAmendment) { a.after = "" }},
	{terms.PolicySnapshotBundleMissing, func(_ *generator, a *generatedAmendment) { a.snapshotHash = "" }},
	{terms.InvalidAmendmentHash, func(_ *generator, a *generatedAmendment) { a.edited = true }},
	{terms.InvalidPolicyHash, func(g *generator, a *generatedAmendment) { a.policy.hash = g.hash() }},
}
