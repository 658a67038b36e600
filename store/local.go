package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"docket/domain"
)

// SaveDraft keeps the decision that the reviewer has begun on a revision, in place of the draft that was kept of it
// before. It is local, in no log and in no export; like a note it lies in the store's file in plain text. The error wraps
// ErrNotFound if the store has no such revision.
func (s *Store) SaveDraft(ctx context.Context, reviewer domain.ID, table domain.Table, key domain.Key, draft domain.Draft) error {
	if !reviewer.Present() {
		return errors.New("nobody is set up to decide on this machine; set up a reviewer first")
	}
	return s.writing(ctx, "keep the draft", func(ctx context.Context, tx *sql.Tx) error {
		if err := mustBeThere(ctx, tx, table, key); err != nil {
			return err
		}
		return changeOne(ctx, tx, "INSERT INTO main."+draftsTable+" (reviewer, tableName, id, revision, draft, savedAt) "+
			"VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET draft = excluded.draft, savedAt = excluded.savedAt",
			string(reviewer), table.String(), string(key.ID), key.Number, string(draft.Document()), domain.InstantOf(s.now()).String())
	})
}

// DropDraft forgets what the reviewer has begun on a revision and on earlier ones. That there is none is no error.
func (s *Store) DropDraft(ctx context.Context, reviewer domain.ID, table domain.Table, key domain.Key) error {
	return s.writing(ctx, "drop the draft", func(ctx context.Context, tx *sql.Tx) error {
		return dropDraft(ctx, tx, reviewer, table, key)
	})
}

func dropDraft(ctx context.Context, tx *sql.Tx, reviewer domain.ID, table domain.Table, key domain.Key) error {
	_, err := tx.ExecContext(ctx, "DELETE FROM main."+draftsTable+" WHERE reviewer = ? AND tableName = ? AND id = ? AND revision <= ?",
		string(reviewer), table.String(), string(key.ID), key.Number)
	return err
}

// draftOf is what the reviewer began last on the revision or, failing that, on the latest earlier one. A draft that
// cannot be read says so.
func draftOf(ctx context.Context, q querier, reviewer domain.ID, table domain.Table, key domain.Key) (kept domain.KeptDraft, err error) {
	var document, savedAt string
	err = q.QueryRowContext(ctx, "SELECT revision, draft, savedAt FROM main."+draftsTable+
		" WHERE reviewer = ? AND tableName = ? AND id = ? AND revision <= ? ORDER BY revision DESC LIMIT 1",
		string(reviewer), table.String(), string(key.ID), key.Number).Scan(&kept.Revision, &document, &savedAt)
	if errors.Is(err, sql.ErrNoRows) {
		return domain.KeptDraft{}, nil
	}
	if err != nil {
		return domain.KeptDraft{}, err
	}
	kept.SavedAt, _ = domain.ParseInstant(savedAt)
	if kept.Draft, err = domain.ReadDraft([]byte(document)); err != nil {
		kept.Unreadable = err.Error()
	}
	return kept, nil
}

const oneSkip = " WHERE reviewer = ? AND tableName = ? AND id = ? AND revision = ?"

// Skip notes that the reviewer passes over one revision for now, and why. It is local, and no record: a later revision
// is not skipped, nor is this one for other reviewers. Skipping again replaces the reason.
func (s *Store) Skip(ctx context.Context, reviewer domain.ID, table domain.Table, key domain.Key, reason string) error {
	if !reviewer.Present() {
		return errors.New("nobody is set up to skip on this machine; set up a reviewer first")
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
