package decision

import (
	"slices"

	"docket/domain"
	"docket/ui/wording"
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
	Review                    // restates all of it, and takes the word
)

// stepNames are indexed by Step. A draft says by them how far it has come.
var stepNames = [...]string{First: "first", Outcome: "outcome", Factors: "factors", Blockers: "blockers",
	Statement: "statement", Note: "note", Review: "review"}

// String returns the step's name; "" for none.
func (s Step) String() string { return stepNames[s] }

// A Decision is one that is being made on a packet: what is chosen so far, and how far it has come.
type Decision struct {
	domain.Draft
	Dossier *domain.Dossier
	// Notices are plain words about what has changed under the reviewer, each without a full stop. They stand until the
	// reviewer leaves the step.
	Notices  []string
	steps    []Step
	at       int
	furthest int // step that was reached
}

// New begins a decision. No outcome is chosen for the reviewer. In blind-first mode, as long as the advice is held back,
// the reviewer's own judgment comes first. openedAt is when the packet was opened.
func New(dossier *domain.Dossier, openedAt domain.Instant, blind bool) *Decision {
	d := &Decision{Dossier: dossier}
	d.OpenedAt = openedAt
	d.Factors = d.offered(d.Factors, true)
	d.Notices = wording.AgainBecause(dossier)
	if blind {
		d.steps = append(d.steps, First)
	}
	if d.View().Area() == domain.Appeals {
		d.steps = append(d.steps, Outcome, Factors)
	}
	d.steps = append(d.steps, Blockers, Statement, Note, Review)
	return d
}

// View is the packet that is decided on.
func (d *Decision) View() *domain.View { return &d.Dossier.View }

// Gate is what would be recorded now.
func (d *Decision) Gate() domain.Gate { return domain.GateWith(d.View(), d.Added) }

// Options are the outcomes with what stands against each.
func (d *Decision) Options() []domain.Option { return domain.Options(d.View(), d.Added) }

// Advised is the outcome that the rules advise, with the blockers added; absent for amendments.
func (d *Decision) Advised() domain.Outcome { return domain.Advised(d.View(), d.Added) }

// Obstacle says why an outcome may not be recorded; "" if it may.
func (d *Decision) Obstacle(outcome domain.Outcome) string {
	for _, option := range d.Options() {
		if option.Outcome == outcome {
			return option.Obstacle
		}
	}
	return "no outcome is chosen"
}

// Steps are those of this decision, in order.
func (d *Decision) Steps() []Step { return d.steps }

// At is the index of the step at which the decision is; Step is that step.
func (d *Decision) At() int    { return d.at }
func (d *Decision) Step() Step { return d.steps[d.at] }

// Enter goes to a step; to the first one if this decision has no such step.
func (d *Decision) Enter(step Step) { d.enter(max(slices.Index(d.steps, step), 0)) }

func (d *Decision) enter(at int) { d.at, d.furthest = at, max(d.furthest, at) }

// Missing says what a step lacks, or what stands against it, so that it cannot be left forwards; "" if it can.
func (d *Decision) Missing(step Step, reviewer domain.Reviewer) string {
	switch step {
	case First:
		return d.Obstacle(d.Preliminary)
	case Outcome:
		return d.unrecordable()
	case Factors:
		if d.Factors.Empty() {
			return "at least one factor code is needed"
		}
	case Statement:
		return d.StatementObstacle(d.Statement)
	case Blockers:
		if err := domain.MayRecord(d.View(), reviewer, d.Added); err != nil {
			return wording.Reason(err)
		}
	case Review:
		for _, one := range d.steps {
			if why := d.missingBefore(one, reviewer); why != "" {
				return why
			}
		}
	}
	return ""
}

// missingBefore is what a step lacks that has to be whole before the review.
func (d *Decision) missingBefore(step Step, reviewer domain.Reviewer) string {
	if step == Review || step == First {
		return ""
	}
	return d.Missing(step, reviewer)
}

// unrecordable says why the chosen outcome may not be recorded; "" if it may, or none is needed.
func (d *Decision) unrecordable() string {
	if d.View().Area() != domain.Appeals {
		return ""
	}
	return d.Obstacle(d.Outcome)
}

