package rules

import (
	"docket/domain/packets"
	"docket/domain/terms"
)

type amendmentFacts struct {
	policy       *packets.AmendmentPolicy // nil: none
	policyHashes packets.HashesMatched
	record       *packets.Amendment // nil: none
	hashes       packets.HashesMatched
	consent      packets.Consent // of the amendment's required parties
	latest       Latest
	now          terms.Instant
}

func (f *amendmentFacts) namesPolicy() bool {
	return f.record.PolicyID == f.policy.PolicyID && f.record.PolicyVersion == f.policy.PolicyVersion
}

// unsettled holds if the effect is neither off nor confirmed by every required party; its cure asks
// for no confirmation where none would count.
func unsettled(code terms.Blocker, effect terms.Effect, meaning, cure string) ruleOn[amendmentFacts] {
	return ruleOn[amendmentFacts]{
		Rule: Rule{code, meaning, cure},
		holds: func(f *amendmentFacts) bool {
			return !f.record.RulesOut(effect) && !f.consent.Confirmed.Has(effect)
		},
		cure: func(f *amendmentFacts) string {
			if f.record.CanConfirm(effect) {
				return ""
			}
			return "Rule the effect out in every member that can say it: under this transition no confirmation cures it."
		},
	}
}

func inState(code terms.Blocker, meaning, cure string, states ...terms.AmendmentState) ruleOn[amendmentFacts] {
	set := terms.SetOf(states...)
	return ruleOn[amendmentFacts]{Rule: Rule{code, meaning, cure},
		holds: func(f *amendmentFacts) bool { return set.Has(f.record.State) }}
}

