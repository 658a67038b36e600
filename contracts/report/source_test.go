package report_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"docket/contracts/report"
)

// sourceMember is a member of a body as the source has it: an array of codes, or one code or boolean. Members with texts
// of their own stand in sourceTexts.
type sourceMember struct{ name, words string }

// The members of the bodies in the order of the source's tables (2.3, 2.4, 2.5), with their words (2.3, 2.4, 2.5, 3, 7).
var sourceBodies = map[report.Kind][]sourceMember{
	report.Appeals: {
		{"decisioningMode", `deterministic_challenge_appeal_scope_only`},
		{"stateMutation", `false`},
		{"subjects", `claim evidence_row baseline_concern disclosure_decision externality_trigger completion_state policy_flag`},
		{"standingCategories", `participant counterparty affected_party reviewer admin_safety external_verifier`},
		{"appealTriggers", `duplicate_proof coercive_baseline wrong_scope_evidence material_factual_error
			privacy_disclosure_error externality_remedy_gap reviewer_conflict policy_misapplied`},
		{"allowedOutcomes", `uphold_decision request_evidence route_human_review open_challenge_window block_reliance
			record_remedy close_unresolved correct_record`},
		{"firstClassRecordTables", `trade_appeal_policies trade_appeal_cases`},
		{"policySnapshotSubjects", `appeal_case`},
		{"enforcementRule", ""},
		{"enforcementRecordTables", `trade_challenge_appeal_enforcement_records`},
		{"enforcementRoute", `method=POST path=/api/trade/challenge-appeal/enforce auth=authenticated
			stateMutation=append_only_enforcement_record`},
		{"appealCaseStatuses", `draft filed noticed under_neutral_review correction_requested upheld corrected dismissed
			closed_unresolved superseded stale`},
		{"noticeStates", `missing queued delivered failed not_required_for_stage`},
		{"failClosedStatuses", `appeal_policy_missing appeal_policy_not_current appeal_case_missing appeal_case_stale
			appeal_case_superseded standing_missing notice_missing deadline_missing deadline_expired
			neutral_review_missing scope_missing private_details_unredacted safety_blocker_waiver_attempted
			settled_obligation_reopen_attempted non_retaliation_missing evidence_scope_missing invalid_case_hash
			invalid_policy_hash`},
		{"approvedFactorCodes", `specific_reviewed_claim standing_established affected_party_standing evidence_scope_named
			duplicate_proof_review coercive_baseline_review wrong_scope_evidence_review material_factual_error_review
			privacy_disclosure_review externality_remedy_review reviewer_conflict_review policy_flag_review
			challenge_window_required human_review_required no_unrelated_moral_disagreement
			provenance_activity_required private_details_redacted`},
		{"invariants", ""},
		{"sampleDecision", ""},
		{"appealCaseSampleEvaluationStatuses", `evidence_row:wrong_scope_evidence:pass=pass
			evidence_row:wrong_scope_evidence:blocked=blocked`},
		{"contractTests", `challenge_appeal_contract_validator challenge_appeal_evaluate_route_contract
			challenge_appeal_enforce_route_contract challenge_appeal_enforcement_record_schema_contract
			appeal_case_record_contract appeal_case_fail_closed_evaluator challenge_appeal_scope_smoke
			technical_spec_challenge_appeal_smoke`},
	},
	report.Overlap: {
		{"releaseState", `governance_gated_pilot`},
		{"liveEndpointEnabled", `false`},
		{"liveReady", `false`},
		{"storageState", `pilot_schema_created`},
		{"namespaceRules", ""},
		{"forbiddenInputs", `free_text exact_wish exact_ask raw_source_text contact_details precise_location`},
		{"forbiddenStoredFields", `raw_tag canonical_tag raw_text exact_private_wish non_overlap_value`},
		{"futureStoredFields", `blinded_tag token_version tag_namespace expires_at audit_reason`},
		{"participantOutput", ""},
		{"plannedEndpoints", ""},
		{"blockedUntil", ""},
		{"requiredReviews", ""},
		{"fallbackBehavior", ""},
		{"contractTests", `background_private_overlap_contract_validator
			background_private_overlap_governance_gated_route_smoke background_private_overlap_route_contract_smoke
			background_private_overlap_receipt_chain_validator`},
	},
	report.Amendments: {
		{"privacyRule", ""},
		{"failClosedRule", ""},
		{"enforcementRule", ""},
		{"firstClassRecordTables", `trade_agreement_amendment_policies trade_agreement_amendment_records`},
		{"enforcementRecordTables", `trade_agreement_amendment_enforcement_records`},
		{"enforcementRoute", `method=POST path=/api/trade/agreement-amendments/enforce auth=authenticated
			stateMutation=append_only_enforcement_record`},
		{"policySnapshotSubjects", `agreement_amendment`},
		{"transitions", `donation_offset_material_change pledge_swap_material_change post_lock_correction
			pause_or_early_termination evidence_standard_change destination_change`},
		{"subjectTypes", `locked_donation_offset locked_pledge_swap matched_trade_lock_proposal cleared_trade_agreement`},
		{"amendmentTypes", `correction mutual_modification pause early_termination evidence_standard_change schedule_change
			compensation_change destination_change baseline_correction privacy_change other`},
		{"amendmentStates", `draft presented confirmed approved applied rejected withdrawn superseded stale`},
		{"confirmationStates", `missing stale scope_mismatch passed not_required_for_stage`},
		{"failClosedStatuses", `policy_missing policy_mutable policy_stale policy_superseded amendment_missing
			amendment_unconfirmed amendment_not_approved amendment_not_applied amendment_rejected_or_withdrawn
			amendment_stale amendment_superseded parent_record_edit_detected retroactive_performance_change
			evidence_claim_retyped exposure_increase_without_confirmation funds_redirect_without_confirmation
			compensation_change_without_confirmation cancellation_rights_narrowed privacy_change_without_confirmation
			donor_of_record_change_without_confirmation third_party_obligation_change_without_confirmation
			renewed_confirmation_missing renewed_confirmation_stale participant_confirmation_scope_mismatch
			neutral_review_missing notice_missing reviewer_quality_missing baseline_integrity_missing
			before_terms_hash_missing after_terms_hash_missing policy_snapshot_bundle_missing invalid_amendment_hash
			invalid_policy_hash`},
		{"transitionDefinitions", ""},
		{"agreementAmendmentSampleEvaluationStatuses", `post_lock_correction=pass pledge_swap_material_change=blocked`},
		{"contractTests", `agreement_amendment_contract_validator agreement_amendment_evaluator_fail_closed
			agreement_amendment_route_contract agreement_amendment_enforce_route_contract
			agreement_amendment_schema_contract agreement_amendment_enforcement_record_schema_contract
			agreement_amendment_health_contract`},
	},
}

