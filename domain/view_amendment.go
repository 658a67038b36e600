package domain

import (
	"cmp"
	"strconv"
	"strings"
)

// amendmentSections lays out an amendment.
func amendmentSections(v *View) []Section {
	a, policy := v.question.Amendment().Pointer(), v.question.AmendmentPolicy().Pointer()
	if a == nil {
		return nil
	}
	return layOut(v.Judgment().BlockerSet(),
		sectionFill{SectionChange, func(r *rows) { a.changeRows(r, v.latest, policy) }},
		sectionFill{SectionTerms, a.termRows},
		sectionFill{SectionEffects, a.effectRows},
		sectionFill{SectionConfirmations, func(r *rows) { a.confirmationRows(r, v.EvaluatedAt()) }},
		sectionFill{SectionNotice, func(r *rows) { a.Notice.rows(r, v.EvaluatedAt()) }},
		sectionFill{SectionReview, a.reviewRows},
		sectionFill{SectionPolicy, func(r *rows) { amendmentPolicyRows(r, a, policy, v) }},
		sectionFill{SectionIntegrity, func(r *rows) { a.integrityRows(r, v.question.Amendment().Digests(), v.question.AmendmentPolicy()) }},
	)
}

func (a *Amendment) changeRows(r *rows, latest Latest, policy *AmendmentPolicy) {
	uncovered := policy != nil && !policy.Transitions.Has(a.Transition)
	misfit := !Fits(a.Transition, a.SubjectType, a.AmendmentType)
	r.add("amendment", string(a.AmendmentID))
	r.read(NotLatest(a.Revision, latest.Revision), "revision", revisionLabel(a.Revision, latest.Revision), AmendmentStaleBlocker)
	r.read(true, "state", a.State.Label(), stateCodes(a.State)...)
	r.add("agreement", string(a.AgreementID))
	r.read(a.OwnerID == a.NeutralReview.ReviewerID, "owner", string(a.OwnerID), NeutralReviewMissing)
	r.read(misfit || uncovered, "transition", a.Transition.Label(), AmendmentMissing, PolicyMissing)
	r.read(misfit, "subject type", a.SubjectType.Label(), AmendmentMissing)
	r.read(misfit, "amendment type", a.AmendmentType.Label(), AmendmentMissing)
	r.read(a.ContractVersion != AmendmentContract.Version, "contract version", a.ContractVersion,
		AmendmentStaleBlocker)
}

// stateCodes are the blockers that a state alone may bring about.
func stateCodes(state AmendmentState) []Blocker {
	codes := []Blocker{AmendmentUnconfirmed, AmendmentNotApproved, AmendmentNotApplied, AmendmentRejectedOrWithdrawn,
		AmendmentSupersededBlocker}
	if state == AmendmentStale {
		codes = append(codes, AmendmentStaleBlocker)
	}
	return codes
}

func (a *Amendment) termRows(r *rows) {
	r.read(true, "changed terms", declaredLabel(a.ChangedTerms), a.termCodes()...)
	r.read(true, "terms before", a.BeforeTermsHash.String(), BeforeTermsHashMissing)
	r.read(true, "terms after", a.AfterTermsHash.String(), AfterTermsHashMissing)
	r.read(true, "parent at lock", a.ParentRecord.HashAtLock.String(), ParentRecordEditDetected)
	r.read(true, "parent observed", a.ParentRecord.HashObserved.String(), ParentRecordEditDetected)
	r.read(true, "baseline verified", yesNo(a.BaselineIntegrity.Verified), BaselineIntegrityMissing)
}

// termCodes are the blockers that the changed terms may bring about.
func (a *Amendment) termCodes() []Blocker {
	var codes []Blocker
	if terms := a.ChangedTerms; !terms.Present() || terms.Words.Empty() && a.Transition != PauseOrEarlyTermination {
		codes = append(codes, AmendmentMissing)
	}
	if a.Transition == PostLockCorrection {
		codes = append(codes, RetroactivePerformanceChange, EvidenceClaimRetypedBlocker)
	}
	return codes
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
		value := yesNo(a.Effects[effect])
		if a.States(effect) && a.Effects[effect] != FlagYes {
			value = cmp.Or(value, "not said") + ", but the change itself says so"
		}
		r.read(!a.RulesOut(effect), effectLabels[effect], value, effectCodes[effect])
	}
}

