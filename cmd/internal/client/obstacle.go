package client

import (
	"context"
	"errors"
	"net/http"

	"docket/cmd/internal/api"
)

// An obstacle is why a record waits.
type obstacle struct {
	reason string // the word of a problem; "" if it is none of the service's
	why    string // one clause, with what to do
}

// The obstacles that are not problems of the service.
var (
	obstacleDamaged = obstacle{why: "it cannot be read, so it was not handed in; run `docket verify`"}
	obstacleEarlier = obstacle{why: "an earlier record on the same revision waits, and their order counts"}
	obstacleForged  = obstacle{why: ErrForged.Error()}
)

// stops is the result of a record that the obstacle keeps waiting.
func (o *obstacle) stops(r Result) Result {
	r.Outcome, r.Reason, r.Why = Waiting, o.reason, o.why
	return r
}

// mostInARow is how many records in a row may find the service unable to answer now. After that the others wait unasked.
const mostInARow = 3

// refused sees to a record that was not taken: it was turned away for good, or it waits. An answer that the next record would
// get as well halts the push.
func (p *push) refused(ctx context.Context, r Result, document []byte, cause error) (Result, error) {
	var problem *api.Problem
	if !errors.As(cause, &problem) {
		p.halted = &obstacle{why: shortened(cause.Error())}
		return p.halted.stops(r), nil
	}
	kind := problem.Kind()
	if kind.Rejects().Present() && problem.Rejection != "" {
		p.unable = 0
		return p.rejected(ctx, r, document, problem)
	}
	met := &obstacle{reason: kind.Word(), why: shortened(problem.Error())}
	switch problem.Status {
	case http.StatusUnauthorized:
		p.halted = met
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		if p.unable++; p.unable >= mostInARow {
			p.halted = met
		}
	default:
		p.unable = 0
	}
	return met.stops(r), nil
}

// rejected keeps a rejection that the service signed.
func (p *push) rejected(ctx context.Context, r Result, document []byte, problem *api.Problem) (Result, error) {
	statement, err := checkRejection(p.key, r.RecordID, document, problem)
	if err != nil {
		p.halted = &obstacleForged
		return p.halted.stops(r), nil
	}
	r.Outcome, r.Reason, r.InForce, r.Changes = Rejected, statement.Reason.String(), statement.InForce, changesOf(problem)
	return p.kept(r, p.Outbox.KeepRejection(context.WithoutCancel(ctx), r.RecordID, problem.Rejection, r.Changes))
}
