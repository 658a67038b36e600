package domaintest

import (
	"maps"
	"slices"
)

// ParentRows are about the parent record; an edit of it is no amendment.
var ParentRows = []Row{
	When("parent record absent", "parent_record_edit_detected", Del("/record/parentRecord")),
	When("parent record empty", "parent_record_edit_detected", Set("/record/parentRecord", map[string]any{})),
	When("hash at lock absent", "parent_record_edit_detected", Del("/record/parentRecord/hashAtLock")),
	When("hash observed absent", "parent_record_edit_detected", Del("/record/parentRecord/hashObserved")),
	When("hashes differ", "parent_record_edit_detected", Set("/record/parentRecord/hashObserved", OtherHash)),
	When("another hash, twice", "",
		Set("/record/parentRecord/hashAtLock", OtherHash), Set("/record/parentRecord/hashObserved", OtherHash)),
}

// CorrectionRows are what a correction may not do.
var CorrectionRows = []Row{
	When("changed terms absent", "amendment_missing retroactive_performance_change", Del("/record/changedTerms")),
	When("no changed terms", "amendment_missing", Set("/record/changedTerms", []string{})),
	When("wording", "", Set("/record/changedTerms", []string{"wording"})),
	When("wording and amount", "retroactive_performance_change", Set("/record/changedTerms", []string{"wording", "amount"})),
	When("amount", "retroactive_performance_change", Set("/record/changedTerms", []string{"amount"})),
	When("ratio", "retroactive_performance_change", Set("/record/changedTerms", []string{"ratio"})),
	When("baseline", "retroactive_performance_change", Set("/record/changedTerms", []string{"baseline"})),
	When("destination", "retroactive_performance_change funds_redirect_without_confirmation "+
		"neutral_review_missing", Set("/record/changedTerms", []string{"destination"})),
	When("donor treatment", "retroactive_performance_change", Set("/record/changedTerms", []string{"donor_treatment"})),
	When("evidence standard", "retroactive_performance_change evidence_claim_retyped",
		Set("/record/changedTerms", []string{"evidence_standard"})),
	When("wording and evidence standard", "retroactive_performance_change evidence_claim_retyped",
		Set("/record/changedTerms", []string{"wording", "evidence_standard"})),
	When("remedy", "retroactive_performance_change", Set("/record/changedTerms", []string{"remedy"})),
	When("schedule", "retroactive_performance_change", Set("/record/changedTerms", []string{"schedule"})),
	When("compensation", "retroactive_performance_change compensation_change_without_confirmation",
		Set("/record/changedTerms", []string{"compensation"})),
	When("privacy", "retroactive_performance_change privacy_change_without_confirmation",
		Set("/record/changedTerms", []string{"privacy"})),
	When("cancellation", "retroactive_performance_change", Set("/record/changedTerms", []string{"cancellation"})),
}

// PauseRows: only a pause or early termination may name no changed term, under the terms as they are, and only there can the parties confirm that
// cancellation rights are narrowed.
var PauseRows = []Row{
	When("a pause", ""),
	When("an early termination", "", Set("/record/amendmentType", "early_termination")),
	When("changed terms absent", "amendment_missing", Del("/record/changedTerms")),
	When("no changed terms and other terms", "amendment_missing", Set("/record/changedTerms", []string{})),
	When("no changed terms, and the terms before unknown", "before_terms_hash_missing", Set("/record/changedTerms", []string{}),
		Del("/record/beforeTermsHash")),
	When("no changed terms, and the terms after unknown", "exposure_increase_without_confirmation "+Mismatch+" after_terms_hash_missing",
		Set("/record/changedTerms", []string{}), Del("/record/afterTermsHash")),
	When("no changed terms and equal hashes", "", Set("/record/changedTerms", []string{}), equalHashes),
	When("a changed term and equal hashes", "after_terms_hash_missing", equalHashes),
	When("cancellation rights not spoken of", "", Del("/record/effects/cancellationRightsNarrowed")),
	When("cancellation rights narrowed", "", Narrowed),
	When("narrowed, and not covered by one party", "cancellation_rights_narrowed", Narrowed,
		Set("/record/confirmations/1/covers", []string{"exposureIncrease"})),
	When("narrowed, and confirmed at no time", "exposure_increase_without_confirmation cancellation_rights_narrowed "+Missing,
		Narrowed, Del("/record/confirmations/1/confirmedAt")),
	When("narrowed, and no party required", "exposure_increase_without_confirmation cancellation_rights_narrowed "+Missing,
		Narrowed, Set("/record/requiredParties", []string{})),
	When("narrowed, in a material change", "cancellation_rights_narrowed", Narrowed,
		Set("/record/transition", "pledge_swap_material_change"), Set("/record/amendmentType", "other")),
}

