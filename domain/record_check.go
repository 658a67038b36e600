package domain

// MayRecord tells whether the reviewer may record a decision on the packet with those blockers added: nil, or a
// *Refusal with the reason. It asks more than MayDecide, because by now the gate is known.
func MayRecord(v *View, reviewer Reviewer, added BlockerSet) error {
	a := attemptOn(v, reviewer, gateWith(v, added.Minus(v.judgment.blockers.Union(v.carried))))
	return a.refusal(false)
}
