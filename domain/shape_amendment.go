package domain

import "docket/domain/shape"

// The shapes of the two amendment tables, in the order in which they are documented.

var amendmentPolicyShape = shape.New(
	shape.Required(idMember("policyId", func(p *AmendmentPolicy) *ID { return &p.PolicyID })),
	shape.Required(shape.VersionMember[reading]("policyVersion", func(p *AmendmentPolicy) *int64 { return &p.PolicyVersion })),
	shape.Required(stringMember("contractVersion", func(p *AmendmentPolicy) *string { return &p.ContractVersion })),
	shape.Required(wordMember("status", func(p *AmendmentPolicy) *AmendmentPolicyStatus { return &p.Status })),
	timeMember("frozenAt", func(p *AmendmentPolicy) *Instant { return &p.FrozenAt }),
	timeMember("staleAfter", func(p *AmendmentPolicy) *Instant { return &p.StaleAfter }),
	declaredMember("transitions", func(p *AmendmentPolicy) *DeclaredTransitions { return &p.Transitions }),
	hashMember("policyHash", func(p *AmendmentPolicy) *Hash { return &p.PolicyHash }),
)

var amendmentShape = shape.New(
	shape.Required(idMember("amendmentId", func(a *Amendment) *ID { return &a.AmendmentID })),
	shape.Required(shape.VersionMember[reading]("revision", func(a *Amendment) *int64 { return &a.Revision })),
	shape.Required(stringMember("contractVersion", func(a *Amendment) *string { return &a.ContractVersion })),
	shape.Required(idMember("ownerId", func(a *Amendment) *ID { return &a.OwnerID })),
	shape.Required(wordMember("state", func(a *Amendment) *AmendmentState { return &a.State })),
	idMember("agreementId", func(a *Amendment) *ID { return &a.AgreementID }),
	idMember("policyId", func(a *Amendment) *ID { return &a.PolicyID }),
	shape.VersionMember[reading]("policyVersion", func(a *Amendment) *int64 { return &a.PolicyVersion }),
	hashMember("policyHash", func(a *Amendment) *Hash { return &a.PolicyHash }),
	wordMember("transition", func(a *Amendment) *Transition { return &a.Transition }),
	wordMember("subjectType", func(a *Amendment) *SubjectType { return &a.SubjectType }),
	wordMember("amendmentType", func(a *Amendment) *AmendmentType { return &a.AmendmentType }),
	wordMember("confirmationState", func(a *Amendment) *ConfirmationState { return &a.ConfirmationState }),
	hashMember("beforeTermsHash", func(a *Amendment) *Hash { return &a.BeforeTermsHash }),
	hashMember("afterTermsHash", func(a *Amendment) *Hash { return &a.AfterTermsHash }),
	declaredMember("changedTerms", func(a *Amendment) *DeclaredTerms { return &a.ChangedTerms }),
	shape.ObjectMember("parentRecord", shape.New(
		hashMember("hashAtLock", func(p *ParentRecord) *Hash { return &p.HashAtLock }),
		hashMember("hashObserved", func(p *ParentRecord) *Hash { return &p.HashObserved }),
	), func(a *Amendment) *ParentRecord { return &a.ParentRecord }),
	shape.ObjectMember("effects", effectsShape, func(a *Amendment) *EffectFlags { return &a.Effects }),
	idsMember("requiredParties", func(a *Amendment) *[]ID { return &a.RequiredParties }),
	shape.ListMember("confirmations", confirmationShape, func(a *Amendment) *[]Confirmation { return &a.Confirmations }),
	idMember("originalDeciderId", func(a *Amendment) *ID { return &a.OriginalDeciderID }),
	shape.ObjectMember("neutralReview", neutralReviewShape, func(a *Amendment) *NeutralReview { return &a.NeutralReview }),
	shape.ObjectMember("notice", noticeShape, func(a *Amendment) *Notice { return &a.Notice }),
	shape.ObjectMember("reviewerQuality", shape.New(
		flagMember("criteriaMet", func(q *ReviewerQuality) *Flag { return &q.CriteriaMet }),
	), func(a *Amendment) *ReviewerQuality { return &a.ReviewerQuality }),
	shape.ObjectMember("baselineIntegrity", shape.New(
		flagMember("verified", func(b *BaselineIntegrity) *Flag { return &b.Verified }),
	), func(a *Amendment) *BaselineIntegrity { return &a.BaselineIntegrity }),
	shape.ObjectMember("destinationReview", shape.New(
		flagMember("completed", func(d *DestinationReview) *Flag { return &d.Completed }),
	), func(a *Amendment) *DestinationReview { return &a.DestinationReview }),
	shape.ObjectMember("policySnapshotBundle", shape.New(
		idMember("subject", func(b *PolicySnapshotBundle) *ID { return &b.Subject }),
		hashMember("policyHash", func(b *PolicySnapshotBundle) *Hash { return &b.PolicyHash }),
	), func(a *Amendment) *PolicySnapshotBundle { return &a.PolicySnapshotBundle }),
	hashMember("amendmentHash", func(a *Amendment) *Hash { return &a.AmendmentHash }),
)

var effectsShape = func() *shapeOf[EffectFlags] {
	members := make([]member[EffectFlags], 0, Effects.Len())
	for _, effect := range Effects.All() {
		members = append(members, flagMember(effect.String(), func(e *EffectFlags) *Flag { return &e[effect] }))
	}
	return shape.New(members...)
}()

var confirmationShape = shape.New(
	idMember("partyRef", func(c *Confirmation) *ID { return &c.PartyRef }),
	wordsMember("covers", func(c *Confirmation) *EffectSet { return &c.Covers }),
	hashMember("termsHash", func(c *Confirmation) *Hash { return &c.TermsHash }),
	timeMember("confirmedAt", func(c *Confirmation) *Instant { return &c.ConfirmedAt }),
	timeMember("expiresAt", func(c *Confirmation) *Instant { return &c.ExpiresAt }),
)
