// Package records makes, reads and checks the records that reviewers leave.
//
//	View, Choice, Stamp --Decide--> Enforcement --(a store appends it)--> Receipt
//
// [Decide] checks who records, what may be chosen under the gate and whether it needs reasons, and
// writes the record in canonical form. [Enforcement.Recheck] checks it again against the packet as
// it is when it is appended; [Enforcement.Replay] evaluates the packets of a logged record again
// and compares. Only Decide and [ReadEnforcement] make an [Enforcement]; the zero value is refused.
//
// The package also has the other documents of a decision that are signed or kept: statements of
// reasons and notes, rejections, statements about a log, drafts and receipts.
package records

import (
	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
	"fmt"
)

// SignatureNamespace is the SSHSIG namespace in which enforcement records are signed.
const SignatureNamespace = "docket-enforcement-record"

// A Stamp holds the values of a record that neither the view, the choice nor this package gives.
type Stamp struct {
	RecordID   RecordID
	Reviewer   Reviewer
	LogHead    LogHead
	RecordedAt terms.Instant
	PacketSalt packets.Salt // of the packetDigest; it is kept beside the record
}

// EnforcementMutation is the only stateMutation of records and their routes (source 4.1 and 4.2).
const EnforcementMutation = "append_only_enforcement_record"

// An Enforcement is an enforcement record: its members and the canonical bytes that are signed and
// logged. Only Decide and ReadEnforcement make one; the zero value is refused where one is taken.
type Enforcement struct {
	members  Members
	document []byte
}

// Members are the record's members. What they refer to must not be changed.
func (e Enforcement) Members() *Members { return &e.members }

// Document is the record in canonical form, not to be changed; nil for the zero Enforcement.
func (e Enforcement) Document() []byte { return e.document }

// Table is the enforcement table the record belongs to.
func (e Enforcement) Table() terms.Table {
	switch e.members.Area {
	case terms.Appeals:
		return terms.AppealEnforcements
	case terms.Amendments:
		return terms.AmendmentEnforcements
	}
	return 0
}

// maxInteger is the exclusive bound of a record's integers.
const maxInteger = 1 << 53

// MaxEnforcementSize is the length of the longest record in bytes, which a leaf of the log bounds.
const MaxEnforcementSize = MaxLeafSize - len("record\n"+logTime+"\n")

// Decide makes the record of a choice about the packet in view. It checks who records, what may be
// chosen under the gate, whether reasons are needed, and that the record fits into the log and can
// be read back. The error is a *Refusal. A store checks all of it again before it appends.
func Decide(v *views.View, c Choice, s Stamp) (Enforcement, error) {
	c.AddedBlockers = c.AddedBlockers.Minus(v.Evaluation().BlockerSet().Union(v.Carried()))
	a := attemptOn(v, s.Reviewer, GateWith(v, c.AddedBlockers))
	if err := a.refusal(false); err != nil {
		return Enforcement{}, err
	}
	if _, always := factorSets(v, c.Outcome, c.AddedBlockers); !c.Factors.Empty() {
		c.Factors = c.Factors.Union(always)
	}
	if err := c.check(v); err != nil {
		return Enforcement{}, err
	}
	if err := c.checkReasons(v, c.Statement.Digest()); err != nil {
		return Enforcement{}, err
	}
	if err := c.Statement.Check(); err != nil {
		return Enforcement{}, err
	}
	if !s.PacketSalt.Valid() {
		return Enforcement{}, &Refusal{"the digest of the packet has no salt"}
	}
	if err := s.check(v.EvaluatedAt(), &c); err != nil {
		return Enforcement{}, err
	}
	m := membersOf(v, &c, &s)
	document := m.document()
	var reader packets.Reader
	if _, err := ReadEnforcement(&reader, m.Area, document); err != nil {
		return Enforcement{}, &Refusal{fmt.Sprintf("the record could not be read back: %s", err)}
	}
	return Enforcement{m, document}, nil
}

// check reports whether the stamp is whole, no time runs backwards, and the id is one of its time.
func (s *Stamp) check(evaluatedAt terms.Instant, c *Choice) error {
	switch {
	case !s.RecordID.Valid():
		return &Refusal{"the record has no valid id"}
	case s.Reviewer.KeyFingerprint == "":
		return ErrNoKey
	case s.LogHead.Size < 0 || s.LogHead.Size >= maxInteger || !s.LogHead.Root.Present() || !ofConsole(s.LogHead.Origin):
		return &Refusal{"the head of the log is not known"}
	}
	if fault := timeFault(c.OpenedAt, evaluatedAt, s.RecordedAt, s.RecordID); fault != "" {
		return &Refusal{fmt.Sprintf("%s; check this machine's clock", fault)}
	}
	return nil
}

