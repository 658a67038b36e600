package domain_test

import "testing"

// appealStatusRows are seed 7.1's codes about the case's status, revision and deadline.
var appealStatusRows = []row{
	when("draft", "appeal_case_missing", set("/record/status", "draft")),
	when("filed", "", set("/record/status", "filed")),
	when("noticed", "", set("/record/status", "noticed")),
	when("under neutral review", "", set("/record/status", "under_neutral_review")),
	when("correction requested", "", set("/record/status", "correction_requested")),
	when("upheld", "", set("/record/status", "upheld")),
	when("corrected", "", set("/record/status", "corrected")),
	when("dismissed", "", set("/record/status", "dismissed")),
	when("closed unresolved", "", set("/record/status", "closed_unresolved")),
	when("superseded", "appeal_case_superseded", set("/record/status", "superseded")),
	when("stale", "appeal_case_stale", set("/record/status", "stale")),

	when("latest revision absent", "appeal_case_stale", del("/latestRevision")),
	when("latest revision 0 is unknown", "appeal_case_stale", set("/latestRevision", 0)),
	when("latest revision is smaller", "appeal_case_stale", set("/latestRevision", 1)),
	when("latest revision is equal", "", set("/latestRevision", 2)),
	when("latest revision is greater", "appeal_case_stale", set("/latestRevision", 3)),
	when("case of an older contract", "appeal_case_stale", set("/record/contractVersion", "trade-challenge-appeal-v0.2")),
	when("case of a contract in capitals", "appeal_case_stale", set("/record/contractVersion", "TRADE-CHALLENGE-APPEAL-V0.3")),
	when("case with an empty contract version", "appeal_case_stale", set("/record/contractVersion", "")),

	when("filed at no time", "appeal_case_missing", del("/record/filedAt")),
	when("filed now", "", set("/record/filedAt", now)),
	when("filed just after now", "appeal_case_missing", set("/record/filedAt", justAfter)),
	when("draft and filed", "appeal_case_missing", set("/record/status", "draft"), set("/record/filedAt", longAgo)),

	when("deadline absent", "deadline_missing", del("/record/deadline")),
	when("deadline absent though decided", "deadline_missing", del("/record/deadline"), set("/record/status", "upheld")),
	when("deadline is now", "", set("/record/deadline", now)),
	when("deadline just after now", "", set("/record/deadline", justAfter)),
	when("deadline just past", "deadline_expired", set("/record/deadline", justPast)),
	when("past and draft", "appeal_case_missing deadline_expired", set("/record/deadline", justPast), set("/record/status", "draft")),
	when("past and filed", "deadline_expired", set("/record/deadline", justPast), set("/record/status", "filed")),
	when("past and noticed", "deadline_expired", set("/record/deadline", justPast), set("/record/status", "noticed")),
	when("past and correction requested", "deadline_expired",
		set("/record/deadline", justPast), set("/record/status", "correction_requested")),
	when("past and upheld", "", set("/record/deadline", justPast), set("/record/status", "upheld")),
	when("past and corrected", "", set("/record/deadline", justPast), set("/record/status", "corrected")),
	when("past and dismissed", "", set("/record/deadline", justPast), set("/record/status", "dismissed")),
	when("past and closed unresolved", "", set("/record/deadline", justPast), set("/record/status", "closed_unresolved")),
	when("past and superseded", "appeal_case_superseded deadline_expired",
		set("/record/deadline", justPast), set("/record/status", "superseded")),
	when("past and stale", "appeal_case_stale deadline_expired",
		set("/record/deadline", justPast), set("/record/status", "stale")),
}

