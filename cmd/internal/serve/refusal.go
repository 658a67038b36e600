package serve

import (
	"context"
	"errors"
	"strings"

	"docket/cmd/internal/exchange"
	"docket/domain"
)

// A refusal is how an error of the backing is told to the caller.
type refusal struct {
	holds  func(error) bool
	kind   exchange.ProblemKind
	detail string                            // what to do
	tell   func(*exchange.Problem, error)    // adds what the error knows; nil: nothing
	now    func(*exchange.Problem, Standing) // adds what holds now, if the record is turned away for good; nil: nothing
}

// refusals is the one table of them, asked from the top: an error that is a case of another stands above it. What is not in
// it is an internal error, of which the caller hears nothing.
var refusals = []refusal{
	{is(ErrUnknownToken), exchange.Unauthenticated, "Ask whoever runs the service for a token.", nil, nil},
	{is(ErrNotHeld), exchange.NotFound, "", nil, nil},
	{is(ErrCursor), exchange.Malformed, "The cursor is not one of this service; leave it out to start from the beginning.", nil, nil},
	{is(ErrForged), exchange.SignatureInvalid, "Sign the record's canonical form with the key that it names.", nil, nil},
	{is(ErrEarly), exchange.Early, "Check the clock of the machine that recorded it, and hand it in later.", nil, nil},
	{is(ErrRulesUnknown), exchange.RulesUnknown, "Ask whoever runs the service to update it, and hand the record in then.", nil, nil},
	{is(ErrConflict), exchange.RecordConflict, "Judge the packet again.", nil, tellInForce},
	{as[*domain.DiffersError], exchange.EvaluationDiffers, "Judge the packet again.", tellDifference, tellInForce},
	{onlySuperseded, exchange.RecordSuperseded, "Judge the packet again.", tellChanges, tellInForce},
	{as[*domain.StaleError], exchange.PacketStale, "Pull, and judge the packet again.", tellChanges, tellStanding},
	{is(domain.ErrRefused), exchange.RecordRefused, "Judge the packet again, or leave it to somebody who may.", tellReason, tellInForce},
	{is(ErrUnavailable), exchange.Unavailable, "Try again later.", nil, nil},
	{is(context.DeadlineExceeded), exchange.Unavailable, "Try again later.", nil, nil},
}

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

// problemOf is the problem by which an error of the backing is told; the error itself if it is none for the caller's ears.
func problemOf(err error) error {
	var unlodged *CheckpointError
	if errors.As(err, &unlodged) {
		problem := unlodged.Kind.New("")
		problem.Size = &unlodged.Size
		return problem
	}
	row := refusalOf(err)
	if row == nil {
		return err
	}
	return row.problem(err)
}

func (r *refusal) problem(err error) *exchange.Problem {
	problem := r.kind.New(r.detail)
	if r.tell != nil {
		r.tell(problem, err)
	}
	return problem
}

// mostChanges is how many changes a problem lists.
const mostChanges = 64

func tellChanges(p *exchange.Problem, err error) {
	var stale *domain.StaleError
	if errors.As(err, &stale) {
		p.Changes = stale.Changes[:min(len(stale.Changes), mostChanges)]
	}
}

// tellDifference gives both lists of blockers; one that is empty is given as such.
func tellDifference(p *exchange.Problem, err error) {
	var differs *domain.DiffersError
	if !errors.As(err, &differs) {
		return
	}
	p.Stated, p.Found = append([]domain.Blocker{}, differs.Stated...), append([]domain.Blocker{}, differs.Found...)
	if len(differs.Faults) > 0 {
		p.Detail += " " + strings.Join(differs.Faults[:min(len(differs.Faults), mostChanges)], "; ") + "."
	}
}

// tellReason gives the reason of a refusal: domain's are sentences about the caller, without anything of a packet.
func tellReason(p *exchange.Problem, err error) {
	var refused *domain.Refusal
	if errors.As(err, &refused) {
		p.Detail += " " + refused.Reason + "."
	}
}

func tellInForce(p *exchange.Problem, now Standing) { p.InForce = now.InForce }

func tellStanding(p *exchange.Problem, now Standing) {
	p.InForce, p.Latest, p.Blockers = now.InForce, now.Latest, now.Blockers
}
