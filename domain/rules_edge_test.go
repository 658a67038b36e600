package domain_test

import "testing"

// The rows below came from questions that an independent reading of the rules answered: edges where two conditions meet,
// one moment is written in two ways, or a list says something twice.

// longNow is now, written as long as a time may be.
const (
	longNow  = "2026-06-15T12:00:00.000000000Z"
	firstDay = "0000-01-01T00:00:00Z"
	lastDay  = "9999-12-31T23:59:59.999999999Z"
)

var appealEdgeRows = []row{
	when("now in a longer writing", "", set("/record/filedAt", longNow), set("/record/deadline", longNow),
		set("/record/notice/deliveredAt", longNow), set("/policy/frozenAt", longNow), set("/policy/effectiveFrom", longNow)),
	when("effectiveUntil is now in a longer writing", "appeal_policy_not_current", set("/policy/effectiveUntil", longNow)),
	when("asked at a fraction, in fewer digits than the deadline", "", set("/at", "2026-06-15T12:00:00.5Z"),
		set("/record/deadline", "2026-06-15T12:00:00.500000000Z")),
	when("asked a nanosecond after the deadline", "deadline_expired", set("/at", "2026-06-15T12:00:00.500000001Z"),
		set("/record/deadline", "2026-06-15T12:00:00.5Z")),
	when("a fraction is not a whole number", "", set("/at", "2026-06-15T12:00:00.1Z"),
		set("/record/deadline", "2026-06-15T12:00:00.10Z"), set("/record/filedAt", "2026-06-15T12:00:00.09Z")),
	when("the first and the last time there are", "", set("/record/filedAt", firstDay), set("/policy/frozenAt", firstDay),
		set("/record/deadline", lastDay), set("/policy/effectiveUntil", lastDay)),
	when("asked at the first time there is", "appeal_policy_not_current appeal_case_missing notice_missing", set("/at", firstDay)),
	when("asked at the last time there is", "appeal_policy_not_current deadline_expired", set("/at", lastDay)),

	when("missing and draft", "appeal_case_missing notice_missing", set("/record/notice/state", "missing"),
		set("/record/status", "draft")),
	when("queued and filed", "notice_missing", set("/record/notice/state", "queued"), set("/record/status", "filed")),
	when("failed and filed", "notice_missing", set("/record/notice/state", "failed"), set("/record/status", "filed")),
	when("delivered in the future and filed", "notice_missing", set("/record/notice/deliveredAt", farAhead),
		set("/record/status", "filed")),
	when("no deadline and superseded", "appeal_case_superseded deadline_missing", del("/record/deadline"),
		set("/record/status", "superseded")),
	when("stale and not the latest", "appeal_case_stale", set("/record/status", "stale"), set("/latestRevision", 9)),
	when("the latest revision is the greatest number", "appeal_case_stale", set("/latestRevision", 9007199254740991)),
	when("neither latest number", "appeal_policy_not_current appeal_case_stale", del("/latestRevision"), del("/latestPolicyVersion")),
	when("the latest numbers exchanged", "appeal_policy_not_current appeal_case_stale", set("/latestRevision", 3),
		set("/latestPolicyVersion", 2)),

	when("no policy, and the case names no hash", "appeal_policy_missing", del("/policy"), lateDel("/record/policyHash")),
	when("no policy, and nothing named", "appeal_policy_missing", del("/policy"), lateDel("/record/policyHash"),
		lateDel("/record/policyId"), lateDel("/record/policyVersion")),
	when("another policy that is not current", "appeal_policy_missing appeal_policy_not_current",
		lateSet("/record/policyId", "appeal-policy-2"), set("/policy/status", "retired")),
	when("an unusable rule for another trigger", "",
		set("/policy/outcomeRules/duplicate_proof", map[string]any{"advisory": "record_remedy", "compatible": []string{}})),
	when("a compatible outcome twice", "", set("/policy/outcomeRules/wrong_scope_evidence",
		map[string]any{"advisory": "uphold_decision", "compatible": []string{"uphold_decision", "uphold_decision"}})),
	when("policy retired, no case", "appeal_policy_not_current appeal_case_missing", del("/record"), set("/policy/status", "retired")),
	when("policy ends now, no case", "appeal_policy_not_current appeal_case_missing", del("/record"),
		set("/policy/effectiveUntil", now)),
	when("policy of another contract, no case", "appeal_policy_not_current appeal_case_missing", del("/record"),
		set("/policy/contractVersion", "trade-agreement-amendments-v0.1-2026-06")),

	when("evidence scope empty", "evidence_scope_missing", set("/record/evidenceScope", map[string]any{})),
	when("an evidence item twice", "", set("/record/evidenceScope/items", []string{"row-204", "row-204"})),
	when("an effect asked for twice", "safety_blocker_waiver_attempted",
		set("/record/requestedEffects", []string{"waive_safety_blocker", "waive_safety_blocker"})),
	when("private details in the remedy gap that is asked for", "private_details_unredacted",
		set("/record/trigger", "externality_remedy_gap"), setText("/record/remedyGap", mailInText)),
	when("private details in the summary of somebody not accepted", "standing_missing private_details_unredacted",
		set("/record/standing/category", "affected_party"), set("/record/standing/accepted", false),
		setText("/record/standing/privacySafeSummary", mailInText)),
	when("reviewer is a party twice and recused", "neutral_review_missing",
		set("/record/partyIds", []string{"reviewer-7", "reviewer-7"}),
		set("/record/neutralReview/recusedReviewerIds", []string{"reviewer-7"})),
	when("the original decider is a party", "", set("/record/partyIds", []string{"decider-1"})),
}

