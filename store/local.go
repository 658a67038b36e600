package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
)

// SaveDraft keeps the decision that the reviewer has begun on a revision, in place of the draft that was kept of it
// before. It is local, in no log and in no export; like a note it lies in the store's file in plain text. The error wraps
// ErrNotFound if the store has no such revision.
func (s *Store) SaveDraft(ctx context.Context, reviewer terms.ID, table terms.Table, key packets.Key, draft records.Draft) error {
	if !reviewer.Present() {
		return errors.New("nobody is set up to decide on this machine; set up a reviewer first")
	}
	return s.writing(ctx, "keep the draft", func(ctx context.Context, tx *sql.Tx) error {
		if err := mustBeThere(ctx, tx, table, key); err != nil {
			return err
		}
		return changeOne(ctx, tx, "INSERT INTO main."+draftsTable+" (reviewer, tableName, id, revision, draft, savedAt) "+
			"VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET draft = excluded.draft, savedAt = excluded.savedAt",
			string(reviewer), table.String(), string(key.ID), key.Number, string(draft.Document()), terms.InstantOf(s.now()).String())
	})
}

// DropDraft forgets what the reviewer has begun on a revision and on earlier ones. If there is none, DropDraft does nothing.
func (s *Store) DropDraft(ctx context.Context, reviewer terms.ID, table terms.Table, key packets.Key) error {
	return s.writing(ctx, "drop the draft", func(ctx context.Context, tx *sql.Tx) error {
		return dropDraft(ctx, tx, reviewer, table, key)
	})
}

func dropDraft(ctx context.Context, tx *sql.Tx, reviewer terms.ID, table terms.Table, key packets.Key) error {
	_, err := tx.ExecContext(ctx, "DELETE FROM main."+draftsTable+" WHERE reviewer = ? AND tableName = ? AND id = ? AND revision <= ?",
		string(reviewer), table.String(), string(key.ID), key.Number)
	return err
}

// draftOf is what the reviewer began last on the revision or, failing that, on the latest earlier one. The result says if it
// cannot be read.
func draftOf(ctx context.Context, q querier, reviewer terms.ID, table terms.Table, key packets.Key) (kept records.KeptDraft, err error) {
	var document, savedAt string
	err = q.QueryRowContext(ctx, "SELECT revision, draft, savedAt FROM main."+draftsTable+
		" WHERE reviewer = ? AND tableName = ? AND id = ? AND revision <= ? ORDER BY revision DESC LIMIT 1",
		string(reviewer), table.String(), string(key.ID), key.Number).Scan(&kept.Revision, &document, &savedAt)
	if errors.Is(err, sql.ErrNoRows) {
		return records.KeptDraft{}, nil
	}
	if err != nil {
		return records.KeptDraft{}, err
	}
	kept.SavedAt, _ = terms.ParseInstant(savedAt)
	if kept.Draft, err = records.ReadDraft([]byte(document)); err != nil {
		kept.Unreadable = err.Error()
	}
	return kept, nil
}

const oneSkip = " WHERE reviewer = ? AND tableName = ? AND id = ? AND revision = ?"

// Skip notes that the reviewer skips one revision for now, and why. It is local state and not a record: a later revision is not
// skipped, nor is this one for other reviewers. Skipping again replaces the reason.
func (s *Store) Skip(ctx context.Context, reviewer terms.ID, table terms.Table, key packets.Key, reason string) error {
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
			string(reviewer), table.String(), string(key.ID), key.Number, reason, terms.InstantOf(s.now()).String())
	})
}

// mustBeThere returns an error that wraps ErrNotFound if the table holds no such case or amendment.
func mustBeThere(ctx context.Context, tx *sql.Tx, table terms.Table, key packets.Key) error {
	if table != terms.AppealCases && table != terms.AmendmentRecords {
		return notFound(table, key)
	}
	_, err := documentOf(ctx, tx, table, key)
	if errors.Is(err, sql.ErrNoRows) {
		return notFound(table, key)
	}
	return err
}

