package records_test

import (
	canonicalform "docket/domain/canonical"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
)

// How views and records would be written through encoding/json and the canonical form: the oracle for what writes
// them directly.

// viewDocument is the form in which a view is digested and printed as JSON.
type viewDocument struct {
	Table              terms.Table           `json:"table"`
	ID                 terms.ID              `json:"id"`
	Revision           int64                 `json:"revision"`
	EvaluatedAt        terms.Instant         `json:"evaluatedAt"`
	Gate               terms.Gate            `json:"gate"`
	Blockers           []terms.Blocker       `json:"blockers"`
	Decision           *views.Decision       `json:"decision,omitempty"`
	ProtectedBoundary  string                `json:"protectedBoundary,omitempty"`
	BlockedTransitions []terms.GuardedAction `json:"blockedTransitions,omitempty"`
	Sections           []views.Section       `json:"sections"`
	Redactions         []packets.Redaction   `json:"redactions"`
}

// detourOfView is the view written by a detour.
func detourOfView(v *views.View) []byte {
	doc := viewDocument{
		Table: v.Table(), ID: v.Key().ID, Revision: v.Key().Number, EvaluatedAt: v.EvaluatedAt(),
		Gate: v.Evaluation().Gate(), Blockers: v.Evaluation().Blockers(), Sections: v.Sections(), Redactions: v.Redactions(),
	}
	if v.Area() == terms.Appeals {
		decision := views.DecisionOf(v.Evaluation())
		doc.Decision = &decision
	} else {
		doc.ProtectedBoundary = v.Evaluation().ProtectedBoundary()
		doc.BlockedTransitions = v.Evaluation().BlockedTransitions()
	}
	return canonicalform.JSON(doc)
}

// detourOfRecord is the record written by a detour.
func detourOfRecord(e records.Enforcement) []byte {
	m := e.Members()
	doc := map[string]any{
		"recordId": m.RecordID, "contractVersion": m.ContractVersion, "rulesVersion": m.RulesVersion,
		"policyId": orNull(m.Policy.ID), "policyVersion": numberOrNull(m.Policy.Number), "policyHash": m.PolicyHash,
		"computedBlockers": m.ComputedBlockers, "reviewerBlockers": m.ReviewerBlockers, "gate": m.Gate,
		"carriedBlockers": m.CarriedBlockers, "reviewer": m.Reviewer,
		"latestPolicyVersion": numberOrNull(m.Latest.PolicyVersion), "latestRevision": numberOrNull(m.Latest.Revision),
		"logHead":    map[string]any{"origin": m.LogHead.Origin, "size": m.LogHead.Size, "root": m.LogHead.Root},
		"supersedes": orNull(m.Supersedes), "packetDigest": m.PacketDigest,
		"sectionsViewed": append([]views.SectionName{}, m.SectionsViewed...),
		"openedAt":       m.OpenedAt, "evaluatedAt": m.EvaluatedAt, "recordedAt": m.RecordedAt,
		"noteDigest": m.NoteDigest, "statementDigest": m.StatementDigest, "stateMutation": records.EnforcementMutation,
	}
	if m.Area == terms.Appeals {
		addCase(doc, m)
	} else {
		addAmendment(doc, m)
	}
	return canonicalform.JSON(doc)
}

func addCase(doc map[string]any, m *records.Members) {
	effect := views.EffectOf(m.Outcome)
	doc["caseId"], doc["caseRevision"], doc["caseHash"] = m.Key.ID, m.Key.Number, m.ContentHash
	doc["scopeHash"], doc["subject"], doc["subjectId"], doc["trigger"] = m.ScopeHash, m.Subject, orNull(m.SubjectID), m.Trigger
	doc["advisoryOutcome"], doc["requestedOutcome"] = m.Advisory, m.Requested
	doc["preliminaryOutcome"], doc["outcome"], doc["factorCodes"] = m.Preliminary, m.Outcome, m.Factors
	doc["reviewScope"] = views.ReviewScope(m.Subject)
	doc["provenanceActivity"] = effect.ProvenanceActivity
	doc["traceabilityBusinessStep"] = effect.TraceabilityStep
}

func addAmendment(doc map[string]any, m *records.Members) {
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
