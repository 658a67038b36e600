package domain

// How views and records would be written through encoding/json and the canonical form: the oracle for what writes
// them directly.

// viewDocument is the form in which a view is digested and printed as JSON.
type viewDocument struct {
	Table              Table           `json:"table"`
	ID                 ID              `json:"id"`
	Revision           int64           `json:"revision"`
	EvaluatedAt        Instant         `json:"evaluatedAt"`
	Gate               Gate            `json:"gate"`
	Blockers           []Blocker       `json:"blockers"`
	Decision           *Decision       `json:"decision,omitempty"`
	ProtectedBoundary  string          `json:"protectedBoundary,omitempty"`
	BlockedTransitions []GuardedAction `json:"blockedTransitions,omitempty"`
	Sections           []Section       `json:"sections"`
	Redactions         []Redaction     `json:"redactions"`
}

// Detour is the view written by a detour.
func (v *View) Detour() []byte {
	doc := viewDocument{
		Table: v.Table(), ID: v.Key().ID, Revision: v.Key().Number, EvaluatedAt: v.EvaluatedAt(),
		Gate: v.judgment.Gate(), Blockers: v.judgment.Blockers(), Sections: v.sections, Redactions: v.redactions,
	}
	if v.Area() == Appeals {
		decision := v.judgment.Decision()
		doc.Decision = &decision
	} else {
		doc.ProtectedBoundary = v.judgment.ProtectedBoundary()
		doc.BlockedTransitions = v.judgment.BlockedTransitions()
	}
	return canonicalJSON(doc)
}

// Detour is the record written by a detour.
func (e Enforcement) Detour() []byte { return e.members.detour() }

func (m *EnforcementMembers) detour() []byte {
	doc := map[string]any{
		"recordId": m.RecordID, "contractVersion": m.ContractVersion, "rulesVersion": m.RulesVersion,
		"policyId": orNull(m.Policy.ID), "policyVersion": numberOrNull(m.Policy.Number), "policyHash": m.PolicyHash,
		"computedBlockers": m.ComputedBlockers, "reviewerBlockers": m.ReviewerBlockers, "gate": m.Gate,
		"carriedBlockers": m.CarriedBlockers, "reviewer": m.Reviewer,
		"latestPolicyVersion": numberOrNull(m.Latest.PolicyVersion), "latestRevision": numberOrNull(m.Latest.Revision),
		"logHead":    map[string]any{"origin": m.LogHead.Origin, "size": m.LogHead.Size, "root": m.LogHead.Root},
		"supersedes": orNull(m.Supersedes), "packetDigest": m.PacketDigest,
		"sectionsViewed": append([]SectionName{}, m.SectionsViewed...),
		"openedAt":       m.OpenedAt, "evaluatedAt": m.EvaluatedAt, "recordedAt": m.RecordedAt,
		"noteDigest": m.NoteDigest, "statementDigest": m.StatementDigest, "stateMutation": mutation,
	}
	if m.Area == Appeals {
		m.addCase(doc)
	} else {
		m.addAmendment(doc)
	}
	return canonicalJSON(doc)
}

func (m *EnforcementMembers) addCase(doc map[string]any) {
	doc["caseId"], doc["caseRevision"], doc["caseHash"] = m.Key.ID, m.Key.Number, m.ContentHash
	doc["scopeHash"], doc["subject"], doc["subjectId"], doc["trigger"] = m.ScopeHash, m.Subject, orNull(m.SubjectID), m.Trigger
	doc["advisoryOutcome"], doc["requestedOutcome"] = m.Advisory, m.Requested
	doc["preliminaryOutcome"], doc["outcome"], doc["factorCodes"] = m.Preliminary, m.Outcome, m.Factors
	doc["reviewScope"] = reviewScope(m.Subject)
	doc["provenanceActivity"] = m.effect().ProvenanceActivity
	doc["traceabilityBusinessStep"] = m.effect().TraceabilityStep
}

func (m *EnforcementMembers) addAmendment(doc map[string]any) {
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
