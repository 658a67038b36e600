package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"unicode/utf8"

	"docket/cmd/internal/api"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/domain/visible"
	"docket/store"
	"docket/store/verify"
)

// PushOptions configure a push.
type PushOptions struct {
	Session
	// AsNew lists records that the service lost in a restore and that it should evaluate for now,
	// as if they had never been acknowledged.
	AsNew []records.RecordID
	// Each is called with the result for each record, in the order of the log.
	Each func(Result) error
	// Progress is called with the number of records done and the number in the log.
	Progress func(done, total int64)
}

// A Disposition is the result of handing in a record. The zero value is Waiting.
type Disposition uint8

// The dispositions.
const (
	Waiting      Disposition = iota // there is no final response; the next push hands it in again
	Accepted                        // it was appended to the service's log
	AlreadyThere                    // it was in the service's log before
	Rejected                        // the service rejected it for good: decide the packet again
)

var dispositionWords = [...]string{Waiting: "waiting", Accepted: "accepted", AlreadyThere: "already_there", Rejected: "rejected"}

// String returns the word for the disposition.
func (o Disposition) String() string {
	if int(o) >= len(dispositionWords) {
		return dispositionWords[Waiting]
	}
	return dispositionWords[o]
}

// MarshalText writes the word.
func (o Disposition) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// A Result is the result for one record.
type Result struct {
	Sequence    int64            `json:"sequence"` // in the console's log
	RecordID    records.RecordID `json:"recordId"`
	Table       terms.Table      `json:"table"`
	ID          terms.ID         `json:"id,omitempty"` // of the case or amendment
	Revision    int64            `json:"revision,omitempty"`
	Disposition Disposition      `json:"outcome"`

	Receipt *records.Receipt `json:"receipt,omitempty"` // Accepted and AlreadyThere: by the service
	// ReceivedAt, for Accepted and AlreadyThere, is what the service says without a signature.
	ReceivedAt terms.Instant `json:"receivedAt,omitzero"`
	// Reason is, if Rejected, a records.RejectionReason; if Waiting, the word of a problem, if any.
	Reason  string           `json:"reason,omitempty"`
	InForce records.RecordID `json:"inForce,omitempty"` // Rejected: in force at the service
	Changes []string         `json:"changes,omitempty"` // Rejected: the differences
	// ServiceRecord, for Rejected, is the record in force at the service if another console made
	// it: it is kept with the proof that the service's log has it.
	ServiceRecord *records.Members `json:"-"`
	Why           string           `json:"why,omitempty"` // Waiting: the reason, and what to do
}

// A Tally counts records by disposition.
type Tally [len(dispositionWords)]int64

// Whole reports whether all records are in the service's log.
func (t *Tally) Whole() bool { return t[Waiting] == 0 && t[Rejected] == 0 }

// atOnce is the number of records read from the outbox at a time.
const atOnce = 100

// Push hands in the records that wait. Each is called for every record, also for those that still
// wait because a response ended the push. The error is an *api.Problem, one that wraps
// store.ErrOtherService, or another reason why nothing was handed in; or the error of Store, Each
// or the context, after which the remaining records were not read.
func Push(ctx context.Context, p PushOptions) (Tally, error) {
	service, err := p.reconnect(ctx)
	if err == nil && service == nil { // the page has its key, its restores, and the caller's keys
		var page api.Page
		if page, err = p.Service.Page(ctx, ""); err == nil {
			service, err = p.connect(ctx, &page)
		}
	}
	if err != nil {
		return Tally{}, err
	}
	push := push{PushOptions: p, log: service, after: -1, waiting: map[verify.Ref]bool{}}
	err = push.all(ctx)
	if err == nil && push.halted == nil && len(service.seen) > 0 {
		err = service.compare(ctx) // the log goes on from what it acknowledged
	}
	return push.tally, err
}

type push struct {
	PushOptions
	log     *serviceLog
	after   int64 // the sequence of the last record reported
	reader  packets.Reader
	tally   Tally
	waiting map[verify.Ref]bool // revisions with a waiting record, so that later ones wait too
	halted  *Result             // of the record after which nothing is handed in; nil if it goes on
}

