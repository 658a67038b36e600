package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"docket/domain"
)

const oneSkip = " WHERE reviewer = ? AND tableName = ? AND id = ? AND revision = ?"

// Skip notes that the reviewer passes over one revision for now, and why. It is local, and no record: a later revision
// is not skipped, nor is this one for other reviewers. Skipping again replaces the reason.
func (s *Store) Skip(ctx context.Context, reviewer domain.ID, table domain.Table, key domain.Key, reason string) error {
	if !reviewer.Present() {
		return errors.New("nobody is set up to skip on this machine; run `docket identity init` first")
	}
	if strings.TrimSpace(reason) == "" {
		return errors.New("skipping needs a reason")
	}
	return s.writing(ctx, "skip the packet", func(ctx context.Context, tx *sql.Tx) error {
		if err := mustBeThere(ctx, tx, table, key); err != nil {
			return err
		}
		return changeOne(ctx, tx, "INSERT INTO main."+skipsTable+" (reviewer, tableName, id, revision, reason, skippedAt) "+
			"VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET reason = excluded.reason, skippedAt = excluded.skippedAt",
			string(reviewer), table.String(), string(key.ID), key.Number, reason, domain.InstantOf(s.now()).String())
	})
}

// mustBeThere returns an error that wraps ErrNotFound if the table holds no such case or amendment.
func mustBeThere(ctx context.Context, tx *sql.Tx, table domain.Table, key domain.Key) error {
	if table != domain.AppealCases && table != domain.AmendmentRecords {
		return notFound(table, key)
	}
	_, err := documentOf(ctx, tx, table, key)
	if errors.Is(err, sql.ErrNoRows) {
		return notFound(table, key)
	}
	return err
}

// Unskip takes a skip back. The error wraps ErrNotFound if there is none.
func (s *Store) Unskip(ctx context.Context, reviewer domain.ID, table domain.Table, key domain.Key) error {
	return s.writing(ctx, "take the skip back", func(ctx context.Context, tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, "DELETE FROM main."+skipsTable+oneSkip,
			string(reviewer), table.String(), string(key.ID), key.Number)
		if err != nil {
			return err
		}
		if changed, err := result.RowsAffected(); err != nil || changed == 0 {
			return errors.Join(err, fmt.Errorf("skip of %w", notFound(table, key)))
		}
		return nil
	})
}

// skipReason is why the reviewer skipped the revision; "" if they did not.
func skipReason(ctx context.Context, tx *sql.Tx, reviewer domain.ID, table domain.Table,
	key domain.Key) (reason string, err error) {
	err = tx.QueryRowContext(ctx, "SELECT reason FROM main."+skipsTable+oneSkip,
		string(reviewer), table.String(), string(key.ID), key.Number).Scan(&reason)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return reason, err
}
