package rules_test

import (
	"testing"

	"docket/domain/internal/domaintest"
)

// The rows below came from questions that an independent reading of the rules answered: edges where two conditions meet,
// or one moment is written in two ways.

// longNow is now, written as long as a time may be.
const (
	longNow  = "2026-06-15T12:00:00.000000000Z"
	firstDay = "0000-01-01T00:00:00Z"
	lastDay  = "9999-12-31T23:59:59.999999999Z"
)

var appealEdgeRows = []domaintest.Row{
	domaintest.When("now in a longer writing", "", domaintest.Set("/record/filedAt", longNow), domaintest.Set("/record/deadline", longNow),
		domaintest.Set("/record/notice/deliveredAt", longNow), domaintest.Set("/policy/frozenAt", longNow), domaintest.Set("/policy/effectiveFrom", longNow)),
	domaintest.When("effectiveUntil is now in a longer writing", "appeal_policy_not_current", domaintest.Set("/policy/effectiveUntil", longNow)),
	domaintest.When("asked at a fraction, in fewer digits than the deadline", "", domaintest.Set("/at", "2026-06-15T12:00:00.5Z"),
		domaintest.Set("/record/deadline", "2026-06-15T12:00:00.500000000Z")),
	domaintest.When("asked a nanosecond after the deadline", "deadline_expired", domaintest.Set("/at", "2026-06-15T12:00:00.500000001Z"),
		domaintest.Set("/record/deadline", "2026-06-15T12:00:00.5Z")),
	domaintest.When("a fraction is not a whole number", "", domaintest.Set("/at", "2026-06-15T12:00:00.1Z"),
		domaintest.Set("/record/deadline", "2026-06-15T12:00:00.10Z"), domaintest.Set("/record/filedAt", "2026-06-15T12:00:00.09Z")),
	domaintest.When("the first and the last time there are", "", domaintest.Set("/record/filedAt", firstDay), domaintest.Set("/policy/frozenAt", firstDay),
		domaintest.Set("/record/deadline", lastDay), domaintest.Set("/policy/effectiveUntil", lastDay)),
	domaintest.When("asked at the first time there is", "appeal_policy_not_current appeal_case_missing notice_missing", domaintest.Set("/at", firstDay)),
	domaintest.When("asked at the last time there is", "appeal_policy_not_current deadline_expired", domaintest.Set("/at", lastDay)),

	domaintest.When("missing and draft", "appeal_case_missing notice_missing", domaintest.Set("/record/notice/state", "missing"),
		domaintest.Set("/record/status", "draft")),
	domaintest.When("queued and filed", "notice_missing", domaintest.Set("/record/notice/state", "queued"), domaintest.Set("/record/status", "filed")),
	domaintest.When("failed and filed", "notice_missing", domaintest.Set("/record/notice/state", "failed"), domaintest.Set("/record/status", "filed")),
	domaintest.When("delivered in the future and filed", "notice_missing", domaintest.Set("/record/notice/deliveredAt", domaintest.FarAhead),
		domaintest.Set("/record/status", "filed")),
	domaintest.When("no deadline and superseded", "appeal_case_superseded deadline_missing", domaintest.Del("/record/deadline"),
		domaintest.Set("/record/status", "superseded")),
	domaintest.When("stale and not the latest", "appeal_case_stale", domaintest.Set("/record/status", "stale"), domaintest.Set("/latestRevision", 9)),
	domaintest.When("the latest revision is the greatest number", "appeal_case_stale", domaintest.Set("/latestRevision", 9007199254740991)),
	domaintest.When("neither latest number", "appeal_policy_not_current appeal_case_stale", domaintest.Del("/latestRevision"), domaintest.Del("/latestPolicyVersion")),
	domaintest.When("the latest numbers exchanged", "appeal_policy_not_current appeal_case_stale", domaintest.Set("/latestRevision", 3),
		domaintest.Set("/latestPolicyVersion", 2)),

	domaintest.When("no policy, and the case names no hash", "appeal_policy_missing", domaintest.Del("/policy"), domaintest.LateDel("/record/policyHash")),
	domaintest.When("no policy, and nothing named", "appeal_policy_missing", domaintest.Del("/policy"), domaintest.LateDel("/record/policyHash"),
		domaintest.LateDel("/record/policyId"), domaintest.LateDel("/record/policyVersion")),
	domaintest.When("another policy that is not current", "appeal_policy_missing appeal_policy_not_current",
		domaintest.LateSet("/record/policyId", "appeal-policy-2"), domaintest.Set("/policy/status", "retired")),
	domaintest.When("an unusable rule for another trigger", "",
		domaintest.Set("/policy/outcomeRules/duplicate_proof", map[string]any{"advisory": "record_remedy", "compatible": []string{}})),
	domaintest.When("policy retired, no case", "appeal_policy_not_current appeal_case_missing", domaintest.Del("/record"), domaintest.Set("/policy/status", "retired")),
	domaintest.When("policy ends now, no case", "appeal_policy_not_current appeal_case_missing", domaintest.Del("/record"),
		domaintest.Set("/policy/effectiveUntil", domaintest.Now)),
	domaintest.When("policy of another contract, no case", "appeal_policy_not_current appeal_case_missing", domaintest.Del("/record"),
		domaintest.Set("/policy/contractVersion", "trade-agreement-amendments-v0.1-2026-06")),

	domaintest.When("evidence scope empty", "evidence_scope_missing", domaintest.Set("/record/evidenceScope", map[string]any{})),
	domaintest.When("private details in the remedy gap that is asked for", "private_details_unredacted",
		domaintest.Set("/record/trigger", "externality_remedy_gap"), domaintest.SetText("/record/remedyGap", domaintest.MailInText)),
	domaintest.When("private details in the summary of somebody not accepted", "standing_missing private_details_unredacted",
		domaintest.Set("/record/standing/category", "affected_party"), domaintest.Set("/record/standing/accepted", false),
		domaintest.SetText("/record/standing/privacySafeSummary", domaintest.MailInText)),
	domaintest.When("reviewer is a party and recused", "neutral_review_missing",
		domaintest.Set("/record/partyIds", []string{"reviewer-7"}),
		domaintest.Set("/record/neutralReview/recusedReviewerIds", []string{"reviewer-7"})),
	domaintest.When("the original decider is a party", "", domaintest.Set("/record/partyIds", []string{"decider-1"})),
}

