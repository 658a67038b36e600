package selftest

import (
	"context"

	"docket/contracts/report"
	"docket/domain"
)

// A Hook is one contract test of seed 2.5.4.
type Hook struct {
	Name   string
	Kind   report.Kind // the contract that names it
	Checks string      // what it checks, one clause
	run    check
}

// A check looks at a part of the program. It returns its evidence, or what is not as it has to be.
type check func(ctx context.Context, b *bench) (evidence string, err error)

// hooks is the one table of hooks, in the order of the reports.
var hooks = [...]Hook{
	{"challenge_appeal_contract_validator", report.Appeals,
		"the published contract passes its checks and its schema, and a copy without any one code does not",
		contractValidator(report.Appeals)},
	{"challenge_appeal_evaluate_route_contract", report.Appeals,
		"an evaluation has the members of the contract, is the same every time, refuses what it cannot read and writes nothing",
		evaluateRoute(domain.Appeals)},
	{"challenge_appeal_enforce_route_contract", report.Appeals,
		"recording appends one row, once, changes no packet, and allows no reliance on a case with blockers",
		enforceRoute(domain.Appeals)},
	{"challenge_appeal_enforcement_record_schema_contract", report.Appeals,
		"the record table is strict, has a column for each member and takes no change, and records are read strictly",
		recordSchema(domain.Appeals)},
	{"appeal_case_record_contract", report.Appeals,
		"schema and reader take the sample case and policy and refuse what is missing, unknown, double or of a wrong type",
		packetSchema(domain.Appeals)},
	{"appeal_case_fail_closed_evaluator", report.Appeals,
		"whatever is taken away is refused or blocks, and every fail-closed code is reached",
		failClosed(domain.Appeals)},
	{"challenge_appeal_scope_smoke", report.Appeals,
		"an appeal is about its one subject, and what reaches beyond it blocks",
		appealScope},
	{"technical_spec_challenge_appeal_smoke", report.Appeals,
		"a packet goes the whole way to a signed, logged, exported and verified record that judges the same again",
		wholeWay},
	{"background_private_overlap_contract_validator", report.Overlap,
		"the published contract passes its checks and its schema, and a copy without any one code does not",
		contractValidator(report.Overlap)},
	{"background_private_overlap_governance_gated_route_smoke", report.Overlap,
		"all planned routes answer blocked, with 403 at the service, and no review can be anything but open",
		overlapGate},
	{"background_private_overlap_route_contract_smoke", report.Overlap,
		"an answer has its three members only, and whatever a request may not hold is refused without an echo",
		overlapRoute},
	{"background_private_overlap_receipt_chain_validator", report.Overlap,
		"a chain of receipts verifies, one that was edited, replaced, moved or removed from between is found, and none is stored",
		receiptChain},
	{"agreement_amendment_contract_validator", report.Amendments,
		"the published contract passes its checks and its schema, and a copy without any one code does not",
		contractValidator(report.Amendments)},
	{"agreement_amendment_evaluator_fail_closed", report.Amendments,
		"whatever is taken away is refused or blocks, and every fail-closed code is reached",
		failClosed(domain.Amendments)},
	{"agreement_amendment_route_contract", report.Amendments,
		"an evaluation has the members of the contract and holds back exactly what each transition blocks",
		evaluateRoute(domain.Amendments)},
	{"agreement_amendment_enforce_route_contract", report.Amendments,
		"recording appends one row for the packet's owner, once, changes no packet, and passes no gate with blockers",
		enforceRoute(domain.Amendments)},
	{"agreement_amendment_schema_contract", report.Amendments,
		"schema and reader take the sample amendment and policy and refuse what is missing, unknown, double or of a wrong type",
		packetSchema(domain.Amendments)},
	{"agreement_amendment_enforcement_record_schema_contract", report.Amendments,
		"the record table is strict, has a column for each member and takes no change, and records are read strictly",
		recordSchema(domain.Amendments)},
	{"agreement_amendment_health_contract", report.Amendments,
		"a sound store is well, a damaged or missing one is not, and neither answer identifies anyone",
		amendmentHealth},
}

// Hooks lists the hooks in the order of the reports.
func Hooks() []Hook { return append([]Hook(nil), hooks[:]...) }
