package domaintest

import (
	"docket/domain/records"
)

// The samples that the tests start from: one policy for each area, one appeal case and two amendments that pass, as
// JSON text without hashes. A scene seals them.

func Appeal() Scene { return Parsed(AppealSample) }

func Correction() Scene { return Parsed(correctionSample) }

func MaterialChange() Scene {
	s := Parsed(materialChangeSample)
	s["record"].(map[string]any)["effects"].(map[string]any)["exposureIncrease"] = true
	return s
}

var SampleReasons = records.Statement{Salt: SampleSalt, Text: "The notice does not say who was told."}

const AppealSample = `{
	"table": "trade_appeal_cases", "at": "` + Now + `", "latestPolicyVersion": 3, "latestRevision": 2,
	"policy": {
		"policyId": "appeal-policy", "policyVersion": 3, "contractVersion": "trade-challenge-appeal-v0.3",
		"status": "frozen", "frozenAt": "2026-01-05T09:00:00Z", "effectiveFrom": "2026-02-01T00:00:00Z",
		"effectiveUntil": "2026-12-31T00:00:00Z",
		"outcomeRules": {
			"duplicate_proof": {"advisory": "block_reliance", "compatible": ["uphold_decision", "request_evidence",
				"route_human_review", "open_challenge_window", "block_reliance", "close_unresolved", "correct_record"]},
			"coercive_baseline": {"advisory": "route_human_review", "compatible": ["uphold_decision", "request_evidence",
				"route_human_review", "open_challenge_window", "block_reliance", "close_unresolved"]},
			"wrong_scope_evidence": {"advisory": "open_challenge_window", "compatible": ["uphold_decision",
				"request_evidence", "route_human_review", "open_challenge_window", "block_reliance", "close_unresolved",
				"correct_record"]},
			"material_factual_error": {"advisory": "correct_record", "compatible": ["uphold_decision",
				"request_evidence", "route_human_review", "open_challenge_window", "close_unresolved", "correct_record"]},
			"privacy_disclosure_error": {"advisory": "block_reliance", "compatible": ["uphold_decision",
				"request_evidence", "route_human_review", "block_reliance", "record_remedy", "close_unresolved",
				"correct_record"]},
			"externality_remedy_gap": {"advisory": "record_remedy", "compatible": ["uphold_decision",
				"request_evidence", "route_human_review", "block_reliance", "record_remedy", "close_unresolved"]},
			"reviewer_conflict": {"advisory": "route_human_review", "compatible": ["uphold_decision",
				"request_evidence", "route_human_review", "open_challenge_window", "block_reliance", "close_unresolved"]},
			"policy_misapplied": {"advisory": "open_challenge_window", "compatible": ["uphold_decision",
				"request_evidence", "route_human_review", "open_challenge_window", "close_unresolved", "correct_record"]}
		}
	},
	"record": {
		"caseId": "case-17", "revision": 2, "contractVersion": "trade-challenge-appeal-v0.3",
		"status": "under_neutral_review", "policyId": "appeal-policy", "policyVersion": 3,
		"subject": "evidence_row", "subjectId": "row-204", "trigger": "wrong_scope_evidence",
		"standing": {"category": "participant", "accepted": true,
			"privacySafeSummary": "Took part in the trade under review."},
		"notice": {"state": "delivered", "deliveredAt": "2026-06-03T10:00:00Z"},
		"filedAt": "2026-06-01T08:00:00Z", "deadline": "2026-07-01T00:00:00Z",
		"evidenceScope": {"items": ["row-204", "proof-9"], "statement": "The row was read under another scope."},
		"nonRetaliation": {"acknowledged": true}, "originalDeciderId": "decider-1",
		"neutralReview": {"assigned": true, "reviewerId": "reviewer-7", "conflictChecked": true,
			"conflictFound": false, "recusedReviewerIds": ["reviewer-3"]},
		"requestedOutcome": null, "requestedEffects": [], "redaction": {"status": "redacted"}
	}
}`

const amendmentPolicySample = `{
	"policyId": "amendment-policy", "policyVersion": 5, "contractVersion": "trade-agreement-amendments-v0.1-2026-06",
	"status": "frozen", "frozenAt": "2026-01-05T09:00:00Z", "staleAfter": "2026-12-31T00:00:00Z",
	"transitions": ["donation_offset_material_change", "pledge_swap_material_change", "post_lock_correction",
		"pause_or_early_termination", "evidence_standard_change", "destination_change"]
}`