// sourceChecks are the check ids of 2.6.
var sourceChecks = map[report.Kind]string{
	report.Appeals: `subject-coverage standing-coverage trigger-and-outcome-coverage first-class-record-coverage
		enforcement-record-coverage appeal-case-state-coverage appeal-case-fail-closed-coverage
		sample-decision-validation sample-appeal-case-evaluations narrow-appeal-scope remedy-and-human-control
		no-silent-reopen-or-safety-waiver privacy-and-provenance nonmutating-decision-mode contract-tests`,
	report.Overlap: `governance-gated-release-state review-gates curated-tags-only raw-values-forbidden
		future-storage-is-blinded-only blocked-live-endpoints counts-only-output deterministic-fallback`,
	report.Amendments: `record-table-coverage enforcement-record-table-coverage enforcement-route-coverage
		policy-subject-coverage transition-coverage subject-type-coverage amendment-type-coverage
		amendment-state-coverage fail-closed-coverage transition-definition-coverage sample-evaluation-coverage
		contract-test-coverage`,
}

// sourceVersions is the table of section 9.
var sourceVersions = map[report.Kind][3]string{
	report.Appeals: {"trade-challenge-appeal-v0.3", "trade-challenge-appeal-contract", "trade-challenge-appeal-validator-v0.1"},
	report.Overlap: {"background-private-overlap-pilot-v0.2-2026-06", "background-private-overlap-design",
		"background-private-overlap-validator-v0.2"},
	report.Amendments: {"trade-agreement-amendments-v0.1-2026-06", "trade-agreement-amendments-contract",
		"trade-agreement-amendments-validator-v0.1"},
}

// A node is JSON with the order of its members kept.
type node struct {
	names   []string // of an object
	members []node   // of an object or an array
	text    string   // of a scalar
	array   bool
}

