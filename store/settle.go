package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"docket/domain"
	"docket/store/merkle"
)

// appended tells whether the record is in the log, and takes its receipt and the newest checkpoint over. Another record
// under its id is refused.
func (a *appending) appended(ctx context.Context, q querier, key *merkle.Key) (bool, error) {
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
		return false, ErrRecordConflict
	}
	signed, err := newestCheckpoint(ctx, q)
	if err != nil {
		return false, err
	}
	if a.newest, err = key.Open(signed); err != nil {
		return false, fmt.Errorf("the newest checkpoint of the log: %w: %w", err, ErrDamaged)
	}
	if a.receipt, err = merkle.NewLog(0, hashTable{ctx, q}).Receipt(leaf.id, leaf.sequence, leaf.hash); err != nil || !a.handedIn {
		return true, err
	}
	a.own, err = checkpointOf(ctx, q, key, a.receipt.TreeSize)
	return true, err
}

// ErrRecordConflict says that the log holds another record under the id. It is a *domain.Refusal.
var ErrRecordConflict error = &domain.Refusal{Reason: "the log holds another record under this id"}

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
		return &Problem{Path: s.path, Kind: ErrUnknownOutcome, Cause: errors.Join(failure, err),
			Advice: fmt.Sprintf("see to the disk, then look record %s up with `docket records`", a.Record.Members().RecordID)}
	case known:
		return nil
	}
	return failure
}