func Pause() Scene {
	s := MaterialChange()
	s.Record()["transition"], s.Record()["amendmentType"] = "pause_or_early_termination", "pause"
	for _, c := range s.Record()["confirmations"].([]any) {
		c.(map[string]any)["covers"] = append(c.(map[string]any)["covers"].([]any), "cancellationRightsNarrowed")
	}
	return s
}

var (
	Narrowed    = Set("/record/effects/cancellationRightsNarrowed", true)
	equalHashes = Set("/record/beforeTermsHash", AfterTerms)
	Nobody      = Confirmations(ConfirmationOf("party-a"), ConfirmationOf("party-b")) // of anything but exposure
)

// StatedRows: what type or terms say, effects cannot deny. Every effect but the exposure is declared off here.
var StatedRows = []Row{
	When("compensation by type", "", Set("/record/amendmentType", "compensation_change")),
	When("compensation by type, not confirmed", "compensation_change_without_confirmation",
		Set("/record/amendmentType", "compensation_change"), Nobody),
	When("compensation by term", "", Set("/record/changedTerms", []string{"schedule", "compensation"})),
	When("compensation by term, not confirmed", "compensation_change_without_confirmation",
		Set("/record/changedTerms", []string{"schedule", "compensation"}), Nobody),
	When("privacy by type", "", Set("/record/amendmentType", "privacy_change")),
	When("privacy by type, not confirmed", "privacy_change_without_confirmation",
		Set("/record/amendmentType", "privacy_change"), Nobody),
	When("privacy by term", "", Set("/record/changedTerms", []string{"privacy"})),
	When("privacy by term, not confirmed", "privacy_change_without_confirmation",
		Set("/record/changedTerms", []string{"privacy"}), Nobody),
	When("cancellation by term", "", Set("/record/changedTerms", []string{"cancellation"}), Nobody),
	When("destination by type", "", Set("/record/amendmentType", "destination_change"), Reviewed),
	When("destination by type, not confirmed", "funds_redirect_without_confirmation",
		Set("/record/amendmentType", "destination_change"), Reviewed, Nobody),
	When("destination by type, not reviewed", "neutral_review_missing", Set("/record/amendmentType", "destination_change")),
	When("destination by term", "", Set("/record/changedTerms", []string{"destination"}), Reviewed),
	When("destination by term, not confirmed", "funds_redirect_without_confirmation",
		Set("/record/changedTerms", []string{"destination"}), Reviewed, Nobody),
	When("destination by term, not reviewed", "neutral_review_missing", Set("/record/changedTerms", []string{"destination"}),
		Set("/record/destinationReview/completed", false)),
	When("nothing that says so, not confirmed", "", Nobody),
	When("evidence standard by type", "", Set("/record/amendmentType", "evidence_standard_change"), Nobody),

	When("equal hashes", "after_terms_hash_missing", equalHashes),
	When("after-terms hash absent", Exposure+" "+Mismatch+" after_terms_hash_missing", Del("/record/afterTermsHash")),
	When("both hashes absent", Exposure+" "+Mismatch+" before_terms_hash_missing after_terms_hash_missing",
		Del("/record/afterTermsHash"), Del("/record/beforeTermsHash")),
	When("equal hashes, changed terms absent", "amendment_missing", equalHashes, Del("/record/changedTerms")),
}

