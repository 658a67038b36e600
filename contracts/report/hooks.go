package report

// The contract test hooks of seed 2.5.4: names that stand in the reports and that the program's own tests answer to.
var (
	appealHooks = []string{
		"challenge_appeal_contract_validator",
		"challenge_appeal_evaluate_route_contract",
		"challenge_appeal_enforce_route_contract",
		"challenge_appeal_enforcement_record_schema_contract",
		"appeal_case_record_contract",
		"appeal_case_fail_closed_evaluator",
		"challenge_appeal_scope_smoke",
		"technical_spec_challenge_appeal_smoke",
	}
	overlapHooks = []string{
		"background_private_overlap_contract_validator",
		"background_private_overlap_governance_gated_route_smoke",
		"background_private_overlap_route_contract_smoke",
		"background_private_overlap_receipt_chain_validator",
	}
	amendmentHooks = []string{
		"agreement_amendment_contract_validator",
		"agreement_amendment_evaluator_fail_closed",
		"agreement_amendment_route_contract",
		"agreement_amendment_enforce_route_contract",
		"agreement_amendment_schema_contract",
		"agreement_amendment_enforcement_record_schema_contract",
		"agreement_amendment_health_contract",
	}
)
