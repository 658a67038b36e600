package domain

import "docket/domain/canonical"

// A writtenMember is a member of a record as it is written: its name, and how its value is appended.
type writtenMember struct {
	name  string
	value func(dst []byte, m *EnforcementMembers) []byte
}

// The members of a record in the order of RFC 8785, so that writing them is the canonical form.
var (
	writtenAppeal = []writtenMember{
		{"advisoryOutcome", func(dst []byte, m *EnforcementMembers) []byte { return appendWord(dst, m.Advisory) }},
		{"carriedBlockers", writeCarried},
		{"caseHash", writeContentHash},
		{"caseId", writeKeyID},
		{"caseRevision", writeKeyNumber},
		{"computedBlockers", writeComputed},
		{"contractVersion", writeContract},
		{"evaluatedAt", writeEvaluatedAt},
		{"factorCodes", writeFactors},
		{"gate", writeGate},
		{"latestPolicyVersion", writeLatestVersion},
		{"latestRevision", writeLatestRevision},
		{"logHead", writeLogHead},
		{"noteDigest", writeNoteDigest},
		{"openedAt", writeOpenedAt},
		{"outcome", func(dst []byte, m *EnforcementMembers) []byte { return appendWord(dst, m.Outcome) }},
		{"packetDigest", writePacketDigest},
		{"policyHash", writePolicyHash},
		{"policyId", writePolicyID},
		{"policyVersion", writePolicyVersion},
		{"preliminaryOutcome", func(dst []byte, m *EnforcementMembers) []byte { return appendWord(dst, m.Preliminary) }},
		{"provenanceActivity", func(dst []byte, m *EnforcementMembers) []byte {
			return canonical.AppendString(dst, m.effect().ProvenanceActivity)
		}},
		{"recordId", writeRecordID},
		{"recordedAt", writeRecordedAt},
		{"requestedOutcome", func(dst []byte, m *EnforcementMembers) []byte { return appendWord(dst, m.Requested) }},
		{"reviewScope", func(dst []byte, m *EnforcementMembers) []byte { return appendWords(dst, reviewScope(m.Subject)) }},
		{"reviewer", writeReviewer},
		{"reviewerBlockers", writeAdded},
		{"rulesVersion", writeRules},
		{"scopeHash", func(dst []byte, m *EnforcementMembers) []byte { return appendText(dst, m.ScopeHash.String()) }},
		{"sectionsViewed", writeSections},
		{"stateMutation", writeMutation},
		{"statementDigest", writeStatementDigest},
		{"subject", func(dst []byte, m *EnforcementMembers) []byte { return appendWord(dst, m.Subject) }},
		{"subjectId", func(dst []byte, m *EnforcementMembers) []byte { return appendText(dst, string(m.SubjectID)) }},
		{"supersedes", writeSupersedes},
		{"traceabilityBusinessStep", func(dst []byte, m *EnforcementMembers) []byte {
			return canonical.AppendString(dst, m.effect().TraceabilityStep)
		}},
		{"trigger", func(dst []byte, m *EnforcementMembers) []byte { return appendWord(dst, m.Trigger) }},
	}
	writtenAmendment = []writtenMember{
		{"afterTermsHash", func(dst []byte, m *EnforcementMembers) []byte { return appendText(dst, m.AfterTermsHash.String()) }},
		{"agreementId", func(dst []byte, m *EnforcementMembers) []byte { return appendText(dst, string(m.AgreementID)) }},
		{"amendmentHash", writeContentHash},
		{"amendmentId", writeKeyID},
		{"amendmentRevision", writeKeyNumber},
		{"amendmentType", func(dst []byte, m *EnforcementMembers) []byte { return appendWord(dst, m.AmendmentType) }},
		{"beforeTermsHash", func(dst []byte, m *EnforcementMembers) []byte { return appendText(dst, m.BeforeTermsHash.String()) }},
		{"blockedTransitions", func(dst []byte, m *EnforcementMembers) []byte { return appendWords(dst, m.Blocked) }},
		{"carriedBlockers", writeCarried},
		{"computedBlockers", writeComputed},
		{"contractVersion", writeContract},
		{"evaluatedAt", writeEvaluatedAt},
		{"gate", writeGate},
		{"latestPolicyVersion", writeLatestVersion},
		{"latestRevision", writeLatestRevision},
		{"logHead", writeLogHead},
		{"noteDigest", writeNoteDigest},
		{"openedAt", writeOpenedAt},
		{"ownerId", func(dst []byte, m *EnforcementMembers) []byte { return appendText(dst, string(m.OwnerID)) }},
		{"packetDigest", writePacketDigest},
		{"policyHash", writePolicyHash},
		{"policyId", writePolicyID},
		{"policyVersion", writePolicyVersion},
		{"recordId", writeRecordID},
		{"recordedAt", writeRecordedAt},
		{"reviewer", writeReviewer},
		{"reviewerBlockers", writeAdded},
		{"rulesVersion", writeRules},
		{"sectionsViewed", writeSections},
		{"stateMutation", writeMutation},
		{"statementDigest", writeStatementDigest},
		{"subjectType", func(dst []byte, m *EnforcementMembers) []byte { return appendWord(dst, m.SubjectType) }},
		{"supersedes", writeSupersedes},
		{"transition", func(dst []byte, m *EnforcementMembers) []byte { return appendWord(dst, m.Transition) }},
	}
)