var Reviewed = Set("/record/destinationReview", map[string]any{"completed": true})

// CorrectionEffectRows: in a correction every effect has to be ruled out, since no confirmation cures one.
var CorrectionEffectRows = []Row{
	When("effects absent", "retroactive_performance_change evidence_claim_retyped "+
		"exposure_increase_without_confirmation funds_redirect_without_confirmation "+
		"compensation_change_without_confirmation cancellation_rights_narrowed privacy_change_without_confirmation "+
		"donor_of_record_change_without_confirmation third_party_obligation_change_without_confirmation",
		Del("/record/effects")),
	When("retroactive performance not ruled out", "retroactive_performance_change", Del("/record/effects/retroactivePerformance")),
	When("retroactive performance", "retroactive_performance_change", Set("/record/effects/retroactivePerformance", true)),
	When("retyped claim not ruled out", "evidence_claim_retyped", Del("/record/effects/evidenceClaimRetyped")),
	When("retyped claim", "evidence_claim_retyped", Set("/record/effects/evidenceClaimRetyped", true)),
	When("narrower cancellation not ruled out", "cancellation_rights_narrowed", Del("/record/effects/cancellationRightsNarrowed")),
	When("narrower cancellation", "cancellation_rights_narrowed", Set("/record/effects/cancellationRightsNarrowed", true)),
}

// ConfirmableEffects lead to their codes.
var ConfirmableEffects = map[string]string{
	"exposureIncrease":           "exposure_increase_without_confirmation",
	"fundsRedirect":              "funds_redirect_without_confirmation",
	"compensationChange":         "compensation_change_without_confirmation",
	"privacyChange":              "privacy_change_without_confirmation",
	"donorOfRecordChange":        "donor_of_record_change_without_confirmation",
	"thirdPartyObligationChange": "third_party_obligation_change_without_confirmation",
}

// EffectRows are the lines of every confirmable effect: confirmed by both parties, and not.
func EffectRows() (confirmed, unconfirmed, asCorrection []Row) {
	effects := slices.Sorted(maps.Keys(ConfirmableEffects))
	for _, effect := range effects {
		code := ConfirmableEffects[effect]
		on, unknown := Set("/record/effects/"+effect, true), Del("/record/effects/"+effect)
		others := []string{}
		for _, other := range effects {
			if other != effect {
				others = append(others, other)
			}
		}
		exposureOff := Set("/record/effects/exposureIncrease", false)
		uncovered := Set("/record/confirmations/1/covers", others)
		confirmed = append(confirmed, When(effect, "", on), When(effect+" not ruled out", "", unknown))
		unconfirmed = append(unconfirmed,
			When(effect+" not covered by one party", code, exposureOff, on, uncovered),
			When(effect+" not ruled out and not covered", code, exposureOff, unknown, uncovered))
		if effect != "exposureIncrease" {
			unconfirmed = append(unconfirmed, When(effect+" ruled out and not covered", "", uncovered))
		}
		asCorrection = append(asCorrection,
			When(effect, code, on),
			When(effect+" not ruled out", code, unknown),
			When(effect+" that the party confirmed", code, on, byTheParty(effect), Set("/record/confirmationState", "passed"),
				Set("/record/requiredParties", []string{"party-a"})))
	}
	return confirmed, unconfirmed, asCorrection
}

// byTheParty is one live confirmation of the effect.
func byTheParty(effect string) Edit {
	return Confirmations(ConfirmationOf("party-a", "covers", []string{effect}))
}

