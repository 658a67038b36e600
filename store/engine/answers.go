package engine

import (
	"context"

	"docket/domain/keys"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
)

// An Answer is the service's answer to a record as it is stored: a rejection, a receipt that no
// restore of the service lost, or neither.
type Answer struct {
	Rejected            bool
	Rejection, Changes  string
	Accepted            bool
	Receipt, AcceptedAt string
}

// An Acceptance is a stored receipt of the service, with the leaf of its record if the log has one.
type Acceptance struct {
	Leaf
	Origin     string // of the log that gave it
	TreeSize   int64
	Receipt    string
	Proof      string
	Checkpoint string
	Document   []byte // of the record; nil if its row is gone
	Rejected   bool   // the record is rejected, too, and the receipt is of the present log
}

// Acceptance returns the part that a check reads.
func (a *Acceptance) Acceptance() signed.Acceptance {
	return signed.Acceptance{Receipt: a.Receipt, Checkpoint: a.Checkpoint, Proof: a.Proof}
}

// A Rejection is a rejection by the service as it is stored.
type Rejection struct {
	Leaf
	Position int64
	InForce  records.RecordID // which it names
	Signed   string
	Changes  string
	Document []byte // of the record; nil if its row is gone
}

// A Tally counts answers of the service.
type Tally struct {
	Accepted int64 // receipts of the present log of the service
	Rejected int64
}

// An Unanswered record is one for which there is no answer that stands.
type Unanswered struct {
	Sequence int64
	keys.Holder
}

// A ShownCheckpoint is a checkpoint of the service's log, as it showed it, as it is stored.
type ShownCheckpoint struct {
	Position   int64
	Checkpoint string
	Key        string // the verifier key that signed it
	Setback    string // a records.SetbackKind; "" if it extends all that was known
	At         string // when it was kept
}

// A ServiceRecord is a record of the service's log that another console handed in, as it is stored.
type ServiceRecord struct {
	signed.ServiceRecord
	Position   int64
	Table      terms.Table // of what it is on
	Key        packets.Key
	RecordID   records.RecordID
	Supersedes records.RecordID // "" for none
	Origin     string           // of the log that it was proven to be in
	// The records of this log, and the rejections, that were there when it was kept.
	AfterRecords, AfterRejections int64
	Earlier                       bool // of a log before the one that the console accepted last
}

// Answers holds the service that a console's store is bound to, and its answers, each with the
// place of the key to which the store was bound when it came.
type Answers struct{ Tx }

// Answers returns the service and its answers.
func (t Tx) Answers() Answers { return Answers{t} }

// Bound returns the verifier keys to which the store was bound, the present one last.
func (q Answers) Bound(ctx context.Context) ([]string, error) {
	return all[string](ctx, q.Tx, "Bound")
}

// Bind adds one.
func (q Answers) Bind(ctx context.Context, key string, at terms.Instant) error {
	return q.add(ctx, "Bind", key, at.String())
}

// NewestShown returns the last checkpoint that the service showed, or ErrNoRow.
func (q Answers) NewestShown(ctx context.Context) (ShownCheckpoint, error) {
	return one[ShownCheckpoint](ctx, q.Tx, "NewestShown")
}

// NewestKnown returns the last that extends all that was known or a person accepted, or ErrNoRow.
func (q Answers) NewestKnown(ctx context.Context) (ShownCheckpoint, error) {
	return one[ShownCheckpoint](ctx, q.Tx, "NewestKnown")
}

// Shown yields all of them, in their order.
func (q Answers) Shown(ctx context.Context, yield func(*ShownCheckpoint) error) error {
	return each(ctx, q.Tx, "Shown", yield)
}

// Show adds one after the last; its Position is ignored.
func (q Answers) Show(ctx context.Context, c ShownCheckpoint) error {
	return q.add(ctx, "Show", c.Setback, c.Checkpoint, c.Key, c.At)
}

// AcceptedAbove yields the present log's acceptances with an origin and a tree larger than a size,
// without their leaves, by their size.
func (q Answers) AcceptedAbove(ctx context.Context, origin string, size int64, yield func(*Acceptance) error) error {
	return each(ctx, q.Tx, "AcceptedAbove", yield, origin, size)
}

// Unanswered returns at most so many records after a sequence without a standing answer, in order.
func (q Answers) Unanswered(ctx context.Context, after int64, most int) ([]Unanswered, error) {
	return all[Unanswered](ctx, q.Tx, "Unanswered", after, most)
}

