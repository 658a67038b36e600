package serve

import (
	"errors"
	"strings"

	"docket/cmd/internal/api"
	"docket/domain"
	"docket/store"
)

// A refusal is how an error of the store is told to the caller.
type refusal struct {
	holds  func(error) bool
	kind   api.ProblemKind
	detail string                                  // what to do
	tell   func(*api.Problem, error)               // adds what the error knows; nil: nothing
	now    func(*api.Problem, store.RevisionState) // adds what holds now, if the record is turned away for good; nil: nothing
}

// refusals is the one table of them, asked from the top: an error that is a case of another stands above it. What is not in
// it is an internal error, of which the caller hears nothing.
var refusals = []refusal{
	{is(store.ErrNotFound), api.NotFound, "", nil, nil},
	{is(store.ErrCursor), api.Malformed, "The cursor is not one of this service; leave it out to start from the beginning.", nil, nil},
	{is(store.ErrSignature), api.SignatureInvalid, "Sign the record's canonical form with the key that it names.", nil, nil},
	{is(store.ErrEarly), api.Early, "Check the clock of the machine that recorded it, and hand it in later.", nil, nil},
	{is(store.ErrRulesUnknown), api.RulesUnknown, "Ask whoever runs the service to update it, and hand the record in then.", nil, nil},
	{is(store.ErrRecordConflict), api.RecordConflict, "Judge the packet again.", nil, tellInForce},
	{as[*domain.DiffersError], api.EvaluationDiffers, "Judge the packet again.", tellDifference, tellInForce},
	{onlySuperseded, api.RecordSuperseded, "Judge the packet again.", tellChanges, tellInForce},
	{as[*domain.StaleError], api.PacketStale, "Pull, and judge the packet again.", tellChanges, tellStanding},
	{is(domain.ErrRefused), api.RecordRefused, "Judge the packet again, or leave it to somebody who may.", tellReason, tellInForce},
	{isUnavailable, api.Unavailable, tryLater, nil, nil},
}

// tryLater is the advice where the service cannot answer now.
const tryLater = "Try again later."

func is(target error) func(error) bool { return func(err error) bool { return errors.Is(err, target) } }

func as[E error](err error) bool {
	var target E
	return errors.As(err, &target)
}

func onlySuperseded(err error) bool {
	var stale *domain.StaleError
	return errors.As(err, &stale) && stale.Superseded
}

// refusalOf is the error's row of the table; nil if it has none.
func refusalOf(err error) *refusal {
	for i := range refusals {
		if refusals[i].holds(err) {
			return &refusals[i]
		}
	}
	return nil
}

// problemOf is the problem by which an error of the store is told; the error itself if it is none for the caller's ears.
func problemOf(err error) error {
	var faulty *store.WitnessError
	if errors.As(err, &faulty) {
		problem := faultKinds[faulty.Fault].New("")
		problem.Size = &faulty.Size
		return problem
	}
	row := refusalOf(err)
	if row == nil {
		return err
	}
	return row.problem(err)
}

func (r *refusal) problem(err error) *api.Problem {
	problem := r.kind.New(r.detail)
	if r.tell != nil {
		r.tell(problem, err)
	}
	return problem
}

// maxChanges is how many changes a problem lists.
const maxChanges = 64

func tellChanges(p *api.Problem, err error) {
	var stale *domain.StaleError
	if errors.As(err, &stale) {
		p.Changes = stale.Changes[:min(len(stale.Changes), maxChanges)]
	}
}

// tellDifference gives both lists of blockers; one that is empty is given as such.
func tellDifference(p *api.Problem, err error) {
	var differs *domain.DiffersError
	if !errors.As(err, &differs) {
		return
	}
	p.Stated, p.Found = append([]domain.Blocker{}, differs.Stated...), append([]domain.Blocker{}, differs.Found...)
	if len(differs.Faults) > 0 {
		p.Detail += " " + strings.Join(differs.Faults[:min(len(differs.Faults), maxChanges)], "; ") + "."
	}
}

// tellReason gives the reason of a refusal: domain's are sentences about the caller, without anything of a packet.
func tellReason(p *api.Problem, err error) {
	var refused *domain.Refusal
	if errors.As(err, &refused) {
		p.Detail += " " + refused.Reason + "."
	}
}

func tellInForce(p *api.Problem, now store.RevisionState) { p.InForce = now.InForce }

func tellStanding(p *api.Problem, now store.RevisionState) {
	p.InForce, p.Latest, p.Blockers = now.InForce, now.Latest, now.Blockers
}
