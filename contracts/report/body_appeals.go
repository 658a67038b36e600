package report

import (
	"docket/domain"
	"docket/domain/ordered"
)

// What only the appeals report states, in the words of seed 1, 2.3 and 4.1.
const (
	appealPurpose = "Scopes each appeal to one specific reviewed item, covers standing, triggers and advisory outcomes, " +
		"requires human review before any state change, and fails closed when appeal-case controls are missing."
	decisioningMode       = "deterministic_challenge_appeal_scope_only"
	appealEnforcementRule = "The route evaluates frozen appeal policies and appeal cases. Reliance on a correction to an " +
		"adverse decision requires such an enforcement record. The record cannot open appeals, correct records, allow " +
		"reliance, waive safety blockers, reopen settled obligations or publish public metrics. Fail-closed conditions apply."
)

// appealBody is the body of seed 2.3.
func appealBody() (ordered.Object, error) {
	decision, evaluations, err := judgeAppealSamples()
	if err != nil {
		return nil, err
	}
	return ordered.Of(
		"decisioningMode", decisioningMode,
		"stateMutation", false,
		"subjects", domain.Subjects.Texts(),
		"standingCategories", domain.StandingCategories.Texts(),
		"appealTriggers", domain.Triggers.Texts(),
		"allowedOutcomes", domain.Outcomes.Texts(),
		"firstClassRecordTables", packetTables(domain.Appeals),
		"policySnapshotSubjects", []string{domain.SnapshotAppealCase.String()},
		"enforcementRule", appealEnforcementRule,
		"enforcementRecordTables", []string{domain.EnforcementTable(domain.Appeals).String()},
		"enforcementRoute", enforcementRoute(appealRoutePath),
		"appealCaseStatuses", domain.CaseStatuses.Texts(),
		"noticeStates", domain.NoticeStates.Texts(),
		"failClosedStatuses", failClosedStatuses(domain.Appeals),
		"approvedFactorCodes", domain.FactorCodes.Texts(),
		"invariants", domain.Invariants(),
		"sampleDecision", decisionObject(decision),
		"appealCaseSampleEvaluationStatuses", evaluations,
		"contractTests", appealHooks,
	), nil
}

// packetTables are the tables of the first-class records of an area: its policies and what they judge.
func packetTables(area domain.Area) []string {
	return []string{domain.PolicyTable(area).String(), domain.RecordTable(area).String()}
}

// failClosedStatuses are the codes of an area's rule book, in its order (seed 7).
func failClosedStatuses(area domain.Area) []string {
	var codes []string
	for _, rule := range domain.RuleBook(area) {
		codes = append(codes, rule.Code.String())
	}
	return codes
}

// decisionObject writes a decision out as seed 2.3.7 lists its members.
func decisionObject(d domain.Decision) ordered.Object {
	return ordered.Of(
		"status", d.Status.String(),
		"outcome", d.Outcome.String(),
		"factorCodes", texts(d.FactorCodes),
		"humanReviewRequired", d.HumanReviewRequired,
		"stateMutation", d.StateMutation,
		"standingAccepted", d.StandingAccepted,
		"reviewScope", texts(d.ReviewScope),
		"requiredArtifacts", d.RequiredArtifacts,
		"privacyActions", d.PrivacyActions,
		"provenanceActivity", d.ProvenanceActivity,
		"traceabilityBusinessStep", d.TraceabilityStep,
		"appealScopeStatement", d.AppealScopeStatement,
		"blockers", texts(d.Blockers),
	)
}
