package records

import (
	"errors"
	"fmt"
	"strings"

	"docket/domain/json"
	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// A Choice is a reviewer's decision on the packet in view; it only tightens what the rules found.
type Choice struct {
	Outcome        terms.Outcome       // of appeals; absent for amendments
	Preliminary    terms.Outcome       // before the advisory outcome was shown; may be absent
	Factors        terms.FactorSet     // of appeals, at least one
	AddedBlockers  terms.BlockerSet    // on top of those computed and those carried over
	SectionsViewed []views.SectionName // in order of first sight
	OpenedAt       terms.Instant       // when the packet was opened
	Supersedes     RecordID            // the record in force on the same revision, if there is one
	Statement      Statement           // the public statement of reasons, if there is one
	NoteDigest     terms.Hash          // of the private local note, if there is one
}

// An Option is one outcome with what stands against choosing it: "" if nothing does.
type Option struct {
	Outcome  terms.Outcome
	Advised  bool   // docket advises it
	Asked    bool   // the case asks for it
	Obstacle string // why it may not be chosen
}

// Options lists all outcomes for the packet, given the added blockers; none for amendments.
func Options(v *views.View, added terms.BlockerSet) []Option {
	if v.Area() != terms.Appeals {
		return nil
	}
	gate, advised := GateWith(v, added), Advised(v, added)
	options := make([]Option, 0, terms.Outcomes.Len())
	for _, outcome := range terms.Outcomes.All() {
		options = append(options, Option{
			Outcome: outcome, Obstacle: v.Evaluation().Findings().Obstacle(gate, outcome),
			Advised: outcome == advised, Asked: outcome == v.Evaluation().RequestedOutcome(),
		})
	}
	return options
}

// Advised returns the outcome advised for an appeal with the reviewer's and the carried blockers:
// that of the decision if it may be recorded, else route_human_review if that may, else
// block_reliance. It is absent for amendments.
func Advised(v *views.View, added terms.BlockerSet) terms.Outcome {
	if v.Area() != terms.Appeals {
		return 0
	}
	return advised(v.Evaluation().Findings(), GateWith(v, added))
}

func advised(found rules.Findings, gate terms.Gate) terms.Outcome {
	for _, outcome := range [...]terms.Outcome{found.Advisory(gate == terms.Pass), terms.RouteHumanReview} {
		if found.Obstacle(gate, outcome) == "" {
			return outcome
		}
	}
	return terms.BlockReliance
}

// Advised returns the outcome that was advised for the decision, given the blockers of all its
// lists; absent for amendments. judged reads the policy and packet that were judged; it is called
// only if the record does not suffice, and its error is returned.
func (m *Members) Advised(judged func() (policy, packet packets.Packet, err error)) (terms.Outcome, error) {
	switch {
	case m.Area != terms.Appeals:
		return 0, nil
	case m.Gate != terms.Pass:
		return terms.BlockReliance, nil
	case m.Outcome == m.Advisory:
		return m.Advisory, nil
	}
	policy, packet, err := judged()
	if err != nil {
		return 0, err
	}
	q := rules.PacketInput(policy, packet, m.Latest, m.EvaluatedAt)
	return advised(rules.Evaluate(&q).Findings(), m.Gate), nil
}

// factorSets returns the factors offered for an appeal's outcome, and those that always stand.
func factorSets(v *views.View, outcome terms.Outcome, added terms.BlockerSet) (offered, always terms.FactorSet) {
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

// FactorsFor lists every factor code and whether the evaluation supports it for the outcome and the
// added blockers; none for amendments. A code is not supported if its condition is a blocker in any
// list. An absent outcome stands for the advised one.
func FactorsFor(v *views.View, outcome terms.Outcome, added terms.BlockerSet) []rules.FactorReason {
	return v.Evaluation().FactorReasonsFor(outcome, added.Union(v.Carried()))
}

// StatementRequired says why the choice needs a statement of reasons; "" if it needs none.
func StatementRequired(v *views.View, c *Choice) string {
	added := c.AddedBlockers.Minus(v.Evaluation().BlockerSet().Union(v.Carried()))
	switch {
	case v.Area() == terms.Appeals && c.Outcome == terms.CloseUnresolved:
		return "the case is closed unresolved"
	case !added.Empty():
		return "a blocker is added"
	case v.Area() == terms.Appeals && c.Outcome != Advised(v, added):
		return "the outcome is not the advised one"
	case !v.Unanswered().Minus(c.AddedBlockers).Empty():
		return "a blocker that a person added on an earlier revision is not added again"
	}
	return ""
}

// GateWith returns the gate with the reviewer's blockers added, which can only block it.
func GateWith(v *views.View, added terms.BlockerSet) terms.Gate {
	if !added.Union(v.Carried()).Empty() {
		return terms.Blocked
	}
	return v.Evaluation().Gate()
}

// check reports whether the choice may be recorded, no matter by whom.
func (c *Choice) check(v *views.View) error {
	if v.Area() == terms.Appeals {
		if why := v.Evaluation().Findings().Obstacle(GateWith(v, c.AddedBlockers), c.Outcome); why != "" {
			return &Refusal{fmt.Sprintf("the outcome %q may not be recorded: %s", c.Outcome.Label(), why)}
		}
	} else if c.Outcome.Present() || c.Preliminary.Present() || !c.Factors.Empty() {
		return &Refusal{"an amendment has no outcome and no factor codes; its gate is confirmed or tightened"}
	}
	offered, always := factorSets(v, c.Outcome, c.AddedBlockers)
	switch {
	case v.Area() == terms.Appeals && c.Factors.Empty():
		return &Refusal{"no factor code is chosen; at least one approved code is needed"}
	case !c.Factors.Minus(offered).Empty():
		return &Refusal{fmt.Sprintf("the evaluation does not give %s for the outcome %q",
			strings.Join(c.Factors.Minus(offered).Texts(), ", "), c.Outcome.Label())}
	case !always.Minus(c.Factors).Empty():
		return &Refusal{fmt.Sprintf("%s is missing among the factor codes; it always stands",
			strings.Join(always.Minus(c.Factors).Texts(), ", "))}
	case !c.AddedBlockers.Minus(rules.AllBlockers(v.Area())).Empty():
		return &Refusal{fmt.Sprintf("an added blocker does not belong to %s", v.Area())}
	}
	return nil
}

// checkReasons reports whether the choice may be recorded with the statement, absent for none.
func (c *Choice) checkReasons(v *views.View, statement terms.Hash) error {
	if why := StatementRequired(v, c); why != "" && !statement.Present() {
		return &Refusal{fmt.Sprintf("a statement of reasons is required: %s", why)}
	}
	return nil
}

// A Draft is a decision on one revision that is not recorded yet. It is local, in no log or export,
// and replaced as the decision goes on; a choice is checked again when it is recorded.
type Draft struct {
	Outcome     terms.Outcome
	Preliminary terms.Outcome // before the advisory outcome was shown; absent for none, or not yet
	Factors     terms.FactorSet
	Added       terms.BlockerSet
	Statement   string // of reasons; what holds private details is not kept
	Note        string
	Step        string        // the furthest step of the decision that was reached
	Supersedes  RecordID      // the record that was in force
	OpenedAt    terms.Instant // when the revision was first opened to be decided on
}

// A KeptDraft is a draft as it was kept.
type KeptDraft struct {
	Draft
	Revision   int64 // of the case or amendment on which it was begun
	SavedAt    terms.Instant
	Unreadable string // why the draft cannot be read; the Draft is zero then
}

// Present reports whether there is a draft at all.
func (k KeptDraft) Present() bool { return k.Revision > 0 }

// draftDocument has sets as lists of words, so that it outlives a change of the vocabularies.
type draftDocument struct {
	Outcome     terms.Outcome      `json:"outcome"`
	Preliminary terms.Outcome      `json:"preliminaryOutcome"`
	Factors     []terms.FactorCode `json:"factorCodes"`
	Added       []terms.Blocker    `json:"reviewerBlockers"`
	Statement   string             `json:"statement"`
	Note        string             `json:"note"`
	Step        string             `json:"step"`
	Supersedes  RecordID           `json:"supersedes"`
	OpenedAt    string             `json:"openedAt"`
}

// Document writes the draft as it is kept.
func (d *Draft) Document() []byte {
	return json.Canonical(draftDocument{d.Outcome, d.Preliminary, d.Factors.Terms(), d.Added.Terms(), d.Statement, d.Note, d.Step,
		d.Supersedes, d.OpenedAt.String()})
}

// errDraft says nothing else about an unreadable draft, which may hold a private note.
var errDraft = errors.New("it is no draft as this program keeps them")

// ReadDraft reads what Document wrote.
func ReadDraft(document []byte) (Draft, error) {
	d, ok := json.ReadCanonical[draftDocument](document)
	at, timed := terms.ParseInstant(d.OpenedAt)
	if !ok || !timed && d.OpenedAt != "" || d.Supersedes.Present() && !d.Supersedes.Valid() {
		return Draft{}, errDraft
	}
	return Draft{d.Outcome, d.Preliminary, terms.SetOf(d.Factors...), terms.SetOf(d.Added...), d.Statement, d.Note, d.Step,
		d.Supersedes, at}, nil
}
