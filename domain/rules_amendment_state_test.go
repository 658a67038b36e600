package domain_test

import (
	"slices"
	"testing"
)

// amendmentStateRows hold whatever the transition.
var amendmentStateRows = []row{
	when("draft", "amendment_unconfirmed amendment_not_approved amendment_not_applied", set("/record/state", "draft")),
	when("presented", "amendment_unconfirmed amendment_not_approved amendment_not_applied", set("/record/state", "presented")),
	when("confirmed", "amendment_not_approved amendment_not_applied", set("/record/state", "confirmed")),
	when("approved", "amendment_not_applied", set("/record/state", "approved")),
	when("applied", "", set("/record/state", "applied")),
	when("rejected", "amendment_rejected_or_withdrawn", set("/record/state", "rejected")),
	when("withdrawn", "amendment_rejected_or_withdrawn", set("/record/state", "withdrawn")),
	when("superseded", "amendment_superseded", set("/record/state", "superseded")),
	when("stale", "amendment_stale", set("/record/state", "stale")),
	when("latest revision absent", "amendment_stale", del("/latestRevision")),
	when("latest revision 0 is unknown", "amendment_stale", set("/latestRevision", 0)),
	when("latest revision is smaller", "amendment_stale", set("/latestRevision", 3)),
	when("latest revision is equal", "", set("/latestRevision", 4)),
	when("latest revision is greater", "amendment_stale", set("/latestRevision", 5)),
	when("amendment of an older contract", "amendment_stale",
		set("/record/contractVersion", "trade-agreement-amendments-v0.0")),
	when("amendment with an empty contract version", "amendment_stale", set("/record/contractVersion", "")),

	when("notice absent", "notice_missing", del("/record/notice")),
	when("notice state absent", "notice_missing", del("/record/notice/state")),
	when("notice missing", "notice_missing", set("/record/notice/state", "missing")),
	when("notice queued", "notice_missing", set("/record/notice/state", "queued")),
	when("notice failed", "notice_missing", set("/record/notice/state", "failed")),
	when("delivered at no time", "notice_missing", del("/record/notice/deliveredAt")),
	when("delivered now", "", set("/record/notice/deliveredAt", now)),
	when("delivered just after now", "notice_missing", set("/record/notice/deliveredAt", justAfter)),
	when("not required and draft", "amendment_unconfirmed amendment_not_approved amendment_not_applied",
		set("/record/notice/state", "not_required_for_stage"), set("/record/state", "draft")),
	when("not required and presented", "amendment_unconfirmed amendment_not_approved amendment_not_applied",
		set("/record/notice", map[string]any{"state": "not_required_for_stage"}), set("/record/state", "presented")),
	when("not required and confirmed", "amendment_not_approved amendment_not_applied notice_missing",
		set("/record/notice/state", "not_required_for_stage"), set("/record/state", "confirmed")),
	when("not required and applied", "notice_missing", set("/record/notice/state", "not_required_for_stage")),

	when("reviewer quality absent", "reviewer_quality_missing", del("/record/reviewerQuality")),
	when("not said whether criteria are met", "reviewer_quality_missing", del("/record/reviewerQuality/criteriaMet")),
	when("criteria not met", "reviewer_quality_missing", set("/record/reviewerQuality/criteriaMet", false)),
	when("baseline integrity absent", "baseline_integrity_missing", del("/record/baselineIntegrity")),
	when("not said whether it is verified", "baseline_integrity_missing", del("/record/baselineIntegrity/verified")),
	when("not verified", "baseline_integrity_missing", set("/record/baselineIntegrity/verified", false)),
	when("before-terms hash absent", "before_terms_hash_missing", del("/record/beforeTermsHash")),
	when("before-terms hash is any", "", set("/record/beforeTermsHash", otherHash)),
	when("amendment hash absent", "invalid_amendment_hash", rawDel("/record/amendmentHash")),
	when("amendment hash of something else", "invalid_amendment_hash", rawSet("/record/amendmentHash", otherHash)),
	when("member changed after sealing", "invalid_amendment_hash", rawSet("/record/ownerId", "owner-3")),
	when("member removed after sealing", "invalid_amendment_hash", rawDel("/record/agreementId")),
	when("transition absent", "policy_missing amendment_missing", del("/record/transition"),
		set("/record/confirmationState", "passed"), set("/record/requiredParties", []string{"party-a"}),
		set("/record/confirmations", []any{map[string]any{"partyRef": "party-a", "termsHash": afterTerms,
			"covers": []string{"exposureIncrease"}, "confirmedAt": longAgo}})),
	when("subject type absent", "amendment_missing", del("/record/subjectType")),
	when("amendment type absent", "amendment_missing", del("/record/amendmentType")),
}

func TestAmendmentStateRulesOnCorrections(t *testing.T) { check(t, correction, amendmentStateRows) }
func TestAmendmentStateRulesOnMaterialChanges(t *testing.T) {
	check(t, materialChange, amendmentStateRows)
}

// What a transition may be applied to, and how, written out from the specification.
var (
	everySubjectType = []string{"locked_donation_offset", "locked_pledge_swap", "matched_trade_lock_proposal",
		"cleared_trade_agreement"}
	everyAmendmentType = []string{"correction", "mutual_modification", "pause", "early_termination",
		"evidence_standard_change", "schedule_change", "compensation_change", "destination_change",
		"baseline_correction", "privacy_change", "other"}
	materialTypes = []string{"mutual_modification", "evidence_standard_change", "schedule_change", "compensation_change",
		"destination_change", "baseline_correction", "privacy_change", "other"}
	fitting = map[string][2][]string{
		"donation_offset_material_change": {{"locked_donation_offset", "cleared_trade_agreement"}, materialTypes},
		"pledge_swap_material_change": {{"locked_pledge_swap", "matched_trade_lock_proposal",
			"cleared_trade_agreement"}, materialTypes},
		"post_lock_correction":       {everySubjectType, {"correction"}},
		"pause_or_early_termination": {everySubjectType, {"pause", "early_termination"}},
		"evidence_standard_change":   {everySubjectType, {"evidence_standard_change"}},
		"destination_change":         {everySubjectType, {"destination_change"}},
	}
)

func TestTransitionSubjectTypeAndAmendmentTypeMustFit(t *testing.T) {
	for transition, fits := range fitting {
		for _, subject := range everySubjectType {
			for _, kind := range everyAmendmentType {
				held := codes(judged(t, destinationChange(), set("/record/transition", transition),
					set("/record/subjectType", subject), set("/record/amendmentType", kind),
					set("/record/changedTerms", []string{"wording"})))
				want := []string{"amendment_missing"}
				if slices.Contains(fits[0], subject) && slices.Contains(fits[1], kind) {
					want = []string{}
				}
				if !slices.Equal(held, want) {
					t.Errorf("%s on %s by %s: got %q, want %q", transition, subject, kind, held, want)
				}
			}
		}
	}
}