// Unskip takes a skip back. The error wraps ErrNotFound if there is none.
func (s *Store) Unskip(ctx context.Context, reviewer terms.ID, table terms.Table, key packets.Key) error {
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
func skipReason(ctx context.Context, tx *sql.Tx, reviewer terms.ID, table terms.Table,
	key packets.Key) (reason string, err error) {
	err = tx.QueryRowContext(ctx, "SELECT reason FROM main."+skipsTable+oneSkip,
		string(reviewer), table.String(), string(key.ID), key.Number).Scan(&reason)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return reason, err
}

// ErrOtherService says that the store is bound to another service than the one that answered.
var ErrOtherService = errors.New("the store is bound to another service")

// ErrNotBound says that the store is bound to no service.
var ErrNotBound = errors.New("the store is not bound to a service; the first pull or push binds it")

// Service returns the verifier key of the log of the service that the store is bound to; the error wraps ErrNotFound if it
// is bound to none.
func (s *Store) Service(ctx context.Context) (key string, err error) {
	err = s.reading(ctx, "read which service the store is bound to", func(ctx context.Context, tx *sql.Tx) error {
		if key, err = boundTo(ctx, tx); err == nil && key == "" {
			err = fmt.Errorf("a service: %w", ErrNotFound)
		}
		return err
	})
	return key, err
}

// boundTo is the service's verifier key as it was kept; "" for none.
func boundTo(ctx context.Context, q querier) (key string, err error) {
	err = q.QueryRowContext(ctx, "SELECT key FROM main."+boundTable+" ORDER BY rowid LIMIT 1").Scan(&key)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return key, err
}

// serviceKey is the key with which the service's answers are verified; the error wraps ErrNotBound if there is none.
func serviceKey(ctx context.Context, q querier) (signed.Key, error) {
	encoded, err := boundTo(ctx, q)
	if err != nil {
		return signed.Key{}, err
	}
	if encoded == "" {
		return signed.Key{}, ErrNotBound
	}
	key, err := signed.ParseKey(encoded)
	if err != nil {
		return signed.Key{}, fmt.Errorf("the key of the service: %w: %w", ErrDamaged, err)
	}
	return key, nil
}

// BindService binds the store to the service with this verifier key, for good. Doing it again changes nothing; the error
// wraps ErrOtherService if it is bound to another one, signed.ErrKey if that is no service's key, and ErrKind in the store of a service.
func (s *Store) BindService(ctx context.Context, key string) error {
	if _, err := signed.ParseKey(key); err != nil {
		return err
	}
	bound, err := s.Service(ctx)
	if errors.Is(err, ErrNotFound) {
		err = s.writing(ctx, "bind the store to the service", func(ctx context.Context, tx *sql.Tx) error {
			if err := s.checkKind(false); err != nil {
				return err
			}
			if bound, err = boundTo(ctx, tx); err != nil || bound != "" {
				return err
			}
			bound = key
			return changeOne(ctx, tx, "INSERT INTO main."+boundTable+" (key, boundAt) VALUES (?, ?)", key, s.stamp())
		})
	}
	if err != nil {
		return err
	}
	if bound != key {
		return fmt.Errorf("%w: to %s, not to %s; use another store for that one", ErrOtherService, bound, key)
	}
	return nil
}

// stamp is the present time in the form of the tables.
func (s *Store) stamp() string { return terms.InstantOf(s.now()).String() }

// PullCursor returns where pulling goes on, and when packets were last pulled to the end; absent for never.
func (s *Store) PullCursor(ctx context.Context) (cursor string, completed terms.Instant, err error) {
	err = s.reading(ctx, "read where pulling goes on", func(ctx context.Context, tx *sql.Tx) error {
		cursor, completed, err = pulled(ctx, tx)
		return err
	})
	return cursor, completed, err
}

func pulled(ctx context.Context, q querier) (cursor string, completed terms.Instant, err error) {
	var at string
	err = q.QueryRowContext(ctx, "SELECT cursor, completedAt FROM main."+pullTable+" WHERE id = 0").Scan(&cursor, &at)
	if errors.Is(err, sql.ErrNoRows) {
		return "", terms.Instant{}, nil
	}
	completed, _ = terms.ParseInstant(at) // this machine's own word; an absent time shows as never
	return cursor, completed, err
}

// SavePull keeps where pulling goes on, once the packets before that are durable; complete reports that there were no more.
// The error wraps ErrNotBound in a store that is bound to no service.
func (s *Store) SavePull(ctx context.Context, cursor string, complete bool) error {
	at := ""
	if complete {
		at = s.stamp()
	}
	return s.writing(ctx, "keep where pulling goes on", func(ctx context.Context, tx *sql.Tx) error {
		if _, err := serviceKey(ctx, tx); err != nil {
			return err
		}
		return changeOne(ctx, tx, "INSERT INTO main."+pullTable+" (id, cursor, completedAt) VALUES (0, ?, ?) ON CONFLICT DO UPDATE "+
			"SET cursor = excluded.cursor, completedAt = CASE excluded.completedAt WHEN '' THEN completedAt ELSE excluded.completedAt END",
			cursor, at)
	})
}
