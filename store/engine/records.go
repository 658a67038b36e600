package engine

import (
	"context"

	"docket/domain/keys"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
)

// A Record is an enforcement record with what is stored with it, all at its sequence of the log.
type Record struct {
	Sequence   int64
	Table      terms.Table
	Document   []byte
	Signature  []byte            // armored
	PacketSalt packets.Salt      // "": none is stored
	Statement  records.Statement // of reasons; the same
	Note       records.Note      // the same
}

// An Ending is the end of the log, with the state on which appending a record depends.
type Ending struct {
	Last    int64            // sequence of the last leaf; -1: none
	Known   bool             // there is a record under the id
	Listed  bool             // the reviewer's key has signed before
	Other   bool             // another key of the reviewer has
	Revoked bool             // the reviewer's key is revoked
	Newest  records.RecordID // the greatest of the log; "" for none
}

// A Logged is a leaf of the log with everything that the store knows of its record.
type Logged struct {
	Leaf
	Document     []byte           // nil if its row is gone
	SupersededBy records.RecordID // the newest record in force that names it; "" for none, or if its document is no JSON
	Answer       Answer           // of the service
	ReplacedBy   records.RecordID // which the service named when it rejected a later record on the same revision
	JudgedAgain  int64            // sequence of the last record that followed one that is not in force; 0 for none
	InForceHere  bool             // the record that the service's rejection names is in this log
	Revoked      bool             // a revoked key signed it
}

// A Weighed is the time of a record and its computed blockers as they are stored; "" if the document is not JSON.
type Weighed struct{ RecordedAt, Blockers string }

// Dates are the dates of a case as they are stored; "" for none, or if the document is not JSON.
type Dates struct{ FiledAt, Deadline string }

// An Added holds the blockers that people added to a revision in one record: two JSON lists or, instead of them, the
// rejection that the service signed.
type Added struct {
	ByReviewer, Carried string
	Rejected            bool
	Rejection           string
}

// An Entry is what is stored at one sequence of the log.
type Entry struct {
	Sequence   int64
	Table      string // as the log says; "" if it has no such leaf
	RecordID   records.RecordID
	LeafHash   []byte
	Document   []byte // in the table that the log names; nil if there is none
	Elsewhere  []byte // in the other table
	Signature  []byte
	PacketSalt packets.Salt
	Statement  records.Statement
	Note       records.Note
	Acceptance *signed.Acceptance // nil for none that stands
}

// A RecordScope selects records of a table: all of them or, if a member is set, those that it names.
type RecordScope struct {
	About    terms.ID // the case or the amendment that they are on
	Assignee terms.ID // to whom the latest revision of what they are on is assigned
	Owner    terms.ID // of the amendment, as they say
}

