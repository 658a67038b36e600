package domain

// EnforcementMembers are the members of an enforcement record of either area. Those of the other area stay zero.
type EnforcementMembers struct {
	Area            Area
	RecordID        RecordID
	ContractVersion string
	RulesVersion    string

	// what was judged
	Key             Key // case or amendment, with its revision
	ContentHash     Hash
	ScopeHash       Hash    // appeals
	Subject         Subject // appeals
	SubjectID       ID      // appeals
	Trigger         Trigger // appeals
	OwnerID         ID      // amendments, as are those up to BlockedTransitions
	AgreementID     ID
	Transition      Transition
	SubjectType     SubjectType
	AmendmentType   AmendmentType
	BeforeTermsHash Hash
	AfterTermsHash  Hash
	Blocked         []GuardedAction // blockedTransitions
	Policy          Key             // of the policy that was judged by; absent, as is its hash, where none was held
	PolicyHash      Hash
	Latest          Latest // the highest numbers that were known

	// what was found and decided
	ComputedBlockers []Blocker
	ReviewerBlockers []Blocker // added by this reviewer
	CarriedBlockers  []Blocker // added by people in earlier records on the revision
	Gate             Gate
	Advisory         Outcome // appeals, as are the next four
	Requested        Outcome
	Preliminary      Outcome
	Outcome          Outcome
	Factors          []FactorCode

	// how it came about
	Reviewer        Reviewer
	LogHead         LogHead
	Supersedes      RecordID
	PacketDigest    Hash
	SectionsViewed  []SectionName
	OpenedAt        Instant
	EvaluatedAt     Instant
	RecordedAt      Instant
	StatementDigest Hash
	NoteDigest      Hash
}

func membersOf(v *View, c *Choice, s *Stamp) EnforcementMembers {
	m := EnforcementMembers{
		Area: v.Area(), RecordID: s.RecordID, ContractVersion: ContractOf(v.Area()).Version, RulesVersion: RulesVersion(v.Area()),
		Key: v.Key(), Latest: v.Latest(),
		ComputedBlockers: v.Judgment().Blockers(), ReviewerBlockers: InOrder(v.Area(), c.AddedBlockers),
		CarriedBlockers: InOrder(v.Area(), v.Carried()), Gate: gateWith(v, c.AddedBlockers),
		Reviewer: s.Reviewer, LogHead: s.LogHead, Supersedes: c.Supersedes,
		PacketDigest: v.Digest(s.PacketSalt), SectionsViewed: c.SectionsViewed,
		OpenedAt: c.OpenedAt, EvaluatedAt: v.EvaluatedAt(), RecordedAt: s.RecordedAt,
		StatementDigest: c.Statement.Digest(), NoteDigest: c.NoteDigest,
	}
	m.takePolicy(v)
	if v.Area() == Appeals {
		m.takeCase(v.Question().AppealCase().Pointer())
		m.Advisory, m.Requested = v.Judgment().AdvisoryOutcome(), v.Judgment().RequestedOutcome()
		m.Preliminary, m.Outcome, m.Factors = c.Preliminary, c.Outcome, c.Factors.Words()
		return m
	}
	m.takeAmendment(v.Question().Amendment().Pointer())
	m.Blocked = HeldBack(m.Gate, v.Judgment().Guarded())
	return m
}

// takePolicy takes the policy that was judged by; all stays absent where none was held.
func (m *EnforcementMembers) takePolicy(v *View) {
	if policy := v.Question().AppealPolicy(); policy.Held() {
		m.Policy, m.PolicyHash = policy.Key(), policy.Pointer().PolicyHash
	}
	if policy := v.Question().AmendmentPolicy(); policy.Held() {
		m.Policy, m.PolicyHash = policy.Key(), policy.Pointer().PolicyHash
	}
}

func (m *EnforcementMembers) takeCase(c *AppealCase) {
	m.ContentHash, m.ScopeHash = c.CaseHash, c.ScopeHash
	m.Subject, m.SubjectID, m.Trigger = c.Subject, c.SubjectID, c.Trigger
}

func (m *EnforcementMembers) takeAmendment(a *Amendment) {
	m.ContentHash = a.AmendmentHash
	m.OwnerID, m.AgreementID = a.OwnerID, a.AgreementID
	m.Transition, m.SubjectType, m.AmendmentType = a.Transition, a.SubjectType, a.AmendmentType
	m.BeforeTermsHash, m.AfterTermsHash = a.BeforeTermsHash, a.AfterTermsHash
}

// reviewScope, provenanceActivity and traceabilityBusinessStep follow from the outcome (seed 2.3.7).
func (m *EnforcementMembers) effect() OutcomeEffect { return EffectOf(m.Outcome) }

// following returns the members with those that follow from others as they have to be: blockers and factor codes once
// each and in order, the gate from the blockers, and what is held back from the gate.
func (m EnforcementMembers) following() EnforcementMembers {
	computed, carried := SetOf(m.ComputedBlockers...), SetOf(m.CarriedBlockers...)
	added := SetOf(m.ReviewerBlockers...).Minus(computed.Union(carried))
	m.ComputedBlockers, m.ReviewerBlockers = InOrder(m.Area, computed), InOrder(m.Area, added)
	m.CarriedBlockers = InOrder(m.Area, carried)
	m.Gate = Blocked
	if computed.Union(added).Union(carried).Empty() {
		m.Gate = Pass
	}
	if m.Area == Amendments {
		m.Blocked = HeldBack(m.Gate, m.guarded())
		return m
	}
	m.Factors = SetOf(m.Factors...).Words()
	return m
}

// guarded is what the amendment guards as far as its record says. The record does not name the changed terms, by which
// it may be a change of destination or of the evidence standard as well: then it states all that such a change blocks.
func (m *EnforcementMembers) guarded() GuardedSet {
	stated := SetOf(m.Blocked...)
	a := Amendment{Transition: m.Transition, AmendmentType: m.AmendmentType}
	guarded := GuardedOf(&a)
	for _, other := range [...]Transition{DestinationChange, EvidenceStandardChange} {
		if more := GuardedBy(other); more.Minus(stated).Empty() {
			guarded = guarded.Union(more)
		}
	}
	return guarded
}

// document writes the members in canonical form. Absent ones are null.
func (m *EnforcementMembers) document() []byte { return m.append(make([]byte, 0, 4<<10)) }
