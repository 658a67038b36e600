package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"docket/domain"
	"docket/domain/signed"
	"docket/store/merkle"
)

// AnchorToAccept says what a person would accept who takes the log as it is: the statement without time, person and key. The whole
// log is proved for it. The error wraps domain.ErrRefused where nothing is to be accepted, or where the log must not be: with any
// other finding, or where a checkpoint that is kept outside the store contradicts the log.
func (s *Store) AnchorToAccept(ctx context.Context) (domain.LogStatement, error) {
	if s.anchor == nil || len(s.findings.all()) == 0 {
		return domain.LogStatement{}, fmt.Errorf("%w: there is nothing to accept; the log extends the checkpoint that is kept outside the store", domain.ErrRefused)
	}
	if _, err := s.Prove(ctx, nil); err != nil {
		return domain.LogStatement{}, err
	}
	accepted := domain.LogStatement{Kind: domain.AnchorAccepted, Origin: s.key.Origin}
	for _, f := range s.findings.all() {
		if f.Kind != AnchorMissing && f.Kind != AnchorUnreadable {
			return domain.LogStatement{}, fmt.Errorf("%w: the log cannot be accepted as it is; run `docket verify`: %s", domain.ErrRefused, f)
		}
		accepted.Found = append(accepted.Found, f.Kind.String())
	}
	head, err := s.Head(ctx)
	if err != nil {
		return domain.LogStatement{}, err
	}
	accepted.Size, accepted.Root = head.Size, head.Root
	return accepted, s.uncontradicted(ctx, head.Size)
}

// uncontradicted refuses a log that is not what a checkpoint in the anchor says of it, whoever signed that: a key that was replaced
// leaves the checkpoints of the one before behind.
func (s *Store) uncontradicted(ctx context.Context, size int64) error {
	return s.reading(ctx, "read the log", func(ctx context.Context, tx *sql.Tx) error {
		for _, claimed := range s.anchor.Claims() {
			differs := claimed.Size > size
			if !differs {
				now, err := rootOf(ctx, tx, claimed.Size)
				if err != nil {
					return err
				}
				differs = now != merkle.ToTree(claimed.Root)
			}
			if differs {
				return fmt.Errorf("%w: a checkpoint of %d records that is kept outside the store contradicts the log; look for the newer file", domain.ErrRefused, claimed.Size)
			}
		}
		return nil
	})
}

// AcceptAnchor keeps the signed statement of a person who took the log as it is, and makes a new anchor of it. What was in the
// anchor's place is set aside beside it. The statement has to be the one of AnchorToAccept, with time, person and key. The store
// has to be opened again to be written.
func (s *Store) AcceptAnchor(ctx context.Context, accepted signed.Statement) error {
	due, err := s.AnchorToAccept(ctx)
	if err != nil {
		return err
	}
	statement, err := accepted.Open()
	if err != nil {
		return fmt.Errorf("%w: %w", domain.ErrRefused, err)
	}
	due.At, due.By, due.KeyFingerprint = statement.At, statement.By, statement.KeyFingerprint
	if due.Text() != accepted.Text {
		return fmt.Errorf("%w: the log is not the one that was accepted; look at it again", domain.ErrRefused)
	}
	if !s.key.CanSign() {
		return s.unlock(s.key)
	}
	newest, err := s.keepStatement(ctx, accepted)
	if err != nil {
		return s.explain("keep the statement", err)
	}
	if _, err := s.anchor.Read(ctx); err == nil {
		return nil
	}
	if err := s.anchor.Renew(newest, statement.At); err != nil {
		return &AnchorError{err}
	}
	return nil
}

// keepStatement adds the statement through a connection of its own: a store with findings has none that writes. It returns the newest
// checkpoint of the log.
func (s *Store) keepStatement(ctx context.Context, accepted signed.Statement) (newest merkle.Checkpoint, err error) {
	db, err := s.db.OpenWriter(ctx)
	if err != nil {
		return newest, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := s.db.CheckNamed(); err != nil {
		return newest, err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return newest, err
	}
	defer func() { _ = tx.Rollback() }()
	if err := addStatement(ctx, tx, s.key, accepted); err != nil {
		return newest, err
	}
	note, err := newestCheckpoint(ctx, tx)
	if err == nil {
		newest, err = s.key.Open(note)
	}
	if err != nil {
		return newest, err
	}
	return newest, tx.Commit()
}
