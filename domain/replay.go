package domain

import (
	"fmt"
	"slices"
	"strings"
)

// A ReplayFault is one way in which a logged record does not follow from the packets that it names.
type ReplayFault uint8

// The ways. All but the first can be told only where the packets are the ones that were judged.
const (
	ReplayOtherPacket ReplayFault = iota + 1 // the record names another packet or policy, or states other members of them
	ReplayBlockers                           // the rules find other blockers
	ReplayConclusion                         // gate, advisory outcome, blocked transitions or versions do not follow
	ReplayView                               // packetDigest is not that of the packet view
	ReplayOwnDecision                        // the reviewer took the challenged decision
	ReplayRecused                            // the reviewer is recused
	ReplayParty                              // the reviewer is a party to the matter
	ReplayNotTheirs                          // the case is another reviewer's, and no safety admin blocked it
	ReplayChoice                             // outcome, factor codes or added blockers may not be recorded
	ReplayTime                               // opened or evaluated after it was recorded
)

// A ReplayFinding is a fault with what exactly differs: names and codes, never a value of a packet.
type ReplayFinding struct {
	Fault  ReplayFault
	Detail string
}

// Known are the numbers that are held of a policy and of a case or amendment. A record does not say how much newer
// the newest one was; its packetDigest does, once all candidates are known.
type Known struct{ PolicyVersions, Revisions []int64 }

// A Replayed is what judging a logged record's packets again gave.
type Replayed struct {
	Findings []ReplayFinding // none: the record follows from its packets
	Latest   Latest          // the numbers with which it does; those of the packets themselves where none do
}

// Has tells whether the fault was found.
func (r *Replayed) Has(fault ReplayFault) bool {
	return slices.ContainsFunc(r.Findings, func(f ReplayFinding) bool { return f.Fault == fault })
}

// Replay judges the packets of a logged record again, for the moment of its evaluation, and compares. policy is the
// one the record names, the zero Packet if it names none. Whether a newer policy or revision was known is not in the
// record, so each way that agrees with its blockers is tried.
func (e Enforcement) Replay(policy, packet Packet, known Known) Replayed {
	r := replay{m: &e.members, policy: policy, packet: packet}
	if detail := r.otherPacket(e.document != nil); detail != "" {
		r.found(ReplayOtherPacket, detail)
		return Replayed{Findings: r.findings}
	}
	r.search(known)
	for i := range replayedMembers {
		if member := &replayedMembers[i]; !member.same(r.m, &r.again) {
			r.found(member.fault, member.name+" differs")
		}
	}
	r.independence()
	r.choices()
	return Replayed{r.findings, r.view.latest}
}

type replay struct {
	m              *EnforcementMembers
	policy, packet Packet
	view           View
	again          EnforcementMembers // as Decide would write them of the view and of the record's own choice
	findings       []ReplayFinding
}

func (r *replay) found(fault ReplayFault, detail string) {
	r.findings = append(r.findings, ReplayFinding{fault, detail})
}

// otherPacket says which of the packets is not the one the record names; "" if both are.
func (r *replay) otherPacket(record bool) string {
	switch {
	case !record:
		return "there is no record"
	case r.packet.key != r.m.Key || AreaOf(r.packet.table) != r.m.Area || r.packet.table != AppealCases && r.packet.table != AmendmentRecords:
		return "the packet is another one"
	case r.policy.key != r.m.Policy || r.policy.table != 0 && (AreaOf(r.policy.table) != r.m.Area || r.policy.table == r.packet.table):
		return "the policy is another one"
	case r.policy.table != 0 && r.policy.key != namedPolicy(r.packet):
		return "the packet names another policy"
	}
	return ""
}

// namedPolicy is the key of the policy that a case or amendment names.
func namedPolicy(p Packet) Key {
	if record := p.AppealCase().pointer(); record != nil {
		return Key{record.PolicyID, record.PolicyVersion}
	}
	if record := p.Amendment().pointer(); record != nil {
		return Key{record.PolicyID, record.PolicyVersion}
	}
	return Key{}
}

// look judges with these latest numbers, and tells whether blockers and digest are those of the record.
func (r *replay) look(latest Latest) (blockers, digest bool) {
	r.view = Look(r.policy, r.packet, latest, r.m.EvaluatedAt)
	c, s := r.choice(), r.stamp()
	r.again = membersOf(&r.view, &c, &s)
	return slices.Equal(r.again.ComputedBlockers, r.m.ComputedBlockers), r.again.PacketDigest.Matches(r.m.PacketDigest)
}

func (r *replay) choice() Choice {
	return Choice{Outcome: r.m.Outcome, Preliminary: r.m.Preliminary, Factors: SetOf(r.m.Factors...),
		AddedBlockers:  SetOf(r.m.ReviewerBlockers...).Minus(r.view.judgment.blockers),
		SectionsViewed: r.m.SectionsViewed, OpenedAt: r.m.OpenedAt, Supersedes: r.m.Supersedes, NoteDigest: r.m.NoteDigest}
}

func (r *replay) stamp() Stamp {
	return Stamp{RecordID: r.m.RecordID, Reviewer: r.m.Reviewer, LogHead: r.m.LogHead, RecordedAt: r.m.RecordedAt}
}

// independence names who must not have recorded this. What it does not know by name is still refused.
func (r *replay) independence() {
	a := attemptOn(&r.view, r.m.Reviewer, r.again.Gate)
	before := len(r.findings)
	if a.reviewer.ID == a.decider {
		r.found(ReplayOwnDecision, "the reviewer took the decision that was judged")
	}
	if a.review.Recuses(a.reviewer.ID) {
		r.found(ReplayRecused, "the reviewer is recused")
	}
	if a.party {
		r.found(ReplayParty, "the reviewer is a party to what was judged")
	}
	if a.assignedElsewhere() && (a.reviewer.Role != SafetyAdmin || a.gate == Pass) {
		r.found(ReplayNotTheirs, "the reviewer's role is "+a.reviewer.Role.String()+", the gate "+a.gate.String())
	}
	if err := a.refusal(false); err != nil && len(r.findings) == before {
		r.found(ReplayChoice, err.Error())
	}
}

// choices names what may not be recorded under the gate, and times that run backwards.
func (r *replay) choices() {
	c, s := r.choice(), r.stamp()
	if err := c.check(&r.view); err != nil {
		r.found(ReplayChoice, strings.TrimPrefix(err.Error(), ErrRefused.Error()+": "))
	}
	for _, earlier := range [...]struct {
		name string
		at   Instant
	}{{"openedAt", r.m.OpenedAt}, {"evaluatedAt", r.m.EvaluatedAt}} {
		if !earlier.at.notAfter(r.m.RecordedAt) {
			r.found(ReplayTime, earlier.name+" is after recordedAt")
		}
	}
	if err := s.check(r.m.EvaluatedAt, &c); err != nil && !(&Replayed{Findings: r.findings}).Has(ReplayTime) {
		r.found(ReplayConclusion, strings.TrimPrefix(err.Error(), ErrRefused.Error()+": "))
	}
}

// blockersDiffer lists the codes by which the record and the rules differ.
func (r *replay) blockersDiffer() string {
	stated, held := SetOf(r.m.ComputedBlockers...), r.view.judgment.blockers
	return fmt.Sprintf("not stated: %v; stated but not found: %v",
		inOrder(r.m.Area, held.Minus(stated)), inOrder(r.m.Area, stated.Minus(held)))
}
