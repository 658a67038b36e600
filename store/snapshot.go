package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"

	"docket/domain"
	"docket/domain/signed"
	"docket/store/verify"

	"golang.org/x/crypto/ssh"
)

// A Snapshot is a store as it was at one moment, as a verify.Source. Because nothing is ever changed in a store, it is told apart from
// what came later by numbers alone: it holds no lock, keeps no transaction open and needs no closing.
type Snapshot struct {
	store      *Store
	db         *sql.DB                // what it reads through; nil: what the store reads through
	origin     string                 // "" if the store has none
	verifier   string                 // key of the checkpoints; likewise
	size       int64                  // of the log
	last       map[domain.Table]int64 // rowid of the newest packet of a table
	checkpoint []byte
	root       domain.Hash
	signers    []Signer
	statements []signed.Statement

	service       string // verifier key of the service; "" for none
	lastRejection int64  // position; -1 for none
}

// Snapshot tells what the store is at this moment.
func (s *Store) Snapshot(ctx context.Context) (*Snapshot, error) {
	v := &Snapshot{store: s}
	if err := v.reading(ctx, "read the log", v.take); err != nil {
		return nil, err
	}
	return v, nil
}

func (v *Snapshot) take(ctx context.Context, tx *sql.Tx) (err error) {
	if v.size, err = logExtent(ctx, tx); err != nil {
		return err
	}
	for name, value := range map[string]*string{metaOrigin: &v.origin, metaVerifierKey: &v.verifier} {
		if err := tx.QueryRowContext(ctx, oneMeta, name).Scan(value); err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
	}
	if v.statements, err = statementsOf(ctx, tx); err != nil {
		return err
	}
	v.last = map[domain.Table]int64{}
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

// Head implements verify.Source. A signer whose key cannot be read is left out, so that what it signed is found.
func (v *Snapshot) Head(context.Context) (verify.Head, error) {
	head := verify.Head{Origin: v.origin, Size: v.size, Checkpoint: v.checkpoint, StoredRoot: v.root, ServiceKey: v.service,
		Statements: v.statements, KeepsNotes: true}
	if v.verifier != "" {
		head.VerifierKeys = []string{v.verifier}
	}
	for _, signer := range v.signers {
		if key, _, _, _, err := ssh.ParseAuthorizedKey([]byte(signer.PublicKey)); err == nil {
			head.Signers = append(head.Signers, verify.Signer{ID: signer.Reviewer, Key: key, Since: signer.Since})
		}
	}
	return head, nil
}

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
