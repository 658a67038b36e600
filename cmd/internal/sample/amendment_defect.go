package sample

import (
	"time"

	"docket/domain"
)

// inState returns the defect "the amendment got no further than this".
func inState(code domain.Blocker, state domain.AmendmentState) defect[generatedAmendment] {
	return defect[generatedAmendment]{code, func(_ *generator, a *generatedAmendment) { a.state = state.String() }}
}

// unconfirmed returns the defect "it has this effect, and nobody confirmed that".
func unconfirmed(code domain.Blocker, effect domain.Effect) defect[generatedAmendment] {
	return defect[generatedAmendment]{code, func(_ *generator, a *generatedAmendment) {
		a.effects, a.covers = []string{effect.String()}, []string{}
	}}
}

// underPolicy returns the defect "it names that policy".
func underPolicy(code domain.Blocker, key domain.Key) defect[generatedAmendment] {
	return defect[generatedAmendment]{code, func(g *generator, a *generatedAmendment) {
		a.policy = g.policies[key]
		a.snapshotHash = a.policy.hash
	}}
}

// amendmentDefects has one defect for each blocker of an amendment.
var amendmentDefects = []defect[generatedAmendment]{
	{domain.PolicyMissing, func(_ *generator, a *generatedAmendment) { a.policy.version = 99 }},
	underPolicy(domain.PolicyMutable, draftAmendments),
	underPolicy(domain.PolicyStale, staleAmendments),
	underPolicy(domain.PolicySuperseded, formerOffsets),
	{domain.AmendmentMissing, func(_ *generator, a *generatedAmendment) { a.kind = "" }},
	inState(domain.AmendmentUnconfirmed, domain.AmendmentPresented),
	inState(domain.AmendmentNotApproved, domain.AmendmentConfirmed),
	inState(domain.AmendmentNotApplied, domain.AmendmentApproved),
	inState(domain.AmendmentRejectedOrWithdrawn, domain.AmendmentWithdrawn),
	inState(domain.AmendmentStaleBlocker, domain.AmendmentStale),
	inState(domain.AmendmentSupersededBlocker, domain.AmendmentSuperseded),
	{domain.ParentRecordEditDetected, func(g *generator, a *generatedAmendment) { a.observed = g.hash() }},
	unconfirmed(domain.RetroactivePerformanceChange, domain.RetroactivePerformance),
	unconfirmed(domain.EvidenceClaimRetypedBlocker, domain.EvidenceClaimRetyped),
	unconfirmed(domain.ExposureIncreaseUnconfirmed, domain.ExposureIncrease),
	unconfirmed(domain.FundsRedirectUnconfirmed, domain.FundsRedirect),
	unconfirmed(domain.CompensationChangeUnconfirmed, domain.CompensationChange),
	unconfirmed(domain.CancellationRightsNarrowedBlocker, domain.CancellationRightsNarrowed),
	unconfirmed(domain.PrivacyChangeUnconfirmed, domain.PrivacyChange),
	unconfirmed(domain.DonorOfRecordChangeUnconfirmed, domain.DonorOfRecordChange),
	unconfirmed(domain.ThirdPartyObligationChangeUnconfirmed, domain.ThirdPartyObligationChange),
	{domain.RenewedConfirmationMissing, func(_ *generator, a *generatedAmendment) { a.confirmationState = "missing" }},
	{domain.RenewedConfirmationStale, func(g *generator, a *generatedAmendment) { a.expiresAt = g.ago(1, 24) }},
	{domain.ParticipantConfirmationScopeMismatch,
		func(g *generator, a *generatedAmendment) { a.confirmedTerms = g.hash() }},
	{domain.NeutralReviewMissing, func(_ *generator, a *generatedAmendment) { a.conflict = true }},
	{domain.NoticeMissing, func(_ *generator, a *generatedAmendment) {
		a.noticeState, a.deliveredAt = "queued", time.Time{}
	}},
	{domain.ReviewerQualityMissing, func(_ *generator, a *generatedAmendment) { a.qualified = false }},
	{domain.BaselineIntegrityMissing, func(_ *generator, a *generatedAmendment) { a.verified = false }},
	{domain.BeforeTermsHashMissing, func(_ *generator, a *generatedAmendment) { a.before = "" }},
	{domain.AfterTermsHashMissing, func(_ *generator, a *generatedAmendment) { a.after = "" }},
	{domain.PolicySnapshotBundleMissing, func(_ *generator, a *generatedAmendment) { a.snapshotHash = "" }},
	{domain.InvalidAmendmentHash, func(_ *generator, a *generatedAmendment) { a.edited = true }},
	{domain.InvalidPolicyHash, func(g *generator, a *generatedAmendment) { a.policy.hash = g.hash() }},
}
