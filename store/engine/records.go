package engine

import (
	"cmp"
	"context"

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
	PacketSalt packets.Salt      // "": none is stored
	Statement  records.Statement // of reasons; the same
	Note       records.Note      // the same
}

// An Ending is the end of the log, with the state on which appending a record depends.
type Ending struct {
	Last   int64            // sequence of the last leaf; -1: none
	Known  bool             // there is a record under the id
	Listed bool             // the reviewer's key has signed before
	Other  bool             // another key of the reviewer has
	Newest records.RecordID // the greatest of the log; "" for none
}

// A Logged is a leaf of the log with everything that the store knows of its record.
type Logged struct {
	NumberedLeaf
	Document    []byte // nil if its row is gone
	Answer      Answer // of the service
	InForceHere bool   // the record that the service's rejection names is in this log
	Bound       bool   // there is a service that a record waits for
}

// Dates are the dates of a case as they are stored; "" for none, or if the document is not JSON.
type Dates struct{ FiledAt, Deadline string }

// A Said is a record on a case or an amendment with what the service said of it, or one of the
// service's log that another console handed in.
type Said struct {
	ID        terms.ID
	Revision  int64
	Sequence  int64 // Elsewhere: how many records the log had when it came
	Document  []byte
	Answer    int64  // the rejection's position; Elsewhere: how many there were when it came
	Rejection string // as the service signed it; "" for none
	TreeSize  int64  // of the receipt; 0 for none that stands
	Elsewhere bool
}

// An Entry is what is stored at one position of the log.
type Entry struct {
	Sequence   int64
	Kind       string // as the log says; "" if it has no such entry
	Table      string // the same
	Subject    string
	At         string // records.LogTime of the append
	LeafHash   []byte
	Document   []byte // in the table that the log names; nil if there is none
	Elsewhere  []byte // a record in another table
	Body       string // of a statement
	Texts      []byte // of a packet; nil if there are none
	Signature  []byte
	PacketSalt packets.Salt
	Statement  records.Statement
	Note       records.Note
	Acceptance *signed.Acceptance // nil for none that stands
}

// A RecordScope selects records of a table: all or, if a member is set, those that it names.
type RecordScope struct {
	About    terms.ID // the case or the amendment that they are on
	Assignee terms.ID // to whom the latest revision of what they are on is assigned
	Owner    terms.ID // of the amendment, as they say
}

// Records are the enforcement records and what is stored with them.
type Records struct{ Tx }

// Records returns the enforcement records.
func (t Tx) Records() Records { return Records{t} }

// Ending returns the end of the log for a record of a reviewer.
func (q Records) Ending(ctx context.Context, id records.RecordID, reviewer records.Reviewer) (Ending, error) {
	return one[Ending](ctx, q.Tx, "Ending", id, reviewer.ID, reviewer.KeyFingerprint)
}

// Add adds a record. Its leaf has to be there.
func (q Records) Add(ctx context.Context, r *Record) error {
	err := q.on(r.Table).add(ctx, "AddRecord", r.Sequence, Text(r.Document))
	if err == nil && r.PacketSalt != "" {
		err = q.addText(ctx, r.Sequence, ofPacketDigest, r.PacketSalt, "")
	}
	if err == nil && r.Statement.Present() {
		err = q.addText(ctx, r.Sequence, ofStatement, r.Statement.Salt, r.Statement.Text)
	}
	if err == nil && r.Note.Text != "" {
		err = q.addText(ctx, r.Sequence, ofNote, packets.Salt(r.Note.Salt), r.Note.Text)
	}
	return err
}

// Document returns the bytes at a sequence of a table, or ErrNoRow.
func (q Records) Document(ctx context.Context, table terms.Table, sequence int64) ([]byte, error) {
	return one[[]byte](ctx, q.on(table), "Document", sequence)
}

// About is the id of the case or the amendment of the record at a sequence of a table, or ErrNoRow.
func (q Records) About(ctx context.Context, table terms.Table, sequence int64) (terms.ID, error) {
	return one[terms.ID](ctx, q.on(table), "About", sequence)
}

// Signature returns that of a record, or ErrNoRow.
func (q Records) Signature(ctx context.Context, id records.RecordID) ([]byte, error) {
	return one[[]byte](ctx, q.Tx, "Signature", id)
}

// PacketSalt returns that of a record's packet digest, or ErrNoRow.
func (q Records) PacketSalt(ctx context.Context, id records.RecordID) (packets.Salt, error) {
	salts, err := q.erasedSalts(ctx)
	if err != nil {
		return "", err
	}
	held, err := one[text](ctx, q.Tx, "Text", id, ofPacketDigest)
	if err == nil && salts[held.Owner] {
		return "", ErrNoRow
	}
	return held.Salt, err
}

// Statement returns the statement of reasons of a record, or ErrNoRow.
func (q Records) Statement(ctx context.Context, id records.RecordID) (records.Statement, error) {
	held, err := q.unlessErased(ctx, records.ErasableStatement, ofStatement, id)
	return records.Statement{Salt: held.Salt, Text: held.Text}, err
}

// Note returns that of a record, or ErrNoRow.
func (q Records) Note(ctx context.Context, id records.RecordID) (records.Note, error) {
	held, err := q.unlessErased(ctx, records.ErasableNote, ofNote, id)
	return records.Note{Salt: string(held.Salt), Text: held.Text}, err
}

// unlessErased returns a text beside a record, or ErrNoRow.
func (q Records) unlessErased(ctx context.Context, what records.Erasable, member string, id records.RecordID) (text, error) {
	if gone, err := q.isErased(ctx, what, id); err != nil || gone {
		return text{}, cmp.Or(err, ErrNoRow)
	}
	return one[text](ctx, q.Tx, "Text", id, member)
}

