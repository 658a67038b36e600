package store

import (
	"context"
	"database/sql"
	"errors"

	"docket/domain"
)

// SaveDraft keeps the decision that the reviewer has begun on a revision, in place of the draft that was kept of it
// before. It is local, in no log and in no export; like a note it lies in the store's file in plain text. The error wraps
// ErrNotFound if the store has no such revision.
func (s *Store) SaveDraft(ctx context.Context, reviewer domain.ID, table domain.Table, key domain.Key, draft domain.Draft) error {
	if !reviewer.Present() {
		return errors.New("nobody is set up to decide on this machine; run `docket identity init` first")
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