// UnconfirmableRows: no confirmation cures these, though every party has confirmed everything.
var UnconfirmableRows = []Row{
	When("retroactive performance", "retroactive_performance_change", Set("/record/effects/retroactivePerformance", true),
		Set("/record/confirmations/0/covers", []string{"retroactivePerformance", "exposureIncrease"}),
		Set("/record/confirmations/1/covers", []string{"retroactivePerformance", "exposureIncrease"})),
	When("retyped claim", "evidence_claim_retyped", Set("/record/effects/evidenceClaimRetyped", true),
		Set("/record/confirmations/0/covers", []string{"evidenceClaimRetyped", "exposureIncrease"}),
		Set("/record/confirmations/1/covers", []string{"evidenceClaimRetyped", "exposureIncrease"})),
	When("narrower cancellation", "cancellation_rights_narrowed", Set("/record/effects/cancellationRightsNarrowed", true),
		Set("/record/confirmations/0/covers", []string{"cancellationRightsNarrowed", "exposureIncrease"}),
		Set("/record/confirmations/1/covers", []string{"cancellationRightsNarrowed", "exposureIncrease"})),
	When("effects absent", "retroactive_performance_change evidence_claim_retyped cancellation_rights_narrowed",
		Del("/record/effects")),
}

// AmendmentPolicyRows are source 7.2's codes about the policy.
var AmendmentPolicyRows = []Row{
	When("the sample passes", ""),

	When("no policy", "policy_missing", Del("/policy")),
	When("policy null", "policy_missing", Set("/policy", nil)),
	When("record names no policy id", "policy_missing", LateDel("/record/policyId")),
	When("record names another policy id", "policy_missing", LateSet("/record/policyId", "amendment-policy-2")),
	When("record names no policy version", "policy_missing", LateDel("/record/policyVersion")),
	When("record names an older policy version", "policy_missing", LateSet("/record/policyVersion", 4)),
	When("record names a newer policy version", "policy_missing", LateSet("/record/policyVersion", 6)),
	When("policy covers no transitions", "policy_missing", Set("/policy/transitions", []string{})),
	When("policy does not say what it covers", "policy_missing", Del("/policy/transitions")),
	When("policy covers other transitions", "policy_missing",
		Set("/policy/transitions", []string{"donation_offset_material_change", "pause_or_early_termination"})),
	When("policy covers just this transition and its neighbour", "",
		Set("/policy/transitions", []string{"post_lock_correction", "pledge_swap_material_change"})),

	When("policy is a draft", "policy_mutable", Set("/policy/status", "draft")),
	When("frozenAt absent", "policy_mutable", Del("/policy/frozenAt")),
	When("frozenAt is now", "", Set("/policy/frozenAt", Now)),
	When("frozenAt just after now", "policy_mutable", Set("/policy/frozenAt", JustAfter)),

	When("policy is stale", "policy_stale", Set("/policy/status", "stale")),
	When("staleAfter absent", "", Del("/policy/staleAfter")),
	When("staleAfter is now", "policy_stale", Set("/policy/staleAfter", Now)),
	When("staleAfter just past", "policy_stale", Set("/policy/staleAfter", JustPast)),
	When("staleAfter just after now", "", Set("/policy/staleAfter", JustAfter)),
	When("policy of an older contract", "policy_stale",
		Set("/policy/contractVersion", "trade-agreement-amendments-v0.1-2026-05")),
	When("policy of the appeals' contract", "policy_stale", Set("/policy/contractVersion", "trade-challenge-appeal-v0.3")),

	When("policy is superseded", "policy_superseded", Set("/policy/status", "superseded")),
	When("latest policy version absent", "policy_superseded", Del("/latestPolicyVersion")),
	When("latest policy version 0 is unknown", "policy_superseded", Set("/latestPolicyVersion", 0)),
	When("latest policy version is smaller", "policy_superseded", Set("/latestPolicyVersion", 4)),
	When("latest policy version is equal", "", Set("/latestPolicyVersion", 5)),
	When("latest policy version is greater", "policy_superseded", Set("/latestPolicyVersion", 6)),
	When("policy is everything but frozen in time", "policy_mutable policy_stale policy_superseded",
		Set("/policy/status", "draft"), Set("/policy/staleAfter", LongAgo), Set("/latestPolicyVersion", 6)),

	When("policy has no hash", "policy_snapshot_bundle_missing invalid_policy_hash", RawDel("/policy/policyHash")),
	When("policy has another hash", "policy_snapshot_bundle_missing invalid_policy_hash",
		RawSet("/policy/policyHash", OtherHash)),
	When("policy was changed after it was sealed", "invalid_policy_hash", RawSet("/policy/frozenAt", LongAgo)),
	When("policy was changed and sealed again", "policy_snapshot_bundle_missing invalid_policy_hash",
		LateSet("/policy/frozenAt", LongAgo)),
	When("record names no policy hash", "invalid_policy_hash", LateDel("/record/policyHash")),
	When("record names another policy hash", "invalid_policy_hash", LateSet("/record/policyHash", OtherHash)),
	When("all agree on a wrong hash", "invalid_policy_hash", RawSet("/policy/policyHash", OtherHash),
		LateSet("/record/policyHash", OtherHash), LateSet("/record/policySnapshotBundle/policyHash", OtherHash)),
}

