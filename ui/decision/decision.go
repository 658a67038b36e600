// Package decision is the flow by which a reviewer decides, for the full console and the plain one
// alike. It holds the steps with their questions and obstacles, how a draft is resumed, the
// autosave, the review, and the answer once the decision was sent to be recorded. The consoles draw
// it and pass on what is typed.
//
// A newcomer starts at Decision. From there:
//
//	question.go  the question of each step, its options, and why a step is incomplete
//	obstacle.go  why this reviewer cannot decide, judge again or skip
//	draft.go     how a decision is resumed
//	autosave.go  how a decision survives the end of the program
//	renew.go     how the packet is evaluated again while the review is open
//	review.go    the text of the review
//	record.go    the answers of the workbench, and the receipt
package decision

import (
	"fmt"
	"slices"

	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
)

// A Step is one question of a decision.
type Step uint8

const (
	First     Step = iota + 1 // the reviewer's own judgment, in blind-first mode
	Outcome                   // of appeals
	Factors                   // factor codes, of appeals
	Blockers                  // added ones
	Statement                 // the public statement of reasons
	Note                      // the private note
	Review                    // restates the decision and asks for the word that records it
)

var stepNames = [...]string{First: "first", Outcome: "outcome", Factors: "factors", Blockers: "blockers",
	Statement: "statement", Note: "note", Review: "review"}

func (s Step) String() string { return stepNames[s] }

// A Decision is a decision under way on a packet: the choices so far and the current step.
type Decision struct {
	records.Draft
	CaseFile *queue.CaseFile
	// Notices are changes since the packet was opened, without a full stop, until the step is left.
	Notices  []string
	reviewer records.Reviewer
	steps    []Step
	at       int
	furthest int // step that was reached
	ruledOff choice
}

type choice struct {
	outcome terms.Outcome
	factors terms.FactorSet
}

// New begins a decision on a packet opened at a time. No outcome is chosen for the reviewer. In
// blind-first mode, while the advice is held back, the reviewer's own judgment comes first.
func New(caseFile *queue.CaseFile, openedAt terms.Instant, reviewer records.Reviewer, blind bool) *Decision {
	d := &Decision{CaseFile: caseFile, reviewer: reviewer}
	d.OpenedAt = openedAt
	if came := caseFile.Arrival(); openedAt.Before(came) && came.NotAfter(d.View().EvaluatedAt()) {
		d.OpenedAt = came // it came in while it was being read
	}
	d.Factors = d.offered(d.Factors, true)
	d.Notices = againBecause(caseFile)
	if blind {
		d.steps = append(d.steps, First)
	}
	if d.View().Area() == terms.Appeals {
		d.steps = append(d.steps, Outcome, Factors)
	}
	d.steps = append(d.steps, Blockers, Statement, Note, Review)
	notices := d.Notices
	d.Forward()
	d.Notices = notices
	return d
}

func (d *Decision) View() *views.View { return &d.CaseFile.View }

func (d *Decision) Gate() terms.Gate { return records.GateWith(d.View(), d.Added) }

// Advised is the outcome that is advised, with the blockers added; absent for amendments.
func (d *Decision) Advised() terms.Outcome {
	for _, option := range d.Options() {
		if option.Advised {
			return option.Outcome
		}
	}
	return 0
}

// Blind reports whether the advice is held back: until the reviewer has given a judgment.
func (d *Decision) Blind() bool { return d.steps[0] == First && d.furthest == 0 }

func (d *Decision) Steps() []Step { return d.steps }

// At is the index of the current step; Step is that step.
func (d *Decision) At() int    { return d.at }
func (d *Decision) Step() Step { return d.steps[d.at] }

// Enter goes to a step; to the first one if this decision has no such step.
func (d *Decision) Enter(step Step) { d.enter(max(slices.Index(d.steps, step), 0)) }

func (d *Decision) enter(at int) { d.at, d.furthest = at, max(d.furthest, at) }

// Forward goes to the review or, if a step before it is incomplete, to that step: the steps that
// ask nothing are lines of the review. If added blockers have ruled out the outcome, it goes back
// to that. It returns what the step lacks.
func (d *Decision) Forward() (missing string) {
	if missing = d.unrecordable(); d.Step() == Blockers && missing != "" {
		d.Enter(Outcome)
		return missing
	}
	d.Notices = nil
	for d.Step() != Review {
		if missing = d.Missing(d.Step()); missing != "" {
			return missing
		}
		if d.Step() == Blockers {
			d.Notices = d.dropFactors()
		}
		if d.enter(d.at + 1); d.steps[d.at-1] == First {
			return "" // the advice shows now, and the final outcome is chosen with it
		}
	}
	return ""
}