// all hands in the records of the log, including those that are made during the push.
func (p *push) all(ctx context.Context) error {
	for {
		entries, err := p.Store.NotHandedIn(ctx, p.after, atOnce)
		if err != nil || len(entries) == 0 {
			return err
		}
		head, err := p.Store.Head(ctx)
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
func (p *push) record(ctx context.Context, entry *verify.Entry) (r Result, err error) {
	area := terms.AreaOf(entry.Table)
	r = Result{Sequence: entry.Sequence, RecordID: entry.RecordID, Table: entry.Table}
	record, err := records.ReadEnforcement(&p.reader, area, entry.Document)
	if err != nil {
		r.Why = "the record cannot be read; run `docket verify`"
		return r, nil
	}
	m := record.Members()
	r.RecordID, r.ID, r.Revision = m.RecordID, m.Key.ID, m.Key.Number
	on := verify.Ref{Table: entry.Table, Key: m.Key}
	switch {
	case p.halted != nil:
		r.Reason, r.Why = p.halted.Reason, p.halted.Why
		return r, nil
	case p.waiting[on]:
		r.Why = "an earlier record on the same revision waits"
		return r, nil
	}
	body := api.Enforce{Record: entry.Document, Signature: string(entry.Signature), PacketSalt: entry.PacketSalt}
	if entry.Statement.Present() {
		body.Statement = &entry.Statement
	}
	earlier, is, err := p.Store.EarlierReceipt(ctx, entry.Sequence)
	if err != nil {
		return Result{}, err
	}
	if is && !slices.Contains(p.AsNew, r.RecordID) {
		body.Acknowledged = &api.Enforced{Receipt: earlier.Receipt, Checkpoint: string(earlier.Checkpoint), Proof: earlier.Proof}
	}
	answer, again, refused := p.Service.Enforce(ctx, area, body)
	var problem *api.Problem
	switch {
	case refused == nil:
		err = p.accepted(ctx, &r, entry.Document, &answer, again)
	case ctx.Err() != nil:
		return Result{}, ctx.Err()
	case !errors.As(refused, &problem):
		err = p.halt(&r, refused)
	case problem.Kind().Rejects().Present() && problem.Rejection != "":
		err = p.rejected(ctx, &r, entry.Document, problem)
	default:
		p.postpone(&r, problem)
	}
	p.waiting[on] = r.Disposition == Waiting
	if r.Reason == api.KeyNotRegistered.Word() {
		r.Why += fmt.Sprintf(
			" If the key is lost, `docket identity revoke --from %d %s` lets you decide again with another one.",
			entry.Sequence, m.Reviewer.KeyFingerprint)
	}
	return r, err
}

// halt lets the record wait, and all that come after it; that is no error of the push.
func (p *push) halt(r *Result, why error) error {
	r.Why, p.halted = shortened(why.Error()), r
	return nil
}

func (p *push) accepted(
	ctx context.Context, r *Result, document []byte, answer *api.Enforced, again bool,
) error {
	checkpoint, err := checkAccepted(p.log.keys, r.RecordID, document, answer)
	if err != nil {
		return p.halt(r, err)
	}
	if err := p.log.acknowledged(ctx, &checkpoint); err != nil {
		return p.halt(r, err)
	}
	// The receipt is kept even if the context has ended by now.
	err = p.Store.KeepAcceptance(context.WithoutCancel(ctx), r.RecordID, answer.Receipt, answer.Proof,
		[]byte(answer.Checkpoint))
	if err != nil {
		return p.notKept(r, err)
	}
	r.Disposition, r.Receipt, r.ReceivedAt = Accepted, &answer.Receipt, answer.ReceivedAt
	if again {
		r.Disposition = AlreadyThere
	}
	return nil
}

// notKept halts the push at a contradiction of an earlier response; other failures are the error.
func (p *push) notKept(r *Result, err error) error {
	if errors.Is(err, records.ErrRefused) || errors.Is(err, records.ErrRejection) ||
		errors.Is(err, signed.ErrServiceRecord) {
		return p.halt(r, fmt.Errorf("%w: %w", ErrForged, err))
	}
	return err
}

// postpone lets a record wait because of a problem, and halts the push if every later record would
// meet it, too: the token, or a service that stayed unavailable for all attempts.
func (p *push) postpone(r *Result, problem *api.Problem) {
	r.Reason, r.Why = problem.Kind().Word(), shortened(problem.Error())
	if problem.Kind() == api.Setback {
		r.Why += fmt.Sprintf(
			"; if something else was recorded in its place, `docket push --as-new %s` has it judged for now",
			r.RecordID)
	}
	if problem.Status == http.StatusUnauthorized || passing[problem.Status] {
		p.halted = r
	}
}

func (p *push) rejected(ctx context.Context, r *Result, document []byte, problem *api.Problem) error {
	statement, err := checkRejection(p.log.key, r.RecordID, document, problem)
	if err != nil {
		return p.halt(r, err)
	}
	inForce, err := p.inForce(ctx, r, &statement, problem.Record)
	var setback *SetbackError
	if errors.Is(err, ErrForged) || errors.As(err, &setback) {
		return p.halt(r, err)
	} // after any other error the next pull brings the record in force
	changes := changesOf(problem)
	kept, err := p.Store.KeepServiceRecords(context.WithoutCancel(ctx), inForce)
	if err == nil {
		err = p.Store.KeepRejection(context.WithoutCancel(ctx), r.RecordID, problem.Rejection, changes)
	}
	if err != nil {
		return p.notKept(r, err)
	}
	r.Disposition, r.Reason = Rejected, statement.Reason.String()
	r.InForce, r.Changes = statement.InForce, changes
	if len(kept) > 0 {
		r.ServiceRecord = kept[0].Members()
	}
	return nil
}

// inForce proves the record that came with a rejection, if there is one; ErrForged unless the
// statement names it and it is on the revision of the rejected record.
func (p *push) inForce(ctx context.Context, r *Result, statement *records.Rejection,
	given *api.Record) ([]signed.ServiceRecord, error) {
	if given == nil {
		return nil, nil
	}
	record, err := records.ReadEnforcement(&p.reader, terms.AreaOf(r.Table), given.Record)
	if m := record.Members(); err != nil || !statement.InForce.Present() || m.RecordID != statement.InForce ||
		m.Key.ID != r.ID || m.Key.Number != r.Revision {
		return nil, ErrForged
	}
	proven, err := p.log.include(ctx, given)
	if err != nil {
		return nil, err
	}
	return []signed.ServiceRecord{proven}, nil
}

// ErrForged says that a response is not signed with the service's key, or is about something else.
var ErrForged = errors.New("the response is not signed with the key of the service: it was not kept, and nothing more was handed in; " +
	"ask the operator of the service")

// checkAccepted returns the checkpoint of an acceptance, or ErrForged unless it is about the
// record, signed and proven; a record from before a restore has a receipt of the earlier log.
func checkAccepted(keys []signed.Key, id records.RecordID, document []byte, answer *api.Enforced) (
	head store.KnownCheckpoint, err error) {
	given := signed.Acceptance{Receipt: string(answer.Receipt.Document()),
		Checkpoint: answer.Checkpoint, Proof: signed.WriteProof(answer.Proof)}
	for _, key := range keys {
		if receipt, err := key.OpenAcceptance(given, id, document); err == nil {
			return store.KnownCheckpoint{Note: answer.Checkpoint, Key: key.String(),
				LogHead: records.LogHead{Origin: key.Origin(), Size: receipt.TreeSize, Root: receipt.Root}}, nil
		}
	}
	return store.KnownCheckpoint{}, ErrForged
}

// checkRejection reads the statement; ErrForged unless it has the record and the problem's reason.
func checkRejection(key signed.Key, id records.RecordID, document []byte, problem *api.Problem) (records.Rejection, error) {
	r, err := key.OpenRejection(problem.Rejection)
	if err != nil || r.RecordID != id || !r.Digest.Matches(terms.HashOf(document)) ||
		r.Reason != problem.Kind().Rejects() || r.InForce == id {
		return records.Rejection{}, ErrForged
	}
	return r, nil
}

// changesOf returns the differences that a problem states: a limited number, in visible characters.
func changesOf(p *api.Problem) []string {
	said := p.Changes
	if len(said) == 0 {
		stated, found := terms.SetOf(p.Stated...), terms.SetOf(p.Found...)
		for _, code := range found.Minus(stated).Terms() {
			said = append(said, fmt.Sprintf("the service found %s, which the record does not state", code.String()))
		}
		for _, code := range stated.Minus(found).Terms() {
			said = append(said, fmt.Sprintf("the record states %s, which the service did not find", code.String()))
		}
	}
	if len(said) == 0 && p.Detail != "" {
		said = []string{p.Detail}
	}
	kept := make([]string, 0, min(len(said), store.MostChanges))
	for _, change := range said[:min(len(said), store.MostChanges)] {
		if change != "" {
			kept = append(kept, shortened(change))
		}
	}
	return kept
}

// shortened returns a text of the service as one line of visible characters of limited length.
func shortened(text string) string {
	text = visible.String(text)
	if utf8.RuneCountInString(text) <= store.MostChangeText {
		return text
	}
	return string([]rune(text)[:store.MostChangeText-1]) + "…"
}
