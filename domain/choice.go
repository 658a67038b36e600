package domain

import (
	"fmt"
	"strings"
)

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
	gate, advised := gateWith(v, added), Advised(v, added)
	options := make([]Option, 0, Outcomes.Len())
	for _, outcome := range Outcomes.All() {
		options = append(options, Option{
			Outcome: outcome, Obstacle: obstacle(v, gate, outcome),
			Advised: outcome == advised, Asked: outcome == v.Judgment().RequestedOutcome(),
		})
	}
	return options
}

// Advised is the outcome that docket advises for an appeal, given the blockers that the reviewer adds and those carried over:
// that of the decision if it may be recorded, else route_human_review if that may, else block_reliance. Absent for
// amendments.
func Advised(v *View, added BlockerSet) Outcome {
	if v.Area() != Appeals {
		return 0
	}
	gate := gateWith(v, added)
	for _, outcome := range [...]Outcome{v.Judgment().Findings().Advisory(gate == Pass), RouteHumanReview} {
		if obstacle(v, gate, outcome) == "" {
			return outcome
		}
	}
	return BlockReliance
}

// outcomesOnBlocked are what may be recorded while the gate is blocked.
const outcomesOnBlocked = OutcomeSet(1<<RequestEvidence | 1<<RouteHumanReview | 1<<BlockReliance | 1<<CloseUnresolved)

// outcomesUnheard are what may be recorded on a pass where no notice was delivered, as far as the rule permits it.
const outcomesUnheard = OutcomeSet(1<<RequestEvidence | 1<<RouteHumanReview | 1<<OpenChallengeWindow)

// outcomesWithoutRule may be recorded on a blocked gate where there is no usable rule that would permit anything.
const outcomesWithoutRule = OutcomeSet(1<<RequestEvidence | 1<<RouteHumanReview)

// obstacle says why the outcome may not be recorded under the gate; "" if it may. An outcome has to fit the trigger, block
// as long as something blocks, and settle nothing where nobody was heard.
func obstacle(v *View, gate Gate, outcome Outcome) string {
	found := v.Judgment().Findings()
	permitted := found.Rule.Compatible
	if !found.Rule.Usable() {
		permitted = 0
	}
	switch {
	case !outcome.Present():
		return "no outcome is chosen"
	case outcome == BlockReliance && (gate != Pass || !found.Heard):
		return ""
	case gate != Pass && !outcomesOnBlocked.Has(outcome):
		return "the gate is blocked"
	case gate != Pass && permitted.Empty() && outcomesWithoutRule.Has(outcome):
		return ""
	case !permitted.Has(outcome):
		return "the policy does not permit it for this trigger"
	case gate == Pass && !found.Heard && !outcomesUnheard.Has(outcome), gate != Pass && !found.Heard && outcome == CloseUnresolved:
		return "no notice was delivered, so nobody was heard"
	}
	return ""
}

// factorSets tells which factor codes the evaluation of an appeal gives for an outcome, with the blockers that people added,
// and which of them always stand. None for amendments.
func factorSets(v *View, outcome Outcome, added BlockerSet) (offered, always FactorSet) {
	for _, reason := range FactorsFor(v, outcome, added) {
		if reason.Supported {
			offered = offered.With(reason.Code)
		}
		if reason.Supported && reason.Always {
			always = always.With(reason.Code)
		}
	}
	return offered, always
}

// FactorsFor lists every factor code with what the evaluation says of it for an outcome that a reviewer chooses, with the
// blockers that they add: a code whose condition is a blocker in any list is not supported. None for amendments. With an
// absent outcome that which the rules advise is meant.
func FactorsFor(v *View, outcome Outcome, added BlockerSet) []FactorReason {
	return v.Judgment().FactorReasonsFor(outcome, added.Union(v.Carried()))
}

// StatementRequired says why the choice needs a statement of reasons; "" if it needs none.
func StatementRequired(v *View, c *Choice) string {
	added := c.AddedBlockers.Minus(v.Judgment().BlockerSet().Union(v.Carried()))
	switch {
	case v.Area() == Appeals && c.Outcome == CloseUnresolved:
		return "the case is closed unresolved"
	case !added.Empty():
		return "a blocker is added"
	case v.Area() == Appeals && c.Outcome != Advised(v, added):
		return "the outcome is not the advised one"
	}
	return ""
}

// gateWith is the gate once the reviewer's own blockers are added to those computed and those carried over.
func gateWith(v *View, added BlockerSet) Gate {
	if !added.Union(v.Carried()).Empty() {
		return Blocked
	}
	return v.Judgment().Gate()
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
	offered, always := factorSets(v, c.Outcome, c.AddedBlockers)
	switch {
	case v.Area() == Appeals && c.Factors.Empty():
		return &Refusal{"no factor code is chosen; at least one approved code is needed"}
	case !c.Factors.Minus(offered).Empty():
		return &Refusal{fmt.Sprintf("the evaluation does not give %s for the outcome %q",
			strings.Join(c.Factors.Minus(offered).Texts(), ", "), c.Outcome.Label())}
	case !always.Minus(c.Factors).Empty():
		return &Refusal{strings.Join(always.Minus(c.Factors).Texts(), ", ") + " is missing among the factor codes; it always stands"}
	case !c.AddedBlockers.Minus(AllBlockers(v.Area())).Empty():
		return &Refusal{"an added blocker does not belong to " + v.Area().String()}
	}
	return nil
}

// checkReasons tells whether the choice may be recorded with the statement of reasons of that digest, absent if it has none.
func (c *Choice) checkReasons(v *View, statement Hash) error {
	if why := StatementRequired(v, c); why != "" && !statement.Present() {
		return &Refusal{"a statement of reasons is required: " + why}
	}
	return nil
}