// BundleRows are about the snapshot of the policy, with and without a policy.
var BundleRows = []Row{
	When("bundle absent", "policy_snapshot_bundle_missing", LateDel("/record/policySnapshotBundle")),
	When("bundle empty", "policy_snapshot_bundle_missing", LateSet("/record/policySnapshotBundle", map[string]any{})),
	When("bundle subject absent", "policy_snapshot_bundle_missing", Del("/record/policySnapshotBundle/subject")),
	When("bundle for an appeal", "policy_snapshot_bundle_missing", Set("/record/policySnapshotBundle/subject", "appeal_case")),
	When("bundle for something that has no word", "policy_snapshot_bundle_missing",
		Set("/record/policySnapshotBundle/subject", "something-else")),
	When("bundle hash absent", "policy_snapshot_bundle_missing", LateDel("/record/policySnapshotBundle/policyHash")),
	When("bundle hash of another policy", "policy_snapshot_bundle_missing",
		LateSet("/record/policySnapshotBundle/policyHash", OtherHash)),
	When("no policy, bundle without a hash", "policy_missing", Del("/policy")),
	When("no policy, bundle with any hash", "policy_missing",
		Del("/policy"), Set("/record/policySnapshotBundle/policyHash", OtherHash)),
	When("no policy, bundle absent", "policy_missing policy_snapshot_bundle_missing",
		Del("/policy"), Del("/record/policySnapshotBundle")),
	When("no policy, bundle subject absent", "policy_missing policy_snapshot_bundle_missing",
		Del("/policy"), Del("/record/policySnapshotBundle/subject")),
	When("no policy, bundle for an appeal", "policy_missing policy_snapshot_bundle_missing",
		Del("/policy"), Set("/record/policySnapshotBundle/subject", "appeal_case")),
}

