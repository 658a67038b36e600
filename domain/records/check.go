package records

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// A StaleError says that the packet is not what the reviewer saw; it unwraps to ErrRefused.
type StaleError struct {
	Changes    []string
	Superseded bool // all that has changed is which record is in force
}

// Error lists the changes.
func (e *StaleError) Error() string {
	return fmt.Sprintf("not recorded: what you judged has changed: %s; open it again", strings.Join(e.Changes, "; "))
}

// Unwrap returns ErrRefused.
func (e *StaleError) Unwrap() error { return ErrRefused }

// Recheck checks the record inside the transaction that appends it, with a new view of the packet.
// inForce is the record in force on the same revision, "" for none. It returns nil only if the
// reviewer still may record, the rules still conclude what the reviewer saw, and the record
// supersedes exactly the record in force; otherwise a *StaleError with every change, or a *Refusal.
func (e Enforcement) Recheck(now *views.View, inForce RecordID) error {
	m := &e.members
	if e.document == nil {
		return &Refusal{"there is no record"}
	}
	if now.Area() != m.Area || now.Key() != m.Key {
		return &Refusal{"the record is about another packet"}
	}
	if changes := e.changes(now, inForce); len(changes) > 0 {
		return &StaleError{changes, len(changes) == 1 && inForce != m.Supersedes}
	}
	a := attemptOn(now, m.Reviewer, m.Gate)
	if err := a.refusal(false); err != nil {
		return err
	}
	c, s := m.choice(), m.stamp()
	if err := c.check(now); err != nil {
		return err
	}
	if err := c.checkReasons(now, m.StatementDigest); err != nil {
		return err
	}
	if err := s.check(m.EvaluatedAt, &c); err != nil {
		return err
	}
	// All but the evaluation must equal what Decide would write now; Replay checks the evaluation.
	again := membersOf(now, &c, &s)
	again.EvaluatedAt, again.PacketDigest, again.Latest = m.EvaluatedAt, m.PacketDigest, m.Latest
	again.StatementDigest, again.written = m.StatementDigest, m.written
	if string(again.document()) != string(e.document) {
		return &Refusal{"the record does not say what follows from the packet and from its own choice"}
	}
	if !m.RecordedAt.NotAfter(now.EvaluatedAt()) {
		return &Refusal{"the record is from the future; check this machine's clock"}
	}
	return nil
}

func (e Enforcement) changes(now *views.View, inForce RecordID) []string {
	m := &e.members
	var changes []string
	add := func(format string, args ...any) { changes = append(changes, fmt.Sprintf(format, args...)) }
	each := func(codes terms.BlockerSet, format string) {
		for _, code := range rules.InOrder(m.Area, codes) {
			add(format, code)
		}
	}
	seen, held := terms.SetOf(m.ComputedBlockers...), now.Evaluation().BlockerSet()
	if now.Latest().Revision > m.Key.Number {
		if !seen.Has(terms.AppealCaseStale) && !seen.Has(terms.AmendmentStaleBlocker) {
			add("revision %d has arrived", now.Latest().Revision)
		}
	}
	carried := terms.SetOf(m.CarriedBlockers...)
	each(held.Minus(seen), "%s holds now")
	each(seen.Minus(held), "%s no longer holds")
	each(now.Carried().Minus(carried), "an earlier record has added %s, which stands")
	each(carried.Minus(now.Carried()), "no earlier record in force has added %s")
	if !m.StatementDigest.Present() {
		each(now.Unanswered().Minus(terms.SetOf(m.ReviewerBlockers...)),
			"%s was added on an earlier revision, and this record does not say why it no longer stands")
	}
	again := membersOf(now, &Choice{}, &Stamp{})
	if advisory := again.Advisory; advisory != m.Advisory {
		add("the advisory outcome is %s now", cmp.Or(advisory.Label(), "none"))
	}
	if again.ContentHash != m.ContentHash || again.ScopeHash != m.ScopeHash || again.Policy != m.Policy ||
		again.PolicyHash != m.PolicyHash {
		add("the case or its policy differs")
	}
	switch {
	case inForce == m.Supersedes:
	case inForce.Present():
		add("decided elsewhere by record %s; yours would replace it", inForce)
	default:
		add("there is no record in force that could be superseded")
	}
	return changes
}

// A ReplayFault is one way in which a logged record does not follow from the packets that it names.
type ReplayFault uint8

