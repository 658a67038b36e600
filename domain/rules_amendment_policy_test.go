package domain_test

import "testing"

// amendmentPolicyRows are seed 7.2's codes about the policy.
var amendmentPolicyRows = []row{
	when("the sample passes", ""),

	when("no policy", "policy_missing", del("/policy")),
	when("policy null", "policy_missing", set("/policy", nil)),
	when("record names no policy id", "policy_missing", lateDel("/record/policyId")),
	when("record names another policy id", "policy_missing", lateSet("/record/policyId", "amendment-policy-2")),
	when("record names no policy version", "policy_missing", lateDel("/record/policyVersion")),
	when("record names an older policy version", "policy_missing", lateSet("/record/policyVersion", 4)),
	when("record names a newer policy version", "policy_missing", lateSet("/record/policyVersion", 6)),
	when("policy covers no transitions", "policy_missing", set("/policy/transitions", []string{})),
	when("policy does not say what it covers", "policy_missing", del("/policy/transitions")),
	when("policy covers other transitions", "policy_missing",
		set("/policy/transitions", []string{"donation_offset_material_change", "pause_or_early_termination"})),
	when("policy covers just this transition and its neighbour", "",
		set("/policy/transitions", []string{"post_lock_correction", "pledge_swap_material_change"})),

	when("policy is a draft", "policy_mutable", set("/policy/status", "draft")),
	when("frozenAt absent", "policy_mutable", del("/policy/frozenAt")),
	when("frozenAt is now", "", set("/policy/frozenAt", now)),
	when("frozenAt just after now", "policy_mutable", set("/policy/frozenAt", justAfter)),

	when("policy is stale", "policy_stale", set("/policy/status", "stale")),
	when("staleAfter absent", "", del("/policy/staleAfter")),
	when("staleAfter is now", "policy_stale", set("/policy/staleAfter", now)),
	when("staleAfter just past", "policy_stale", set("/policy/staleAfter", justPast)),
	when("staleAfter just after now", "", set("/policy/staleAfter", justAfter)),
	when("policy of an older contract", "policy_stale",
		set("/policy/contractVersion", "trade-agreement-amendments-v0.1-2026-05")),
	when("policy of the appeals' contract", "policy_stale", set("/policy/contractVersion", "trade-challenge-appeal-v0.3")),

	when("policy is superseded", "policy_superseded", set("/policy/status", "superseded")),
	when("latest policy version absent", "policy_superseded", del("/latestPolicyVersion")),
	when("latest policy version 0 is unknown", "policy_superseded", set("/latestPolicyVersion", 0)),
	when("latest policy version is smaller", "policy_superseded", set("/latestPolicyVersion", 4)),
	when("latest policy version is equal", "", set("/latestPolicyVersion", 5)),
	when("latest policy version is greater", "policy_superseded", set("/latestPolicyVersion", 6)),
	when("policy is everything but frozen in time", "policy_mutable policy_stale policy_superseded",
		set("/policy/status", "draft"), set("/policy/staleAfter", longAgo), set("/latestPolicyVersion", 6)),

	when("policy has no hash", "policy_snapshot_bundle_missing invalid_policy_hash", rawDel("/policy/policyHash")),
	when("policy has another hash", "policy_snapshot_bundle_missing invalid_policy_hash",
		rawSet("/policy/policyHash", otherHash)),
	when("policy was changed after it was sealed", "invalid_policy_hash", rawSet("/policy/frozenAt", longAgo)),
	when("policy was changed and sealed again", "policy_snapshot_bundle_missing invalid_policy_hash",
		lateSet("/policy/frozenAt", longAgo)),
	when("record names no policy hash", "invalid_policy_hash", lateDel("/record/policyHash")),
	when("record names another policy hash", "invalid_policy_hash", lateSet("/record/policyHash", otherHash)),
	when("all agree on a wrong hash", "invalid_policy_hash", rawSet("/policy/policyHash", otherHash),
		lateSet("/record/policyHash", otherHash), lateSet("/record/policySnapshotBundle/policyHash", otherHash)),
}

