package domain

import (
	"strconv"
	"strings"
)

// amendmentSections lays out an amendment.
func amendmentSections(v *View) []Section {
	a, policy := v.question.amendment.pointer(), v.question.amendmentPolicy.pointer()
	if a == nil {
		return nil
	}
	held := v.judgment.blockers
	section := func(name SectionName, fill func(*rows)) Section {
		r := rows{held: held}
		fill(&r)
		return Section{name, r.list}
	}
	return []Section{
		section(SectionChange, a.changeRows),
		section(SectionTerms, a.termRows),
		section(SectionEffects, a.effectRows),
		section(SectionConfirmations, func(r *rows) { a.confirmationRows(r) }),
		section(SectionNotice, a.Notice.rows),
		section(SectionReview, a.reviewRows),
		section(SectionPolicy, func(r *rows) { amendmentPolicyRows(r, a, policy) }),
		section(SectionIntegrity, func(r *rows) { a.integrityRows(r, v.question.amendment.digests, policy) }),
	}
}

func (a *Amendment) changeRows(r *rows) {
	r.add("amendment", string(a.AmendmentID))
	r.add("revision", number(a.Revision), AmendmentStaleBlocker)
	r.add("state", a.State.Label(), AmendmentUnconfirmed, AmendmentNotApproved, AmendmentNotApplied,
		AmendmentRejectedOrWithdrawn, AmendmentSupersededBlocker)
	r.add("agreement", string(a.AgreementID))
	r.add("owner", string(a.OwnerID))
	r.add("transition", a.Transition.Label(), AmendmentMissing, PolicyMissing)
	r.add("subject type", a.SubjectType.Label(), AmendmentMissing)
	r.add("amendment type", a.AmendmentType.Label(), AmendmentMissing)
	r.add("contract version", masked(a.ContractVersion), AmendmentStaleBlocker)
}

func (a *Amendment) termRows(r *rows) {
	r.add("changed terms", declaredLabel(a.ChangedTerms), RetroactivePerformanceChange, EvidenceClaimRetypedBlocker)
	r.add("terms before", a.BeforeTermsHash.String(), BeforeTermsHashMissing)
	r.add("terms after", a.AfterTermsHash.String(), AfterTermsHashMissing)
	r.add("parent at lock", a.ParentRecord.HashAtLock.String(), ParentRecordEditDetected)
	r.add("parent observed", a.ParentRecord.HashObserved.String(), ParentRecordEditDetected)
	r.add("baseline verified", yesNo(a.BaselineIntegrity.Verified), BaselineIntegrityMissing)
}

// effectCodes is indexed by Effect: the blocker that guards it.
var effectCodes = [...]Blocker{
	RetroactivePerformance:     RetroactivePerformanceChange,
	EvidenceClaimRetyped:       EvidenceClaimRetypedBlocker,
	ExposureIncrease:           ExposureIncreaseUnconfirmed,
	FundsRedirect:              FundsRedirectUnconfirmed,
	CompensationChange:         CompensationChangeUnconfirmed,
	CancellationRightsNarrowed: CancellationRightsNarrowedBlocker,
	PrivacyChange:              PrivacyChangeUnconfirmed,
	DonorOfRecordChange:        DonorOfRecordChangeUnconfirmed,
	ThirdPartyObligationChange: ThirdPartyObligationChangeUnconfirmed,
}

// effectLabels is indexed by Effect.
var effectLabels = [...]string{
	RetroactivePerformance:     "retroactive performance",
	EvidenceClaimRetyped:       "evidence claim retyped",
	ExposureIncrease:           "exposure increase",
	FundsRedirect:              "funds redirect",
	CompensationChange:         "compensation change",
	CancellationRightsNarrowed: "cancellation rights narrowed",
	PrivacyChange:              "privacy change",
	DonorOfRecordChange:        "donor of record change",
	ThirdPartyObligationChange: "third-party obligation change",
}

func (a *Amendment) effectRows(r *rows) {
	for _, effect := range Effects.All() {
		r.add(effectLabels[effect], yesNo(a.Effects[effect]), effectCodes[effect])
	}
}

func (a *Amendment) confirmationRows(r *rows) {
	r.add("confirmation state", a.ConfirmationState.Label(), RenewedConfirmationMissing, RenewedConfirmationStale,
		ParticipantConfirmationScopeMismatch)
	r.add("required parties", joinIDs(a.RequiredParties), RenewedConfirmationMissing)
	for i := range a.Confirmations {
		c := &a.Confirmations[i]
		covers := make([]string, 0, c.Covers.Len())
		for _, effect := range c.Covers.Words() {
			covers = append(covers, effectLabels[effect])
		}
		terms := "other terms"
		if c.TermsHash.Matches(a.AfterTermsHash) {
			terms = "these terms"
		}
		value := labelOr(string(c.PartyRef), "nobody named") + " for " + terms + ", covers " +
			labelOr(strings.Join(covers, ", "), "nothing") + ", confirmed " + labelOr(c.ConfirmedAt.String(), "at no stated time")
		if c.ExpiresAt.Present() {
			value += ", expires " + c.ExpiresAt.String()
		}
		r.add("confirmation "+strconv.Itoa(i+1), value, ParticipantConfirmationScopeMismatch, RenewedConfirmationStale)
	}
}

func (a *Amendment) reviewRows(r *rows) {
	a.NeutralReview.rows(r, a.OriginalDeciderID)
	r.add("reviewer quality met", yesNo(a.ReviewerQuality.CriteriaMet), ReviewerQualityMissing)
	if a.Transition == DestinationChange || a.DestinationReview.Completed != FlagAbsent {
		codes := []Blocker{}
		if a.Transition == DestinationChange {
			codes = append(codes, NeutralReviewMissing)
		}
		r.add("destination reviewed", yesNo(a.DestinationReview.Completed), codes...)
	}
}

func amendmentPolicyRows(r *rows, a *Amendment, policy *AmendmentPolicy) {
	r.add("named by the record", policyName(a.PolicyID, a.PolicyVersion), PolicyMissing)
	if policy == nil {
		r.add("held here", "", PolicyMissing)
		return
	}
	r.add("held here", policyName(policy.PolicyID, policy.PolicyVersion), PolicyMissing, PolicySuperseded)
	r.add("status", policy.Status.Label(), PolicyMutable, PolicyStale, PolicySuperseded)
	r.add("frozen", policy.FrozenAt.String(), PolicyMutable)
	staleAfter := policy.StaleAfter.String()
	if staleAfter == "" {
		staleAfter = "no date"
	}
	r.add("stale after", staleAfter, PolicyStale)
	r.add("contract version", masked(policy.ContractVersion), PolicyStale)
	r.add("transitions covered", declaredLabel(policy.Transitions), PolicyMissing)
}

func (a *Amendment) integrityRows(r *rows, digests Digests, policy *AmendmentPolicy) {
	r.add("amendment hash", a.AmendmentHash.String(), InvalidAmendmentHash)
	r.add("recomputed", digests.Content.String())
	r.add("policy hash named", a.PolicyHash.String(), InvalidPolicyHash)
	if policy != nil {
		r.add("policy hash held", policy.PolicyHash.String(), InvalidPolicyHash)
	}
	r.add("snapshot taken for", a.PolicySnapshotBundle.Subject.Label(), PolicySnapshotBundleMissing)
	r.add("snapshot policy hash", a.PolicySnapshotBundle.PolicyHash.String(), PolicySnapshotBundleMissing)
}
