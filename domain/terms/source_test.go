package terms_test

import (
	"docket/domain/internal/domaintest"
	"docket/domain/queue"
	"docket/domain/terms"
)

// vocabulary is what the tests ask of any Vocabulary.
type vocabulary struct {
	name  string
	words []string // as the code lists them
	want  string   // as the source and the specification list them
}

func of[V interface {
	Name() string
	Texts() []string
}](v V, want string) vocabulary {
	return vocabulary{v.Name(), v.Texts(), want}
}

// vocabularies are all closed vocabularies, written out from the source (2.3, 2.5, 3, 7) and, where it has none, from
// the specification. Columns are words.
func vocabularies() []vocabulary {
	return []vocabulary{
		of(terms.Subjects, `claim evidence_row baseline_concern disclosure_decision externality_trigger
			completion_state policy_flag`),
		of(terms.StandingCategories, `participant counterparty affected_party reviewer admin_safety external_verifier`),
		of(terms.Triggers, `duplicate_proof coercive_baseline wrong_scope_evidence material_factual_error
			privacy_disclosure_error externality_remedy_gap reviewer_conflict policy_misapplied`),
		of(terms.Outcomes, `uphold_decision request_evidence route_human_review open_challenge_window block_reliance
			record_remedy close_unresolved correct_record`),
		of(terms.FactorCodes, `specific_reviewed_claim standing_established affected_party_standing
			evidence_scope_named duplicate_proof_review coercive_baseline_review wrong_scope_evidence_review
			material_factual_error_review privacy_disclosure_review externality_remedy_review reviewer_conflict_review
			policy_flag_review challenge_window_required human_review_required no_unrelated_moral_disagreement
			provenance_activity_required private_details_redacted`),
		of(terms.CaseStatuses, `draft filed noticed under_neutral_review correction_requested upheld corrected dismissed
			closed_unresolved superseded stale`),
		of(terms.NoticeStates, `missing queued delivered failed not_required_for_stage`),
		of(terms.Transitions, `donation_offset_material_change pledge_swap_material_change post_lock_correction
			pause_or_early_termination evidence_standard_change destination_change`),
		of(terms.GuardedActions, domaintest.EveryAction),
		of(terms.SubjectTypes, `locked_donation_offset locked_pledge_swap matched_trade_lock_proposal
			cleared_trade_agreement`),
		of(terms.AmendmentTypes, `correction mutual_modification pause early_termination evidence_standard_change
			schedule_change compensation_change destination_change baseline_correction privacy_change other`),
		of(terms.AmendmentStates, `draft presented confirmed approved applied rejected withdrawn superseded stale`),
		of(terms.ConfirmationStates, `missing stale scope_mismatch passed not_required_for_stage`),
		of(terms.DecisionStatuses, `ready_for_human_review blocked`),
		of(terms.AppealPolicyStatuses, `draft frozen superseded retired`),
		of(terms.AmendmentPolicyStatuses, `draft frozen stale superseded`),
		of(terms.RedactionStatuses, `redacted pending`),
		of(terms.RequestedEffects, `waive_safety_blocker reopen_settled_obligation change_parent_record
			show_private_details`),
		of(terms.ChangedTerms, `wording amount ratio baseline destination donor_treatment evidence_standard remedy
			schedule compensation privacy cancellation`),
		of(terms.Effects, `retroactivePerformance evidenceClaimRetyped exposureIncrease fundsRedirect
			compensationChange cancellationRightsNarrowed privacyChange donorOfRecordChange thirdPartyObligationChange`),
		of(terms.PrivateCategories, `private_narrative participant_identity confirmation_payload reviewer_note
			payment_detail private_baseline counterparty_terms exact_wish contact_data sensitive_constraint other`),
		of(terms.Roles, `neutral_reviewer safety_admin`),
		of(terms.SnapshotSubjects, `appeal_case agreement_amendment`),
		of(terms.Tables, `trade_appeal_policies trade_appeal_cases trade_agreement_amendment_policies
			trade_agreement_amendment_records trade_challenge_appeal_enforcement_records
			trade_agreement_amendment_enforcement_records`),
		of(terms.Areas, `appeals amendments`),
		of(queue.SortOrders, `deadline -deadline blockers -blockers id -id arrival -arrival`),
	}
}