// amendmentControls are the members that a correction and a material change have alike.
const amendmentControls = `
	"amendmentId": "amendment-8", "revision": 4, "contractVersion": "trade-agreement-amendments-v0.1-2026-06",
	"ownerId": "owner-2", "state": "applied", "agreementId": "agreement-31",
	"policyId": "amendment-policy", "policyVersion": 5,
	"beforeTermsHash": "` + BeforeTerms + `", "afterTermsHash": "` + AfterTerms + `",
	"parentRecord": {"hashAtLock": "` + parentHash + `", "hashObserved": "` + parentHash + `"},
	"originalDeciderId": "decider-1",
	"neutralReview": {"assigned": true, "reviewerId": "reviewer-7", "conflictChecked": true,
		"conflictFound": false, "recusedReviewerIds": ["reviewer-3"]},
	"notice": {"state": "delivered", "deliveredAt": "2026-06-03T10:00:00Z"},
	"reviewerQuality": {"criteriaMet": true}, "baselineIntegrity": {"verified": true},
	"policySnapshotBundle": {"subject": "agreement_amendment"}`

const noEffects = `{"retroactivePerformance": false, "evidenceClaimRetyped": false, "exposureIncrease": false,
	"fundsRedirect": false, "compensationChange": false, "cancellationRightsNarrowed": false, "privacyChange": false,
	"donorOfRecordChange": false, "thirdPartyObligationChange": false}`

const correctionSample = `{
	"table": "trade_agreement_amendment_records", "at": "` + Now + `", "latestPolicyVersion": 5, "latestRevision": 4,
	"policy": ` + amendmentPolicySample + `,
	"record": {` + amendmentControls + `,
		"transition": "post_lock_correction", "subjectType": "locked_pledge_swap", "amendmentType": "correction",
		"confirmationState": "not_required_for_stage", "changedTerms": ["wording"],
		"effects": ` + noEffects + `
	}
}`

const EveryConfirmable = `["exposureIncrease", "fundsRedirect", "compensationChange", "privacyChange",
	"donorOfRecordChange", "thirdPartyObligationChange"]`

const materialChangeSample = `{
	"table": "trade_agreement_amendment_records", "at": "` + Now + `", "latestPolicyVersion": 5, "latestRevision": 4,
	"policy": ` + amendmentPolicySample + `,
	"record": {` + amendmentControls + `,
		"transition": "pledge_swap_material_change", "subjectType": "locked_pledge_swap",
		"amendmentType": "mutual_modification", "confirmationState": "passed", "changedTerms": ["schedule"],
		"effects": ` + noEffects + `,
		"requiredParties": ["party-a", "party-b"],
		"confirmations": [
			{"partyRef": "party-a", "covers": ` + EveryConfirmable + `, "termsHash": "` + AfterTerms + `",
				"confirmedAt": "2026-06-05T10:00:00Z", "expiresAt": "2026-12-05T10:00:00Z"},
			{"partyRef": "party-b", "covers": ` + EveryConfirmable + `, "termsHash": "` + AfterTerms + `",
				"confirmedAt": "2026-06-06T10:00:00Z", "expiresAt": "2026-12-06T10:00:00Z"}
		]
	}
}`

// The scenes that pass, from which a control is taken away. Together they use every member there is.
func Passing() map[string]Scene {
	gap := Appeal()
	gap.Record()["trigger"], gap.Record()["remedyGap"] = "externality_remedy_gap", "The stream was not restored."
	gap.Record()["standing"].(map[string]any)["category"] = "affected_party"
	gap.Record()["requestedOutcome"] = "record_remedy"
	return map[string]Scene{"appeal": Appeal(), "appeal of an affected party": gap, "correction": Correction(),
		"material change": MaterialChange(), "change of destination": DestinationChange()}
}

func Pause() Scene {
	s := MaterialChange()
	s.Record()["transition"], s.Record()["amendmentType"] = "pause_or_early_termination", "pause"
	for _, c := range s.Record()["confirmations"].([]any) {
		c.(map[string]any)["covers"] = append(c.(map[string]any)["covers"].([]any), "cancellationRightsNarrowed")
	}
	return s
}

func DestinationChange() Scene {
	s := MaterialChange()
	s.Record()["transition"], s.Record()["amendmentType"] = "destination_change", "destination_change"
	s.Record()["destinationReview"] = map[string]any{"completed": true}
	return s
}

// ConfirmationOf is a live confirmation of everything, with other members where they are given.
func ConfirmationOf(party string, members ...any) map[string]any {
	c := map[string]any{"partyRef": party, "covers": []string{"exposureIncrease"}, "termsHash": AfterTerms,
		"confirmedAt": "2026-06-06T10:00:00Z", "expiresAt": "2026-12-06T10:00:00Z"}
	for i := 0; i < len(members); i += 2 {
		c[members[i].(string)] = members[i+1]
	}
	return c
}

func Confirmations(all ...map[string]any) Edit {
	return Set("/record/confirmations", append([]map[string]any{}, all...))
}

// Second is the second party's confirmation.
const Second = "/record/confirmations/1"

// Codes about confirmations.
const (
	Exposure = "exposure_increase_without_confirmation"
	Missing  = "renewed_confirmation_missing"
	Expired  = "renewed_confirmation_stale"
	Mismatch = "participant_confirmation_scope_mismatch"
)

// MailInText is a text with something private in it.
const MailInText = "Write to somebody@example.org about it."