func (a *Amendment) confirmationRows(r *rows, now Instant) {
	state := a.ConfirmationState
	r.read(state != ConfirmationPassed, "confirmation state", state.Label(), RenewedConfirmationMissing,
		RenewedConfirmationStale, ParticipantConfirmationScopeMismatch)
	r.read(a.ConfirmationRequired() && !a.Consent(now).Complete, "required parties", joinIDs(a.RequiredParties),
		RenewedConfirmationMissing)
	for i := range a.Confirmations {
		c := &a.Confirmations[i]
		terms, codes := "these terms", []Blocker(nil)
		if !c.TermsHash.Matches(a.AfterTermsHash) {
			terms, codes = "other terms", append(codes, ParticipantConfirmationScopeMismatch)
		}
		if c.Given(now) && c.ExpiresAt.NotAfter(now) {
			codes = append(codes, RenewedConfirmationStale)
		}
		r.read(true, "confirmation "+strconv.Itoa(i+1), c.label(terms), codes...)
	}
}

// label writes the confirmation in one line.
func (c *Confirmation) label(terms string) string {
	covers := make([]string, 0, c.Covers.Len())
	for _, effect := range c.Covers.Words() {
		covers = append(covers, effectLabels[effect])
	}
	text := cmp.Or(string(c.PartyRef), "nobody named") + " for " + terms + ", covers " +
		cmp.Or(strings.Join(covers, ", "), "nothing") + ", confirmed " + cmp.Or(c.ConfirmedAt.String(), "at no stated time")
	if c.ExpiresAt.Present() {
		text += ", expires " + c.ExpiresAt.String()
	}
	return text
}

func (a *Amendment) reviewRows(r *rows) {
	a.NeutralReview.rows(r, a.OriginalDeciderID, a.HasParty(a.NeutralReview.ReviewerID))
	r.read(true, "reviewer quality met", yesNo(a.ReviewerQuality.CriteriaMet), ReviewerQualityMissing)
	completed := a.DestinationReview.Completed
	switch {
	case a.ChangesDestination():
		r.read(!completed.IsTrue(), "destination reviewed", yesNo(completed), NeutralReviewMissing)
	case completed != FlagAbsent:
		r.add("destination reviewed", yesNo(completed))
	}
}

func amendmentPolicyRows(r *rows, a *Amendment, policy *AmendmentPolicy, v *View) {
	r.read(policy == nil, "named by the record", policyName(a.PolicyID, a.PolicyVersion), PolicyMissing)
	if policy == nil {
		r.read(true, "held here", "", PolicyMissing)
		return
	}
	now := v.EvaluatedAt()
	other := policy.PolicyID != a.PolicyID || policy.PolicyVersion != a.PolicyVersion
	r.read(other, "held here", policyName(policy.PolicyID, policy.PolicyVersion), PolicyMissing)
	r.read(NotLatest(policy.PolicyVersion, v.latest.PolicyVersion), "latest version held",
		number(v.latest.PolicyVersion), PolicySuperseded)
	r.read(policy.Status != AmendmentPolicyFrozen, "status", policy.Status.Label(), PolicyMutable, PolicyStale,
		PolicySuperseded)
	r.read(!policy.FrozenAt.NotAfter(now), "frozen", policy.FrozenAt.String(), PolicyMutable)
	r.read(policy.StaleAfter.NotAfter(now), "stale after", cmp.Or(policy.StaleAfter.String(), "no date"), PolicyStale)
	r.read(policy.ContractVersion != AmendmentContract.Version, "contract version", policy.ContractVersion,
		PolicyStale)
	r.read(!policy.Transitions.Has(a.Transition), "transitions covered", declaredLabel(policy.Transitions), PolicyMissing)
}

func (a *Amendment) integrityRows(r *rows, digests Digests, policy *Redacted[AmendmentPolicy]) {
	r.read(true, "amendment hash", a.AmendmentHash.String(), InvalidAmendmentHash)
	r.add(recomputedLabel, digests.Content.String())
	stated := policy.Record().PolicyHash
	policyHashRows(r, a.PolicyHash, stated, policy.Digests().Content, policy.Held())
	bundle := a.PolicySnapshotBundle
	r.read(string(bundle.Subject) != SnapshotAgreementAmendment.String(), "snapshot taken for", snapshotLabel(bundle.Subject),
		PolicySnapshotBundleMissing)
	r.read(policy.Held() && !bundle.PolicyHash.Matches(stated), "snapshot policy hash", bundle.PolicyHash.String(),
		PolicySnapshotBundleMissing)
}

// snapshotLabel writes what a snapshot was taken for: a word of the vocabulary as its label, any other id as it is.
func snapshotLabel(subject ID) string {
	if word, err := SnapshotSubjects.Parse(string(subject)); err == nil {
		return word.Label()
	}
	return string(subject)
}
