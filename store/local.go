package store

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/engine"
)

// SaveDraft keeps the decision that the reviewer has begun on a revision, and replaces an earlier draft of it. A draft
// is local, in no log and in no export; like a note it is in plain text in the store's file. The error wraps
// ErrNotFound if the store has no such revision.
func (s *Store) SaveDraft(ctx context.Context, reviewer terms.ID, table terms.Table, key packets.Key, draft records.Draft) error {
	if !reviewer.Present() {
		return errors.New("no reviewer is set up to decide on this machine; set up one first")
	}
	return s.writing(ctx, "keep the draft", func(ctx context.Context, tx engine.Tx) error {
		if err := mustBeThere(ctx, tx, table, key); err != nil {
			return err
		}
		return tx.Local().SaveDraft(ctx, engine.Own{Reviewer: reviewer, Table: table, Key: key}, draft, terms.InstantOf(s.now()))
	})
}

// DropDraft deletes the reviewer's drafts on a revision and on earlier ones, if there are any.
func (s *Store) DropDraft(ctx context.Context, reviewer terms.ID, table terms.Table, key packets.Key) error {
	return s.writing(ctx, "drop the draft", func(ctx context.Context, tx engine.Tx) error {
		return tx.Local().DropDrafts(ctx, engine.Own{Reviewer: reviewer, Table: table, Key: key})
	})
}

// draftOf returns the reviewer's draft on the revision or, without one, on the latest earlier revision. The result says
// if it cannot be read.
func draftOf(ctx context.Context, tx engine.Tx, reviewer terms.ID, table terms.Table, key packets.Key) (kept records.KeptDraft, err error) {
	draft, err := tx.Local().Draft(ctx, engine.Own{Reviewer: reviewer, Table: table, Key: key})
	if errors.Is(err, engine.ErrNoRow) {
		return records.KeptDraft{}, nil
	}
	if err != nil {
		return records.KeptDraft{}, err
	}
	kept.Revision = draft.Revision
	kept.SavedAt, _ = terms.ParseInstant(draft.SavedAt)
	if kept.Draft, err = records.ReadDraft(draft.Document); err != nil {
		kept.Unreadable = err.Error()
	}
	return kept, nil
}

// Skip notes that the reviewer skips revisions for now, and why: all of them or, with an error, none. A skip is local
// state and not a record: later revisions are not skipped, nor are these revisions for other reviewers. Skipping again
// replaces the reason.
func (s *Store) Skip(ctx context.Context, reviewer terms.ID, table terms.Table, keys []packets.Key, reason string) error {
	if !reviewer.Present() {
		return errors.New("no reviewer is set up to skip on this machine; set up one first")
	}
	if strings.TrimSpace(reason) == "" {
		return errors.New("skipping needs a reason")
	}
	return s.writing(ctx, "skip the packet", func(ctx context.Context, tx engine.Tx) error {
		for _, key := range keys {
			err := mustBeThere(ctx, tx, table, key)
			if err == nil {
				err = tx.Local().Skip(ctx, engine.Own{Reviewer: reviewer, Table: table, Key: key}, reason, terms.InstantOf(s.now()))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// mustBeThere returns an error that wraps ErrNotFound if the table holds no such case or amendment.
func mustBeThere(ctx context.Context, tx engine.Tx, table terms.Table, key packets.Key) error {
	if table != terms.AppealCases && table != terms.AmendmentRecords {
		return notFound(table, key)
	}
	_, err := documentOf(ctx, tx, table, key)
	if errors.Is(err, engine.ErrNoRow) {
		return notFound(table, key)
	}
	return err
}

// Unskip removes skips, all of them or, with an error, none. The error wraps ErrNotFound if one of the revisions is not
// skipped.
func (s *Store) Unskip(ctx context.Context, reviewer terms.ID, table terms.Table, keys []packets.Key) error {
	return s.writing(ctx, "take the skip back", func(ctx context.Context, tx engine.Tx) error {
		for _, key := range keys {
			skipped, err := tx.Local().Unskip(ctx, engine.Own{Reviewer: reviewer, Table: table, Key: key})
			if err == nil && !skipped {
				err = fmt.Errorf("skip of %w", notFound(table, key))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// skipReason returns why the reviewer skipped the revision; "" if they did not.
func skipReason(ctx context.Context, tx engine.Tx, reviewer terms.ID, table terms.Table,
	key packets.Key) (reason string, err error) {
	reason, err = tx.Local().SkipReason(ctx, engine.Own{Reviewer: reviewer, Table: table, Key: key})
	if errors.Is(err, engine.ErrNoRow) {
		return "", nil
	}
	return reason, err
}