// Back goes to the review from a step that was changed, and from the review to the last step that
// asked something. It returns false where that leaves the decision; the reviewer's own judgment
// cannot be given again once the advice was shown.
func (d *Decision) Back() bool {
	to := slices.Index(d.steps, Outcome)
	switch step := d.Step(); {
	case step == First || step == Outcome:
		return false
	case step == Review && d.Statement != "":
		to = slices.Index(d.steps, Statement)
	case step != Review && d.Missing(Review) == "":
		to = len(d.steps) - 1
	case step == Statement && (to < 0 || !d.Added.Empty()):
		to = slices.Index(d.steps, Blockers)
	}
	if to < 0 {
		return false
	}
	d.Notices = nil
	d.enter(to)
	return true
}

// Choose takes an outcome: at the first step as the reviewer's own judgment, else as the final one.
// A final outcome that differs from the one before chooses all factor codes that the evaluation
// gives for it. Choose returns why the outcome may not be chosen; "" if it was chosen.
func (d *Decision) Choose(outcome terms.Outcome) string {
	if why := d.obstacle(outcome); why != "" {
		return MayNotBeChosen(records.Option{Outcome: outcome, Obstacle: why})
	}
	switch {
	case d.Step() == First:
		d.Preliminary = outcome
	case outcome != d.Outcome:
		d.Outcome = outcome
		d.Factors = d.offered(d.Factors, true)
	}
	return ""
}

// Chosen is the outcome that was chosen at this step; absent for none.
func (d *Decision) Chosen() terms.Outcome {
	if d.Step() == First {
		return d.Preliminary
	}
	return d.Outcome
}

// offered returns those of the codes, or all, that can be chosen, with those always required.
func (d *Decision) offered(codes terms.FactorSet, all bool) (set terms.FactorSet) {
	for _, one := range d.Codes() {
		if all || one.Always || codes.Has(one.Code) {
			set = set.With(one.Code)
		}
	}
	return set
}

func (d *Decision) dropFactors() (said []string) {
	left := d.offered(d.Factors, false)
	for _, code := range d.Factors.Minus(left).Terms() {
		said = append(said, fmt.Sprintf("Factor code %s is dropped: it does not fit the outcome and the blockers", code))
	}
	d.Factors = left
	return said
}

// ToggleFactor chooses a factor code or drops it. It returns why it does neither; "" if it does.
func (d *Decision) ToggleFactor(code terms.FactorCode) string {
	for _, one := range d.Codes() {
		switch {
		case one.Code != code:
		case one.Always:
			return AlwaysRequired
		case d.Factors.Has(code):
			d.Factors = d.Factors.Without(code)
			return ""
		default:
			d.Factors = d.Factors.With(code)
			return ""
		}
	}
	return "it does not fit the outcome and the blockers"
}

// Toggle adds a blocker, or takes back an added one. It returns why it does neither; "" if it does.
// While added blockers rule out the outcome, it is not chosen, which Notices say.
func (d *Decision) Toggle(code terms.Blocker) string {
	switch {
	case d.fixed(code) != "":
		return fmt.Sprintf("nobody can remove %s: %s", code, d.fixed(code))
	case d.Added.Has(code):
		d.Added = d.Added.Without(code)
	default:
		d.Added = d.Added.With(code)
	}
	d.Notices = nil
	if off := d.ruledOff; !d.Outcome.Present() && off.outcome.Present() && d.obstacle(off.outcome) == "" {
		d.Outcome, d.Factors = off.outcome, off.factors
	}
	if why := d.ruledOut(); why != "" {
		d.ruledOff = choice{d.Outcome, d.Factors}
		d.Notices = []string{fmt.Sprintf(
			"With the blockers that you added %s may not be recorded: %s. Choose the outcome again",
			d.Outcome.Label(), why)}
		d.Outcome = 0
	}
	return ""
}

// Choice is the choice that would be recorded. seen are the sections that were on the screen.
func (d *Decision) Choice(seen []views.SectionName) records.Choice {
	return records.Choice{
		Outcome: d.Outcome, Preliminary: d.Preliminary, Factors: d.Factors, AddedBlockers: d.Added,
		SectionsViewed: slices.Clone(seen), OpenedAt: d.OpenedAt, Supersedes: d.CaseFile.InForce,
		Statement: records.Statement{Text: d.Statement},
	}
}