// AmendmentStateRows hold for every transition.
var AmendmentStateRows = []Row{
	When("draft", "amendment_unconfirmed amendment_not_approved amendment_not_applied", Set("/record/state", "draft")),
	When("presented", "amendment_unconfirmed amendment_not_approved amendment_not_applied", Set("/record/state", "presented")),
	When("confirmed", "amendment_not_approved amendment_not_applied", Set("/record/state", "confirmed")),
	When("approved", "amendment_not_applied", Set("/record/state", "approved")),
	When("applied", "", Set("/record/state", "applied")),
	When("rejected", "amendment_rejected_or_withdrawn", Set("/record/state", "rejected")),
	When("withdrawn", "amendment_rejected_or_withdrawn", Set("/record/state", "withdrawn")),
	When("superseded", "amendment_superseded", Set("/record/state", "superseded")),
	When("stale", "amendment_stale", Set("/record/state", "stale")),
	When("latest revision absent", "amendment_stale", Del("/latestRevision")),
	When("latest revision 0 is unknown", "amendment_stale", Set("/latestRevision", 0)),
	When("latest revision is smaller", "amendment_stale", Set("/latestRevision", 3)),
	When("latest revision is equal", "", Set("/latestRevision", 4)),
	When("latest revision is greater", "amendment_stale", Set("/latestRevision", 5)),
	When("amendment of an older contract", "amendment_stale",
		Set("/record/contractVersion", "trade-agreement-amendments-v0.0")),
	When("amendment with an unknown contract version", "amendment_stale", Set("/record/contractVersion", "~")),

	When("notice absent", "notice_missing", Del("/record/notice")),
	When("notice state absent", "notice_missing", Del("/record/notice/state")),
	When("notice missing", "notice_missing", Set("/record/notice/state", "missing")),
	When("notice queued", "notice_missing", Set("/record/notice/state", "queued")),
	When("notice failed", "notice_missing", Set("/record/notice/state", "failed")),
	When("delivered at no time", "notice_missing", Del("/record/notice/deliveredAt")),
	When("delivered now", "", Set("/record/notice/deliveredAt", Now)),
	When("delivered just after now", "notice_missing", Set("/record/notice/deliveredAt", JustAfter)),
	When("not required and draft", "amendment_unconfirmed amendment_not_approved amendment_not_applied",
		Set("/record/notice/state", "not_required_for_stage"), Set("/record/state", "draft")),
	When("not required and presented", "amendment_unconfirmed amendment_not_approved amendment_not_applied",
		Set("/record/notice", map[string]any{"state": "not_required_for_stage"}), Set("/record/state", "presented")),
	When("not required and confirmed", "amendment_not_approved amendment_not_applied notice_missing",
		Set("/record/notice/state", "not_required_for_stage"), Set("/record/state", "confirmed")),
	When("not required and applied", "notice_missing", Set("/record/notice/state", "not_required_for_stage")),

	When("reviewer quality absent", "reviewer_quality_missing", Del("/record/reviewerQuality")),
	When("not said whether criteria are met", "reviewer_quality_missing", Del("/record/reviewerQuality/criteriaMet")),
	When("criteria not met", "reviewer_quality_missing", Set("/record/reviewerQuality/criteriaMet", false)),
	When("baseline integrity absent", "baseline_integrity_missing", Del("/record/baselineIntegrity")),
	When("not said whether it is verified", "baseline_integrity_missing", Del("/record/baselineIntegrity/verified")),
	When("not verified", "baseline_integrity_missing", Set("/record/baselineIntegrity/verified", false)),
	When("before-terms hash absent", "before_terms_hash_missing", Del("/record/beforeTermsHash")),
	When("before-terms hash is any", "", Set("/record/beforeTermsHash", OtherHash)),
	When("amendment hash absent", "invalid_amendment_hash", RawDel("/record/amendmentHash")),
	When("amendment hash of something else", "invalid_amendment_hash", RawSet("/record/amendmentHash", OtherHash)),
	When("member changed after sealing", "invalid_amendment_hash", RawSet("/record/ownerId", "owner-3")),
	When("member removed after sealing", "invalid_amendment_hash", RawDel("/record/agreementId")),
	When("transition absent", "policy_missing amendment_missing", Del("/record/transition"),
		Set("/record/confirmationState", "passed"), Set("/record/requiredParties", []string{"party-a"}),
		Set("/record/confirmations", []any{map[string]any{"partyRef": "party-a", "termsHash": AfterTerms,
			"covers": []string{"exposureIncrease"}, "confirmedAt": LongAgo}})),
	When("subject type absent", "amendment_missing", Del("/record/subjectType")),
	When("amendment type absent", "amendment_missing", Del("/record/amendmentType")),
}

const (
	Exposure = "exposure_increase_without_confirmation"
	Missing  = "renewed_confirmation_missing"
	Expired  = "renewed_confirmation_stale"
	Mismatch = "participant_confirmation_scope_mismatch"
)

