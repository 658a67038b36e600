package views

import (
	"cmp"
	"fmt"
	"strings"

	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/terms"
)

// amendmentSections are the sections of an amendment.
var amendmentSections = sections[packets.Amendment, packets.AmendmentPolicy]{
	{SectionChange, func(v *View, r *rows, a *packets.Amendment, policy *packets.AmendmentPolicy) {
		changeRows(a, r, v.latest, policy)
	}},
	{SectionTerms, func(_ *View, r *rows, a *packets.Amendment, _ *packets.AmendmentPolicy) { termRows(a, r) }},
	{SectionEffects, func(_ *View, r *rows, a *packets.Amendment, _ *packets.AmendmentPolicy) { effectRows(a, r) }},
	{SectionConfirmations, func(v *View, r *rows, a *packets.Amendment, _ *packets.AmendmentPolicy) {
		confirmationRows(a, r, v.EvaluatedAt())
	}},
	{SectionNotice, func(v *View, r *rows, a *packets.Amendment, _ *packets.AmendmentPolicy) {
		noticeRows(&a.Notice, r, v.EvaluatedAt())
	}},
	{SectionReview, func(_ *View, r *rows, a *packets.Amendment, _ *packets.AmendmentPolicy) { amendmentReviewRows(a, r) }},
	{SectionPolicy, func(v *View, r *rows, a *packets.Amendment, policy *packets.AmendmentPolicy) {
		amendmentPolicyRows(r, a, policy, v)
	}},
	{SectionIntegrity, func(v *View, r *rows, _ *packets.Amendment, _ *packets.AmendmentPolicy) {
		amendmentIntegrityRows(v.input.Amendment(), r, v.input.AmendmentPolicy())
	}},
}

func changeRows(a *packets.Amendment, r *rows, latest rules.Latest, policy *packets.AmendmentPolicy) {
	uncovered := policy != nil && !policy.Transitions.Has(a.Transition)
	misfit := !rules.Fits(a.Transition, a.SubjectType, a.AmendmentType)
	r.add("amendment", string(a.AmendmentID))
	r.read(rules.NotLatest(a.Revision, latest.Revision), "revision", revisionLabel(a.Revision, latest.Revision), terms.AmendmentStaleBlocker)
	r.read(true, "state", a.State.Label(), stateCodes(a.State)...)
	r.add("agreement", string(a.AgreementID))
	r.read(a.OwnerID == a.NeutralReview.ReviewerID, "owner", string(a.OwnerID), terms.NeutralReviewMissing)
	r.read(misfit || uncovered, LabelTransition, a.Transition.Label(), terms.AmendmentMissing, terms.PolicyMissing)
	r.read(misfit, "subject type", a.SubjectType.Label(), terms.AmendmentMissing)
	r.read(misfit, "amendment type", a.AmendmentType.Label(), terms.AmendmentMissing)
	r.read(a.ContractVersion != terms.AmendmentContract.Version, "contract version", a.ContractVersion,
		terms.AmendmentStaleBlocker)
}

// stateCodes are the blockers that a state alone may bring about.
func stateCodes(state terms.AmendmentState) []terms.Blocker {
	codes := []terms.Blocker{terms.AmendmentUnconfirmed, terms.AmendmentNotApproved, terms.AmendmentNotApplied, terms.AmendmentRejectedOrWithdrawn,
		terms.AmendmentSupersededBlocker}
	if state == terms.AmendmentStale {
		codes = append(codes, terms.AmendmentStaleBlocker)
	}
	return codes
}

func termRows(a *packets.Amendment, r *rows) {
	r.read(true, LabelChangedTerms, declaredLabel(a.ChangedTerms), termCodes(a)...)
	r.read(true, LabelBefore, a.BeforeTermsHash.String(), terms.BeforeTermsHashMissing)
	r.read(true, LabelAfter, a.AfterTermsHash.String(), terms.AfterTermsHashMissing)
	r.read(true, LabelParentAtLock, a.ParentRecord.HashAtLock.String(), terms.ParentRecordEditDetected)
	r.read(true, LabelParentObserved, a.ParentRecord.HashObserved.String(), terms.ParentRecordEditDetected)
	r.read(true, LabelBaseline, yesNo(a.BaselineIntegrity.Verified), terms.BaselineIntegrityMissing)
}