var materialEdgeRows = []row{
	when("now in a longer writing", "", set("/policy/frozenAt", longNow), set("/record/notice/deliveredAt", longNow),
		set(second+"/confirmedAt", longNow)),
	when("staleAfter is now in a longer writing", "policy_stale", set("/policy/staleAfter", longNow)),
	when("expires now in a longer writing", exposure+" "+expired, set(second+"/expiresAt", longNow)),
	when("confirmed and expired at one moment", exposure+" "+expired, set(second+"/confirmedAt", now), set(second+"/expiresAt", now)),
	when("expired before it was confirmed", exposure+" "+expired, set(second+"/confirmedAt", justPast), set(second+"/expiresAt", longAgo)),
	when("the same confirmation twice", "", confirmations(confirmationOf("party-a"), confirmationOf("party-b"), confirmationOf("party-b"))),
	when("an effect covered twice", "", set(second+"/covers", []string{"exposureIncrease", "exposureIncrease"})),
	when("each effect confirmed by itself", "", set("/record/effects/fundsRedirect", true), confirmations(
		confirmationOf("party-a"), confirmationOf("party-b"), confirmationOf("party-a", "covers", []string{"fundsRedirect"}),
		confirmationOf("party-b", "covers", []string{"fundsRedirect"}))),
	when("each party confirmed another effect", exposure+" funds_redirect_without_confirmation",
		set("/record/effects/fundsRedirect", true), confirmations(confirmationOf("party-a"),
			confirmationOf("party-b", "covers", []string{"fundsRedirect"}))),
	when("all confirmed by one who is not required", exposure+" "+missing, confirmations(confirmationOf("party-c"), confirmationOf("party-c"))),
	when("one expired, one not given, one silent", exposure+" "+missing+" "+expired,
		set("/record/requiredParties", []string{"party-a", "party-b", "party-c"}), confirmations(
			confirmationOf("party-a", "expiresAt", justPast), confirmationOf("party-b", "confirmedAt", justAfter))),
	when("the original decider confirmed", "", confirmations(confirmationOf("party-a"), confirmationOf("party-b"),
		confirmationOf("decider-1"))),
	when("the owner decided", "", set("/record/ownerId", "decider-1")),
	when("reviewer is required and silent", exposure+" "+missing+" neutral_review_missing",
		set("/record/requiredParties", []string{"party-a", "party-b", "reviewer-7"})),
	when("reviewer absent, a confirmation of nobody named", "neutral_review_missing", del("/record/neutralReview/reviewerId"),
		confirmations(confirmationOf("party-a"), confirmationOf("party-b"), map[string]any{"termsHash": afterTerms})),

	when("missing and draft", "amendment_unconfirmed amendment_not_approved amendment_not_applied notice_missing",
		set("/record/notice/state", "missing"), set("/record/state", "draft")),
	when("failed and presented", "amendment_unconfirmed amendment_not_approved amendment_not_applied notice_missing",
		set("/record/notice/state", "failed"), set("/record/state", "presented")),
	when("stale and not the latest", "amendment_stale", set("/record/state", "stale"), set("/latestRevision", 9)),
	when("neither latest number", "policy_superseded amendment_stale", del("/latestRevision"), del("/latestPolicyVersion")),
	when("policy frozen, but marked superseded and overtaken", "policy_superseded", set("/policy/status", "superseded"),
		set("/latestPolicyVersion", 6)),
	when("no policy, and the record names no hash", "policy_missing", del("/policy"), lateDel("/record/policyHash")),
	when("a transition covered twice", "", set("/policy/transitions",
		[]string{"pledge_swap_material_change", "pledge_swap_material_change"})),
	when("a changed term twice", "compensation_change_without_confirmation", nobody,
		set("/record/changedTerms", []string{"compensation", "compensation"})),
	when("a swap of a donation offset", "amendment_missing", set("/record/subjectType", "locked_donation_offset")),
	when("a swap of a proposal", "", set("/record/subjectType", "matched_trade_lock_proposal")),
	when("a swap of a cleared agreement", "", set("/record/subjectType", "cleared_trade_agreement")),
	when("an offset of a pledge swap", "amendment_missing", set("/record/transition", "donation_offset_material_change")),
	when("an offset of a proposal", "amendment_missing", set("/record/transition", "donation_offset_material_change"),
		set("/record/subjectType", "matched_trade_lock_proposal")),
	when("an offset of a cleared agreement", "", set("/record/transition", "donation_offset_material_change"),
		set("/record/subjectType", "cleared_trade_agreement")),
	when("a pause in name only", "amendment_missing", set("/record/amendmentType", "pause")),
	when("a change of destination in transition only", "amendment_missing neutral_review_missing",
		set("/record/transition", "destination_change"), set("/record/amendmentType", "other")),
	when("a pause that moves the destination", "neutral_review_missing", set("/record/transition", "pause_or_early_termination"),
		set("/record/amendmentType", "pause"), set("/record/changedTerms", []string{"destination"}),
		set("/record/destinationReview", map[string]any{})),
	when("a correction that compensates", "amendment_missing retroactive_performance_change "+
		"compensation_change_without_confirmation", set("/record/transition", "post_lock_correction"),
		set("/record/amendmentType", "compensation_change"), nobody),
	when("rights narrowed, transition absent", "policy_missing amendment_missing cancellation_rights_narrowed",
		del("/record/transition"), narrowed,
		set("/record/confirmations/0/covers", []string{"cancellationRightsNarrowed", "exposureIncrease"}),
		set("/record/confirmations/1/covers", []string{"cancellationRightsNarrowed", "exposureIncrease"})),
}

func TestAppealEdges(t *testing.T)         { check(t, appeal, appealEdgeRows) }
func TestMaterialChangeEdges(t *testing.T) { check(t, materialChange, materialEdgeRows) }