// appealStandingRows are about standing, notice and retaliation.
var appealStandingRows = []row{
	when("standing absent", "standing_missing", del("/record/standing")),
	when("standing empty", "standing_missing", set("/record/standing", map[string]any{})),
	when("category absent", "standing_missing", del("/record/standing/category")),
	when("not said to be accepted", "standing_missing", del("/record/standing/accepted")),
	when("not accepted", "standing_missing", set("/record/standing/accepted", false)),
	when("participant without summary", "", del("/record/standing/privacySafeSummary")),
	when("counterparty", "", set("/record/standing/category", "counterparty")),
	when("reviewer", "", set("/record/standing/category", "reviewer")),
	when("admin of safety", "", set("/record/standing/category", "admin_safety")),
	when("external verifier", "", set("/record/standing/category", "external_verifier")),
	when("affected party with summary", "", set("/record/standing/category", "affected_party")),
	when("affected party without summary", "standing_missing",
		set("/record/standing/category", "affected_party"), del("/record/standing/privacySafeSummary")),
	when("affected party, summary of a space", "standing_missing", affectedBy(" ")),
	when("affected party, summary of white space", "standing_missing", affectedBy("\t\n\u00a0\u2003\u3000")),
	when("affected party, summary of a zero-width space", "standing_missing", affectedBy("\u200b")),
	when("affected party, summary of format characters", "standing_missing", affectedBy("\u200d\ufeff\u2060\u00ad\u202e")),
	when("affected party, summary of an accent without a letter", "standing_missing", affectedBy("\u0301\ufe0f")),
	when("affected party, summary of an empty Braille pattern", "standing_missing", affectedBy("\u2800")),
	when("affected party, summary of Hangul fillers", "standing_missing", affectedBy("\u115f\u1160\u3164\uffa0")),
	when("affected party, summary of what no character has", "standing_missing", affectedBy("\ue000\u0378\u0000\u001b")),
	when("affected party, summary of a full stop", "", affectedBy(".")),
	when("affected party, summary of a sign of money", "", affectedBy("\u20ac")),
	when("affected party, summary of an Arabic digit", "", affectedBy("\u0663")),
	when("affected party, summary of a letter among blanks", "", affectedBy(" \u200b\u3164\u00fc\u2800")),
	when("affected party, summary of Hangul", "", affectedBy("\ud55c")),
	when("affected party, summary of another Braille pattern", "", affectedBy("\u2801")),
	when("affected party with summary, not accepted", "standing_missing",
		set("/record/standing/category", "affected_party"), set("/record/standing/accepted", false)),

	when("notice absent", "notice_missing", del("/record/notice")),
	when("notice state absent", "notice_missing", del("/record/notice/state")),
	when("notice missing", "notice_missing", set("/record/notice/state", "missing")),
	when("notice queued", "notice_missing", set("/record/notice/state", "queued")),
	when("notice failed", "notice_missing", set("/record/notice/state", "failed")),
	when("delivered at no time", "notice_missing", del("/record/notice/deliveredAt")),
	when("delivered now", "", set("/record/notice/deliveredAt", now)),
	when("delivered just after now", "notice_missing", set("/record/notice/deliveredAt", justAfter)),
	when("not required and draft", "appeal_case_missing",
		set("/record/notice/state", "not_required_for_stage"), set("/record/status", "draft")),
	when("not required and filed", "", set("/record/notice/state", "not_required_for_stage"), set("/record/status", "filed")),
	when("not required and filed, without a time", "",
		set("/record/notice", map[string]any{"state": "not_required_for_stage"}), set("/record/status", "filed")),
	when("not required and noticed", "notice_missing",
		set("/record/notice/state", "not_required_for_stage"), set("/record/status", "noticed")),
	when("not required and under review", "notice_missing", set("/record/notice/state", "not_required_for_stage")),
	when("not required and upheld", "notice_missing",
		set("/record/notice/state", "not_required_for_stage"), set("/record/status", "upheld")),
	when("missing and filed", "notice_missing", set("/record/notice/state", "missing"), set("/record/status", "filed")),

	when("retaliation not spoken of", "non_retaliation_missing", del("/record/nonRetaliation")),
	when("not said to be acknowledged", "non_retaliation_missing", del("/record/nonRetaliation/acknowledged")),
	when("not acknowledged", "non_retaliation_missing", set("/record/nonRetaliation/acknowledged", false)),
}

// affectedBy is an affected party with that summary.
func affectedBy(summary string) edit {
	return set("/record/standing", map[string]any{"category": "affected_party", "accepted": true, "privacySafeSummary": summary})
}

func TestAppealStatusRules(t *testing.T)   { check(t, appeal, appealStatusRows) }
func TestAppealStandingRules(t *testing.T) { check(t, appeal, appealStandingRows) }
