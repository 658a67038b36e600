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

	// what was found and decided
	ComputedBlockers []Blocker
	ReviewerBlockers []Blocker
	Gate             Gate
	Advisory         Outcome // appeals, as are the next three
	Requested        Outcome
	Preliminary      Outcome
	Outcome          Outcome
	Factors          []FactorCode

	// how it came about
	Reviewer       Reviewer
	LogHead        LogHead
	Supersedes     RecordID
	PacketDigest   Hash
	SectionsViewed []SectionName
	OpenedAt       Instant
	EvaluatedAt    Instant
	RecordedAt     Instant
	NoteDigest     Hash
}

func membersOf(v *View, c *Choice, s *Stamp) EnforcementMembers {
	contract := ContractOf(v.Area())
	m := EnforcementMembers{
		Area: v.Area(), RecordID: s.RecordID, ContractVersion: contract.Version, RulesVersion: contract.ValidatorVersion,
		Key:              v.Key(),
		ComputedBlockers: v.judgment.Blockers(), ReviewerBlockers: inOrder(v.Area(), c.AddedBlockers),
		Gate: gateWith(v, c.AddedBlockers), Factors: c.Factors.Words(),
		Reviewer: s.Reviewer, LogHead: s.LogHead, Supersedes: c.Supersedes,
		PacketDigest: v.Digest(), SectionsViewed: c.SectionsViewed,
		OpenedAt: c.OpenedAt, EvaluatedAt: v.EvaluatedAt(), RecordedAt: s.RecordedAt, NoteDigest: c.NoteDigest,
	}
	m.takePolicy(v)
	if v.Area() == Appeals {
		m.takeCase(v.question.appealCase.pointer())
		m.Advisory, m.Requested = v.judgment.AdvisoryOutcome(), v.judgment.appeal.requested
		m.Preliminary, m.Outcome = c.Preliminary, c.Outcome
		return m
	}
	m.takeAmendment(v.question.amendment.pointer())
	m.Blocked = heldBack(m.Gate, v.judgment.guarded)
	return m
}

// takePolicy takes the policy that was judged by; all stays absent where none was held.
func (m *EnforcementMembers) takePolicy(v *View) {
	if policy := v.question.appealPolicy.pointer(); policy != nil {
		m.Policy, m.PolicyHash = appealPolicyTable.key(policy), policy.PolicyHash
	}
	if policy := v.question.amendmentPolicy.pointer(); policy != nil {
		m.Policy, m.PolicyHash = amendmentPolicyTable.key(policy), policy.PolicyHash
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
	computed := SetOf(m.ComputedBlockers...)
	added := SetOf(m.ReviewerBlockers...).Minus(computed)
	m.ComputedBlockers, m.ReviewerBlockers = inOrder(m.Area, computed), inOrder(m.Area, added)
	m.Factors, m.Gate = SetOf(m.Factors...).Words(), Blocked
	if computed.Empty() && added.Empty() {
		m.Gate = Pass
	}
	if m.Area == Amendments {
		m.Blocked = heldBack(m.Gate, m.guarded())
	}
	return m
}

// guarded is what the amendment guards as far as its record says. The record does not name the changed terms, by which
// it may be a change of destination or of the evidence standard as well: then it states all that such a change blocks.
func (m *EnforcementMembers) guarded() GuardedSet {
	stated := SetOf(m.Blocked...)
	a := Amendment{Transition: m.Transition, AmendmentType: m.AmendmentType}
	guarded := a.guarded()
	for _, other := range [...]Transition{DestinationChange, EvidenceStandardChange} {
		if more := guardedBy(other); more.Minus(stated).Empty() {
			guarded = guarded.Union(more)
		}
	}
	return guarded
}

// document writes the members in canonical form. Absent ones are null.
func (m *EnforcementMembers) document() []byte { return m.append(make([]byte, 0, 4<<10)) }
