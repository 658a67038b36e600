package domain_test

import "testing"

const mailInText = "Write to somebody@example.org about it."

// appealScopeRows are about what exactly is appealed, and by which evidence.
var appealScopeRows = []row{
	when("subject absent", "scope_missing", del("/record/subject")),
	when("subject id absent", "scope_missing", del("/record/subjectId")),
	when("trigger absent", "appeal_policy_missing scope_missing", del("/record/trigger")),
	when("scope hash absent", "scope_missing", lateDel("/record/scopeHash")),
	when("scope hash of something else", "scope_missing", lateSet("/record/scopeHash", otherHash)),
	when("subject changed under the scope hash", "scope_missing", lateSet("/record/subject", "claim")),
	when("subject id changed under the scope hash", "scope_missing", lateSet("/record/subjectId", "row-205")),
	when("evidence changed under the scope hash", "scope_missing",
		lateSet("/record/evidenceScope/items", []string{"row-204", "proof-8"})),
	when("evidence reordered under the scope hash", "scope_missing",
		lateSet("/record/evidenceScope/items", []string{"proof-9", "row-204"})),
	when("statement changed under the scope hash", "scope_missing", lateSet("/record/evidenceScope/statement", "Other.")),
	when("trigger is no part of the scope hash", "", lateSet("/record/trigger", "duplicate_proof")),
	when("another subject", "", set("/record/subject", "policy_flag")),
	when("remedy gap not named", "scope_missing", set("/record/trigger", "externality_remedy_gap")),
	when("remedy gap named", "",
		set("/record/trigger", "externality_remedy_gap"), set("/record/remedyGap", "The stream was not restored.")),
	when("remedy gap of blanks", "scope_missing",
		set("/record/trigger", "externality_remedy_gap"), set("/record/remedyGap", " \u200b\u2800")),
	when("remedy gap of blanks for another trigger", "", set("/record/remedyGap", " ")),
	when("statement of blanks", "", set("/record/evidenceScope/statement", "\u200b")),
	when("remedy gap named for another trigger", "", set("/record/remedyGap", "The stream was not restored.")),
	when("change of the parent record asked for", "scope_missing",
		set("/record/requestedEffects", []string{"change_parent_record"})),

	when("evidence scope absent", "evidence_scope_missing", del("/record/evidenceScope")),
	when("evidence items absent", "evidence_scope_missing", del("/record/evidenceScope/items")),
	when("evidence items empty", "evidence_scope_missing", set("/record/evidenceScope/items", []string{})),
	when("one evidence item", "", set("/record/evidenceScope/items", []string{"row-204"})),
	when("evidence without a statement", "", del("/record/evidenceScope/statement")),
}

// appealRequestRows are about effects that no appeal may have, private details, and the case's own hash.
var appealRequestRows = []row{
	when("effects not declared", "safety_blocker_waiver_attempted settled_obligation_reopen_attempted",
		del("/record/requestedEffects")),
	when("no effects", "", set("/record/requestedEffects", []string{})),
	when("waiver asked for", "safety_blocker_waiver_attempted",
		set("/record/requestedEffects", []string{"waive_safety_blocker"})),
	when("reopening asked for", "settled_obligation_reopen_attempted",
		set("/record/requestedEffects", []string{"reopen_settled_obligation"})),
	when("private details asked for", "private_details_unredacted",
		set("/record/requestedEffects", []string{"show_private_details"})),
	when("everything asked for",
		"scope_missing private_details_unredacted safety_blocker_waiver_attempted settled_obligation_reopen_attempted",
		set("/record/requestedEffects", []string{"show_private_details", "change_parent_record",
			"reopen_settled_obligation", "waive_safety_blocker"})),
	when("an outcome asked for that is not compatible", "", set("/record/requestedOutcome", "record_remedy")),

	when("redaction absent", "private_details_unredacted", del("/record/redaction")),
	when("redaction status absent", "private_details_unredacted", del("/record/redaction/status")),
	when("redaction pending", "private_details_unredacted", set("/record/redaction/status", "pending")),
	when("private details in the summary", "private_details_unredacted",
		setText("/record/standing/privacySafeSummary", mailInText)),
	when("private details in the statement", "private_details_unredacted",
		setText("/record/evidenceScope/statement", mailInText)),
	when("private details in the remedy gap", "private_details_unredacted", setText("/record/remedyGap", mailInText)),
	when("private details in the summary of an affected party", "private_details_unredacted",
		set("/record/standing/category", "affected_party"), setText("/record/standing/privacySafeSummary", mailInText)),

	when("private details in the contract version", "appeal_case_stale private_details_unredacted",
		setText("/record/contractVersion", mailInText)),
	when("a contract version like a mask", "appeal_case_stale", set("/record/contractVersion", "[masked: e-mail address]")),

	when("case hash absent", "invalid_case_hash", rawDel("/record/caseHash")),
	when("case hash of something else", "invalid_case_hash", rawSet("/record/caseHash", otherHash)),
	when("member changed after sealing", "invalid_case_hash", rawSet("/record/filedAt", longAgo)),
	when("member added after sealing", "invalid_case_hash", rawSet("/record/remedyGap", "Added later.")),
	when("member removed after sealing", "invalid_case_hash", rawDel("/record/requestedOutcome")),
}

func TestAppealScopeRules(t *testing.T)   { check(t, appeal, appealScopeRows) }
func TestAppealRequestRules(t *testing.T) { check(t, appeal, appealRequestRows) }
