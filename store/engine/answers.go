package engine

import (
	"context"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
)

// An Answer is the service's answer to a record as it is stored: a rejection, a receipt that no restore of the service
// lost, or neither.
type Answer struct {
	Rejected            bool
	Rejection, Changes  string
	Accepted            bool
	Receipt, AcceptedAt string
}

// An Acceptance is a receipt of the service as it is stored, with the leaf of its record if the log has one.
type Acceptance struct {
	Leaf
	Origin     string // of the log that gave it
	TreeSize   int64
	Receipt    string
	Proof      string
	Checkpoint string
	Rejected   bool // there is a rejection of the same record, and no restore of the service lost the receipt
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
}

// A Tally counts answers of the service.
type Tally struct {
	Accepted int64 // receipts that no restore of the service lost
	Rejected int64
	Open     int64 // rejected records that no later record on the same or a later revision followed
	Revoked  int64 // records without an answer that a revoked key signed
	// RevokedOpen counts those of them that no later record followed.
	RevokedOpen int64
}

// A FollowedStatement is a statement of the service about its log as it is stored.
type FollowedStatement struct {
	signed.Statement
	Ended string // the log that it ended; "" for none
	Size  int64  // of the records that were restored
}

// A ShownCheckpoint is a checkpoint of the service's log, as it showed it, as it is stored.
type ShownCheckpoint struct {
	Position   int64
	Checkpoint string
	Key        string // the verifier key that signed it
	// Setback is the checkpoint that it does not extend, without Shown and ShownKey; Kind is "" if it extends all that
	// was known.
	Setback signed.Setback
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
	// The records of this log, and the rejections, that were there when it was kept: what came before it, and what after it.
	AfterRecords, AfterRejections int64
	Lost                          bool // a restore that the console followed ended the service's log below it
}

// Answers holds the service that a console's store is bound to, and its answers. An acceptance is lost if a restore
// that the console followed ended its log below its tree.
type Answers interface {
	// Bound returns the verifier keys to which the store is bound, the first one first: more than one only in an edited
	// store.
	Bound(ctx context.Context) ([]string, error)
	// Bind adds one.
	Bind(ctx context.Context, key string, at terms.Instant) error
	// Followed returns the statements of the service, oldest first.
	Followed(ctx context.Context) ([]FollowedStatement, error)
	// Follow adds one.
	Follow(ctx context.Context, statement FollowedStatement, at terms.Instant) error

	// NewestShown returns the last checkpoint that the service showed, or ErrNoRow.
	NewestShown(ctx context.Context) (ShownCheckpoint, error)
	// Setbacks returns the setbacks, oldest first, each with the first later checkpoint that extends what was known.
	Setbacks(ctx context.Context) ([]signed.Setback, error)
	// Shown yields all of them, in their order.
	Shown(ctx context.Context, yield func(*ShownCheckpoint) error) error
	// Show adds one after the last; its Position is ignored.
	Show(ctx context.Context, c ShownCheckpoint, at terms.Instant) error
	// AcceptedAbove yields the acceptances from a log whose tree is larger than a size, without their leaves, by their size.
	AcceptedAbove(ctx context.Context, origin string, size int64, yield func(*Acceptance) error) error

	// Unanswered returns at most so many sequences after one for which there is no answer that stands, in order.
	Unanswered(ctx context.Context, after int64, most int) ([]int64, error)
	// Of returns the answer to the record at a sequence.
	Of(ctx context.Context, sequence int64) (Answer, error)
	// Tally counts the answers.
	Tally(ctx context.Context) (Tally, error)

	// Taken reports whether there is an acceptance from a log at a size of its tree.
	Taken(ctx context.Context, origin string, treeSize int64) (bool, error)
	// Accept adds an acceptance; of its leaf only the sequence counts.
	Accept(ctx context.Context, a Acceptance, at terms.Instant) error
	// Lost yields the acceptances that are lost, of the sequences from one up to but not including another: in their
	// order, those of a sequence oldest first; of their leaves only the sequence is set.
	Lost(ctx context.Context, from, to int64, yield func(*Acceptance) error) error
	// Acceptances yields all of them, in the order of the log.
	Acceptances(ctx context.Context, yield func(*Acceptance) error) error

	// LastRejection is the position of the newest rejection; -1 for none.
	LastRejection(ctx context.Context) (int64, error)
	// Reject adds a rejection after the last one; of its leaf only the sequence counts.
	Reject(ctx context.Context, r Rejection, at terms.Instant) error
	// Rejections yields at most so many of those after a position and not above last, in their order.
	Rejections(ctx context.Context, after, last int64, most int, yield func(*Rejection) error) error

	// AddServiceRecord adds a record of the service's log after the last one; its Position and Lost are ignored.
	AddServiceRecord(ctx context.Context, r *ServiceRecord, at terms.Instant) error
	// ServiceRecordsOn returns those on one revision, in the order in which they were kept.
	ServiceRecordsOn(ctx context.Context, table terms.Table, key packets.Key) ([]ServiceRecord, error)
	// LastServiceRecord is the position of the newest one; -1 for none.
	LastServiceRecord(ctx context.Context) (int64, error)
	// ServiceRecords yields at most so many of those after a position and not above last, in their order.
	ServiceRecords(ctx context.Context, after, last int64, most int, yield func(*ServiceRecord) error) error

	// Reassigned returns the revision with which the service assigned a case or an amendment to another reviewer; 0 for
	// none.
	Reassigned(ctx context.Context, table terms.Table, id terms.ID) (int64, error)
	// SetReassigned keeps that revision in place of an earlier one.
	SetReassigned(ctx context.Context, table terms.Table, key packets.Key, at terms.Instant) error
	// ClearReassigned deletes all of them.
	ClearReassigned(ctx context.Context) error

	// Pull returns the pull cursor, and when packets were last pulled to the end, or ErrNoRow.
	Pull(ctx context.Context) (cursor, completedAt string, err error)
	// SetPull replaces the cursor. An absent time leaves the stored one.
	SetPull(ctx context.Context, cursor string, completed terms.Instant) error
}
