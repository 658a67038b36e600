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
	ReplayReasons                            // a statement of reasons is required and the record has none
	ReplayTime                               // times out of order, or an id that is not of its time
	ReplayRules                              // the record names rules that this program does not have: nothing else was looked at
)

// A ReplayFinding is a fault with what exactly differs: names and codes, never a value of a packet.
type ReplayFinding struct {
	Fault  ReplayFault
	Detail string
}

// A Replayed is what judging a logged record's packets again gave.
type Replayed struct {
	Findings []ReplayFinding // none: the record follows from its packets
	Blockers []Blocker       // that the rules find; nil where nothing was judged
}

// Has tells whether the fault was found.
func (r *Replayed) Has(fault ReplayFault) bool {
	return slices.ContainsFunc(r.Findings, func(f ReplayFinding) bool { return f.Fault == fault })
}

// Replay judges the packets of a logged record again, for the moment of its evaluation and with the latest numbers that it
// names, and compares. policy is the one the record names, the zero Packet if it names none; salt is the one that is kept
// beside the record.
func (e Enforcement) Replay(policy, packet Packet, salt Salt) Replayed {
	r := replay{m: &e.members, policy: policy, packet: packet}
	if detail := r.otherPacket(e.document != nil); detail != "" {
		r.found(ReplayOtherPacket, detail)
		return Replayed{Findings: r.findings}
	}
	if e.members.RulesVersion != RulesVersion(e.members.Area) {
		r.found(ReplayRules, "the record names other rules than those of this program")
		return Replayed{Findings: r.findings}
	}
	r.look(salt)
	for i := range replayedMembers {
		if member := &replayedMembers[i]; !member.same(r.m, &r.again) {
			r.found(member.fault, member.name+" differs")
		}
	}
	r.independence()
	r.choices()
	return Replayed{r.findings, r.again.ComputedBlockers}
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
	case r.packet.Key() != r.m.Key || AreaOf(r.packet.Table()) != r.m.Area || r.packet.Table() != AppealCases && r.packet.Table() != AmendmentRecords:
		return "the packet is another one"
	case r.policy.Key() != r.m.Policy || r.policy.Table() != 0 && (AreaOf(r.policy.Table()) != r.m.Area || r.policy.Table() == r.packet.Table()):
		return "the policy is another one"
	case r.policy.Table() != 0 && r.policy.Key() != namedPolicy(r.packet):
		return "the packet names another policy"
	}
	return ""
}

// namedPolicy is the key of the policy that a case or amendment names.
func namedPolicy(p Packet) Key {
	if record := p.AppealCase().Pointer(); record != nil {
		return Key{record.PolicyID, record.PolicyVersion}
	}
	if record := p.Amendment().Pointer(); record != nil {
		return Key{record.PolicyID, record.PolicyVersion}
	}
	return Key{}
}

// look judges with the latest numbers that the record names.
func (r *replay) look(salt Salt) {
	r.view = Look(r.policy, r.packet, r.m.Latest, r.m.EvaluatedAt).Carrying(SetOf(r.m.CarriedBlockers...))
	c, s := r.choice(), r.m.stamp()
	r.again = membersOf(&r.view, &c, &s)
	if !slices.Equal(r.again.ComputedBlockers, r.m.ComputedBlockers) {
		r.found(ReplayBlockers, r.blockersDiffer())
		return
	}
	if !r.view.Digest(salt).Matches(r.m.PacketDigest) {
		r.found(ReplayView, "packetDigest differs")
	}
}

func (r *replay) choice() Choice {
	c := r.m.choice()
	c.AddedBlockers = c.AddedBlockers.Minus(r.view.Judgment().BlockerSet())
	return c
}

// choice is what the reviewer chose, as the record says; it has no Statement.
func (m *EnforcementMembers) choice() Choice {
	return Choice{Outcome: m.Outcome, Preliminary: m.Preliminary, Factors: SetOf(m.Factors...),
		AddedBlockers: SetOf(m.ReviewerBlockers...), SectionsViewed: m.SectionsViewed, OpenedAt: m.OpenedAt,
		Supersedes: m.Supersedes, NoteDigest: m.NoteDigest}
}

// stamp is the record's; it has no PacketSalt.
func (m *EnforcementMembers) stamp() Stamp {
	return Stamp{RecordID: m.RecordID, Reviewer: m.Reviewer, LogHead: m.LogHead, RecordedAt: m.RecordedAt}
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

// choices names what may not be recorded under the gate or without reasons, and times that run backwards.
func (r *replay) choices() {
	c, s := r.choice(), r.m.stamp()
	if err := c.check(&r.view); err != nil {
		r.found(ReplayChoice, strings.TrimPrefix(err.Error(), ErrRefused.Error()+": "))
	}
	if err := c.checkReasons(&r.view, r.m.StatementDigest); err != nil {
		r.found(ReplayReasons, strings.TrimPrefix(err.Error(), ErrRefused.Error()+": "))
	}
	if fault := timeFault(r.m.OpenedAt, r.m.EvaluatedAt, r.m.RecordedAt, r.m.RecordID); fault != "" {
		r.found(ReplayTime, fault)
	}
	if err := s.check(r.m.EvaluatedAt, &c); err != nil && !(&Replayed{Findings: r.findings}).Has(ReplayTime) {
		r.found(ReplayConclusion, strings.TrimPrefix(err.Error(), ErrRefused.Error()+": "))
	}
}

// blockersDiffer lists the codes by which the record and the rules differ.
func (r *replay) blockersDiffer() string {
	stated, held := SetOf(r.m.ComputedBlockers...), r.view.Judgment().BlockerSet()
	return fmt.Sprintf("not stated: %v; stated but not found: %v",
		InOrder(r.m.Area, held.Minus(stated)), InOrder(r.m.Area, stated.Minus(held)))
}
