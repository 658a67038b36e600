package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"docket/domain"
)

// A Submission is a record with what goes with it.
type Submission struct {
	Record    domain.Enforcement
	Signature []byte      // armored SSHSIG of the record's Document in SignatureNamespace, by the reviewer's key
	Note      domain.Note // the private note whose digest the record holds; it stays in this file
}

// Append adds a record to the log, if at this moment it still may be recorded. It looks the packet up again, judges it
// again and checks everything that stands in the record's way while nobody else can write. When it returns a receipt,
// the record is durable.
//
// The error is what domain.Enforcement.Recheck returned, unchanged, if that refuses; it wraps domain.ErrRefused in
// every case in which the record itself is at fault, and then nothing was written. A record that is in the log already
// is not appended twice: the receipt is the one of the first time. ErrUnknownOutcome is the only error after which the
// record may have been written; the same Submission can be handed in again after any error.
func (s *Store) Append(ctx context.Context, sub Submission) (domain.Receipt, error) {
	if err := sub.check(); err != nil {
		return domain.Receipt{}, err
	}
	receipt, err := s.append(ctx, sub)
	if err == nil {
		return receipt, nil
	}
	if leavesOpen(err) {
		return s.settle(ctx, sub.Record, err)
	}
	return domain.Receipt{}, err
}

// check looks at what needs no lock.
func (sub *Submission) check() error {
	m := sub.Record.Members()
	if !m.RecordID.Valid() || len(sub.Record.Document()) == 0 {
		return &domain.Refusal{Reason: "there is no record"}
	}
	if digest := sub.Note.Digest(); digest != m.NoteDigest {
		return &domain.Refusal{Reason: "the private note is not the one that the record vouches for"}
	}
	return checkSignature(sub.Record, sub.Signature)
}

func (s *Store) append(ctx context.Context, sub Submission) (receipt domain.Receipt, err error) {
	err = s.writing(ctx, "append the record", func(ctx context.Context, tx *sql.Tx) error {
		var known bool
		if receipt, known, err = appended(ctx, tx, sub.Record); known || err != nil {
			return err
		}
		if err := s.recheck(ctx, tx, sub.Record); err != nil {
			return err
		}
		if receipt, err = addLeaf(ctx, tx, sub.Record); err != nil {
			return err
		}
		return addRecord(ctx, tx, &sub)
	})
	return receipt, err
}

// recheck repeats the evaluation and compares it with what the record says.
func (s *Store) recheck(ctx context.Context, tx *sql.Tx, record domain.Enforcement) error {
	m := record.Members()
	d, err := look(ctx, tx, &domain.Reader{}, recordTable(m.Area), m.Key, domain.InstantOf(s.now()))
	if err != nil {
		return err
	}
	if err := record.Recheck(&d.View, d.InForce); err != nil {
		return err
	}
	return checkExtends(ctx, tx, m.LogHead)
}

func addRecord(ctx context.Context, tx *sql.Tx, sub *Submission) error {
	id := string(sub.Record.Members().RecordID)
	statement := fmt.Sprintf("INSERT INTO main.%s (document) VALUES (?)", sub.Record.Table())
	err := changeOne(ctx, tx, statement, string(sub.Record.Document()))
	if err != nil {
		return err
	}
	statement = "INSERT INTO main." + signaturesTable + " (recordId, signature) VALUES (?, ?)"
	err = changeOne(ctx, tx, statement, id, string(sub.Signature))
	if err != nil || sub.Note.Text == "" {
		return err
	}
	statement = "INSERT INTO main." + notesTable + " (recordId, salt, note) VALUES (?, ?, ?)"
	return changeOne(ctx, tx, statement, id, sub.Note.Salt, sub.Note.Text)
}

// appended tells whether the record is in the log. Another record under its id is refused.
func appended(ctx context.Context, q querier, record domain.Enforcement) (domain.Receipt, bool, error) {
	leaf, err := leafOf(ctx, q, record.Members().RecordID)
	if errors.Is(err, ErrNotFound) {
		return domain.Receipt{}, false, nil
	}
	if err != nil {
		return domain.Receipt{}, false, err
	}
	document, err := leaf.document(ctx, q)
	if err != nil {
		return domain.Receipt{}, false, err
	}
	if leaf.table != record.Table() || !bytes.Equal(document, record.Document()) {
		return domain.Receipt{}, false, &domain.Refusal{Reason: "the log holds another record under this id"}
	}
	receipt, err := receiptOf(ctx, q, leaf.id, leaf.sequence, leaf.hash)
	return receipt, true, err
}

// settle finds out what became of a record after an error that leaves it open. The connections have been given up by
// then, so that what is read is what really is on the disk.
func (s *Store) settle(ctx context.Context, record domain.Enforcement, failure error) (domain.Receipt, error) {
	var receipt domain.Receipt
	var known bool
	err := s.reading(context.WithoutCancel(ctx), "look the record up", func(ctx context.Context, tx *sql.Tx) (err error) {
		receipt, known, err = appended(ctx, tx, record)
		return err
	})
	switch {
	case err != nil:
		return domain.Receipt{}, &Problem{Path: s.path, Kind: ErrUnknownOutcome, cause: errors.Join(failure, err),
			Advice: fmt.Sprintf("see to the disk, then look record %s up with `docket records`", record.Members().RecordID)}
	case known:
		return receipt, nil
	}
	return domain.Receipt{}, failure
}
