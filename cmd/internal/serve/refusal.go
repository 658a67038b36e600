package serve

import (
	"errors"
	"strings"

	"docket/cmd/internal/api"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
)

// A refusal maps an error of the store to a problem.
type refusal struct {
	holds  func(error) bool
	kind   api.ProblemKind
	detail string                                  // what to do
	tell   func(*api.Problem, error)               // adds members from the error; may be nil
	now    func(*api.Problem, store.RevisionState) // adds members for a rejection; may be nil
}

// refusals is the table of them, special cases first because the first row that holds applies; an
// error without a row is an internal error, whose text is only logged.
var refusals = []refusal{
	{is(store.ErrNotFound), api.NotFound, "", nil, nil},
	{is(store.ErrCursor), api.Malformed, "The cursor is not one of this service; leave it out to start from the beginning.", nil, nil},
	{is(store.ErrSignature), api.SignatureInvalid, "Sign the record's canonical form with the key that it names.", nil, nil},
	{is(store.ErrTokenInvalid), api.Unauthenticated, askForToken, nil, nil},
	{is(store.ErrKeyUnknown), api.KeyNotRegistered, askToRegister, nil, nil},
	{is(store.ErrKeyRevoked), api.KeyRevoked, "Decide the packet again with a key that is registered.", nil, tellInForce},
	{is(store.ErrEarly), api.Early, "Check the clock of the machine that made the record, and hand it in later.", nil, nil},
	{is(store.ErrSetback), api.Setback,
		"Hand it in again once the records before it are back and the operator has imported its packets.",
		tellSetback, nil},
	{is(store.ErrRulesUnknown), api.RulesUnknown, "Ask the operator of the service to update it, and hand the record in again.", nil, nil},
	{is(store.ErrPacketSalt), api.Malformed,
		"The packetSalt is not the one of the record's packetDigest: verify the console's store, and hand the record in again.",
		nil, nil},
	{is(store.ErrRecordConflict), api.RecordConflict, "Decide the packet again.", nil, tellInForce},
	{as[*records.DiffersError], api.EvaluationDiffers, "Decide the packet again.", tellDifference, tellInForce},
	{onlySuperseded, api.RecordSuperseded, "Decide the packet again.", tellChanges, tellInForce},
	{as[*records.StaleError], api.PacketStale, "Pull, and decide the packet again.", tellChanges, tellRevisionState},
	{is(records.ErrRefused), api.RecordRefused, "Decide the packet again, or leave it to a reviewer who may.", tellReason, tellInForce},
	{is(store.ErrNoKey), api.Unavailable, tryElsewhere, nil, nil},
	{isUnavailable, api.Unavailable, tryLater, nil, nil},
}

const askToRegister = "Ask the operator of the service to register the key."

const askForToken = "Ask the operator of the service for a token."

// tryElsewhere is for a process without the log's key: several processes may serve one log.
const tryElsewhere = "This process cannot sign the log, so it only reads. Try again later, or at a process with the log's key."

const tryLater = "Try again later."

func is(target error) func(error) bool { return func(err error) bool { return errors.Is(err, target) } }

func as[E error](err error) bool {
	var target E
	return errors.As(err, &target)
}

func onlySuperseded(err error) bool {
	var stale *records.StaleError
	return errors.As(err, &stale) && stale.Superseded
}

// refusalOf returns the row of the error; nil if it has none.
func refusalOf(err error) *refusal {
	for i := range refusals {
		if refusals[i].holds(err) {
			return &refusals[i]
		}
	}
	return nil
}

// problemOf returns the problem for an error of the store, and an internal error as it is.
func problemOf(err error) error {
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

// malformed returns the problem of an unreadable request; reason is one clause about the value.
func malformed(pointer, reason string) *api.Problem {
	problem := api.Malformed.New(reason)
	problem.Pointer = pointer
	return problem
}

const maxChanges = 64

func tellChanges(p *api.Problem, err error) {
	var stale *records.StaleError
	if errors.As(err, &stale) {
		p.Changes = stale.Changes[:min(len(stale.Changes), maxChanges)]
	}
}

// tellSetback adds the obstacle: ids and codes.
func tellSetback(p *api.Problem, err error) { p.Detail += " " + err.Error() + "." }

// tellDifference adds both lists of blockers, even if one is empty.
func tellDifference(p *api.Problem, err error) {
	var differs *records.DiffersError
	if !errors.As(err, &differs) {
		return
	}
	p.Stated, p.Found = append([]terms.Blocker{}, differs.Stated...), append([]terms.Blocker{}, differs.Found...)
	if len(differs.Faults) > 0 {
		p.Detail += " " + strings.Join(differs.Faults[:min(len(differs.Faults), maxChanges)], "; ") + "."
	}
}

// tellReason adds the reason of a refusal; reasons from domain reveal nothing of a packet.
func tellReason(p *api.Problem, err error) {
	var refused *records.Refusal
	if errors.As(err, &refused) {
		p.Detail += " " + refused.Reason + "."
	}
}

func tellInForce(p *api.Problem, now store.RevisionState) { p.InForce = now.InForce }

func tellRevisionState(p *api.Problem, now store.RevisionState) {
	p.InForce, p.Latest, p.Blockers = now.InForce, now.Latest, now.Blockers
}
