package domain

// A Judgment is what the rules conclude about a Question. Only Judge makes one; the zero Judgment is blocked.
type Judgment struct {
	area     Area
	judged   bool
	blockers BlockerSet

	appeal     Findings
	transition Transition
	guarded    GuardedSet // what a blocked gate holds back
}

// Judge puts the question to the rule book of its area. It is a pure function and returns every blocker that holds.
func Judge(q *Question) Judgment {
	switch q.area {
	case Appeals:
		return judgeAppeal(q)
	case Amendments:
		return judgeAmendment(q)
	}
	return Judgment{}
}

func judgeAppeal(q *Question) Judgment {
	facts := appealFacts{
		policy: q.appealPolicy.Pointer(), record: q.appealCase.Pointer(),
		latestPolicyVersion: q.latestPolicyVersion, latestRevision: q.latestRevision, now: q.at,
	}
	if facts.policy != nil {
		facts.policyContent = q.appealPolicy.Digests().Content
	}
	if facts.record != nil {
		facts.content, facts.scope = q.appealCase.Digests().Content, q.appealCase.Digests().Scope
	}
	j := Judgment{area: Appeals, judged: true}
	j.blockers = evaluate(appealRules[:], &facts, facts.record != nil)
	j.appeal = findingsOf(&facts, j.blockers)
	return j
}

func judgeAmendment(q *Question) Judgment {
	facts := amendmentFacts{
		policy: q.amendmentPolicy.Pointer(), record: q.amendment.Pointer(),
		latestPolicyVersion: q.latestPolicyVersion, latestRevision: q.latestRevision, now: q.at,
	}
	if facts.policy != nil {
		facts.policyContent = q.amendmentPolicy.Digests().Content
	}
	j := Judgment{area: Amendments, judged: true, guarded: GuardedBy(0)}
	if facts.record != nil {
		facts.content = q.amendment.Digests().Content
		facts.consent = facts.record.Consent(q.at)
		j.transition, j.guarded = facts.record.Transition, GuardedOf(facts.record)
	}
	j.blockers = evaluate(amendmentRules[:], &facts, facts.record != nil)
	return j
}

// Area tells which rule book answered.
func (j Judgment) Area() Area { return j.area }

// Gate is Pass only if every rule was asked and none holds.
func (j Judgment) Gate() Gate {
	if j.judged && j.blockers.Empty() {
		return Pass
	}
	return Blocked
}

// Blockers lists what holds, in the order of seed 7; never nil.
func (j Judgment) Blockers() []Blocker { return InOrder(j.area, j.blockers) }

// BlockerSet is what holds, as a set.
func (j Judgment) BlockerSet() BlockerSet { return j.blockers }

// Guarded is what a blocked gate holds back of an amendment.
func (j Judgment) Guarded() GuardedSet { return j.guarded }

// Transition is that of the amendment judged; absent for appeals.
func (j Judgment) Transition() Transition { return j.transition }

// ProtectedBoundary is the contract's text of what the amendment's transition protects; "" where it has none.
func (j Judgment) ProtectedBoundary() string {
	definition, _ := Definition(j.transition)
	return definition.ProtectedBoundary
}

// BlockedTransitions lists what may not proceed, never nil and in the order of source 2.5.1: nothing on pass; on blocked
// what the transition blocks, and what a change of destination or of the evidence standard blocks where the amendment is
// one by its other members; everything that any transition blocks where the transition is absent. Appeals block none.
func (j Judgment) BlockedTransitions() []GuardedAction {
	if j.area != Amendments {
		return []GuardedAction{}
	}
	return HeldBack(j.Gate(), j.guarded)
}
