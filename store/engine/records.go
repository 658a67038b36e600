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
	Bound        bool             // there is a service that a record waits for
}

// Dates are the dates of a case as they are stored; "" for none, or if the document is not JSON.
type Dates struct{ FiledAt, Deadline string }

// An Added is a record that may say which blockers people added, and the rejection that the service signed, if it did.
type Added struct {
	Revision  int64
	Document  []byte
	Rejected  bool
	Rejection string
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
type Records struct {
	Tx
	OwnRecords
}

// Records returns the enforcement records.
func (t Tx) Records() Records { return Records{t, t.flavor.RecordsOf(t)} }

// OwnRecords are the methods of Records that each engine has in its own words.
type OwnRecords interface {
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

	// Added yields the records of a table on a revision and on those before it that were ever in force or that the service rejected,
	// and those of the service's log. A record without an answer stops counting once a record of the service's log on
	// its revision is kept, because the service will reject it.
	Added(ctx context.Context, table terms.Table, key packets.Key, yield func(Added) error) error
	// Entries yields the stored entries of each sequence from one up to but not including another, gaps included.
	Entries(ctx context.Context, from, to int64, yield func(*Entry) error) error
}

// Ending returns the end of the log for a record of a reviewer.
func (q Records) Ending(ctx context.Context, id records.RecordID, reviewer records.Reviewer) (end Ending, err error) {
	err = q.get(ctx, "Ending", []any{id, reviewer.ID, reviewer.KeyFingerprint}, &end.Last, &end.Known, &end.Listed, &end.Other, &end.Revoked, &end.Newest)
	return end, err
}

// Add adds a record. Its leaf has to be there.
func (q Records) Add(ctx context.Context, r *Record) error {
	err := q.Exec1(ctx, "INSERT INTO "+r.Table.String()+" (sequence, document) VALUES ($1, $2)", r.Sequence, Text(r.Document))
	if err == nil {
		err = q.add(ctx, "AddSignature", r.Sequence, string(r.Signature))
	}
	if err == nil && r.PacketSalt != "" {
		err = q.add(ctx, "AddPacketSalt", r.Sequence, r.PacketSalt)
	}
	if err == nil && r.Statement.Present() {
		err = q.add(ctx, "AddReasons", r.Sequence, r.Statement.Salt, Text(r.Statement.Text))
	}
	if err == nil && r.Note.Text != "" {
		err = q.add(ctx, "AddNote", r.Sequence, r.Note.Salt, Text(r.Note.Text))
	}
	return err
}

// Document returns the bytes at a sequence of a table, or ErrNoRow.
func (q Records) Document(ctx context.Context, table terms.Table, sequence int64) (document []byte, err error) {
	err = q.Row(ctx, "SELECT document FROM "+table.String()+" WHERE sequence = $1", []any{sequence}, &document)
	return document, err
}

// About is the id of the case or the amendment of the record at a sequence of a table, or ErrNoRow.
func (q Records) About(ctx context.Context, table terms.Table, sequence int64) (id terms.ID, err error) {
	column, _ := q.flavor.Key(table)
	err = q.Row(ctx, "SELECT "+column+" FROM "+table.String()+" WHERE sequence = $1", []any{sequence}, &id)
	return id, err
}

// Signature returns that of a record, or ErrNoRow.
func (q Records) Signature(ctx context.Context, id records.RecordID) (signature []byte, err error) {
	err = q.get(ctx, "Signature", []any{id}, &signature)
	return signature, err
}

// PacketSalt returns that of a record's packet digest, or ErrNoRow.
func (q Records) PacketSalt(ctx context.Context, id records.RecordID) (salt packets.Salt, err error) {
	err = q.get(ctx, "PacketSalt", []any{id}, &salt)
	return salt, err
}

// Statement returns the statement of reasons of a record, or ErrNoRow.
func (q Records) Statement(ctx context.Context, id records.RecordID) (s records.Statement, err error) {
	err = q.get(ctx, "Reasons", []any{id}, &s.Salt, &s.Text)
	return s, err
}

// Note returns that of a record, or ErrNoRow.
func (q Records) Note(ctx context.Context, id records.RecordID) (note records.Note, err error) {
	err = q.get(ctx, "Note", []any{id}, &note.Salt, &note.Text)
	return note, err
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