// Records are the enforcement records and what is stored with them. A record is not in force if the service rejected it
// or a revoked key signed the record.
type Records interface {
	// Ending returns the end of the log for a record of a reviewer.
	Ending(ctx context.Context, id records.RecordID, reviewer records.Reviewer) (Ending, error)
	// Add adds a record. Its leaf has to be there.
	Add(ctx context.Context, record *Record) error
	// Document returns the bytes at a sequence of a table, or ErrNoRow.
	Document(ctx context.Context, table terms.Table, sequence int64) ([]byte, error)
	// About is the id of the case or the amendment of the record at a sequence of a table, or ErrNoRow.
	About(ctx context.Context, table terms.Table, sequence int64) (terms.ID, error)

	// LoggedBefore yields at most so many leaves with a sequence below before, the last ones, in the order of the log.
	LoggedBefore(ctx context.Context, before int64, most int, yield func(*Logged) error) error
	// LoggedOn yields those of the records on one revision, or on the other revisions of its id, in the order of the log.
	LoggedOn(ctx context.Context, table terms.Table, key packets.Key, others bool, yield func(*Logged) error) error
	// LoggedAs yields that of the record of an id, if there is one.
	LoggedAs(ctx context.Context, id records.RecordID, yield func(*Logged) error) error

	// SequencesAfter returns at most so many sequences of the records of a table in the scope, those that come next after one, in order.
	SequencesAfter(ctx context.Context, table terms.Table, scope RecordScope, after int64, most int) ([]int64, error)
	// LoggedAt yields the leaves at sequences, in the order of the log.
	LoggedAt(ctx context.Context, sequences []int64, yield func(*Logged) error) error
	// EntriesAt yields the stored entries at these sequences.
	EntriesAt(ctx context.Context, sequences []int64, yield func(*Entry) error) error

	// LoggedFrom yields at most so many with an id from one on and below another, in the order of the log: those whose ids come first.
	LoggedFrom(ctx context.Context, from, to string, most int, yield func(*Logged) error) error
	// Dates returns those of the cases that the records with ids from one to another judged, by the sequence of the record.
	Dates(ctx context.Context, from, to records.RecordID) (map[int64]Dates, error)

	// Signature, PacketSalt, Statement and Note return what is stored with a record, or ErrNoRow.
	Signature(ctx context.Context, id records.RecordID) ([]byte, error)
	PacketSalt(ctx context.Context, id records.RecordID) (packets.Salt, error)
	Statement(ctx context.Context, id records.RecordID) (records.Statement, error)
	Note(ctx context.Context, id records.RecordID) (records.Note, error)

	// Weighed yields what the trend counts in the records of a table, newest first, until yield returns false.
	Weighed(ctx context.Context, table terms.Table, yield func(Weighed) bool) error
	// Added yields the blockers that people added to a revision, in the records of a table that were ever in force, and
	// in those of the service's log. A record without an answer stops counting once a record of the service's log on
	// its revision is kept, because the service will reject it.
	Added(ctx context.Context, table terms.Table, key packets.Key, yield func(Added) error) error
	// Entries yields the stored entries of each sequence from one up to but not including another, gaps included.
	Entries(ctx context.Context, from, to int64, yield func(*Entry) error) error

	// Erasable counts the rows that an erasure for a person deletes, and the salts of those records before a sequence
	// whose digests cover them, too.
	Erasable(ctx context.Context, e records.Erasure, by terms.ID, before int64) (own, salts int64, err error)
	// Erase deletes these rows, and returns how many there were.
	Erase(ctx context.Context, e records.Erasure, by terms.ID, before int64) (int64, error)
}

// A Signer is a key that has signed a record, as it is stored.
type Signer struct {
	Reviewer    terms.ID
	Fingerprint string // OpenSSH's SHA256:… form
	PublicKey   string // in one line of the form of authorized_keys
	Since       string // recordedAt of the first record it signed
}

// Keys are the keys of the reviewers.
type Keys struct{ Tx }

// Keys returns the keys of the reviewers.
func (t Tx) Keys() Keys { return Keys{t} }

// Signers returns the keys that have signed, in the order in which they were first used.
func (q Keys) Signers(ctx context.Context) ([]Signer, error) {
	return List(ctx, q, q.named("Signers"), (*Signer).Columns)
}

// AddSigner adds one.
func (q Keys) AddSigner(ctx context.Context, s Signer) error {
	return q.add(ctx, "AddSigner", s.Reviewer, s.Fingerprint, s.PublicKey, s.Since)
}

// Revoked returns the revocations that the queries use.
func (q Keys) Revoked(ctx context.Context) ([]keys.Revocation, error) {
	return List(ctx, q, q.named("RevokedKeys"), RevocationColumns)
}

// SetRevoked replaces them.
func (q Keys) SetRevoked(ctx context.Context, list []keys.Revocation) error {
	_, err := q.run(ctx, "ClearRevokedKeys")
	for _, r := range list {
		if err == nil {
			err = q.add(ctx, "AddRevokedKey", r.Reviewer, r.Fingerprint, r.From, r.Made, r.Received)
		}
	}
	return err
}
