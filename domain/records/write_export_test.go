package records_test

import (
	"docket/domain"
	canonicalform "docket/domain/canonical"
)

// How views and records would be written through encoding/json and the canonical form: the oracle for what writes
// them directly.

// viewDocument is the form in which a view is digested and printed as JSON.
type viewDocument struct {
	Table              domain.Table           `json:"table"`
	ID                 domain.ID              `json:"id"`
	Revision           int64                  `json:"revision"`
	EvaluatedAt        domain.Instant         `json:"evaluatedAt"`
	Gate               domain.Gate            `json:"gate"`
	Blockers           []domain.Blocker       `json:"blockers"`
	Decision           *domain.Decision       `json:"decision,omitempty"`
	ProtectedBoundary  string                 `json:"protectedBoundary,omitempty"`
	BlockedTransitions []domain.GuardedAction `json:"blockedTransitions,omitempty"`
	Sections           []domain.Section       `json:"sections"`
	Redactions         []domain.Redaction     `json:"redactions"`
}

// detourOfView is the view written by a detour.
func detourOfView(v *domain.View) []byte {
	doc := viewDocument{
		Table: v.Table(), ID: v.Key().ID, Revision: v.Key().Number, EvaluatedAt: v.EvaluatedAt(),
		Gate: v.Judgment().Gate(), Blockers: v.Judgment().Blockers(), Sections: v.Sections(), Redactions: v.Redactions(),
	}
	if v.Area() == domain.Appeals {
		decision := domain.DecisionOf(v.Judgment())
		doc.Decision = &decision
	} else {
		doc.ProtectedBoundary = v.Judgment().ProtectedBoundary()
		doc.BlockedTransitions = v.Judgment().BlockedTransitions()
	}
	return canonicalform.JSON(doc)
}

// detourOfRecord is the record written by a detour.
func detourOfRecord(e domain.Enforcement) []byte {
	m := e.Members()
	doc := map[string]any{
		"recordId": m.RecordID, "contractVersion": m.ContractVersion, "rulesVersion": m.RulesVersion,
		"policyId": orNull(m.Policy.ID), "policyVersion": numberOrNull(m.Policy.Number), "policyHash": m.PolicyHash,
		"computedBlockers": m.ComputedBlockers, "reviewerBlockers": m.ReviewerBlockers, "gate": m.Gate,
		"carriedBlockers": m.CarriedBlockers, "reviewer": m.Reviewer,
		"latestPolicyVersion": numberOrNull(m.Latest.PolicyVersion), "latestRevision": numberOrNull(m.Latest.Revision),
		"logHead":    map[string]any{"origin": m.LogHead.Origin, "size": m.LogHead.Size, "root": m.LogHead.Root},
		"supersedes": orNull(m.Supersedes), "packetDigest": m.PacketDigest,
		"sectionsViewed": append([]domain.SectionName{}, m.SectionsViewed...),
		"openedAt":       m.OpenedAt, "evaluatedAt": m.EvaluatedAt, "recordedAt": m.RecordedAt,
		"noteDigest": m.NoteDigest, "statementDigest": m.StatementDigest, "stateMutation": domain.EnforcementMutation,
	}
	if m.Area == domain.Appeals {
		addCase(doc, m)
	} else {
		addAmendment(doc, m)
	}
	return canonicalform.JSON(doc)
}

func addCase(doc map[string]any, m *domain.EnforcementMembers) {
	effect := domain.EffectOf(m.Outcome)
	doc["caseId"], doc["caseRevision"], doc["caseHash"] = m.Key.ID, m.Key.Number, m.ContentHash
	doc["scopeHash"], doc["subject"], doc["subjectId"], doc["trigger"] = m.ScopeHash, m.Subject, orNull(m.SubjectID), m.Trigger
	doc["advisoryOutcome"], doc["requestedOutcome"] = m.Advisory, m.Requested
	doc["preliminaryOutcome"], doc["outcome"], doc["factorCodes"] = m.Preliminary, m.Outcome, m.Factors
	doc["reviewScope"] = domain.ReviewScope(m.Subject)
	doc["provenanceActivity"] = effect.ProvenanceActivity
	doc["traceabilityBusinessStep"] = effect.TraceabilityStep
}

func addAmendment(doc map[string]any, m *domain.EnforcementMembers) {
	doc["amendmentId"], doc["amendmentRevision"], doc["amendmentHash"] = m.Key.ID, m.Key.Number, m.ContentHash
	doc["ownerId"], doc["agreementId"] = orNull(m.OwnerID), orNull(m.AgreementID)
	doc["transition"], doc["subjectType"], doc["amendmentType"] = m.Transition, m.SubjectType, m.AmendmentType
	doc["beforeTermsHash"], doc["afterTermsHash"] = m.BeforeTermsHash, m.AfterTermsHash
	doc["blockedTransitions"] = m.Blocked
}

func orNull[S ~string](s S) any {
	if s == "" {
		return nil
	}
	return s
}

func numberOrNull(n int64) any {
	if n == 0 {
		return nil
	}
	return n
}