func (n node) member(t *testing.T, name string) node {
	t.Helper()
	i := slices.Index(n.names, name)
	if i < 0 {
		t.Fatalf("there is no member %s", name)
	}
	return n.members[i]
}

// flat writes codes with blanks between, and the members of an object as name=code.
func (n node) flat() string {
	if n.names == nil && !n.array {
		return n.text
	}
	var parts []string
	for i, inside := range n.members {
		if n.names != nil {
			parts = append(parts, n.names[i]+"="+inside.flat())
		} else {
			parts = append(parts, inside.flat())
		}
	}
	return strings.Join(parts, " ")
}

func decoded(t *testing.T, text []byte) node {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	n := decodedNext(t, decoder)
	if decoder.More() {
		t.Fatal("more than one value")
	}
	return n
}

func decodedNext(t *testing.T, d *json.Decoder) node {
	t.Helper()
	token, err := d.Token()
	must(t, err)
	delim, container := token.(json.Delim)
	if !container {
		text, _ := json.Marshal(token)
		return node{text: strings.Trim(string(text), `"`)}
	}
	n := node{array: delim == '['}
	for d.More() {
		if !n.array {
			name, err := d.Token()
			must(t, err)
			n.names = append(n.names, name.(string))
		}
		n.members = append(n.members, decodedNext(t, d))
	}
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
	return n
}

func joined(list string) string { return strings.Join(strings.Fields(list), " ") }

func TestTheEnvelopeHasTheMembersOfTheSourceInItsOrder(t *testing.T) {
	for _, kind := range report.Kinds() {
		root := decoded(t, published(t, kind))
		outer := "ok checkedAt contractVersion purpose validation publicContract blockers"
		inner := "status validatorName validatorVersion contractVersion checks blockers"
		if kind == report.Overlap {
			outer, inner = outer+" publicNonClaim", inner+" liveReady"
		}
		validation := root.member(t, "validation")
		if got := strings.Join(root.names, " "); got != outer {
			t.Errorf("%s: the report has %s", kind, got)
		}
		if got := strings.Join(validation.names, " "); got != inner {
			t.Errorf("%s: validation has %s", kind, got)
		}
		version := sourceVersions[kind]
		for name, want := range map[string]string{"contractVersion": version[0], "validatorName": version[1],
			"validatorVersion": version[2], "status": "pass", "blockers": ""} {
			if got := validation.member(t, name).flat(); got != want {
				t.Errorf("%s: validation has %s %q, want %q", kind, name, got, want)
			}
		}
		for name, want := range map[string]string{"ok": "true", "checkedAt": "2026-07-01T00:00:00Z", "contractVersion": version[0],
			"blockers": ""} {
			if got := root.member(t, name).flat(); got != want {
				t.Errorf("%s: %s is %q, want %q", kind, name, got, want)
			}
		}
		if kind == report.Overlap && validation.member(t, "liveReady").text != "false" {
			t.Error("the overlap report is ready to go live")
		}
	}
}

func TestTheBodiesHaveTheMembersAndWordsOfTheSourceInItsOrder(t *testing.T) {
	for kind, members := range sourceBodies {
		body := decoded(t, published(t, kind)).member(t, "publicContract")
		var names []string
		for _, member := range members {
			names = append(names, member.name)
			if got := body.member(t, member.name).flat(); member.words != "" && got != joined(member.words) {
				t.Errorf("%s: %s is %q, want %q", kind, member.name, got, joined(member.words))
			}
		}
		if !slices.Equal(body.names, names) {
			t.Errorf("%s: the body has %v, want %v", kind, body.names, names)
		}
	}
}

func TestTheChecksAreThoseOfTheSourceInItsOrderAndAllPassWithEvidence(t *testing.T) {
	for kind, want := range sourceChecks {
		var ids []string
		for _, check := range decoded(t, published(t, kind)).member(t, "validation").member(t, "checks").members {
			if got := strings.Join(check.names, " "); got != "id label status evidence" {
				t.Errorf("%s: a check has %s", kind, got)
			}
			ids = append(ids, check.member(t, "id").text)
			if check.member(t, "status").text != "pass" || check.member(t, "label").text == "" || check.member(t, "evidence").text == "" {
				t.Errorf("%s: %s does not pass, or has no label or evidence", kind, check.member(t, "id").text)
			}
		}
		if got := strings.Join(ids, " "); got != joined(want) {
			t.Errorf("%s: the checks are %s", kind, got)
		}
	}
}