// Again says why the outcome will have to be chosen again; "" if it need not be, or none is chosen yet.
func (d *Decision) Again() string {
	if !d.Outcome.Present() {
		return ""
	}
	return d.unrecordable()
}

// Forward leaves a step that lacks nothing, for the next one. From the blockers it goes back to the outcome, where those
// added rule out the one that was chosen.
func (d *Decision) Forward() {
	d.Notices = nil
	if d.Step() == Blockers && d.unrecordable() != "" {
		d.Notices = []string{"With the blockers you added the gate is blocked, so " + d.Outcome.Label() +
			" may not be recorded. Choose again"}
		d.Outcome = 0
		d.Enter(Outcome)
		return
	}
	if d.Step() == Blockers {
		d.Notices = d.dropFactors()
	}
	d.enter(min(d.at+1, len(d.steps)-1))
}

// Back goes to the step before; false: from here back is out of the decision. What was judged before the advice was shown
// is not judged again once that has been.
func (d *Decision) Back() bool {
	if d.at == 0 || d.steps[d.at-1] == First {
		return false
	}
	d.Notices = nil
	d.enter(d.at - 1)
	return true
}

// Standing says why a blocker stands whatever the reviewer adds, so that nobody can take it away; "" if it does not.
func (d *Decision) Standing(code domain.Blocker) string {
	switch {
	case d.View().Judgment().BlockerSet().Has(code):
		return "found by the rules"
	case d.View().Carried().Has(code):
		return wording.CarriedFrom(d.Dossier, code)
	}
	return ""
}

// Choose takes an outcome. Where it is another one than before, the factor codes are chosen anew: all that the evaluation
// gives for it.
func (d *Decision) Choose(outcome domain.Outcome) {
	if outcome != d.Outcome {
		d.Outcome = outcome
		d.Factors = d.offered(d.Factors, true)
	}
}

// Codes are the factor codes that can be chosen for the outcome, with the blockers added.
func (d *Decision) Codes() []domain.FactorReason {
	return slices.DeleteFunc(domain.FactorsFor(d.View(), d.Outcome, d.Added), func(r domain.FactorReason) bool { return !r.Supported })
}

// offered are those of the codes that can be chosen, and those that always stand; with all, all that can be chosen.
func (d *Decision) offered(codes domain.FactorSet, all bool) (set domain.FactorSet) {
	for _, one := range d.Codes() {
		if all || one.Always || codes.Has(one.Code) {
			set = set.With(one.Code)
		}
	}
	return set
}

// dropFactors takes out the factor codes that cannot be chosen any more, and says which.
func (d *Decision) dropFactors() (said []string) {
	left := d.offered(d.Factors, false)
	for _, code := range d.Factors.Minus(left).Words() {
		said = append(said, "Factor code "+code.String()+" is dropped: it does not fit the outcome and the blockers")
	}
	d.Factors = left
	return said
}

// ToggleFactor chooses a factor code or drops it. It says why it does not; "" if it does.
func (d *Decision) ToggleFactor(code domain.FactorCode) string {
	for _, one := range d.Codes() {
		switch {
		case one.Code != code:
		case one.Always:
			return "always required"
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

// Toggle adds a blocker, or takes back one that the reviewer added; false: it stands already, so nobody can take it away.
func (d *Decision) Toggle(code domain.Blocker) bool {
	switch {
	case d.Standing(code) != "":
		return false
	case d.Added.Has(code):
		d.Added = d.Added.Without(code)
	default:
		d.Added = d.Added.With(code)
	}
	return true
}

// Choice is what would be recorded. seen are the sections that were on the screen.
func (d *Decision) Choice(seen []domain.SectionName) domain.Choice {
	return domain.Choice{
		Outcome: d.Outcome, Preliminary: d.Preliminary, Factors: d.Factors, AddedBlockers: d.Added,
		SectionsViewed: slices.Clone(seen), OpenedAt: d.OpenedAt, Supersedes: d.Dossier.InForce,
		Statement: domain.Statement{Text: d.Statement},
	}
}
