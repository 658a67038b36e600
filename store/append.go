package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"docket/domain"

	"github.com/hiddeco/sshsig"
)

// A Submission is a record with what goes with it.
type Submission struct {
	Record    domain.Enforcement
	Signature []byte      // armored SSHSIG of the record's Document in domain.SignatureNamespace, by the reviewer's key
	Note      domain.Note // the private note whose digest the record holds; it stays in this file
}

// Append adds a record to the log, if at this moment it still may be recorded. It looks the packet up again, judges it
// again and checks everything that stands in the record's way while nobody else can write. When it returns a receipt,
// the record is durable.
//
// The error is what domain.Enforcement.Recheck returned, unchanged, if that refuses; it wraps domain.ErrRefused in
// every case in which the record itself is at fault, and then nothing was written. A record that is in the log already
// is not appended twice: the receipt is the one of the first time. ErrUnknownOutcome is the only error after which the
// record may have been written; the same Submission can be handed in again after any error. An *AnchorError comes with
// the receipt: the record is in the log and durable, only the checkpoint outside the store is not up to date.
func (s *Store) Append(ctx context.Context, sub Submission) (domain.Receipt, error) {
	signature, err := sub.check()
	if err != nil {
		return domain.Receipt{}, err
	}
	a := appending{Submission: sub, signature: signature}
	if err := s.append(ctx, &a); err != nil {
		if !leavesOpen(err) {
			return domain.Receipt{}, err
		}
		if err := s.settle(ctx, &a, err); err != nil {
			return domain.Receipt{}, err
		}
	}
	return a.receipt, s.keepAnchor(ctx, a.newest)
}

// keepAnchor keeps a checkpoint of what is durable outside the store.
func (s *Store) keepAnchor(ctx context.Context, newest checkpoint) error {
	if s.anchor == nil {
		return nil
	}
	err := s.anchor.keep(context.WithoutCancel(ctx), newest)
	if err == nil {
		return nil
	}
	if errors.Is(err, errAnchorForked) {
		s.findings.add(found(Forked, newest.size, newest.size))
	}
	return &AnchorError{err}
}

// appending is one call of Append.
type appending struct {
	Submission
	signature *sshsig.Signature
	receipt   domain.Receipt
	newest    checkpoint // of the log with the record
}

// check looks at what needs no lock.
func (sub *Submission) check() (*sshsig.Signature, error) {
	m := sub.Record.Members()
	if !m.RecordID.Valid() || len(sub.Record.Document()) == 0 {
		return nil, &domain.Refusal{Reason: "there is no record"}
	}
	if digest := sub.Note.Digest(); digest != m.NoteDigest {
		return nil, &domain.Refusal{Reason: "the private note is not the one that the record vouches for"}
	}
	return checkSignature(sub.Record, sub.Signature)
}

func (s *Store) append(ctx context.Context, a *appending) error {
	return s.writing(ctx, "append the record", func(ctx context.Context, tx *sql.Tx) (err error) {
		var known bool
		if known, err = a.appended(ctx, tx, s.key); known || err != nil {
			return err
		}
		if err := s.proveAgain(ctx, tx); err != nil {
			return err
		}
		log, err := logOf(ctx, tx)
		if err != nil {
			return err
		}
		if err := s.recheck(ctx, tx, a.Record, log); err != nil {
			return err
		}
		if a.receipt, err = log.add(ctx, tx, a.Record); err != nil {
			return err
		}
		if err := a.add(ctx, tx); err != nil {
			return err
		}
		a.newest, err = addCheckpoint(ctx, tx, s.key, a.receipt.TreeSize, toTree(a.receipt.Root))
		return err
	})
}

// recheck repeats the evaluation and compares it with what the record says.
func (s *Store) recheck(ctx context.Context, tx *sql.Tx, record domain.Enforcement, log *openLog) error {
	m := record.Members()
	d, err := look(ctx, tx, &domain.Reader{}, domain.RecordTable(m.Area), m.Key, domain.InstantOf(s.now()))
	if err != nil {
		return err
	}
	if err := record.Recheck(&d.View, d.InForce); err != nil {
		return err
	}
	return log.checkExtends(m.LogHead)
}

// add writes the record and what goes with it, all at the record's place in the log.
func (a *appending) add(ctx context.Context, tx *sql.Tx) error {
	sequence := a.receipt.Sequence
	statement := fmt.Sprintf("INSERT INTO main.%s (sequence, document) VALUES (?, ?)", a.Record.Table())
	err := changeOne(ctx, tx, statement, sequence, string(a.Record.Document()))
	if err != nil {
		return err
	}
	statement = "INSERT INTO main." + signaturesTable + " (sequence, signature) VALUES (?, ?)"
	if err := changeOne(ctx, tx, statement, sequence, string(sshsig.Armor(a.signature))); err != nil {
		return err
	}
	if err := addSigner(ctx, tx, a.Record.Members(), a.signature.PublicKey); err != nil || a.Note.Text == "" {
		return err
	}
	statement = "INSERT INTO main." + notesTable + " (sequence, salt, note) VALUES (?, ?, ?)"
	return changeOne(ctx, tx, statement, sequence, a.Note.Salt, a.Note.Text)
}

// appended tells whether the record is in the log, and takes its receipt and the newest checkpoint over. Another record
// under its id is refused.
func (a *appending) appended(ctx context.Context, q querier, key *logKey) (bool, error) {
	leaf, err := leafOf(ctx, q, a.Record.Members().RecordID)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	document, err := leaf.document(ctx, q)
	if err != nil {
		return false, err
	}
	if leaf.table != a.Record.Table() || !bytes.Equal(document, a.Record.Document()) {
		return false, &domain.Refusal{Reason: "the log holds another record under this id"}
	}
	signed, err := newestCheckpoint(ctx, q)
	if err != nil {
		return false, err
	}
	if a.newest, err = key.open(signed); err != nil {
		return false, fmt.Errorf("the newest checkpoint of the log: %w: %w", err, ErrDamaged)
	}
	a.receipt, err = receiptOf(ctx, q, leaf.id, leaf.sequence, leaf.hash)
	return true, err
}

// settle finds out what became of a record after an error that leaves it open. It returns nil if the record is in the
// log, and durable: the connections have been given up by then, so that it is read from the file and not from what
// they hold of it.
func (s *Store) settle(ctx context.Context, a *appending, failure error) error {
	known := false
	ctx = context.WithoutCancel(ctx)
	err := s.reading(ctx, "look the record up", func(ctx context.Context, tx *sql.Tx) (err error) {
		known, err = a.appended(ctx, tx, s.key)
		return err
	})
	if known && err == nil {
		err = s.fold(ctx)
	}
	switch {
	case err != nil:
		return &Problem{Path: s.path, Kind: ErrUnknownOutcome, cause: errors.Join(failure, err),
			Advice: fmt.Sprintf("see to the disk, then look record %s up with `docket records`", a.Record.Members().RecordID)}
	case known:
		return nil
	}
	return failure
}
