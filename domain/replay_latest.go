package domain

import (
	"cmp"
	"slices"
)

// maxReplays is how many pairs of latest numbers are tried for one record besides the packets' own. Only a record on a
// packet of which a thousand later versions are held could need more.
const maxReplays = 1024

// search finds the latest numbers with which the rules find the record's blockers and the packet view has its digest.
// Where there are none, what stays is the first try that agrees with the blockers, else the packets' own numbers.
func (r *replay) search(known Known) {
	own := Latest{r.policy.key.Number, r.packet.key.Number}
	blockers, digest := r.look(own)
	if blockers && digest {
		return
	}
	agreeing, agrees := own, blockers
	for _, latest := range candidates(own, known) {
		blockers, digest = r.look(latest)
		if blockers && digest {
			return
		}
		if blockers && !agrees {
			agreeing, agrees = latest, true
		}
	}
	r.look(agreeing)
	if !agrees {
		r.found(ReplayBlockers, r.blockersDiffer())
		return
	}
	r.found(ReplayView, "packetDigest differs")
}

// candidates are all pairs of latest numbers but own, those with one newer number first. A newer one that is not known
// stands as the next number: what the rules conclude depends only on there being one.
func candidates(own Latest, known Known) []Latest {
	versions, revisions := []int64{own.PolicyVersion}, newer(own.Revision, known.Revisions)
	if own.PolicyVersion > 0 {
		versions = newer(own.PolicyVersion, known.PolicyVersions)
	}
	var pairs []Latest
	for _, version := range versions {
		for _, revision := range revisions {
			if pair := (Latest{version, revision}); pair != own && len(pairs) < maxReplays {
				pairs = append(pairs, pair)
			}
		}
	}
	changed := func(l Latest) int {
		if l.PolicyVersion != own.PolicyVersion && l.Revision != own.Revision {
			return 2
		}
		return 1
	}
	slices.SortStableFunc(pairs, func(a, b Latest) int { return cmp.Compare(changed(a), changed(b)) })
	return pairs
}

// newer lists the number itself and what may have been the latest instead.
func newer(own int64, known []int64) []int64 {
	list := []int64{own}
	for _, number := range known {
		if number > own {
			list = append(list, number)
		}
	}
	if len(list) == 1 {
		return append(list, own+1)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// replayedMembers are the members that follow from the packets, with the fault if one differs. computedBlockers and
// packetDigest are the search's concern.
var replayedMembers = [...]struct {
	name  string
	fault ReplayFault
	same  func(stated, found *EnforcementMembers) bool
}{
	{"contractVersion", ReplayConclusion, func(a, b *EnforcementMembers) bool { return a.ContractVersion == b.ContractVersion }},
	{"rulesVersion", ReplayConclusion, func(a, b *EnforcementMembers) bool { return a.RulesVersion == b.RulesVersion }},
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