// bundleRows are about the snapshot of the policy, with and without a policy.
var bundleRows = []row{
	when("bundle absent", "policy_snapshot_bundle_missing", lateDel("/record/policySnapshotBundle")),
	when("bundle empty", "policy_snapshot_bundle_missing", lateSet("/record/policySnapshotBundle", map[string]any{})),
	when("bundle subject absent", "policy_snapshot_bundle_missing", del("/record/policySnapshotBundle/subject")),
	when("bundle for an appeal", "policy_snapshot_bundle_missing", set("/record/policySnapshotBundle/subject", "appeal_case")),
	when("bundle for something that has no word", "policy_snapshot_bundle_missing",
		set("/record/policySnapshotBundle/subject", "something-else")),
	when("bundle hash absent", "policy_snapshot_bundle_missing", lateDel("/record/policySnapshotBundle/policyHash")),
	when("bundle hash of another policy", "policy_snapshot_bundle_missing",
		lateSet("/record/policySnapshotBundle/policyHash", otherHash)),
	when("no policy, bundle without a hash", "policy_missing", del("/policy")),
	when("no policy, bundle with any hash", "policy_missing",
		del("/policy"), set("/record/policySnapshotBundle/policyHash", otherHash)),
	when("no policy, bundle absent", "policy_missing policy_snapshot_bundle_missing",
		del("/policy"), del("/record/policySnapshotBundle")),
	when("no policy, bundle subject absent", "policy_missing policy_snapshot_bundle_missing",
		del("/policy"), del("/record/policySnapshotBundle/subject")),
	when("no policy, bundle for an appeal", "policy_missing policy_snapshot_bundle_missing",
		del("/policy"), set("/record/policySnapshotBundle/subject", "appeal_case")),
}

// amendmentWithoutRecordRows are about a question that has no amendment.
var amendmentWithoutRecordRows = []row{
	when("no policy either", "policy_missing amendment_missing", del("/policy"), del("/record")),
	when("both null", "policy_missing amendment_missing", set("/policy", nil), set("/record", nil)),
	when("good policy", "amendment_missing", del("/record")),
	when("policy without transitions", "amendment_missing", del("/record"), del("/policy/transitions")),
	when("policy mutable", "policy_mutable amendment_missing", del("/record"), set("/policy/status", "draft")),
	when("policy stale", "policy_stale amendment_missing", del("/record"), set("/policy/staleAfter", now)),
	when("policy overtaken", "policy_superseded amendment_missing", del("/record"), set("/latestPolicyVersion", 6)),
	when("latest policy version absent", "policy_superseded amendment_missing", del("/record"), del("/latestPolicyVersion")),
	when("latest policy version is smaller", "policy_superseded amendment_missing", del("/record"), set("/latestPolicyVersion", 4)),
	when("policy hash absent", "amendment_missing invalid_policy_hash", del("/record"), rawDel("/policy/policyHash")),
	when("policy all wrong", "policy_mutable policy_stale policy_superseded amendment_missing invalid_policy_hash",
		del("/record"), set("/policy/status", "superseded"), del("/policy/frozenAt"), set("/policy/staleAfter", longAgo),
		rawSet("/policy/policyHash", otherHash)),
}

func TestAmendmentPolicyRulesOnCorrections(t *testing.T) { check(t, correction, amendmentPolicyRows) }
func TestAmendmentPolicyRulesOnMaterialChanges(t *testing.T) {
	check(t, materialChange, amendmentPolicyRows)
}
func TestPolicySnapshotBundleRule(t *testing.T)    { check(t, correction, bundleRows) }
func TestAmendmentRulesWithoutRecord(t *testing.T) { check(t, correction, amendmentWithoutRecordRows) }
