package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"docket/cmd/internal/api"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/verify"
)

// PushOptions configure a push.
type PushOptions struct {
	Outbox  Outbox
	Service *Client
	// FirstContact is called with the service's key after the console was bound to it.
	FirstContact func(signed.Key) error
	// Operator is called with each statement about the operator of the service that was not known.
	Operator  func(records.LogStatement) error
	Witnessed Witnessed
	// AsNew lists records that the service lost in a restore and that it should evaluate for now, as if they had never
	// been acknowledged.
	AsNew []records.RecordID
	// Each is called with the result for each record, in the order of the log.
	Each func(Result) error
	// Progress is called with the number of records done and the number in the log.
	Progress func(done, total int64)
}

// atOnce is the number of records read from the outbox at a time.
const atOnce = 100

// Push hands in the records that wait. Each is called for every record, also for those that still wait because a response
// ended the push. The error is an *api.Problem, one that wraps store.ErrOtherService, or another reason why
// nothing was handed in; or the error of Outbox, Each or the context, after which the remaining records were not read.
func Push(ctx context.Context, p PushOptions) (Tally, error) {
	met, err := meetAgain(ctx, p.Outbox, p.Service)
	if err == nil && met == nil {
		met, err = p.meet(ctx)
	}
	if err == nil {
		err = met.witnessed(ctx, p.Witnessed)
	}
	if err != nil {
		return Tally{}, err
	}
	push := push{PushOptions: p, contact: met, after: -1, waiting: map[revision]bool{}}
	err = push.all(ctx)
	if err == nil && push.halted == nil && len(met.seen) > 0 {
		err = met.meet(ctx) // the log goes on from what it acknowledged
	}
	return push.tally, err
}

// meet meets a service by a page, which has its key, its restores, and its statements about the caller's keys.
func (p *PushOptions) meet(ctx context.Context) (*contact, error) {
	page, err := p.Service.Page(ctx, "")
	if err != nil {
		return nil, err
	}
	met, first, err := meet(ctx, p.Outbox, p.Service, &page, p.Operator)
	if err != nil {
		return nil, err
	}
	if first {
		if err := p.FirstContact(met.key); err != nil {
			return nil, err
		}
	}
	return met, keepRegistrations(ctx, p.Outbox, &page)
}

// A push is a push in progress.
type push struct {
	PushOptions
	contact *contact
	after   int64 // the sequence of the last record reported
	reader  packets.Reader
	tally   Tally
	waiting map[revision]bool // revisions with a record that waits, so that later records on them wait too
	halted  *obstacle         // why nothing more is handed in; nil if the push goes on
	unable  int               // consecutive records for which the service was unavailable
}

// A revision is the subject of a record. Records on the same revision are handed in in order.
type revision struct {
	area terms.Area
	key  packets.Key
}

// all hands in the records of the log, including those that are made during the push.
func (p *push) all(ctx context.Context) error {
	for {
		entries, err := p.Outbox.NotHandedIn(ctx, p.after, atOnce)
		if err != nil || len(entries) == 0 {
			return err
		}
		head, err := p.Outbox.Head(ctx)
		if err != nil {
			return err
		}
		for i := range entries {
			result, err := p.record(ctx, &entries[i])
			if err != nil {
				return err
			}
			p.after = entries[i].Sequence
			p.tally[result.Disposition]++
			if err := p.Each(result); err != nil {
				return err
			}
			p.Progress(p.after+1, max(head.Size, p.after+1))
		}
	}
}

// record hands one record in, unless it has to wait.
func (p *push) record(ctx context.Context, entry *verify.Entry) (Result, error) {
	area := terms.AreaOf(entry.Table)
	result := Result{Sequence: entry.Sequence, RecordID: entry.RecordID, Table: entry.Table}
	record, err := records.ReadEnforcement(&p.reader, area, entry.Document)
	if err != nil {
		return obstacleDamaged.stops(result), nil
	}
	m := record.Members()
	result.RecordID, result.ID, result.Revision = m.RecordID, m.Key.ID, m.Key.Number
	on := revision{area, m.Key}
	switch {
	case p.halted != nil:
		return p.halted.stops(result), nil
	case p.waiting[on]:
		return obstacleEarlier.stops(result), nil
	}
	body := api.Enforce{Record: entry.Document, Signature: string(entry.Signature), PacketSalt: entry.PacketSalt}
	if entry.Statement.Present() {
		body.Statement = &entry.Statement
	}
	earlier, is, err := p.Outbox.EarlierReceipt(ctx, entry.Sequence)
	if err != nil {
		return Result{}, err
	}
	if is && !slices.Contains(p.AsNew, result.RecordID) {
		body.Acknowledged = &api.Enforced{Receipt: earlier.Receipt, Checkpoint: string(earlier.Checkpoint), Proof: earlier.Proof}
	}
	answer, again, err := p.Service.Enforce(ctx, area, body)
	if ctx.Err() != nil && err != nil {
		return Result{}, ctx.Err()
	}
	if err != nil {
		result, err = p.refused(ctx, result, entry.Document, err)
	} else {
		result, err = p.accepted(ctx, result, entry.Document, &answer, again)
	}
	p.waiting[on] = result.Disposition == Waiting
	if result.Reason == api.KeyNotRegistered.Word() {
		result.Why += fmt.Sprintf(" If the key is lost, `docket identity revoke --from %d %s` lets you decide again with another one.", entry.Sequence, m.Reviewer.KeyFingerprint)
	}
	return result, err
}