// termCodes are the blockers that the changed terms may bring about.
func termCodes(a *packets.Amendment) []terms.Blocker {
	var codes []terms.Blocker
	if !rules.NamesItsTerms(a) {
		codes = append(codes, terms.AmendmentMissing)
	}
	if a.Transition == terms.PostLockCorrection {
		codes = append(codes, terms.RetroactivePerformanceChange, terms.EvidenceClaimRetypedBlocker)
	}
	return codes
}

// effectCodes is indexed by Effect: the blocker that guards it.
var effectCodes = [...]terms.Blocker{
	terms.RetroactivePerformance:     terms.RetroactivePerformanceChange,
	terms.EvidenceClaimRetyped:       terms.EvidenceClaimRetypedBlocker,
	terms.ExposureIncrease:           terms.ExposureIncreaseUnconfirmed,
	terms.FundsRedirect:              terms.FundsRedirectUnconfirmed,
	terms.CompensationChange:         terms.CompensationChangeUnconfirmed,
	terms.CancellationRightsNarrowed: terms.CancellationRightsNarrowedBlocker,
	terms.PrivacyChange:              terms.PrivacyChangeUnconfirmed,
	terms.DonorOfRecordChange:        terms.DonorOfRecordChangeUnconfirmed,
	terms.ThirdPartyObligationChange: terms.ThirdPartyObligationChangeUnconfirmed,
}

// effectLabels is indexed by Effect.
var effectLabels = [...]string{
	terms.RetroactivePerformance:     "retroactive performance",
	terms.EvidenceClaimRetyped:       "evidence claim retyped",
	terms.ExposureIncrease:           "exposure increase",
	terms.FundsRedirect:              "funds redirect",
	terms.CompensationChange:         "compensation change",
	terms.CancellationRightsNarrowed: "cancellation rights narrowed",
	terms.PrivacyChange:              "privacy change",
	terms.DonorOfRecordChange:        "donor of record change",
	terms.ThirdPartyObligationChange: "third-party obligation change",
}

func effectRows(a *packets.Amendment, r *rows) {
	for _, effect := range terms.Effects.All() {
		value := yesNo(a.Effects[effect])
		if a.States(effect) && a.Effects[effect] != terms.FlagYes {
			value = fmt.Sprintf("%s, but the change itself says so", cmp.Or(value, "not said"))
		}
		r.read(!a.RulesOut(effect), effectLabels[effect], value, effectCodes[effect])
	}
}

func confirmationRows(a *packets.Amendment, r *rows, now terms.Instant) {
	state := a.ConfirmationState
	r.read(state != terms.ConfirmationPassed, LabelConfirmation, state.Label(), terms.RenewedConfirmationMissing,
		terms.RenewedConfirmationStale, terms.ParticipantConfirmationScopeMismatch)
	r.read(a.ConfirmationRequired() && !a.Consent(now).Complete, LabelRequired, joinIDs(a.RequiredParties),
		terms.RenewedConfirmationMissing)
	r.listing(a.RequiredParties)
	for i := range a.Confirmations {
		c := &a.Confirmations[i]
		named, codes := "these terms", []terms.Blocker(nil)
		if !c.TermsHash.Matches(a.AfterTermsHash) {
			named, codes = "other terms", append(codes, terms.ParticipantConfirmationScopeMismatch)
		}
		if c.Given(now) && c.ExpiresAt.NotAfter(now) {
			codes = append(codes, terms.RenewedConfirmationStale)
		}
		r.read(true, fmt.Sprintf("confirmation %d", i+1), confirmationLabel(c, named), codes...)
	}
}

