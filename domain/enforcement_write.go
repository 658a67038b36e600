package domain

import "docket/domain/ordered"

// append appends the record in canonical form: the members stand in the order of RFC 8785.
func (m *EnforcementMembers) append(dst []byte) []byte {
	w := ordered.Append(dst)
	if m.Area == Appeals {
		m.writeAppeal(&w)
	} else {
		m.writeAmendment(&w)
	}
	return w.Text()
}

func (m *EnforcementMembers) writeAppeal(w *ordered.Writer) {
	w.Open()
	writeWord(w.Name("advisoryOutcome"), m.Advisory)
	writeWords(w.Name("carriedBlockers"), m.CarriedBlockers)
	w.Name("caseHash").StringOrNull(m.ContentHash.String())
	w.Name("caseId").StringOrNull(string(m.Key.ID))
	w.Name("caseRevision").Int(m.Key.Number)
	writeWords(w.Name("computedBlockers"), m.ComputedBlockers)
	w.Name("contractVersion").String(m.ContractVersion)
	w.Name("evaluatedAt").StringOrNull(m.EvaluatedAt.String())
	writeWords(w.Name("factorCodes"), m.Factors)
	w.Name("gate").StringOrNull(m.Gate.String())
	w.Name("latestPolicyVersion").IntOrNull(m.Latest.PolicyVersion)
	w.Name("latestRevision").IntOrNull(m.Latest.Revision)
	m.LogHead.write(w.Name("logHead"))
	w.Name("noteDigest").StringOrNull(m.NoteDigest.String())
	w.Name("openedAt").StringOrNull(m.OpenedAt.String())
	writeWord(w.Name("outcome"), m.Outcome)
	w.Name("packetDigest").StringOrNull(m.PacketDigest.String())
	w.Name("policyHash").StringOrNull(m.PolicyHash.String())
	w.Name("policyId").StringOrNull(string(m.Policy.ID))
	w.Name("policyVersion").IntOrNull(m.Policy.Number)
	writeWord(w.Name("preliminaryOutcome"), m.Preliminary)
	w.Name("provenanceActivity").String(m.effect().ProvenanceActivity)
	w.Name("recordId").StringOrNull(string(m.RecordID))
	w.Name("recordedAt").StringOrNull(m.RecordedAt.String())
	writeWord(w.Name("requestedOutcome"), m.Requested)
	writeWords(w.Name("reviewScope"), ReviewScope(m.Subject))
	m.Reviewer.write(w.Name("reviewer"))
	writeWords(w.Name("reviewerBlockers"), m.ReviewerBlockers)
	w.Name("rulesVersion").String(m.RulesVersion)
	w.Name("scopeHash").StringOrNull(m.ScopeHash.String())
	writeWords(w.Name("sectionsViewed"), m.SectionsViewed)
	w.Name("stateMutation").StringOrNull(EnforcementMutation)
	w.Name("statementDigest").StringOrNull(m.StatementDigest.String())
	writeWord(w.Name("subject"), m.Subject)
	w.Name("subjectId").StringOrNull(string(m.SubjectID))
	w.Name("supersedes").StringOrNull(string(m.Supersedes))
	w.Name("traceabilityBusinessStep").String(m.effect().TraceabilityStep)
	writeWord(w.Name("trigger"), m.Trigger)
	w.Close()
}

func (m *EnforcementMembers) writeAmendment(w *ordered.Writer) {
	w.Open()
	w.Name("afterTermsHash").StringOrNull(m.AfterTermsHash.String())
	w.Name("agreementId").StringOrNull(string(m.AgreementID))
	w.Name("amendmentHash").StringOrNull(m.ContentHash.String())
	w.Name("amendmentId").StringOrNull(string(m.Key.ID))
	w.Name("amendmentRevision").Int(m.Key.Number)
	writeWord(w.Name("amendmentType"), m.AmendmentType)
	w.Name("beforeTermsHash").StringOrNull(m.BeforeTermsHash.String())
	writeWords(w.Name("blockedTransitions"), m.Blocked)
	writeWords(w.Name("carriedBlockers"), m.CarriedBlockers)
	writeWords(w.Name("computedBlockers"), m.ComputedBlockers)
	w.Name("contractVersion").String(m.ContractVersion)
	w.Name("evaluatedAt").StringOrNull(m.EvaluatedAt.String())
	w.Name("gate").StringOrNull(m.Gate.String())
	w.Name("latestPolicyVersion").IntOrNull(m.Latest.PolicyVersion)
	w.Name("latestRevision").IntOrNull(m.Latest.Revision)
	m.LogHead.write(w.Name("logHead"))
	w.Name("noteDigest").StringOrNull(m.NoteDigest.String())
	w.Name("openedAt").StringOrNull(m.OpenedAt.String())
	w.Name("ownerId").StringOrNull(string(m.OwnerID))
	w.Name("packetDigest").StringOrNull(m.PacketDigest.String())
	w.Name("policyHash").StringOrNull(m.PolicyHash.String())
	w.Name("policyId").StringOrNull(string(m.Policy.ID))
	w.Name("policyVersion").IntOrNull(m.Policy.Number)
	w.Name("recordId").StringOrNull(string(m.RecordID))
	w.Name("recordedAt").StringOrNull(m.RecordedAt.String())
	m.Reviewer.write(w.Name("reviewer"))
	writeWords(w.Name("reviewerBlockers"), m.ReviewerBlockers)
	w.Name("rulesVersion").String(m.RulesVersion)
	writeWords(w.Name("sectionsViewed"), m.SectionsViewed)
	w.Name("stateMutation").StringOrNull(EnforcementMutation)
	w.Name("statementDigest").StringOrNull(m.StatementDigest.String())
	writeWord(w.Name("subjectType"), m.SubjectType)
	w.Name("supersedes").StringOrNull(string(m.Supersedes))
	writeWord(w.Name("transition"), m.Transition)
	w.Close()
}

func (l *LogHead) write(w *ordered.Writer) {
	w.Open().Name("origin").StringOrNull(l.Origin).Name("root").StringOrNull(l.Root.String()).Name("size").Int(l.Size).Close()
}

func (r *Reviewer) write(w *ordered.Writer) {
	w.Open().Name("id").StringOrNull(string(r.ID)).Name("keyFingerprint").String(r.KeyFingerprint)
	writeWord(w.Name("role"), r.Role)
	w.Close()
}