// NeutralReviewRows hold in both areas.
var NeutralReviewRows = []Row{
	When("review absent", "neutral_review_missing", Del("/record/neutralReview")),
	When("review empty", "neutral_review_missing", Set("/record/neutralReview", map[string]any{})),
	When("not said to be assigned", "neutral_review_missing", Del("/record/neutralReview/assigned")),
	When("not assigned", "neutral_review_missing", Set("/record/neutralReview/assigned", false)),
	When("reviewer absent", "neutral_review_missing", Del("/record/neutralReview/reviewerId")),
	When("not said to be checked for conflicts", "neutral_review_missing", Del("/record/neutralReview/conflictChecked")),
	When("not checked for conflicts", "neutral_review_missing", Set("/record/neutralReview/conflictChecked", false)),
	When("not said whether a conflict was found", "neutral_review_missing", Del("/record/neutralReview/conflictFound")),
	When("conflict found", "neutral_review_missing", Set("/record/neutralReview/conflictFound", true)),
	When("original decider absent", "neutral_review_missing", Del("/record/originalDeciderId")),
	When("reviewer is the original decider", "neutral_review_missing", Set("/record/originalDeciderId", "reviewer-7")),
	When("reviewer is recused", "neutral_review_missing",
		Set("/record/neutralReview/recusedReviewerIds", []string{"reviewer-3", "reviewer-7"})),
	When("nobody is recused", "", Set("/record/neutralReview/recusedReviewerIds", []string{})),
	When("recused reviewers absent", "", Del("/record/neutralReview/recusedReviewerIds")),
	When("original decider is recused too", "", Set("/record/neutralReview/recusedReviewerIds", []string{"decider-1"})),
}

// AppealPartyRows and amendmentPartyRows: nobody judges in their own cause.
var AppealPartyRows = []Row{
	When("parties absent", "", Del("/record/partyIds")),
	When("no parties", "", Set("/record/partyIds", []string{})),
	When("other parties", "", Set("/record/partyIds", []string{"party-a", "decider-1", "reviewer-3"})),
	When("reviewer is a party", "neutral_review_missing", Set("/record/partyIds", []string{"party-a", "reviewer-7"})),
	When("reviewer is a party in capitals", "", Set("/record/partyIds", []string{"Reviewer-7"})),
	When("reviewer absent among parties", "neutral_review_missing", Set("/record/partyIds", []string{"party-a"}),
		Del("/record/neutralReview/reviewerId")),
}

var AmendmentPartyRows = []Row{
	When("another owner", "", Set("/record/ownerId", "owner-3")),
	When("reviewer is the owner", "neutral_review_missing", Set("/record/ownerId", "reviewer-7")),
	When("reviewer is a required party", "neutral_review_missing", Confirmations(ConfirmationOf("party-a"),
		ConfirmationOf("party-b"), ConfirmationOf("reviewer-7")),
		Set("/record/requiredParties", []string{"party-a", "party-b", "reviewer-7"})),
	When("reviewer confirmed, and is not required", "neutral_review_missing", Confirmations(ConfirmationOf("party-a"),
		ConfirmationOf("party-b"), ConfirmationOf("reviewer-7"))),
	When("reviewer has not confirmed yet", "neutral_review_missing", Confirmations(ConfirmationOf("party-a"),
		ConfirmationOf("party-b"), ConfirmationOf("reviewer-7", "confirmedAt", FarAhead))),
	When("a confirmation of nobody named", "", Confirmations(ConfirmationOf("party-a"), ConfirmationOf("party-b"),
		map[string]any{"termsHash": AfterTerms})),
}

// DestinationRows need a change of destination, in which both its reviews count.
var DestinationRows = []Row{
	When("reviewed", ""),
	When("destination review absent", "neutral_review_missing", Del("/record/destinationReview")),
	When("not said to be completed", "neutral_review_missing", Set("/record/destinationReview", map[string]any{})),
	When("not completed", "neutral_review_missing", Set("/record/destinationReview/completed", false)),
	When("completed by a recused reviewer", "neutral_review_missing",
		Set("/record/neutralReview/recusedReviewerIds", []string{"reviewer-7"})),
}

func DestinationChange() Scene {
	s := MaterialChange()
	s.Record()["transition"], s.Record()["amendmentType"] = "destination_change", "destination_change"
	s.Record()["destinationReview"] = map[string]any{"completed": true}
	return s
}