func (q Records) logged(ctx context.Context, which string, yield func(*Logged) error, args ...any) error {
	return each(ctx, q.on(q.table, "which", which), "Logged", yield, args...)
}

// LoggedNumbered yields so many records from a number on, counted from the first of the log.
func (q Records) LoggedNumbered(ctx context.Context, from, count int64, yield func(*Logged) error) error {
	return q.logged(ctx, "{numberedFrom}", yield, from, count)
}

// LoggedOn yields those on one revision, or on the other revisions of its id, in the log's order.
func (q Records) LoggedOn(ctx context.Context, table terms.Table, key packets.Key, others bool, yield func(*Logged) error) error {
	which := "{onRevision =}"
	if others {
		which = "{onRevision <>}"
	}
	return Records{q.on(table)}.logged(ctx, which, yield, key.ID, key.Number)
}

// LoggedAs yields that of the record of an id, if there is one.
func (q Records) LoggedAs(ctx context.Context, id records.RecordID, yield func(*Logged) error) error {
	return q.logged(ctx, "{as}", yield, id)
}

// LoggedFrom yields at most so many with an id from one on and below another, in the order of the
// log: those whose ids come first.
func (q Records) LoggedFrom(ctx context.Context, from, to string, most int, yield func(*Logged) error) error {
	return q.logged(ctx, "{fromRecord}", yield, from, to, most)
}

// LoggedAt yields the leaves at sequences, in the order of the log.
func (q Records) LoggedAt(ctx context.Context, sequences []int64, yield func(*Logged) error) error {
	return q.logged(ctx, "{at}", yield, listed(sequences))
}

// shortTail is up to how many records at the log's end are read rather than an assignee's index.
const shortTail = 128

// SequencesAfter returns at most so many sequences of the records of a table in the scope, those
// that come next after one, in order. It reads no row outside the scope except the revisions of the
// assignee's packets, or the records after the sequence if they are few.
func (q Records) SequencesAfter(ctx context.Context, table terms.Table, scope RecordScope, after int64, most int) ([]int64, error) {
	from, named := "{every}", terms.ID("")
	switch {
	case scope.About != "":
		from, named = "{aboutOne}", scope.About
	case scope.Assignee != "":
		last, err := one[int64](ctx, q.on(table), "LastRecord")
		if err != nil {
			return nil, err
		}
		if from, named = "{ofAssignee}", scope.Assignee; last-after <= shortTail {
			from = "{ofAssigneeAtEnd}"
		}
	case scope.Owner != "":
		from, named = "{ofOwner}", scope.Owner
	}
	return all[int64](ctx, q.on(table, "which", from), "SequencesAfter", named, after, most)
}

// Dates returns those of the cases that records with ids from one to another judged, by sequence.
func (q Records) Dates(ctx context.Context, from, to records.RecordID) (map[int64]Dates, error) {
	return pairs[int64, Dates](ctx, q.on(terms.AppealCases), "Dates", from, to)
}

// History yields what is said of the records of a table on the ids, in no order.
func (q Records) History(ctx context.Context, table terms.Table, ids []terms.ID, yield func(*Said) error) error {
	wanted := make([][]any, len(ids))
	for i, id := range ids {
		wanted[i] = []any{id}
	}
	return each(ctx, q.on(table), "History", yield, listed(wanted))
}

// RecordsBetween yields the entries of at most so many records from one position up to but not
// including another.
func (q Records) RecordsBetween(ctx context.Context, from, to int64, most int, yield func(*Entry) error) error {
	return q.entries(ctx, "RecordEntries", yield, from, to, most)
}

// Entries yields the entries from one sequence up to but not including another, gaps included.
func (q Records) Entries(ctx context.Context, from, to int64, yield func(*Entry) error) error {
	return q.entries(ctx, "Entries", yield, from, to)
}

// EntriesAt yields the stored entries at these sequences.
func (q Records) EntriesAt(ctx context.Context, sequences []int64, yield func(*Entry) error) error {
	return q.entries(ctx, "EntriesAt", yield, listed(sequences))
}

// entries yields one entry a sequence even where two receipts stand, unlike Answers.Acceptances.
func (q Records) entries(ctx context.Context, name string, yield func(*Entry) error, args ...any) error {
	var held Entry
	var receipt, checkpoint, proof *string
	into := columns(&held)
	into = append(into[:len(into)-1], &receipt, &checkpoint, &proof)
	last := int64(-1)
	salts, err := q.erasedSalts(ctx)
	if err != nil {
		return err
	}
	return q.EachRow(ctx, q.named(name), func(scan Scan) error {
		held = Entry{}
		if err := scan(into...); err != nil || held.Sequence == last {
			return err
		}
		last = held.Sequence
		e := held
		if receipt != nil {
			e.Acceptance = &signed.Acceptance{Receipt: *receipt, Checkpoint: *checkpoint, Proof: *proof}
		}
		if salts[e.Sequence] {
			e.PacketSalt = ""
		}
		if gone, _ := q.isErased(ctx, records.ErasableStatement, records.RecordID(e.Subject)); gone { // read already
			e.Statement = records.Statement{}
		}
		if gone, _ := q.isErased(ctx, records.ErasableNote, records.RecordID(e.Subject)); gone {
			e.Note = records.Note{}
		}
		return yield(&e)
	}, args...)
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
	return all[Signer](ctx, q.Tx, "Signers")
}

// AddSigner adds one.
func (q Keys) AddSigner(ctx context.Context, s Signer) error {
	return q.add(ctx, "AddSigner", s.Reviewer, s.Fingerprint, s.PublicKey, s.Since)
}
