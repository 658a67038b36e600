package report_test

import (
	"strings"
	"testing"

	"docket/contracts/report"
)

// sourceTexts are the texts and tables of the source (2.3.6, 2.3.7, 2.4, 2.5.1, 3.3, 4.3) at their places in the bodies.
var sourceTexts = map[report.Kind]map[string]string{
	report.Appeals: {
		"invariants/0": "An appeal targets only the one specific reviewed item named by its subject.",
		"invariants/1": "Unrelated disagreements are not reopened by default, and no platform-wide ranking is produced.",
		"invariants/2": "Standing is explicit for each category; an affected party needs a privacy-safe summary.",
		"invariants/3": "An adverse decision that carries correction rights needs an appeal case with notice, deadline, scope hash, evidence scope, non-retaliation and neutral-review fields.",
		"invariants/4": "An appeal case never silently reopens a settled obligation, waives a safety blocker, changes a parent record, or shows private details before redaction.",
		"invariants/5": "An appeal about an externality remedy names the remedy gap before reliance, completion badges or public reputation claims proceed.",
		"invariants/6": "A requested outcome is advisory and must fit the trigger before routing.",
		"invariants/7": "Private details, exact wishes, contact data, raw notes and sensitive constraints are redacted before reviewer routing.",
		"invariants/8": "Every challenge or appeal packet names a provenance activity, a traceability step, reason codes and a human reviewer scope.",
		"invariants/9": "Safety blocking, matching disclosure, reviewed completion and dispute resolution remain human-controlled.",
		"enforcementRule": "The route evaluates frozen appeal policies and appeal cases. Reliance on a correction to an adverse decision requires such an enforcement record. " +
			"The record cannot open appeals, correct records, allow reliance, waive safety blockers, reopen settled obligations or publish public metrics. The fail-closed conditions in failClosedStatuses apply.",
		"sampleDecision/status":                   "ready_for_human_review",
		"sampleDecision/outcome":                  "open_challenge_window",
		"sampleDecision/humanReviewRequired":      "true",
		"sampleDecision/stateMutation":            "false",
		"sampleDecision/standingAccepted":         "true",
		"sampleDecision/reviewScope":              "evidence_row",
		"sampleDecision/provenanceActivity":       "challenge_window_opened",
		"sampleDecision/traceabilityBusinessStep": "challenge_opened",
		"sampleDecision/blockers":                 "",
	},
	report.Overlap: {
		"namespaceRules/0":  "key=exact_capability_tag label=Exact capability tag allowedSource=approved exact capability tags only rawValueRetention=forbidden storedRepresentation=blinded_token_only",
		"namespaceRules/1":  "key=exact_constraint_tag label=Exact constraint tag allowedSource=approved exact constraint tags only rawValueRetention=forbidden storedRepresentation=blinded_token_only",
		"namespaceRules/2":  "key=exact_verification_tag label=Exact verification tag allowedSource=approved exact verification tags only rawValueRetention=forbidden storedRepresentation=blinded_token_only",
		"participantOutput": "allowed=result_bucket receipt_id blockers forbidden=matching_tag_names non_overlap_tags raw_tokens counterparty_tag_set",
		"plannedEndpoints": "method=POST path=/api/background/private-overlap/check status=governance_gated " +
			"method=POST path=/api/background/private-overlap/refresh-tokens status=blocked_pending_crypto_review " +
			"method=DELETE path=/api/background/private-overlap/tokens status=blocked_pending_crypto_review",
		"requiredReviews": "a DPIA with a documented privacy-design review a formal cryptographic design review a narrow threat-model and abuse-case review " +
			"an external security/privacy review before the pilot property tests for non-overlap redaction and token deletion",
		"fallbackBehavior": "When the private-overlap service is unavailable, unreviewed or disabled, the current deterministic broad-preview matching is used.",
	},
	report.Amendments: {
		"privacyRule": "Public contract responses never carry private narratives, participant identities, confirmation payloads, reviewer notes, payment details, private baselines or counterparty-specific terms.",
		"failClosedRule": "Each of the failClosedStatuses is a fail-closed condition: when it holds, the gate is blocked and the action it guards does not proceed. " +
			"A parent-record edit is not an amendment and is itself a blocking condition.",
		"enforcementRule": "A record can prove that a gate is pass or blocked. A record cannot apply an amendment, edit a parent record, authorize a material change, " +
			"authorize payment, authorize reliance or publish public metrics. The fail-closed conditions in failClosedStatuses apply.",
		"transitionDefinitions/0": definition("donation_offset_material_change", "A locked donation offset cannot change amount, ratio, baseline, destination, donor treatment, evidence standard or remedy by editing parent records.",
			"payment_capture public_completed_claim payout_release"),
		"transitionDefinitions/1": definition("pledge_swap_material_change", "A locked pledge swap needs append-only amendment records, renewed confirmations and neutral review before a burden-shifting change can bear reliance.",
			"performance_start matched_trade_lock_update reliance_bearing_preview"),
		"transitionDefinitions/2": definition("post_lock_correction", "A correction may only clarify terms, and only when before/after hashes show no retroactive performance change and no evidence-claim change.",
			"terms_snapshot_update evidence_acceptance cleared_agreement_update"),
		"transitionDefinitions/3": definition("pause_or_early_termination", "A pause or early termination cannot narrow cancellation rights, redirect funds or change compensation without confirmation by the affected parties and neutral review where required.",
			"performance_pause early_termination refund_or_carry_forward"),
		"transitionDefinitions/4": definition("evidence_standard_change", "After lock, an evidence standard cannot change so as to turn old evidence into a different claim type.",
			"evidence_review impact_claim_publication breach_remedy"),
		"transitionDefinitions/5": definition("destination_change", "Needs renewed confirmation, policy snapshots, notice and recipient/destination review before capture, payout or public money claims.",
			"payment_capture destination_reuse public_money_metric"),
	},
}

