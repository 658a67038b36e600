package views

import (
	"cmp"
	"fmt"
	"strings"

	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/terms"
)

var amendmentSections = sections[packets.Amendment, packets.AmendmentPolicy]{
	{SectionChange, changeRows}, {SectionTerms, termRows}, {SectionEffects, effectRows}, {SectionConfirmations, confirmationRows},
	{SectionNotice, func(v *View, r *rows, a *packets.Amendment, _ *packets.AmendmentPolicy) {
		noticeRows(&a.Notice, r, v.EvaluatedAt())
	}},
	{SectionReview, amendmentReviewRows}, {SectionPolicy, amendmentPolicyRows}, {SectionIntegrity, amendmentIntegrityRows},
}

func changeRows(v *View, r *rows, a *packets.Amendment, policy *packets.AmendmentPolicy) {
	uncovered := policy != nil && !policy.Transitions.Has(a.Transition)
	misfit := !rules.Fits(a.Transition, a.SubjectType, a.AmendmentType)
	r.add("amendment", string(a.AmendmentID))
	r.read(rules.NotLatest(a.Revision, v.latest.Revision), "revision", revisionLabel(a.Revision,
		v.latest.Revision), terms.AmendmentStaleBlocker)
	r.read(true, "state", a.State.Label(), stateCodes(a.State)...)
	r.add("agreement", string(a.AgreementID))
	r.read(a.OwnerID == a.NeutralReview.ReviewerID, "owner", string(a.OwnerID), terms.NeutralReviewMissing)
	r.read(misfit || uncovered, LabelTransition, a.Transition.Label(), terms.AmendmentMissing, terms.PolicyMissing)
	r.read(misfit, "subject type", a.SubjectType.Label(), terms.AmendmentMissing)
	r.read(misfit, "amendment type", a.AmendmentType.Label(), terms.AmendmentMissing)
	r.read(a.ContractVersion != terms.AmendmentContract.Version, "contract version", a.ContractVersion,
		terms.AmendmentStaleBlocker)
}

func stateCodes(state terms.AmendmentState) []terms.Blocker {
	codes := []terms.Blocker{terms.AmendmentUnconfirmed, terms.AmendmentNotApproved,
		terms.AmendmentNotApplied, terms.AmendmentRejectedOrWithdrawn,
		terms.AmendmentSupersededBlocker}
	if state == terms.AmendmentStale {
		codes = append(codes, terms.AmendmentStaleBlocker)
	}
	return codes
}

func termRows(_ *View, r *rows, a *packets.Amendment, _ *packets.AmendmentPolicy) {
	r.read(true, LabelChangedTerms, declaredLabel(a.ChangedTerms), termCodes(a)...)
	r.read(true, LabelBefore, a.BeforeTermsHash.String(), terms.BeforeTermsHashMissing)
	r.read(true, LabelAfter, a.AfterTermsHash.String(), terms.AfterTermsHashMissing)
	r.read(true, LabelParentAtLock, a.ParentRecord.HashAtLock.String(), terms.ParentRecordEditDetected)
	r.read(true, LabelParentObserved, a.ParentRecord.HashObserved.String(), terms.ParentRecordEditDetected)
	r.read(true, LabelBaseline, yesNo(a.BaselineIntegrity.Verified), terms.BaselineIntegrityMissing)
}

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

// effects is indexed by Effect: its label, and the blocker that guards it.
var effects = [...]struct {
	label string
	code  terms.Blocker
}{
	terms.RetroactivePerformance:     {"retroactive performance", terms.RetroactivePerformanceChange},
	terms.EvidenceClaimRetyped:       {"evidence claim retyped", terms.EvidenceClaimRetypedBlocker},
	terms.ExposureIncrease:           {"exposure increase", terms.ExposureIncreaseUnconfirmed},
	terms.FundsRedirect:              {"funds redirect", terms.FundsRedirectUnconfirmed},
	terms.CompensationChange:         {"compensation change", terms.CompensationChangeUnconfirmed},
	terms.CancellationRightsNarrowed: {"cancellation rights narrowed", terms.CancellationRightsNarrowedBlocker},
	terms.PrivacyChange:              {"privacy change", terms.PrivacyChangeUnconfirmed},
	terms.DonorOfRecordChange:        {"donor of record change", terms.DonorOfRecordChangeUnconfirmed},
	terms.ThirdPartyObligationChange: {"third-party obligation change", terms.ThirdPartyObligationChangeUnconfirmed},
}

func effectRows(_ *View, r *rows, a *packets.Amendment, _ *packets.AmendmentPolicy) {
	for _, effect := range terms.Effects.All() {
		value := yesNo(a.Effects[effect])
		if a.States(effect) && a.Effects[effect] != terms.FlagYes {
			value = fmt.Sprintf("%s, but the change itself says so", cmp.Or(value, "not said"))
		}
		r.read(!a.RulesOut(effect), effects[effect].label, value, effects[effect].code)
	}
}

func confirmationRows(v *View, r *rows, a *packets.Amendment, _ *packets.AmendmentPolicy) {
	state, now := a.ConfirmationState, v.EvaluatedAt()
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

func confirmationLabel(c *packets.Confirmation, terms string) string {
	covers := make([]string, 0, c.Covers.Len())
	for _, effect := range c.Covers.Terms() {
		covers = append(covers, effects[effect].label)
	}
	text := fmt.Sprintf("%s for %s, covers %s, confirmed %s",
		cmp.Or(string(c.PartyRef), "nobody named"), terms, cmp.Or(strings.Join(covers, ", "),
			"nothing"), cmp.Or(c.ConfirmedAt.String(), "at no stated time"))
	if c.ExpiresAt.Present() {
		text += fmt.Sprintf(", expires %s", c.ExpiresAt)
	}
	return text
}

func amendmentReviewRows(_ *View, r *rows, a *packets.Amendment, _ *packets.AmendmentPolicy) {
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

func amendmentPolicyRows(v *View, r *rows, a *packets.Amendment, policy *packets.AmendmentPolicy) {
	if !r.policy("named by the record", packets.Key{ID: a.PolicyID, Number: a.PolicyVersion},
		v.input.AmendmentPolicy(), terms.PolicyMissing) {
		return
	}
	now := v.EvaluatedAt()
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

func amendmentIntegrityRows(v *View, r *rows, a *packets.Amendment, _ *packets.AmendmentPolicy) {
	held, policy := v.input.Amendment(), v.input.AmendmentPolicy()
	r.hash("amendment hash", a.AmendmentHash, held, held.Digests().Content, held.HashesMatched().Own, terms.InvalidAmendmentHash)
	stated := policy.Record().PolicyHash
	policyHashRows(r, a.PolicyHash, stated, policy)
	bundle := a.PolicySnapshotBundle
	r.read(string(bundle.Subject) != terms.SnapshotAgreementAmendment.String(), "snapshot taken for", snapshotLabel(bundle.Subject),
		terms.PolicySnapshotBundleMissing)
	r.read(policy.Held() && !bundle.PolicyHash.Matches(stated), "snapshot policy hash", bundle.PolicyHash.String(),
		terms.PolicySnapshotBundleMissing)
}

// snapshotLabel writes a word of the vocabulary as its label, any other id as it is.
func snapshotLabel(subject terms.ID) string {
	if word, err := terms.SnapshotSubjects.Parse(string(subject)); err == nil {
		return word.Label()
	}
	return string(subject)
}