// Members are the members of a record of either area; those of the other area stay zero.
type Members struct {
	Area            terms.Area
	RecordID        RecordID
	ContractVersion string
	RulesVersion    string

	// what was judged
	Key             packets.Key // case or amendment, with its revision
	ContentHash     terms.Hash
	ScopeHash       terms.Hash    // appeals
	Subject         terms.Subject // appeals
	SubjectID       terms.ID      // appeals
	Trigger         terms.Trigger // appeals
	OwnerID         terms.ID      // amendments, as are those up to Blocked
	AgreementID     terms.ID
	Transition      terms.Transition
	SubjectType     terms.SubjectType
	AmendmentType   terms.AmendmentType
	BeforeTermsHash terms.Hash
	AfterTermsHash  terms.Hash
	Blocked         []terms.GuardedAction // blockedTransitions
	Policy          packets.Key           // that was judged by; absent with its hash if none was held
	PolicyHash      terms.Hash
	Latest          rules.Latest // the highest numbers that were known

	// what was found and decided
	ComputedBlockers []terms.Blocker
	ReviewerBlockers []terms.Blocker // added by this reviewer
	CarriedBlockers  []terms.Blocker // added by people in earlier records on the revision
	Gate             terms.Gate
	Advisory         terms.Outcome // appeals, as are the next four
	Requested        terms.Outcome
	Preliminary      terms.Outcome
	Outcome          terms.Outcome
	Factors          []terms.FactorCode

	// how it came about
	Reviewer        Reviewer
	LogHead         LogHead
	Supersedes      RecordID
	PacketDigest    terms.Hash
	SectionsViewed  []views.SectionName
	OpenedAt        terms.Instant
	EvaluatedAt     terms.Instant
	RecordedAt      terms.Instant
	StatementDigest terms.Hash
	NoteDigest      terms.Hash

	written writtenTimes
}

// writtenTimes are the times that are not written as docket does: a fraction may end in zeros.
type writtenTimes struct{ opened, evaluated, recorded string }

func membersOf(v *views.View, c *Choice, s *Stamp) Members {
	m := Members{
		Area: v.Area(), RecordID: s.RecordID, ContractVersion: terms.ContractOf(v.Area()).Version, RulesVersion: rules.Version(v.Area()),
		Key: v.Key(), Latest: v.Latest(),
		ComputedBlockers: v.Evaluation().Blockers(), ReviewerBlockers: rules.InOrder(v.Area(), c.AddedBlockers),
		CarriedBlockers: rules.InOrder(v.Area(), v.Carried()), Gate: GateWith(v, c.AddedBlockers),
		Reviewer: s.Reviewer, LogHead: s.LogHead, Supersedes: c.Supersedes,
		PacketDigest: v.Digest(s.PacketSalt), SectionsViewed: c.SectionsViewed,
		OpenedAt: c.OpenedAt, EvaluatedAt: v.EvaluatedAt(), RecordedAt: s.RecordedAt,
		StatementDigest: c.Statement.Digest(), NoteDigest: c.NoteDigest,
	}
	if policy := v.Input().AppealPolicy(); policy.Held() {
		m.Policy, m.PolicyHash = policy.Key(), policy.Pointer().PolicyHash
	}
	if policy := v.Input().AmendmentPolicy(); policy.Held() {
		m.Policy, m.PolicyHash = policy.Key(), policy.Pointer().PolicyHash
	}
	if v.Area() == terms.Appeals {
		judged := v.Input().AppealCase().Pointer()
		m.ContentHash, m.ScopeHash = judged.CaseHash, judged.ScopeHash
		m.Subject, m.SubjectID, m.Trigger = judged.Subject, judged.SubjectID, judged.Trigger
		m.Advisory, m.Requested = v.Evaluation().AdvisoryOutcome(), v.Evaluation().RequestedOutcome()
		m.Preliminary, m.Outcome, m.Factors = c.Preliminary, c.Outcome, c.Factors.Terms()
		return m
	}
	judged := v.Input().Amendment().Pointer()
	m.ContentHash, m.OwnerID, m.AgreementID = judged.AmendmentHash, judged.OwnerID, judged.AgreementID
	m.Transition, m.SubjectType, m.AmendmentType = judged.Transition, judged.SubjectType, judged.AmendmentType
	m.BeforeTermsHash, m.AfterTermsHash = judged.BeforeTermsHash, judged.AfterTermsHash
	m.Blocked = rules.HeldBack(m.Gate, v.Evaluation().Guarded())
	return m
}

// following returns the members with sets in order, and gate and blocked transitions derived.
func (m Members) following() Members {
	computed, carried := terms.SetOf(m.ComputedBlockers...), terms.SetOf(m.CarriedBlockers...)
	added := terms.SetOf(m.ReviewerBlockers...).Minus(computed.Union(carried))
	m.ComputedBlockers, m.ReviewerBlockers = rules.InOrder(m.Area, computed), rules.InOrder(m.Area, added)
	m.CarriedBlockers = rules.InOrder(m.Area, carried)
	m.Gate = terms.Blocked
	if computed.Union(added).Union(carried).Empty() {
		m.Gate = terms.Pass
	}
	if m.Area == terms.Amendments {
		m.Blocked = rules.HeldBack(m.Gate, m.guarded())
		return m
	}
	m.Factors = terms.SetOf(m.Factors...).Terms()
	return m
}

// guarded is what the amendment guards by its record, which does not name the changed terms: it is
// also a change of destination or evidence standard if all that such a change blocks is stated.
func (m *Members) guarded() terms.GuardedSet {
	stated := terms.SetOf(m.Blocked...)
	a := packets.Amendment{Transition: m.Transition, AmendmentType: m.AmendmentType}
	guarded := rules.GuardedOf(&a)
	for _, other := range [...]terms.Transition{terms.DestinationChange, terms.EvidenceStandardChange} {
		if more := rules.GuardedBy(other); more.Minus(stated).Empty() {
			guarded = guarded.Union(more)
		}
	}
	return guarded
}

func (m *Members) document() []byte { return m.append(make([]byte, 0, 4<<10)) }
