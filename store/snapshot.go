package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"

	"docket/domain"
)

// A Snapshot is a store as it was at one moment. Because nothing is ever changed in a store, it is told apart from
// what came later by numbers alone: it holds no lock, keeps no transaction open and needs no closing.
type Snapshot struct {
	store      *Store
	handedIn   bool                   // the log is a service's
	size       int64                  // of the log
	last       map[domain.Table]int64 // rowid of the newest packet of a table
	checkpoint []byte
	root       domain.Hash
	signers    []Signer

	service       string // verifier key of the service; "" for none
	lastRejection int64  // position; -1 for none
}

// Snapshot tells what the store is at this moment.
func (s *Store) Snapshot(ctx context.Context) (*Snapshot, error) {
	v := &Snapshot{store: s, last: map[domain.Table]int64{}}
	err := s.reading(ctx, "read the log", func(ctx context.Context, tx *sql.Tx) error { return v.take(ctx, tx) })
	if err != nil {
		return nil, err
	}
	return v, nil
}

func (v *Snapshot) take(ctx context.Context, tx *sql.Tx) (err error) {
	if v.size, err = logExtent(ctx, tx); err != nil {
		return err
	}
	if v.handedIn, err = sayOfService(ctx, tx); err != nil {
		return err
	}
	for _, table := range domain.PacketTables.Words() {
		last := int64(0)
		query := fmt.Sprintf("SELECT coalesce(max(rowid), 0) FROM main.%s", table)
		if err := tx.QueryRowContext(ctx, query).Scan(&last); err != nil {
			return err
		}
		v.last[table] = last
	}
	if v.checkpoint, err = newestCheckpoint(ctx, tx); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if v.signers, err = signersOf(ctx, tx); err != nil {
		return err
	}
	if v.service, err = boundTo(ctx, tx); err != nil {
		return err
	}
	const last = "SELECT coalesce(max(position), -1) FROM main." + rejectionsTable
	if err := tx.QueryRowContext(ctx, last).Scan(&v.lastRejection); err != nil {
		return err
	}
	head, err := headOf(ctx, tx)
	if errors.Is(err, ErrDamaged) {
		return nil
	}
	v.root = head.Root
	return err
}

// Size is how many entries there are.
func (v *Snapshot) Size() int64 { return v.size }

// Checkpoint is the newest one, as it was signed; nil if there is none.
func (v *Snapshot) Checkpoint() []byte { return v.checkpoint }

// Root is what the stored hashes of the tree say the root is; absent if they are not all there.
func (v *Snapshot) Root() domain.Hash { return v.root }

// Signers lists the keys that had been used.
func (v *Snapshot) Signers() []Signer { return append([]Signer(nil), v.signers...) }

// logExtent is one more than the highest place in the log at which there is anything: the size of the log, and in one
// that was edited what is left to be looked at. It is never more than there are rows, so that a forged number does not
// make anybody count to it.
func logExtent(ctx context.Context, q querier) (int64, error) {
	var extent, rows int64
	for _, table := range []string{logTable, signaturesTable,
		domain.AppealEnforcements.String(), domain.AmendmentEnforcements.String()} {
		var last, count int64
		query := fmt.Sprintf("SELECT coalesce(max(sequence), -1), count(*) FROM main.%s", table)
		if err := q.QueryRowContext(ctx, query).Scan(&last, &count); err != nil {
			return 0, err
		}
		extent, rows = max(extent, min(last, math.MaxInt64-1)+1), rows+count
	}
	return min(extent, rows), nil
}