// accepted verifies and keeps an acceptance.
func (p *push) accepted(ctx context.Context, r Result, document []byte, answer *api.Enforced, again bool) (Result, error) {
	checkpoint, err := checkAccepted(p.contact.keys, r.RecordID, document, answer)
	if err != nil {
		p.halted = &obstacleForged
		return p.halted.stops(r), nil
	}
	if err := p.contact.acknowledged(ctx, &checkpoint); err != nil {
		p.halted = &obstacle{why: shortened(err.Error())}
		return p.halted.stops(r), nil
	}
	p.unable = 0
	r.Disposition, r.Receipt, r.ReceivedAt = Accepted, &answer.Receipt, answer.ReceivedAt
	if again {
		r.Disposition = AlreadyThere
	}
	// The receipt is kept even if the context has ended by now.
	return p.kept(r, p.Outbox.KeepAcceptance(context.WithoutCancel(ctx), r.RecordID, answer.Receipt, answer.Proof, []byte(answer.Checkpoint)))
}

// kept returns the result for a record after its response was kept. A response that contradicts an earlier one halts
// the push. Any other failure to keep it is the error.
func (p *push) kept(r Result, err error) (Result, error) {
	if err != nil && (errors.Is(err, records.ErrRefused) || errors.Is(err, records.ErrRejection) || errors.Is(err, signed.ErrServiceRecord)) {
		p.halted = &obstacle{why: ErrForged.Error() + ": " + shortened(err.Error())}
		return p.halted.stops(Result{Sequence: r.Sequence, RecordID: r.RecordID, Table: r.Table, ID: r.ID, Revision: r.Revision}), nil
	}
	return r, err
}

// An obstacle is why a record waits.
type obstacle struct {
	reason string // the word of a problem; "" if it is none of the service's
	why    string // one clause that says what to do
}

// The obstacles that are not problems of the service.
var (
	obstacleDamaged = obstacle{why: "the record cannot be read; run `docket verify`"}
	obstacleEarlier = obstacle{why: "an earlier record on the same revision waits"}
	obstacleForged  = obstacle{why: ErrForged.Error()}
)

// stops returns the result of a record that waits because of the obstacle.
func (o *obstacle) stops(r Result) Result {
	r.Disposition, r.Reason, r.Why = Waiting, o.reason, o.why
	return r
}

// mostInARow is the number of consecutive records after which an unavailable service ends the push.
const mostInARow = 3

// refused handles a record that was not accepted: it is rejected for good, or it waits. A response that every later
// record would also get halts the push.
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
	if kind == api.Setback {
		met.why += fmt.Sprintf("; if something else was recorded in its place, `docket push --as-new %s` has it judged for now", r.RecordID)
	}
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

// rejected verifies and keeps a rejection.
func (p *push) rejected(ctx context.Context, r Result, document []byte, problem *api.Problem) (Result, error) {
	statement, err := checkRejection(p.contact.key, r.RecordID, document, problem)
	if err != nil {
		p.halted = &obstacleForged
		return p.halted.stops(r), nil
	}
	inForce, err := p.inForce(ctx, &r, &statement, problem.Record)
	var setback *SetbackError
	switch {
	case errors.Is(err, ErrForged):
		p.halted = &obstacleForged
		return p.halted.stops(r), nil
	case errors.As(err, &setback):
		p.halted = &obstacle{why: shortened(err.Error())}
		return p.halted.stops(r), nil
	} // after any other error the next pull brings the record in force
	r.Disposition, r.Reason, r.InForce, r.Changes = Rejected, statement.Reason.String(), statement.InForce, changesOf(problem)
	kept, err := p.Outbox.KeepServiceRecords(context.WithoutCancel(ctx), inForce)
	if err == nil {
		err = p.Outbox.KeepRejection(context.WithoutCancel(ctx), r.RecordID, problem.Rejection, r.Changes)
	}
	if len(kept) > 0 {
		r.ServiceRecord = kept[0].Members()
	}
	return p.kept(r, err)
}

// inForce proves the record that came with a rejection, if there is one: it is the one that the statement names, on the
// revision of the rejected record. The error is ErrForged if it is not.
func (p *push) inForce(ctx context.Context, r *Result, statement *records.Rejection, given *api.Record) ([]signed.ServiceRecord, error) {
	if given == nil {
		return nil, nil
	}
	record, err := records.ReadEnforcement(&p.reader, terms.AreaOf(r.Table), given.Record)
	if err != nil {
		return nil, ErrForged
	}
	if m := record.Members(); !statement.InForce.Present() || m.RecordID != statement.InForce || m.Key.ID != r.ID || m.Key.Number != r.Revision {
		return nil, ErrForged
	}
	proven, err := p.contact.include(ctx, given)
	if err != nil {
		return nil, err
	}
	return []signed.ServiceRecord{proven}, nil
}