// append appends the record in canonical form.
func (m *EnforcementMembers) append(dst []byte) []byte {
	members := writtenAmendment
	if m.Area == Appeals {
		members = writtenAppeal
	}
	for i := range members {
		separator := byte(',')
		if i == 0 {
			separator = '{'
		}
		dst = append(append(append(dst, separator, '"'), members[i].name...), `":`...)
		dst = members[i].value(dst, m)
	}
	return append(dst, '}')
}

func writeContentHash(dst []byte, m *EnforcementMembers) []byte {
	return appendText(dst, m.ContentHash.String())
}
func writeKeyID(dst []byte, m *EnforcementMembers) []byte { return appendText(dst, string(m.Key.ID)) }
func writeKeyNumber(dst []byte, m *EnforcementMembers) []byte {
	return canonical.AppendInt(dst, m.Key.Number)
}
func writeComputed(dst []byte, m *EnforcementMembers) []byte {
	return appendWords(dst, m.ComputedBlockers)
}
func writeAdded(dst []byte, m *EnforcementMembers) []byte {
	return appendWords(dst, m.ReviewerBlockers)
}
func writeCarried(dst []byte, m *EnforcementMembers) []byte {
	return appendWords(dst, m.CarriedBlockers)
}
func writeContract(dst []byte, m *EnforcementMembers) []byte {
	return canonical.AppendString(dst, m.ContractVersion)
}
func writeRules(dst []byte, m *EnforcementMembers) []byte {
	return canonical.AppendString(dst, m.RulesVersion)
}
func writeOpenedAt(dst []byte, m *EnforcementMembers) []byte {
	return appendText(dst, m.OpenedAt.String())
}
func writeEvaluatedAt(dst []byte, m *EnforcementMembers) []byte {
	return appendText(dst, m.EvaluatedAt.String())
}
func writeRecordedAt(dst []byte, m *EnforcementMembers) []byte {
	return appendText(dst, m.RecordedAt.String())
}
func writeFactors(dst []byte, m *EnforcementMembers) []byte { return appendWords(dst, m.Factors) }
func writeGate(dst []byte, m *EnforcementMembers) []byte    { return appendText(dst, m.Gate.String()) }
func writeNoteDigest(dst []byte, m *EnforcementMembers) []byte {
	return appendText(dst, m.NoteDigest.String())
}
func writeStatementDigest(dst []byte, m *EnforcementMembers) []byte {
	return appendText(dst, m.StatementDigest.String())
}
func writePacketDigest(dst []byte, m *EnforcementMembers) []byte {
	return appendText(dst, m.PacketDigest.String())
}
func writePolicyHash(dst []byte, m *EnforcementMembers) []byte {
	return appendText(dst, m.PolicyHash.String())
}
func writePolicyID(dst []byte, m *EnforcementMembers) []byte {
	return appendText(dst, string(m.Policy.ID))
}
func writeRecordID(dst []byte, m *EnforcementMembers) []byte {
	return appendText(dst, string(m.RecordID))
}
func writeSections(dst []byte, m *EnforcementMembers) []byte {
	return appendWords(dst, m.SectionsViewed)
}
func writeSupersedes(dst []byte, m *EnforcementMembers) []byte {
	return appendText(dst, string(m.Supersedes))
}
func writeMutation(dst []byte, _ *EnforcementMembers) []byte { return appendText(dst, mutation) }

func writePolicyVersion(dst []byte, m *EnforcementMembers) []byte {
	return appendNumber(dst, m.Policy.Number)
}
func writeLatestVersion(dst []byte, m *EnforcementMembers) []byte {
	return appendNumber(dst, m.Latest.PolicyVersion)
}
func writeLatestRevision(dst []byte, m *EnforcementMembers) []byte {
	return appendNumber(dst, m.Latest.Revision)
}

func writeLogHead(dst []byte, m *EnforcementMembers) []byte {
	dst = appendText(append(dst, `{"origin":`...), m.LogHead.Origin)
	dst = appendText(append(dst, `,"root":`...), m.LogHead.Root.String())
	return append(canonical.AppendInt(append(dst, `,"size":`...), m.LogHead.Size), '}')
}

func writeReviewer(dst []byte, m *EnforcementMembers) []byte {
	dst = appendText(append(dst, `{"id":`...), string(m.Reviewer.ID))
	dst = canonical.AppendString(append(dst, `,"keyFingerprint":`...), m.Reviewer.KeyFingerprint)
	return append(appendWord(append(dst, `,"role":`...), m.Reviewer.Role), '}')
}

// appendNumber appends a version or revision, or null for an absent one.
func appendNumber(dst []byte, number int64) []byte {
	if number == 0 {
		return append(dst, "null"...)
	}
	return canonical.AppendInt(dst, number)
}

// appendText appends a string, or null for an empty one.
func appendText(dst []byte, text string) []byte {
	if text == "" {
		return append(dst, "null"...)
	}
	return canonical.AppendString(dst, text)
}
