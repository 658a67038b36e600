package domain

import "fmt"

// A Choice is what a reviewer decides about the packet in view. It can tighten what the rules found and never loosen it.
type Choice struct {
	Outcome        Outcome       // of appeals; absent for amendments
	Preliminary    Outcome       // the reviewer's judgment before the advisory outcome was shown, if there was one
	Factors        FactorSet     // of appeals, at least one
	AddedBlockers  BlockerSet    // on top of those computed and those carried over
	SectionsViewed []SectionName // in order of first sight
	OpenedAt       Instant       // when the packet was opened
	Supersedes     RecordID      // the record in force on the same revision, if there is one
	Statement      Statement     // the public statement of reasons, if there is one
	NoteDigest     Hash          // of the private local note, if there is one
}

// An Option is one outcome with what stands against choosing it: "" if nothing does.
type Option struct {
	Outcome  Outcome
	Advised  bool   // the rules advise it
	Asked    bool   // the case asks for it
	Obstacle string // why it may not be chosen
}

// Options lists all outcomes for the packet in view, given the blockers that the reviewer adds. None for amendments.
func Options(v *View, added BlockerSet) []Option {
	if v.Area() != Appeals {
		return nil
	}
	gate := gateWith(v, added)
	options := make([]Option, 0, Outcomes.Len())
	for _, outcome := range Outcomes.All() {
		options = append(options, Option{
			Outcome: outcome, Obstacle: obstacle(v, gate, outcome),
			Advised: outcome == v.advisoryFor(gate), Asked: outcome == v.judgment.appeal.requested,
		})
	}
	return options
}

// advisoryFor is the advisory outcome once the reviewer's own blockers are taken into account.
func (v *View) advisoryFor(gate Gate) Outcome { return v.judgment.appeal.advisory(gate == Pass) }

// obstacle says why the outcome may not be recorded under the gate; "" if it may.
func obstacle(v *View, gate Gate, outcome Outcome) string {
	switch {
	case !outcome.Present():
		return "no outcome is chosen"
	case gate != Pass && !outcomesOnBlocked.Has(outcome):
		return "the gate is blocked"
	case gate == Pass && !v.judgment.appeal.rule.Compatible.Has(outcome):
		return "the policy does not permit it for this trigger"
	}
	return ""
}

// gateWith is the gate once the reviewer's own blockers are added to those computed and those carried over.
func gateWith(v *View, added BlockerSet) Gate {
	if !added.Union(v.carried).Empty() {
		return Blocked
	}
	return v.judgment.Gate()
}

// GateWith is the gate that would be recorded with those blockers added. Adding can only block.
func GateWith(v *View, added BlockerSet) Gate { return gateWith(v, added) }

// check tells whether the choice may be recorded for the packet in view, apart from who records it.
func (c *Choice) check(v *View) error {
	if v.Area() == Appeals {
		if why := obstacle(v, gateWith(v, c.AddedBlockers), c.Outcome); why != "" {
			return &Refusal{fmt.Sprintf("the outcome %q may not be recorded: %s", c.Outcome.Label(), why)}
		}
	} else if c.Outcome.Present() || c.Preliminary.Present() || !c.Factors.Empty() {
		return &Refusal{"an amendment has no outcome and no factor codes; its gate is confirmed or tightened"}
	}
	switch {
	case v.Area() == Appeals && c.Factors.Empty():
		return &Refusal{"no factor code is chosen; at least one approved code is needed"}
	case !c.AddedBlockers.Minus(AllBlockers(v.Area())).Empty():
		return &Refusal{"an added blocker does not belong to " + v.Area().String()}
	}
	return nil
}
