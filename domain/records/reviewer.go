package records

import (
	"errors"
	"fmt"

	"docket/domain/packets"
	"docket/domain/terms"
	"docket/domain/views"
)

// A Reviewer is the person who records at this terminal, with the key that they sign with.
type Reviewer struct {
	ID             terms.ID   `json:"id"`
	Role           terms.Role `json:"role"`
	KeyFingerprint string     `json:"keyFingerprint"` // OpenSSH's SHA256:… form
}

// Known reports whether there is a reviewer at all. Without one nothing can be recorded.
func (r Reviewer) Known() bool { return r.ID.Present() && r.Role.Present() }

// ErrRefused is wrapped by every refusal to record.
var ErrRefused = errors.New("not recorded")

// A Refusal says why nothing may be recorded. It unwraps to ErrRefused.
type Refusal struct{ Reason string }

// Error returns the reason.
func (r *Refusal) Error() string { return fmt.Sprintf("%v: %s", ErrRefused, r.Reason) }

// Unwrap returns ErrRefused.
func (r *Refusal) Unwrap() error { return ErrRefused }

// The refusals that setting up an identity on this machine cures.
var (
	ErrNoReviewer error = &Refusal{"no reviewer is set up on this machine"}
	ErrNoKey      error = &Refusal{"the reviewer has no signing key"}
)

type attempt struct {
	reviewer Reviewer
	review   packets.NeutralReview
	decider  terms.ID
	party    bool       // the reviewer is a party to the matter
	held     bool       // there is a case or amendment
	gate     terms.Gate // with the reviewer's own blockers
	erased   bool       // the texts of the revision were erased
}

// A recordingRule forbids recording; opening rules apply before the packet opens for deciding.
type recordingRule struct {
	opening bool
	refusal error
	holds   func(*attempt) bool
}

// recordingRules say who may record; that erased texts take only a blocked record is no rule of the
// rule book, so that older records still replay.
var recordingRules = [...]recordingRule{
	{true, &Refusal{"there is no case or amendment to judge"},
		func(a *attempt) bool { return !a.held }},
	{true, ErrNoReviewer,
		func(a *attempt) bool { return !a.reviewer.Known() }},
	{true, &Refusal{"you took the decision that is challenged here, so it is not yours to judge"},
		func(a *attempt) bool { return a.reviewer.Known() && a.reviewer.ID == a.decider }},
	{true, &Refusal{"you are recused from this case"},
		func(a *attempt) bool { return a.reviewer.Known() && a.review.Recuses(a.reviewer.ID) }},
	{true, &Refusal{"you are a party to it, so it is not yours to judge"},
		func(a *attempt) bool { return a.party }},
	{true, &Refusal{"it is assigned to another neutral reviewer"},
		func(a *attempt) bool { return a.assignedElsewhere() && a.reviewer.Role != terms.SafetyAdmin }},
	{false, &Refusal{"it is assigned to another neutral reviewer; a safety admin may only block it, so add a blocker"},
		func(a *attempt) bool { return a.assignedElsewhere() && a.gate == terms.Pass }},
	{false, &Refusal{"its texts were erased and can no longer be read, so it cannot pass; add a blocker"},
		func(a *attempt) bool { return a.erased && a.gate == terms.Pass }},
}

func (a *attempt) assignedElsewhere() bool {
	return a.review.ReviewerID.Present() && a.review.ReviewerID != a.reviewer.ID
}

func (a *attempt) refusal(openingOnly bool) error {
	for i := range recordingRules {
		rule := &recordingRules[i]
		if (rule.opening || !openingOnly) && rule.holds(a) {
			return rule.refusal
		}
	}
	return nil
}

func attemptOn(v *views.View, reviewer Reviewer, gate terms.Gate) attempt {
	record := v.Record()
	a := attempt{reviewer: reviewer, gate: gate, erased: record.Erased()}
	var judged interface{ HasParty(person terms.ID) bool }
	if c := v.Input().AppealCase().Pointer(); c != nil {
		judged, a.review, a.decider = c, c.NeutralReview, c.OriginalDeciderID
	} else if m := v.Input().Amendment().Pointer(); m != nil {
		judged, a.review, a.decider = m, m.NeutralReview, m.OriginalDeciderID
	}
	a.held = judged != nil
	a.party = a.held && reviewer.Known() && judged.HasParty(reviewer.ID)
	return a
}

// MayDecide returns nil if the reviewer may open the packet for deciding, else a *Refusal.
func MayDecide(v *views.View, reviewer Reviewer) error {
	a := attemptOn(v, reviewer, v.Evaluation().Gate())
	return a.refusal(true)
}

// MayRecord returns nil if the reviewer may record a decision with those blockers, else a *Refusal.
// It applies more rules than MayDecide, because the gate is known.
func MayRecord(v *views.View, reviewer Reviewer, added terms.BlockerSet) error {
	a := attemptOn(v, reviewer, GateWith(v, added.Minus(v.Evaluation().BlockerSet().Union(v.Carried()))))
	return a.refusal(false)
}
