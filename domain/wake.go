package domain

// NextChange is the first moment from which on another answer may be due to the question asked at a later time: the earliest
// time of the record that the rules compare with the clock and that has not passed yet. Absent: time alone changes
// nothing, unless it changes what the policy does.
func (q *Question) NextChange() Instant {
	w := waking{now: q.at}
	if c := q.appealCase.Pointer(); c != nil {
		w.consider(c.Notice.DeliveredAt, c.Deadline)
	}
	if a := q.amendment.Pointer(); a != nil {
		w.consider(a.Notice.DeliveredAt)
		for i := range a.Confirmations {
			w.consider(a.Confirmations[i].ConfirmedAt, a.Confirmations[i].ExpiresAt)
		}
	}
	return w.first
}

// NextPolicyChange is the same for the times of the policy.
func (q *Question) NextPolicyChange() Instant {
	w := waking{now: q.at}
	if p := q.appealPolicy.Pointer(); p != nil {
		w.consider(p.FrozenAt, p.EffectiveFrom, p.EffectiveUntil)
	}
	if p := q.amendmentPolicy.Pointer(); p != nil {
		w.consider(p.FrozenAt, p.StaleAfter)
	}
	return w.first
}

type waking struct{ now, first Instant }

// consider keeps the earliest of the times that are now or later. A deadline that is now has not passed yet.
func (w *waking) consider(times ...Instant) {
	for _, t := range times {
		if t.Present() && !t.Before(w.now) && t.Before(w.first) {
			w.first = t
		}
	}
}
