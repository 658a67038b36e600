package domain

import (
	"cmp"
	"fmt"
	"strings"
)

// A StaleError says that the packet is no longer what the reviewer saw, so nothing was recorded. It unwraps to
// ErrRefused.
type StaleError struct {
	Changes    []string
	Superseded bool // all that has changed is which record is in force
}

// Error lists the changes.
func (e *StaleError) Error() string {
	return "not recorded: what you judged has changed: " + strings.Join(e.Changes, "; ") + "; open it again"
}

// Unwrap returns ErrRefused.
func (e *StaleError) Unwrap() error { return ErrRefused }

// Recheck is asked inside the transaction that appends the record, with the packet looked at again as it is now.
// inForce is the record in force on the same revision, "" for none. It returns nil only if the reviewer still may
// record, the rules still conclude what the reviewer saw, and the record supersedes exactly what is in force;
// otherwise a *StaleError with every change, or a *Refusal.
func (e Enforcement) Recheck(now *View, inForce RecordID) error {
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
	// All but the evaluation that the reviewer saw, with what was known then, has to be what Decide would write of the same
	// choice now. Whether that evaluation is what it says is for Replay to find.
	again := membersOf(now, &c, &s)
	again.EvaluatedAt, again.PacketDigest, again.Latest = m.EvaluatedAt, m.PacketDigest, m.Latest
	again.StatementDigest = m.StatementDigest
	if string(again.document()) != string(e.document) {
		return &Refusal{"the record does not say what follows from the packet and from its own choice"}
	}
	if !m.RecordedAt.NotAfter(now.EvaluatedAt()) {
		return &Refusal{"the record is from the future; check this machine's clock"}
	}
	return nil
}

// changes compares what the record says was found with what is found now.
func (e Enforcement) changes(now *View, inForce RecordID) []string {
	m := &e.members
	var changes []string
	add := func(format string, args ...any) { changes = append(changes, fmt.Sprintf(format, args...)) }
	seen, held := SetOf(m.ComputedBlockers...), now.Judgment().BlockerSet()
	if now.Latest().Revision > m.Key.Number {
		if !seen.Has(AppealCaseStale) && !seen.Has(AmendmentStaleBlocker) {
			add("revision %d has arrived", now.Latest().Revision)
		}
	}
	for _, code := range InOrder(m.Area, held.Minus(seen)) {
		add("%s holds now", code)
	}
	for _, code := range InOrder(m.Area, seen.Minus(held)) {
		add("%s no longer holds", code)
	}
	for _, code := range InOrder(m.Area, now.Carried().Minus(SetOf(m.CarriedBlockers...))) {
		add("an earlier record has added %s, which stands", code)
	}
	for _, code := range InOrder(m.Area, SetOf(m.CarriedBlockers...).Minus(now.Carried())) {
		add("no earlier record in force has added %s", code)
	}
	again := membersOf(now, &Choice{}, &Stamp{})
	if advisory := again.Advisory; advisory != m.Advisory {
		add("the advisory outcome is %s now", cmp.Or(advisory.Label(), "none"))
	}
	if again.ContentHash != m.ContentHash || again.ScopeHash != m.ScopeHash || again.Policy != m.Policy ||
		again.PolicyHash != m.PolicyHash {
		add("the case or its policy is another one")
	}
	switch {
	case inForce == m.Supersedes:
	case inForce.Present():
		add("record %s is in force and has to be named as superseded", inForce)
	default:
		add("there is no record in force that could be superseded")
	}
	return changes
}