// confirmationLabel writes the confirmation in one line.
func confirmationLabel(c *packets.Confirmation, terms string) string {
	covers := make([]string, 0, c.Covers.Len())
	for _, effect := range c.Covers.Terms() {
		covers = append(covers, effectLabels[effect])
	}
	text := fmt.Sprintf("%s for %s, covers %s, confirmed %s",
		cmp.Or(string(c.PartyRef), "nobody named"), terms, cmp.Or(strings.Join(covers, ", "), "nothing"), cmp.Or(c.ConfirmedAt.String(), "at no stated time"))
	if c.ExpiresAt.Present() {
		text += fmt.Sprintf(", expires %s", c.ExpiresAt)
	}
	return text
}

func amendmentReviewRows(a *packets.Amendment, r *rows) {
	neutralReviewRows(&a.NeutralReview, r, a.OriginalDeciderID, a.HasParty(a.NeutralReview.ReviewerID))
	r.read(true, "reviewer quality met", yesNo(a.ReviewerQuality.CriteriaMet), terms.ReviewerQualityMissing)
	completed := a.DestinationReview.Completed
	switch {
	case a.ChangesDestination():
		r.read(!completed.IsTrue(), "destination reviewed", yesNo(completed), terms.NeutralReviewMissing)
	case completed != terms.FlagAbsent:
		r.add("destination reviewed", yesNo(completed))
	}
}

func amendmentPolicyRows(r *rows, a *packets.Amendment, policy *packets.AmendmentPolicy, v *View) {
	r.read(policy == nil, "named by the record", policyName(a.PolicyID, a.PolicyVersion), terms.PolicyMissing)
	if policy == nil {
		r.read(true, "held here", "", terms.PolicyMissing)
		return
	}
	now := v.EvaluatedAt()
	other := policy.PolicyID != a.PolicyID || policy.PolicyVersion != a.PolicyVersion
	r.read(other, "held here", policyName(policy.PolicyID, policy.PolicyVersion), terms.PolicyMissing)
	r.read(rules.NotLatest(policy.PolicyVersion, v.latest.PolicyVersion), "latest version held",
		number(v.latest.PolicyVersion), terms.PolicySuperseded)
	r.read(policy.Status != terms.AmendmentPolicyFrozen, "status", policy.Status.Label(), terms.PolicyMutable, terms.PolicyStale,
		terms.PolicySuperseded)
	r.read(!policy.FrozenAt.NotAfter(now), "frozen", policy.FrozenAt.String(), terms.PolicyMutable)
	r.read(policy.StaleAfter.NotAfter(now), "stale after", cmp.Or(policy.StaleAfter.String(), "no date"), terms.PolicyStale)
	r.read(policy.ContractVersion != terms.AmendmentContract.Version, "contract version", policy.ContractVersion,
		terms.PolicyStale)
	r.read(!policy.Transitions.Has(a.Transition), "transitions covered", declaredLabel(policy.Transitions), terms.PolicyMissing)
}

func amendmentIntegrityRows(held *packets.Redacted[packets.Amendment], r *rows, policy *packets.Redacted[packets.AmendmentPolicy]) {
	a := held.Record()
	r.hash("amendment hash", a.AmendmentHash, held, held.Digests().Content, held.HashesMatched().Own, terms.InvalidAmendmentHash)
	stated := policy.Record().PolicyHash
	policyHashRows(r, a.PolicyHash, stated, policy)
	bundle := a.PolicySnapshotBundle
	r.read(string(bundle.Subject) != terms.SnapshotAgreementAmendment.String(), "snapshot taken for", snapshotLabel(bundle.Subject),
		terms.PolicySnapshotBundleMissing)
	r.read(policy.Held() && !bundle.PolicyHash.Matches(stated), "snapshot policy hash", bundle.PolicyHash.String(),
		terms.PolicySnapshotBundleMissing)
}

// snapshotLabel writes what a snapshot was taken for: a word of the vocabulary as its label, any other id as it is.
func snapshotLabel(subject terms.ID) string {
	if word, err := terms.SnapshotSubjects.Parse(string(subject)); err == nil {
		return word.Label()
	}
	return string(subject)
}