var materialEdgeRows = []domaintest.Row{
	domaintest.When("now in a longer writing", "", domaintest.Set("/policy/frozenAt", longNow), domaintest.Set("/record/notice/deliveredAt", longNow),
		domaintest.Set(domaintest.Second+"/confirmedAt", longNow)),
	domaintest.When("staleAfter is now in a longer writing", "policy_stale", domaintest.Set("/policy/staleAfter", longNow)),
	domaintest.When("expires now in a longer writing", domaintest.Exposure+" "+domaintest.Expired, domaintest.Set(domaintest.Second+"/expiresAt", longNow)),
	domaintest.When("confirmed and expired at one moment", domaintest.Exposure+" "+domaintest.Expired, domaintest.Set(domaintest.Second+"/confirmedAt", domaintest.Now), domaintest.Set(domaintest.Second+"/expiresAt", domaintest.Now)),
	domaintest.When("expired before it was confirmed", domaintest.Exposure+" "+domaintest.Expired, domaintest.Set(domaintest.Second+"/confirmedAt", domaintest.JustPast), domaintest.Set(domaintest.Second+"/expiresAt", domaintest.LongAgo)),
	domaintest.When("the same confirmation twice", "", domaintest.Confirmations(domaintest.ConfirmationOf("party-a"), domaintest.ConfirmationOf("party-b"), domaintest.ConfirmationOf("party-b"))),
	domaintest.When("each effect confirmed alone", "", domaintest.Set("/record/effects/fundsRedirect", true), domaintest.Confirmations(
		domaintest.ConfirmationOf("party-a"), domaintest.ConfirmationOf("party-b"), domaintest.ConfirmationOf("party-a", "covers", []string{"fundsRedirect"}),
		domaintest.ConfirmationOf("party-b", "covers", []string{"fundsRedirect"}))),
	domaintest.When("each party confirmed another effect", domaintest.Exposure+" funds_redirect_without_confirmation",
		domaintest.Set("/record/effects/fundsRedirect", true), domaintest.Confirmations(domaintest.ConfirmationOf("party-a"),
			domaintest.ConfirmationOf("party-b", "covers", []string{"fundsRedirect"}))),
	domaintest.When("all confirmed by one who is not required", domaintest.Exposure+" "+domaintest.Missing, domaintest.Confirmations(domaintest.ConfirmationOf("party-c"), domaintest.ConfirmationOf("party-c"))),
	domaintest.When("one expired, one not given, one silent", domaintest.Exposure+" "+domaintest.Missing+" "+domaintest.Expired,
		domaintest.Set("/record/requiredParties", []string{"party-a", "party-b", "party-c"}), domaintest.Confirmations(
			domaintest.ConfirmationOf("party-a", "expiresAt", domaintest.JustPast), domaintest.ConfirmationOf("party-b", "confirmedAt", domaintest.JustAfter))),
	domaintest.When("the original decider confirmed", "", domaintest.Confirmations(domaintest.ConfirmationOf("party-a"), domaintest.ConfirmationOf("party-b"),
		domaintest.ConfirmationOf("decider-1"))),
	domaintest.When("the owner decided", "", domaintest.Set("/record/ownerId", "decider-1")),
	domaintest.When("reviewer is required and silent", domaintest.Exposure+" "+domaintest.Missing+" neutral_review_missing",
		domaintest.Set("/record/requiredParties", []string{"party-a", "party-b", "reviewer-7"})),
	domaintest.When("reviewer absent, a confirmation of nobody named", "neutral_review_missing", domaintest.Del("/record/neutralReview/reviewerId"),
		domaintest.Confirmations(domaintest.ConfirmationOf("party-a"), domaintest.ConfirmationOf("party-b"), map[string]any{"termsHash": domaintest.AfterTerms})),

	domaintest.When("missing and draft", "amendment_unconfirmed amendment_not_approved amendment_not_applied notice_missing",
		domaintest.Set("/record/notice/state", "missing"), domaintest.Set("/record/state", "draft")),
	domaintest.When("failed and presented", "amendment_unconfirmed amendment_not_approved amendment_not_applied notice_missing",
		domaintest.Set("/record/notice/state", "failed"), domaintest.Set("/record/state", "presented")),
	domaintest.When("stale and not the latest", "amendment_stale", domaintest.Set("/record/state", "stale"), domaintest.Set("/latestRevision", 9)),
	domaintest.When("neither latest number", "policy_superseded amendment_stale", domaintest.Del("/latestRevision"), domaintest.Del("/latestPolicyVersion")),
	domaintest.When("policy frozen, but marked superseded and overtaken", "policy_superseded", domaintest.Set("/policy/status", "superseded"),
		domaintest.Set("/latestPolicyVersion", 6)),
	domaintest.When("no policy, and the record names no hash", "policy_missing", domaintest.Del("/policy"), domaintest.LateDel("/record/policyHash")),
	domaintest.When("a swap of a donation offset", "amendment_missing", domaintest.Set("/record/subjectType", "locked_donation_offset")),
	domaintest.When("a swap of a proposal", "", domaintest.Set("/record/subjectType", "matched_trade_lock_proposal")),
	domaintest.When("a swap of a cleared agreement", "", domaintest.Set("/record/subjectType", "cleared_trade_agreement")),
	domaintest.When("an offset of a pledge swap", "amendment_missing", domaintest.Set("/record/transition", "donation_offset_material_change")),
	domaintest.When("an offset of a proposal", "amendment_missing", domaintest.Set("/record/transition", "donation_offset_material_change"),
		domaintest.Set("/record/subjectType", "matched_trade_lock_proposal")),
	domaintest.When("an offset of a cleared agreement", "", domaintest.Set("/record/transition", "donation_offset_material_change"),
		domaintest.Set("/record/subjectType", "cleared_trade_agreement")),
	domaintest.When("a pause in name only", "amendment_missing", domaintest.Set("/record/amendmentType", "pause")),
	domaintest.When("a change of destination in transition only", "amendment_missing neutral_review_missing",
		domaintest.Set("/record/transition", "destination_change"), domaintest.Set("/record/amendmentType", "other")),
	domaintest.When("a pause that moves the destination", "neutral_review_missing", domaintest.Set("/record/transition", "pause_or_early_termination"),
		domaintest.Set("/record/amendmentType", "pause"), domaintest.Set("/record/changedTerms", []string{"destination"}),
		domaintest.Set("/record/destinationReview", map[string]any{})),
	domaintest.When("a correction that compensates", "amendment_missing retroactive_performance_change "+
		domaintest.Exposure+" compensation_change_without_confirmation", domaintest.Set("/record/transition", "post_lock_correction"),
		domaintest.Set("/record/amendmentType", "compensation_change"), domaintest.Nobody),
	domaintest.When("rights narrowed, transition absent", "policy_missing amendment_missing cancellation_rights_narrowed",
		domaintest.Del("/record/transition"), domaintest.Narrowed,
		domaintest.Set("/record/confirmations/0/covers", []string{"cancellationRightsNarrowed", "exposureIncrease"}),
		domaintest.Set("/record/confirmations/1/covers", []string{"cancellationRightsNarrowed", "exposureIncrease"})),
}

func TestAppealEdges(t *testing.T) { check(t, domaintest.Appeal, appealEdgeRows) }

func TestMaterialChangeEdges(t *testing.T) { check(t, domaintest.MaterialChange, materialEdgeRows) }
