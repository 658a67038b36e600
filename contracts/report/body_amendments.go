package report

import (
	"docket/domain"
	"docket/domain/ordered"
)

// What only the amendments report states, in the words of seed 1, 4.2 and 7.
const (
	amendmentPurpose = "Fail-closed rules for changing locked donation offsets and pledge swaps after lock: append-only " +
		"amendment records, before/after term hashes, renewed confirmations, non-retroactivity, notice, reviewer quality, " +
		"baseline integrity, neutral review."
	privacyRule = "Public contract responses never carry private narratives, participant identities, confirmation payloads, " +
		"reviewer notes, payment details, private baselines or counterparty-specific terms."
	failClosedRule           = domain.FailClosedText + " " + domain.ParentRecordText
	amendmentEnforcementRule = "A record can prove that a gate is pass or blocked. A record cannot apply an amendment, edit " +
		"a parent record, authorize a material change, authorize payment, authorize reliance or publish public metrics. " +
		"Fail-closed conditions apply."
)

// amendmentBody is the body of seed 2.5.
func amendmentBody() (ordered.Object, error) {
	evaluations, err := judgeAmendmentSamples()
	if err != nil {
		return nil, err
	}
	return ordered.Of(
		"privacyRule", privacyRule,
		"failClosedRule", failClosedRule,
		"enforcementRule", amendmentEnforcementRule,
		"firstClassRecordTables", packetTables(domain.Amendments),
		"enforcementRecordTables", []string{domain.EnforcementTable(domain.Amendments).String()},
		"enforcementRoute", enforcementRoute(amendmentRoutePath),
		"policySnapshotSubjects", []string{domain.SnapshotAgreementAmendment.String()},
		"transitions", domain.Transitions.Texts(),
		"subjectTypes", domain.SubjectTypes.Texts(),
		"amendmentTypes", domain.AmendmentTypes.Texts(),
		"amendmentStates", domain.AmendmentStates.Texts(),
		"confirmationStates", domain.ConfirmationStates.Texts(),
		"failClosedStatuses", failClosedStatuses(domain.Amendments),
		"transitionDefinitions", transitionDefinitions(),
		"agreementAmendmentSampleEvaluationStatuses", evaluations,
		"contractTests", amendmentHooks,
	), nil
}

// transitionDefinitions is seed 2.5.1: every transition needs a record of both amendment tables.
func transitionDefinitions() []ordered.Object {
	var list []ordered.Object
	for _, definition := range domain.TransitionDefinitions() {
		list = append(list, ordered.Of(
			"key", definition.Key.String(),
			"protectedBoundary", definition.ProtectedBoundary,
			"requiredRecords", packetTables(domain.Amendments),
			"blocksTransitions", texts(definition.Blocks),
		))
	}
	return list
}