// Of returns the answer to the record at a sequence.
func (q Answers) Of(ctx context.Context, sequence int64) (Answer, error) {
	return one[Answer](ctx, q.Tx, "AnswerOf", sequence)
}

// Tally counts the answers.
func (q Answers) Tally(ctx context.Context) (Tally, error) {
	return one[Tally](ctx, q.Tx, "Tally")
}

// ToJudgeAgain counts the rejected records, and those at the sequences, that no later record on the
// same or a later revision followed.
func (q Answers) ToJudgeAgain(ctx context.Context, sequences []int64) (rejected, those int64, err error) {
	for _, area := range terms.Areas.All() {
		some, err := one[pair[int64, int64]](ctx, q.on(terms.EnforcementTable(area)), "ToJudgeAgain", listed(append([]int64{}, sequences...)))
		if err != nil {
			return 0, 0, err
		}
		rejected, those = rejected+some.First, those+some.Second
	}
	return rejected, those, nil
}

// Taken reports whether the present log gave an acceptance at a size of the tree of a log.
func (q Answers) Taken(ctx context.Context, origin string, treeSize int64) (bool, error) {
	return one[bool](ctx, q.Tx, "Taken", origin, treeSize)
}

// Accept adds an acceptance; of its leaf only the sequence counts.
func (q Answers) Accept(ctx context.Context, a Acceptance, at terms.Instant) error {
	return q.add(ctx, "Accept", a.Sequence, a.Origin, a.TreeSize, a.Receipt, a.Proof, a.Checkpoint, at.String())
}

// EarlierAcceptance returns the newest acceptance of the record at a sequence by an earlier log of
// the service, or ErrNoRow; of its leaf only the sequence is set.
func (q Answers) EarlierAcceptance(ctx context.Context, sequence int64) (Acceptance, error) {
	return one[Acceptance](ctx, q.Tx, "EarlierAcceptance", sequence)
}

// Acceptances yields all of them, in the order of the log.
func (q Answers) Acceptances(ctx context.Context, yield func(*Acceptance) error) error {
	return each(ctx, q.Tx, "Acceptances", yield)
}

// LastRejection is the position of the newest rejection; -1 for none.
func (q Answers) LastRejection(ctx context.Context) (int64, error) {
	return one[int64](ctx, q.Tx, "LastRejection")
}

// Reject adds a rejection after the last one; of its leaf only the sequence counts.
func (q Answers) Reject(ctx context.Context, r Rejection, at terms.Instant) error {
	return q.add(ctx, "Reject", r.Sequence, r.InForce, r.Signed, r.Changes, at.String())
}

// Rejections yields at most so many of those after a position and not above last, in their order.
func (q Answers) Rejections(ctx context.Context, after, last int64, most int, yield func(*Rejection) error) error {
	return each(ctx, q.Tx, "Rejections", yield, after, last, most)
}

// AddServiceRecord adds a record after the last one; its Position and Earlier are ignored.
func (q Answers) AddServiceRecord(ctx context.Context, r *ServiceRecord, at terms.Instant) error {
	return q.add(ctx, "AddServiceRecord", r.Table.String(), r.Key.ID, r.Key.Number, r.RecordID,
		r.Supersedes, Text(r.Record), r.Signature, r.Origin,
		r.Sequence, r.At, r.Proof, r.Checkpoint, r.AfterRecords, r.AfterRejections, at.String())
}

// ServiceRecordsOn returns those on one revision, in the order in which they were kept.
func (q Answers) ServiceRecordsOn(ctx context.Context, table terms.Table, key packets.Key) ([]ServiceRecord, error) {
	return all[ServiceRecord](ctx, q.Tx, "ServiceRecordsOn", table.String(), key.ID, key.Number)
}

// LastServiceRecord is the position of the newest one; -1 for none.
func (q Answers) LastServiceRecord(ctx context.Context) (int64, error) {
	return one[int64](ctx, q.Tx, "LastServiceRecord")
}

// ServiceRecords yields at most so many of those after a position and up to last, in their order.
func (q Answers) ServiceRecords(ctx context.Context, after, last int64, most int, yield func(*ServiceRecord) error) error {
	return each(ctx, q.Tx, "ServiceRecords", yield, after, last, most)
}
