package domain

import "slices"

// replayedMembers are the members that follow from the packets, with the fault if one differs. computedBlockers and
// packetDigest are compared by look.
var replayedMembers = [...]struct {
	name  string
	fault ReplayFault
	same  func(stated, found *EnforcementMembers) bool
}{
	{"contractVersion", ReplayConclusion, func(a, b *EnforcementMembers) bool { return a.ContractVersion == b.ContractVersion }},
	{"policyHash", ReplayOtherPacket, func(a, b *EnforcementMembers) bool { return a.PolicyHash == b.PolicyHash }},
	{"caseHash or amendmentHash", ReplayOtherPacket, func(a, b *EnforcementMembers) bool { return a.ContentHash == b.ContentHash }},
	{"scopeHash", ReplayOtherPacket, func(a, b *EnforcementMembers) bool { return a.ScopeHash == b.ScopeHash }},
	{"subject", ReplayOtherPacket, func(a, b *EnforcementMembers) bool { return a.Subject == b.Subject }},
	{"subjectId", ReplayOtherPacket, func(a, b *EnforcementMembers) bool { return a.SubjectID == b.SubjectID }},
	{"trigger", ReplayOtherPacket, func(a, b *EnforcementMembers) bool { return a.Trigger == b.Trigger }},
	{"ownerId", ReplayOtherPacket, func(a, b *EnforcementMembers) bool { return a.OwnerID == b.OwnerID }},
	{"agreementId", ReplayOtherPacket, func(a, b *EnforcementMembers) bool { return a.AgreementID == b.AgreementID }},
	{"transition", ReplayOtherPacket, func(a, b *EnforcementMembers) bool { return a.Transition == b.Transition }},
	{"subjectType", ReplayOtherPacket, func(a, b *EnforcementMembers) bool { return a.SubjectType == b.SubjectType }},
	{"amendmentType", ReplayOtherPacket, func(a, b *EnforcementMembers) bool { return a.AmendmentType == b.AmendmentType }},
	{"beforeTermsHash", ReplayOtherPacket, func(a, b *EnforcementMembers) bool { return a.BeforeTermsHash == b.BeforeTermsHash }},
	{"afterTermsHash", ReplayOtherPacket, func(a, b *EnforcementMembers) bool { return a.AfterTermsHash == b.AfterTermsHash }},
	{"reviewerBlockers", ReplayConclusion, func(a, b *EnforcementMembers) bool { return slices.Equal(a.ReviewerBlockers, b.ReviewerBlockers) }},
	{"gate", ReplayConclusion, func(a, b *EnforcementMembers) bool { return a.Gate == b.Gate }},
	{"advisoryOutcome", ReplayConclusion, func(a, b *EnforcementMembers) bool { return a.Advisory == b.Advisory }},
	{"requestedOutcome", ReplayConclusion, func(a, b *EnforcementMembers) bool { return a.Requested == b.Requested }},
	{"blockedTransitions", ReplayConclusion, func(a, b *EnforcementMembers) bool { return slices.Equal(a.Blocked, b.Blocked) }},
}