// The faults. All but the first are looked for only if the packets are the ones that were judged.
const (
	ReplayOtherPacket ReplayFault = iota + 1 // another packet or policy, or other members of them
	ReplayBlockers                           // the rules find other blockers
	ReplayConclusion                         // gate, advisory outcome, blocked transitions, versions
	ReplayView                               // packetDigest is not that of the packet view
	ReplaySections                           // sectionsViewed names one not in the view, or one twice
	ReplayOwnDecision                        // the reviewer took the challenged decision
	ReplayRecused                            // the reviewer is recused
	ReplayParty                              // the reviewer is a party to the matter
	ReplayNotAssigned                        // assigned to another, and no safety admin blocked it
	ReplayChoice                             // outcome, factor codes or added blockers not allowed
	ReplayReasons                            // a required statement of reasons is missing
	ReplayTime                               // times out of order, or an id that is not of its time
	ReplayRules                              // rules unknown to this program: nothing else is checked
)

// A ReplayFinding is a fault with the names and codes that differ, never a value of a packet.
type ReplayFinding struct {
	Fault  ReplayFault
	Detail string
}

// A Replayed is the result of judging the packets of a logged record again.
type Replayed struct {
	Findings []ReplayFinding // none: the record follows from its packets
	Blockers []terms.Blocker // that the rules find; nil where nothing was judged
}

// Has reports whether the fault was found.
func (r *Replayed) Has(fault ReplayFault) bool {
	return slices.ContainsFunc(r.Findings, func(f ReplayFinding) bool { return f.Fault == fault })
}

// Replay judges the packets of a logged record again, as of its evaluation and with the latest
// numbers that it names. policy is the one that it names, zero for none; salt is kept beside it.
func (e Enforcement) Replay(policy, packet packets.Packet, salt packets.Salt) Replayed {
	r := replay{m: &e.members, policy: policy, packet: packet}
	if detail := r.otherPacket(e.document != nil); detail != "" {
		r.found(ReplayOtherPacket, detail)
		return Replayed{Findings: r.findings}
	}
	if e.members.RulesVersion != rules.Version(e.members.Area) {
		r.found(ReplayRules, "the record names other rules than those of this program")
		return Replayed{Findings: r.findings}
	}
	r.look(salt)
	for _, one := range replayedMembers {
		if !one.same(r.m, &r.again) {
			r.found(one.fault, one.name+" differs")
		}
	}
	r.independence()
	r.choices()
	return Replayed{r.findings, r.again.ComputedBlockers}
}

type replay struct {
	m              *Members
	policy, packet packets.Packet
	view           views.View
	again          Members // as Decide would write them of the view and of the record's own choice
	findings       []ReplayFinding
}

func (r *replay) found(fault ReplayFault, detail string) {
	r.findings = append(r.findings, ReplayFinding{fault, detail})
}

func (r *replay) otherPacket(record bool) string {
	switch {
	case !record:
		return "there is no record"
	case r.packet.Key() != r.m.Key || terms.AreaOf(r.packet.Table()) != r.m.Area ||
		r.packet.Table() != terms.AppealCases && r.packet.Table() != terms.AmendmentRecords:
		return "the packet differs"
	case r.policy.Key() != r.m.Policy || r.policy.Table() != 0 &&
		(terms.AreaOf(r.policy.Table()) != r.m.Area || r.policy.Table() == r.packet.Table()):
		return "the policy differs"
	case r.policy.Table() != 0 && r.policy.Key() != r.packet.PolicyKey():
		return "the packet names another policy"
	}
	return ""
}

// look views the packets with the latest numbers that the record names.
func (r *replay) look(salt packets.Salt) {
	r.view = views.New(r.policy, r.packet, r.m.Latest, r.m.EvaluatedAt).Carrying(terms.SetOf(r.m.CarriedBlockers...))
	c, s := r.choice(), r.m.stamp()
	r.again = membersOf(&r.view, &c, &s)
	if !slices.Equal(r.again.ComputedBlockers, r.m.ComputedBlockers) {
		r.found(ReplayBlockers, r.blockersDiffer())
		return
	}
	// Erasing texts erases the salts of the records over them: no digest can be recomputed.
	if r.packet.Erased() && salt == "" {
		return
	}
	if !r.view.Digest(salt).Matches(r.m.PacketDigest) {
		r.found(ReplayView, "packetDigest differs")
	}
	r.sections()
}

func (r *replay) sections() {
	seen := map[views.SectionName]bool{views.SectionGate: false, views.SectionBlockers: false, views.SectionAdvisory: false,
		views.SectionRedactions: false} // they stand in every view
	for _, name := range r.view.SectionNames() {
		seen[name] = false
	}
	for _, name := range r.m.SectionsViewed {
		if twice, there := seen[name]; twice || !there {
			r.found(ReplaySections, fmt.Sprintf("sectionsViewed names %s, which the packet does not have, or which is named before", name))
			return
		}
		seen[name] = true
	}
}

