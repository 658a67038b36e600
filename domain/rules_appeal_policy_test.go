package domain_test

import "testing"

// appealPolicyRows are seed 7.1's codes about the policy.
var appealPolicyRows = []row{
	when("the sample passes", ""),

	when("no policy", "appeal_policy_missing", del("/policy")),
	when("policy null", "appeal_policy_missing", set("/policy", nil)),
	when("case names no policy id", "appeal_policy_missing", lateDel("/record/policyId")),
	when("case names another policy id", "appeal_policy_missing", lateSet("/record/policyId", "appeal-policy-2")),
	when("case names a policy id in another case", "appeal_policy_missing", lateSet("/record/policyId", "Appeal-policy")),
	when("case names no policy version", "appeal_policy_missing", lateDel("/record/policyVersion")),
	when("case names an older policy version", "appeal_policy_missing", lateSet("/record/policyVersion", 2)),
	when("case names a newer policy version", "appeal_policy_missing", lateSet("/record/policyVersion", 4)),
	when("policy has no outcome rules", "appeal_policy_missing", del("/policy/outcomeRules")),
	when("policy has empty outcome rules", "appeal_policy_missing", set("/policy/outcomeRules", map[string]any{})),
	when("no rule for the trigger", "appeal_policy_missing", del("/policy/outcomeRules/wrong_scope_evidence")),
	when("no rule for another trigger", "", del("/policy/outcomeRules/duplicate_proof")),
	when("rule is empty", "appeal_policy_missing", set("/policy/outcomeRules/wrong_scope_evidence", map[string]any{})),
	when("rule has no advisory outcome", "appeal_policy_missing", del("/policy/outcomeRules/wrong_scope_evidence/advisory")),
	when("rule has no compatible outcomes", "appeal_policy_missing", del("/policy/outcomeRules/wrong_scope_evidence/compatible")),
	when("compatible outcomes are empty", "appeal_policy_missing",
		set("/policy/outcomeRules/wrong_scope_evidence/compatible", []string{})),
	when("advisory outcome is not compatible", "appeal_policy_missing",
		set("/policy/outcomeRules/wrong_scope_evidence/advisory", "record_remedy")),
	when("advisory outcome is the only compatible one", "",
		set("/policy/outcomeRules/wrong_scope_evidence/compatible", []string{"open_challenge_window"})),

	when("policy is a draft", "appeal_policy_not_current", set("/policy/status", "draft")),
	when("policy is superseded", "appeal_policy_not_current", set("/policy/status", "superseded")),
	when("policy is retired", "appeal_policy_not_current", set("/policy/status", "retired")),
	when("frozenAt absent", "appeal_policy_not_current", del("/policy/frozenAt")),
	when("frozenAt is now", "", set("/policy/frozenAt", now)),
	when("frozenAt just after now", "appeal_policy_not_current", set("/policy/frozenAt", justAfter)),
	when("effectiveFrom absent", "appeal_policy_not_current", del("/policy/effectiveFrom")),
	when("effectiveFrom is now", "", set("/policy/effectiveFrom", now)),
	when("effectiveFrom just after now", "appeal_policy_not_current", set("/policy/effectiveFrom", justAfter)),
	when("effectiveUntil absent", "", del("/policy/effectiveUntil")),
	when("effectiveUntil null", "", set("/policy/effectiveUntil", nil)),
	when("effectiveUntil is now", "appeal_policy_not_current", set("/policy/effectiveUntil", now)),
	when("effectiveUntil just past", "appeal_policy_not_current", set("/policy/effectiveUntil", justPast)),
	when("effectiveUntil just after now", "", set("/policy/effectiveUntil", justAfter)),
	when("policy of an older contract", "appeal_policy_not_current",
		set("/policy/contractVersion", "trade-challenge-appeal-v0.2")),
	when("policy of the amendments' contract", "appeal_policy_not_current",
		set("/policy/contractVersion", "trade-agreement-amendments-v0.1-2026-06")),
	when("policy with an empty contract version", "appeal_policy_not_current", set("/policy/contractVersion", "")),
	when("latest policy version absent", "appeal_policy_not_current", del("/latestPolicyVersion")),
	when("latest policy version 0 is unknown", "appeal_policy_not_current", set("/latestPolicyVersion", 0)),
	when("latest policy version is smaller", "appeal_policy_not_current", set("/latestPolicyVersion", 2)),
	when("latest policy version is equal", "", set("/latestPolicyVersion", 3)),
	when("latest policy version is greater", "appeal_policy_not_current", set("/latestPolicyVersion", 4)),

	when("policy has no hash", "invalid_policy_hash", rawDel("/policy/policyHash")),
	when("policy has another hash", "invalid_policy_hash", rawSet("/policy/policyHash", otherHash)),
	when("policy was changed after it was sealed", "invalid_policy_hash", rawSet("/policy/frozenAt", longAgo)),
	when("policy was changed and sealed again", "invalid_policy_hash", lateSet("/policy/frozenAt", longAgo)),
	when("case names no policy hash", "invalid_policy_hash", lateDel("/record/policyHash")),
	when("case names another policy hash", "invalid_policy_hash", lateSet("/record/policyHash", otherHash)),
	when("case and policy agree on a wrong hash", "invalid_policy_hash",
		rawSet("/policy/policyHash", otherHash), lateSet("/record/policyHash", otherHash)),
}

// appealWithoutRecordRows are about a question that has no case.
var appealWithoutRecordRows = []row{
	when("no policy either", "appeal_policy_missing appeal_case_missing", del("/policy"), del("/record")),
	when("both null", "appeal_policy_missing appeal_case_missing", set("/policy", nil), set("/record", nil)),
	when("good policy", "appeal_case_missing", del("/record")),
	when("policy without rules", "appeal_case_missing", del("/record"), del("/policy/outcomeRules")),
	when("policy not current", "appeal_policy_not_current appeal_case_missing", del("/record"), set("/policy/status", "draft")),
	when("policy overtaken", "appeal_policy_not_current appeal_case_missing", del("/record"), set("/latestPolicyVersion", 4)),
	when("latest policy version absent", "appeal_policy_not_current appeal_case_missing", del("/record"), del("/latestPolicyVersion")),
	when("latest policy version is smaller", "appeal_policy_not_current appeal_case_missing", del("/record"), set("/latestPolicyVersion", 2)),
	when("policy hash wrong", "appeal_case_missing invalid_policy_hash", del("/record"), rawSet("/policy/policyHash", otherHash)),
	when("policy not current and hash absent", "appeal_policy_not_current appeal_case_missing invalid_policy_hash",
		del("/record"), del("/policy/frozenAt"), rawDel("/policy/policyHash")),
	when("latest revision does not matter", "appeal_case_missing", del("/record"), set("/latestRevision", 9)),
}

func TestAppealPolicyRules(t *testing.T)        { check(t, appeal, appealPolicyRows) }
func TestAppealRulesWithoutRecord(t *testing.T) { check(t, appeal, appealWithoutRecordRows) }
