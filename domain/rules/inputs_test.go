package rules_test

import (
	"strings"

	"docket/domain/internal/domaintest"
)

// What each rule reads, from the specification; * stands for any element or member. Hashes over a whole document are
// left out: the scenes of these tests are always sealed again.

const confirming = "/record/transition /record/requiredParties /record/confirmations/*/partyRef /record/confirmations/*/covers " +
	"/record/confirmations/*/termsHash /record/confirmations/*/confirmedAt /record/confirmations/*/expiresAt " +
	"/record/afterTermsHash /at"

// stated are the members by which a record says what its effects cannot deny.
const stated = "/record/amendmentType /record/changedTerms"

var appealInputs = inputs(map[string]string{
	"appeal_policy_missing": "/policy/policyId /policy/policyVersion /policy/outcomeRules/*/advisory " +
		"/policy/outcomeRules/*/compatible /record/policyId /record/policyVersion /record/trigger",
	"appeal_policy_not_current": "/policy/status /policy/frozenAt /policy/effectiveFrom /policy/effectiveUntil " +
		"/policy/contractVersion /policy/policyVersion /latestPolicyVersion /at",
	"appeal_case_missing":    "/record/status /record/filedAt /at",
	"appeal_case_stale":      "/record/status /record/revision /record/contractVersion /latestRevision",
	"appeal_case_superseded": "/record/status",
	"standing_missing": "/record/standing/category /record/standing/accepted /record/standing/privacySafeSummary " +
		"/record/redaction/status",
	"notice_missing":         "/record/notice/state /record/notice/deliveredAt /record/status /at",
	"deadline_missing":       "/record/deadline",
	"deadline_expired":       "/record/deadline /record/status /at",
	"neutral_review_missing": neutralReview + " /record/partyIds",
	"scope_missing":          "/record/subject /record/subjectId /record/trigger /record/requestedEffects /record/remedyGap",
	"private_details_unredacted": "/record/redaction/status /record/requestedEffects /record/remedyGap " +
		"/record/standing/privacySafeSummary /record/evidenceScope/statement",
	"safety_blocker_waiver_attempted":     "/record/requestedEffects",
	"settled_obligation_reopen_attempted": "/record/requestedEffects",
	"non_retaliation_missing":             "/record/nonRetaliation/acknowledged",
	"evidence_scope_missing":              "/record/evidenceScope/items",
	"invalid_case_hash":                   "",
	"invalid_policy_hash":                 "",
})

const neutralReview = "/record/neutralReview/assigned /record/neutralReview/reviewerId " +
	"/record/neutralReview/conflictChecked /record/neutralReview/conflictFound " +
	"/record/neutralReview/recusedReviewerIds /record/originalDeciderId"