// amendmentRules is source 7.2 in its order.
var amendmentRules = [...]ruleOn[amendmentFacts]{
	{
		Rule: Rule{terms.PolicyMissing,
			"The amendment policy that the record names is not here, or it does not cover the transition.",
			"Import the policy with the id and version that the record names; it must list the transition."},
		withoutRecord: true,
		holds: func(f *amendmentFacts) bool {
			return f.policy == nil ||
				f.record != nil && (!f.namesPolicy() || !f.policy.Transitions.Has(f.record.Transition))
		},
	},
	{
		Rule: Rule{terms.PolicyMutable,
			"The policy is still a draft, or is not frozen yet.",
			"The service must freeze the policy before anything is judged by it."},
		withoutRecord: true,
		holds: func(f *amendmentFacts) bool {
			return f.policy != nil && (f.policy.Status == terms.AmendmentPolicyDraft || !f.policy.FrozenAt.NotAfter(f.now))
		},
	},
	{
		Rule: Rule{terms.PolicyStale,
			"The policy is stale: marked so, past its date, or of another contract version.",
			"The service must publish the amendment under a current policy."},
		withoutRecord: true,
		holds: func(f *amendmentFacts) bool {
			return f.policy != nil && (f.policy.Status == terms.AmendmentPolicyStale || f.policy.StaleAfter.NotAfter(f.now) ||
				f.policy.ContractVersion != terms.AmendmentContract.Version)
		},
	},
	{
		Rule: Rule{terms.PolicySuperseded,
			"The policy is superseded, or is not known to be its latest version.",
			"The service must publish the amendment under the latest version of the policy."},
		withoutRecord: true,
		holds: func(f *amendmentFacts) bool {
			return f.policy != nil && (f.policy.Status == terms.AmendmentPolicySuperseded ||
				NotLatest(f.policy.PolicyVersion, f.latest.PolicyVersion))
		},
	},
	{
		Rule: Rule{terms.AmendmentMissing,
			"There is no judgeable amendment: the record, its transition, subject type, amendment type or changed terms " +
				"are absent, the three do not go together, or no term is named although one changes.",
			"The service must publish a record whose transition, subject type and amendment type fit one another, and " +
				"which names the terms that change; only a pause or early termination under the same terms may change none."},
		withoutRecord: true,
		holds:         func(f *amendmentFacts) bool { return f.record == nil || !judgeable(f.record) },
	},
	inState(terms.AmendmentUnconfirmed,
		"The parties have not confirmed the amendment.",
		"Every required party must confirm; import the revision in state confirmed or later.",
		terms.AmendmentDraft, terms.AmendmentPresented),
	inState(terms.AmendmentNotApproved,
		"The amendment is not approved.",
		"The service's own approval must come first; import the revision in state approved or later.",
		terms.AmendmentDraft, terms.AmendmentPresented, terms.AmendmentConfirmed),
	inState(terms.AmendmentNotApplied,
		"The amendment is not applied, so nothing may rely on it yet.",
		"The service must apply it as an append-only record; import the revision in state applied.",
		terms.AmendmentDraft, terms.AmendmentPresented, terms.AmendmentConfirmed, terms.AmendmentApproved),
	inState(terms.AmendmentRejectedOrWithdrawn,
		"The amendment was rejected or withdrawn.",
		"Nothing: it cannot be relied on. A new amendment is a new record.",
		terms.AmendmentRejected, terms.AmendmentWithdrawn),
	{
		Rule: Rule{terms.AmendmentStaleBlocker,
			"The amendment is stale: marked so, not known to be the latest revision, or of another contract version.",
			cureOfStale},
		holds: func(f *amendmentFacts) bool {
			return f.record.State == terms.AmendmentStale || NotLatest(f.record.Revision, f.latest.Revision) ||
				f.record.ContractVersion != terms.AmendmentContract.Version
		},
		cure: func(f *amendmentFacts) string {
			return staleCure(f.record.Revision, f.latest.Revision, f.record.ContractVersion, terms.AmendmentContract.Version)
		},
	},
	inState(terms.AmendmentSupersededBlocker,
		"Another amendment has taken the place of this one.",
		"Judge the amendment that superseded it.",
		terms.AmendmentSuperseded),
	{
		Rule: Rule{terms.ParentRecordEditDetected,
			"The parent record is not what it was when the agreement was locked, or that cannot be shown. Editing a " +
				"parent record is not an amendment.",
			"Restore the parent record and publish both its hashes; change terms by an amendment record only."},
		holds: func(f *amendmentFacts) bool {
			return !f.record.ParentRecord.HashAtLock.Matches(f.record.ParentRecord.HashObserved)
		},
	},
	{
		Rule: Rule{terms.RetroactivePerformanceChange,
			"Past performance would change, that is not ruled out, or a correction does more than clarify wording.",
			"Declare that there is no retroactive effect; a correction may list wording as its only changed term."},
		holds: func(f *amendmentFacts) bool {
			corrects := f.record.Transition == terms.PostLockCorrection
			named := f.record.ChangedTerms
			return !f.record.RulesOut(terms.RetroactivePerformance) ||
				corrects && (!named.Present() || !named.Set.Without(terms.TermWording).Empty())
		},
	},
	{
		Rule: Rule{terms.EvidenceClaimRetypedBlocker,
			"Old evidence would come to support another type of claim, or that is not ruled out.",
			"Declare that no evidence claim is retyped; a correction may not touch the evidence standard."},
		holds: func(f *amendmentFacts) bool {
			return !f.record.RulesOut(terms.EvidenceClaimRetyped) ||
				f.record.Transition == terms.PostLockCorrection && f.record.ChangedTerms.Has(terms.TermEvidenceStandard)
		},
	},
	unsettled(terms.ExposureIncreaseUnconfirmed, terms.ExposureIncrease,
		"A party's exposure would grow, and not every required party has confirmed that under these terms.",
		"Rule the effect out, or obtain a live confirmation that covers it from every required party."),
	unsettled(terms.FundsRedirectUnconfirmed, terms.FundsRedirect,
		"Funds would go elsewhere, by the effects or because the destination changes, and not every required party "+
			"has confirmed that under these terms.",
		"Redirect no funds and change no destination, or obtain a live confirmation that covers it from every "+
			"required party."),
	unsettled(terms.CompensationChangeUnconfirmed, terms.CompensationChange,
		"Compensation would change by the effects, the amendment type or the changed terms, and not every required "+
			"party has confirmed that under these terms.",
		"Change no compensation, or obtain a live confirmation that covers it from every required party."),
	unsettled(terms.CancellationRightsNarrowedBlocker, terms.CancellationRightsNarrowed,
		"Cancellation rights would be narrowed, or that is not ruled out, and it is no pause or early termination that "+
			"every required party has confirmed.",
		"Declare that cancellation rights stay as they are; only in a pause or early termination does a live "+
			"confirmation that covers it from every required party do instead."),
	unsettled(terms.PrivacyChangeUnconfirmed, terms.PrivacyChange,
		"Privacy terms would change by the effects, the amendment type or the changed terms, and not every required "+
			"party has confirmed that under these terms.",
		"Change no privacy terms, or obtain a live confirmation that covers it from every required party."),
	unsettled(terms.DonorOfRecordChangeUnconfirmed, terms.DonorOfRecordChange,
		"The donor of record would change, and not every required party has confirmed that under these terms.",
		"Rule the effect out, or obtain a live confirmation that covers it from every required party."),
	unsettled(terms.ThirdPartyObligationChangeUnconfirmed, terms.ThirdPartyObligationChange,
		"A third party's obligation would change, and not every required party has confirmed that under these terms.",
		"Rule the effect out, or obtain a live confirmation that covers it from every required party."),
	{
		Rule: Rule{terms.RenewedConfirmationMissing,
			"Renewed confirmation is needed and is missing, as a whole or from one of the required parties.",
			"Name the required parties and obtain a confirmation from each of them, with the time at which it was given."},
		holds: func(f *amendmentFacts) bool {
			state, needed := f.record.ConfirmationState, f.record.ConfirmationRequired()
			return !state.Present() || state == terms.ConfirmationMissing || state == terms.ConfirmationNotRequired && needed ||
				needed && !f.consent.Complete
		},
	},
	{
		Rule: Rule{terms.RenewedConfirmationStale,
			"Renewed confirmation is stale: marked so, or all confirmations that a required party has given have expired.",
			"Obtain fresh confirmations from the parties whose own have expired."},
		holds: func(f *amendmentFacts) bool {
			return f.record.ConfirmationState == terms.ConfirmationStale || f.consent.Expired
		},
	},
	{
		Rule: Rule{terms.ParticipantConfirmationScopeMismatch,
			"A confirmation is for other terms than those the amendment would bring.",
			"Obtain confirmations of exactly the terms behind the after-terms hash."},
		holds: func(f *amendmentFacts) bool {
			return f.record.ConfirmationState == terms.ConfirmationScopeMismatch || f.record.ConfirmsOtherTerms()
		},
	},
	{
		Rule: Rule{terms.NeutralReviewMissing,
			"No neutral reviewer is established, the reviewer is the owner or a party, or a change of destination, named " +
				"by the transition, the type or the changed terms, was not reviewed.",
			"The service must assign a reviewer who is checked, without conflict, not recused, no party and not the " +
				"original decider; a change of destination also needs its own review completed."},
		holds: func(f *amendmentFacts) bool {
			review := &f.record.NeutralReview
			return neutralReviewMissing(review, f.record.OriginalDeciderID, f.record.HasParty(review.ReviewerID)) ||
				f.record.ChangesDestination() && !f.record.DestinationReview.Completed.IsTrue()
		},
	},
	{
		Rule: Rule{terms.NoticeMissing,
			noNotice,
			noticeCure},
		holds: func(f *amendmentFacts) bool {
			n := f.record.Notice
			excused := n.State == terms.NoticeNotRequired &&
				(f.record.State == terms.AmendmentDraft || f.record.State == terms.AmendmentPresented)
			return !n.DeliveredBy(f.now) && !excused
		},
		cure: func(f *amendmentFacts) string { return cureOfNotice(f.record.Notice, "a draft or presented amendment") },
	},
	{
		Rule: Rule{terms.ReviewerQualityMissing,
			"It is not shown that the reviewers met the quality criteria.",
			"The service must check them and record that they are met."},
		holds: func(f *amendmentFacts) bool { return !f.record.ReviewerQuality.CriteriaMet.IsTrue() },
	},
	{
		Rule: Rule{terms.BaselineIntegrityMissing,
			"The baseline is not verified.",
			"Verify the baseline and record it."},
		holds: func(f *amendmentFacts) bool { return !f.record.BaselineIntegrity.Verified.IsTrue() },
	},
	{
		Rule: Rule{terms.BeforeTermsHashMissing,
			"The hash of the terms before the amendment is absent.",
			"The service must publish the hash of the terms as they were locked."},
		holds: func(f *amendmentFacts) bool { return !f.record.BeforeTermsHash.Present() },
	},
	{
		Rule: Rule{terms.AfterTermsHashMissing,
			"The hash of the terms after the amendment is absent, or is that of the terms before although a term changes.",
			"The service must publish the hash of the terms as they would be."},
		holds: func(f *amendmentFacts) bool {
			return !f.record.AfterTermsHash.Present() ||
				f.record.AfterTermsHash.Matches(f.record.BeforeTermsHash) && !f.record.ChangedTerms.Set.Empty()
		},
	},
	{
		Rule: Rule{terms.PolicySnapshotBundleMissing,
			"The snapshot of the policy is absent, was taken for something else, or is of another policy.",
			"The service must keep a snapshot for the agreement amendment with the hash of this very policy."},
		holds: func(f *amendmentFacts) bool {
			bundle := f.record.PolicySnapshotBundle
			return string(bundle.Subject) != terms.SnapshotAgreementAmendment.String() ||
				f.policy != nil && !bundle.PolicyHash.Matches(f.policy.PolicyHash)
		},
	},
	{
		Rule: Rule{terms.InvalidAmendmentHash,
			"The amendment hash is absent or does not match the record: it was changed after it was sealed.",
			"Have the service publish the amendment again, sealed; do not rely on this copy."},
		holds: func(f *amendmentFacts) bool { return !f.hashes.Own },
	},
	{
		Rule: Rule{terms.InvalidPolicyHash,
			"The policy hash is absent, does not match the policy, or is not the one that the amendment was made under.",
			"Import the policy exactly as it was frozen, and the amendment under its hash."},
		withoutRecord: true,
		holds: func(f *amendmentFacts) bool {
			return f.policy != nil && (!f.policyHashes.Own ||
				f.record != nil && !f.record.PolicyHash.Matches(f.policy.PolicyHash))
		},
	},
}