func definition(key, boundary, blocks string) string {
	return "key=" + key + " protectedBoundary=" + boundary +
		" requiredRecords=trade_agreement_amendment_policies trade_agreement_amendment_records blocksTransitions=" + blocks
}

// within follows names and indexes separated by slashes.
func (n node) within(t *testing.T, place string) node {
	t.Helper()
	for _, step := range strings.Split(place, "/") {
		if n.array {
			n = n.members[step[0]-'0']
		} else {
			n = n.member(t, step)
		}
	}
	return n
}

func TestTheBodiesHaveTheTextsOfTheSource(t *testing.T) {
	for kind, places := range sourceTexts {
		body := decoded(t, published(t, kind)).member(t, "publicContract")
		for place, want := range places {
			if got := body.within(t, place).flat(); got != want {
				t.Errorf("%s: %s is %q, want %q", kind, place, got, want)
			}
		}
		for _, list := range []string{"invariants", "transitionDefinitions", "namespaceRules"} {
			want := map[string]int{"invariants": 10, "transitionDefinitions": 6, "namespaceRules": 3}[list]
			for _, name := range body.names {
				if name == list && len(body.member(t, name).members) != want {
					t.Errorf("%s: %s has %d entries, want %d", kind, name, len(body.member(t, name).members), want)
				}
			}
		}
	}
}

func TestTheTransitionDefinitionCheckStatesTwoRecordsForEachTransition(t *testing.T) {
	for _, check := range made(t, report.Amendments).Checks {
		if check.ID != "transition-definition-coverage" {
			continue
		}
		want := "donation_offset_material_change: 2 required records, pledge_swap_material_change: 2 required records, " +
			"post_lock_correction: 2 required records, pause_or_early_termination: 2 required records, " +
			"evidence_standard_change: 2 required records, destination_change: 2 required records"
		if check.Evidence != want {
			t.Errorf("the evidence is %q", check.Evidence)
		}
	}
}

func TestTheOverlapReportListsFourConditionsAndClaimsNothing(t *testing.T) {
	root := decoded(t, published(t, report.Overlap))
	if n := len(root.member(t, "publicContract").member(t, "blockedUntil").members); n != 4 {
		t.Errorf("blockedUntil has %d conditions", n)
	}
	if !strings.Contains(root.member(t, "publicNonClaim").text, "not live") {
		t.Error("publicNonClaim does not say that the pilot is not live")
	}
}