var amendmentInputs = inputs(map[string]string{
	"policy_missing": "/policy/policyId /policy/policyVersion /policy/transitions /record/policyId " +
		"/record/policyVersion /record/transition",
	"policy_mutable":    "/policy/status /policy/frozenAt /at",
	"policy_stale":      "/policy/status /policy/staleAfter /policy/contractVersion /at",
	"policy_superseded": "/policy/status /policy/policyVersion /latestPolicyVersion",
	"amendment_missing": "/record/transition /record/subjectType /record/amendmentType /record/changedTerms " +
		"/record/beforeTermsHash /record/afterTermsHash",
	"amendment_unconfirmed":                              "/record/state",
	"amendment_not_approved":                             "/record/state",
	"amendment_not_applied":                              "/record/state",
	"amendment_rejected_or_withdrawn":                    "/record/state",
	"amendment_stale":                                    "/record/state /record/revision /record/contractVersion /latestRevision",
	"amendment_superseded":                               "/record/state",
	"parent_record_edit_detected":                        "/record/parentRecord/hashAtLock /record/parentRecord/hashObserved",
	"retroactive_performance_change":                     "/record/effects/retroactivePerformance /record/transition /record/changedTerms",
	"evidence_claim_retyped":                             "/record/effects/evidenceClaimRetyped /record/transition /record/changedTerms",
	"exposure_increase_without_confirmation":             "/record/effects/exposureIncrease " + confirming,
	"funds_redirect_without_confirmation":                "/record/effects/fundsRedirect " + stated + " " + confirming,
	"compensation_change_without_confirmation":           "/record/effects/compensationChange " + stated + " " + confirming,
	"cancellation_rights_narrowed":                       "/record/effects/cancellationRightsNarrowed " + confirming,
	"privacy_change_without_confirmation":                "/record/effects/privacyChange " + stated + " " + confirming,
	"donor_of_record_change_without_confirmation":        "/record/effects/donorOfRecordChange " + confirming,
	"third_party_obligation_change_without_confirmation": "/record/effects/thirdPartyObligationChange " + confirming,
	"renewed_confirmation_missing": "/record/confirmationState /record/transition " +
		"/record/requiredParties /record/confirmations/*/partyRef /record/confirmations/*/confirmedAt /at",
	"renewed_confirmation_stale": "/record/confirmationState /record/requiredParties /record/confirmations/*/partyRef " +
		"/record/confirmations/*/confirmedAt /record/confirmations/*/expiresAt /at",
	"participant_confirmation_scope_mismatch": "/record/confirmationState /record/confirmations/*/termsHash " +
		"/record/afterTermsHash",
	"neutral_review_missing": neutralReview + " /record/ownerId /record/requiredParties /record/confirmations/*/partyRef " +
		"/record/transition /record/destinationReview/completed " + stated,
	"notice_missing":             "/record/notice/state /record/notice/deliveredAt /record/state /at",
	"reviewer_quality_missing":   "/record/reviewerQuality/criteriaMet",
	"baseline_integrity_missing": "/record/baselineIntegrity/verified",
	"before_terms_hash_missing":  "/record/beforeTermsHash",
	"after_terms_hash_missing":   "/record/afterTermsHash /record/beforeTermsHash /record/changedTerms",
	"policy_snapshot_bundle_missing": "/record/policySnapshotBundle/subject " +
		"/record/policySnapshotBundle/policyHash /policy/policyHash",
	"invalid_amendment_hash": "",
	"invalid_policy_hash":    "",
})

// deletionCures are the values whose absence may lift what their presence caused. Nothing else is ever cured by
// leaving it out, or by null.
var deletionCures = strings.Fields("/policy/effectiveUntil /policy/staleAfter " +
	"/record/neutralReview/recusedReviewerIds /record/neutralReview/recusedReviewerIds/* " +
	"/record/standing/privacySafeSummary /record/evidenceScope/statement /record/remedyGap " + // masked texts
	"/record/requestedEffects/* /record/changedTerms/* " + // single words, not the list
	"/record/confirmations /record/confirmations/* /record/confirmations/*/expiresAt " +
	"/record/confirmations/*/partyRef /record/confirmations/*/confirmedAt /record/partyIds /record/partyIds/* " +
	"/record/beforeTermsHash " + // of other terms a hash that is absent is a blocker of its own
	"/record/requiredParties /record/requiredParties/*")

func inputs(table map[string]string) map[string][]string {
	split := map[string][]string{}
	for code, pointers := range table {
		split[code] = strings.Fields(pointers)
	}
	return split
}

// inputsOf is the table of the scene's area.
func inputsOf(s domaintest.Scene) map[string][]string {
	if s["table"] == "trade_appeal_cases" {
		return appealInputs
	}
	return amendmentInputs
}

// touches reports whether a change at the pointer may change what is read at one of the inputs: where it is one of
// them, above or below.
func touches(pointer string, inputs []string) bool {
	steps := strings.Split(pointer, "/")
	for _, input := range inputs {
		wanted := strings.Split(input, "/")
		shorter := min(len(wanted), len(steps))
		if matches(strings.Join(wanted[:shorter], "/"), strings.Join(steps[:shorter], "/")) {
			return true
		}
	}
	return false
}