func (r *replay) choice() Choice {
	c := r.m.choice()
	c.AddedBlockers = c.AddedBlockers.Minus(r.view.Evaluation().BlockerSet())
	return c
}

// choice returns the reviewer's choice as the record says it; it has no Statement.
func (m *Members) choice() Choice {
	return Choice{Outcome: m.Outcome, Preliminary: m.Preliminary, Factors: terms.SetOf(m.Factors...),
		AddedBlockers: terms.SetOf(m.ReviewerBlockers...), SectionsViewed: m.SectionsViewed, OpenedAt: m.OpenedAt,
		Supersedes: m.Supersedes, NoteDigest: m.NoteDigest}
}

func (m *Members) stamp() Stamp {
	return Stamp{RecordID: m.RecordID, Reviewer: m.Reviewer, LogHead: m.LogHead, RecordedAt: m.RecordedAt}
}

// independence reports the faults of a reviewer who must not have recorded this.
func (r *replay) independence() {
	a := attemptOn(&r.view, r.m.Reviewer, r.again.Gate)
	a.erased = false // the record may be older than the erasure; its statement tells
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
	if a.assignedElsewhere() && (a.reviewer.Role != terms.SafetyAdmin || a.gate == terms.Pass) {
		r.found(ReplayNotAssigned, fmt.Sprintf("the reviewer's role is %s, the gate %s", a.reviewer.Role, a.gate))
	}
	if err := a.refusal(false); err != nil && len(r.findings) == before {
		r.found(ReplayChoice, err.Error())
	}
}

// choices reports what may not be recorded under the gate or without reasons, and wrong times.
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

func (r *replay) blockersDiffer() string {
	stated, held := terms.SetOf(r.m.ComputedBlockers...), r.view.Evaluation().BlockerSet()
	return fmt.Sprintf("not stated: %v; stated but not found: %v",
		rules.InOrder(r.m.Area, held.Minus(stated)), rules.InOrder(r.m.Area, stated.Minus(held)))
}

// replayedMembers follow from the packets; look compares computedBlockers and packetDigest.
var replayedMembers = [...]struct {
	name  string
	fault ReplayFault
	same  func(stated, found *Members) bool
}{
	{"contractVersion", ReplayConclusion, func(a, b *Members) bool { return a.ContractVersion == b.ContractVersion }},
	{"policyHash", ReplayOtherPacket, func(a, b *Members) bool { return a.PolicyHash == b.PolicyHash }},
	{"caseHash or amendmentHash", ReplayOtherPacket, func(a, b *Members) bool { return a.ContentHash == b.ContentHash }},
	{"scopeHash", ReplayOtherPacket, func(a, b *Members) bool { return a.ScopeHash == b.ScopeHash }},
	{"subject", ReplayOtherPacket, func(a, b *Members) bool { return a.Subject == b.Subject }},
	{"subjectId", ReplayOtherPacket, func(a, b *Members) bool { return a.SubjectID == b.SubjectID }},
	{"trigger", ReplayOtherPacket, func(a, b *Members) bool { return a.Trigger == b.Trigger }},
	{"ownerId", ReplayOtherPacket, func(a, b *Members) bool { return a.OwnerID == b.OwnerID }},
	{"agreementId", ReplayOtherPacket, func(a, b *Members) bool { return a.AgreementID == b.AgreementID }},
	{"transition", ReplayOtherPacket, func(a, b *Members) bool { return a.Transition == b.Transition }},
	{"subjectType", ReplayOtherPacket, func(a, b *Members) bool { return a.SubjectType == b.SubjectType }},
	{"amendmentType", ReplayOtherPacket, func(a, b *Members) bool { return a.AmendmentType == b.AmendmentType }},
	{"beforeTermsHash", ReplayOtherPacket, func(a, b *Members) bool { return a.BeforeTermsHash == b.BeforeTermsHash }},
	{"afterTermsHash", ReplayOtherPacket, func(a, b *Members) bool { return a.AfterTermsHash == b.AfterTermsHash }},
	{"reviewerBlockers", ReplayConclusion, func(a, b *Members) bool { return slices.Equal(a.ReviewerBlockers, b.ReviewerBlockers) }},
	{"gate", ReplayConclusion, func(a, b *Members) bool { return a.Gate == b.Gate }},
	{"advisoryOutcome", ReplayConclusion, func(a, b *Members) bool { return a.Advisory == b.Advisory }},
	{"requestedOutcome", ReplayConclusion, func(a, b *Members) bool { return a.Requested == b.Requested }},
	{"blockedTransitions", ReplayConclusion, func(a, b *Members) bool { return slices.Equal(a.Blocked, b.Blocked) }},
}
