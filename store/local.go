package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/disk"
	"docket/store/engine"
)

// SaveDraft keeps the decision that the reviewer has begun on a revision in this console, and
// replaces an earlier draft of it, of this console or of one that has ended. A draft is local, in
// no log and in no export; like a note it is in plain text in the store's file. The error wraps
// ErrNotFound if the store has no such revision.
func (s *Store) SaveDraft(ctx context.Context, reviewer terms.ID, table terms.Table, key packets.Key, draft records.Draft) error {
	if !reviewer.Present() {
		return errors.New("no reviewer is set up to decide on this machine; set up one first")
	}
	console := s.consoleName()
	return s.writing(ctx, "keep the draft", func(ctx context.Context, tx engine.Tx) error {
		if err := mustBeThere(ctx, tx, table, key); err != nil {
			return err
		}
		own := engine.Own{Reviewer: reviewer, Table: table, Key: key}
		if err := s.dropDrafts(ctx, tx, own, console); err != nil {
			return err
		}
		own.Console = console
		return tx.Local().SaveDraft(ctx, own, draft, terms.InstantOf(s.now()))
	})
}

// DropDraft deletes the reviewer's drafts up to a revision, except those of other running consoles.
func (s *Store) DropDraft(ctx context.Context, reviewer terms.ID, table terms.Table, key packets.Key) error {
	return s.writing(ctx, "drop the draft", func(ctx context.Context, tx engine.Tx) error {
		return s.dropDrafts(ctx, tx, engine.Own{Reviewer: reviewer, Table: table, Key: key})
	})
}

// dropDrafts deletes the drafts that this console holds or may take, except those named in but.
func (s *Store) dropDrafts(ctx context.Context, tx engine.Tx, own engine.Own, but ...string) error {
	drafts, err := tx.Local().Drafts(ctx, own)
	for i := 0; i < len(drafts) && err == nil; i++ {
		if own.Console = drafts[i].Console(); !slices.Contains(but, own.Console) && s.mayTake(own.Console) {
			own.Key.Number = drafts[i].Revision
			err = tx.Local().DropDraft(ctx, own)
		}
	}
	return err
}

// consoles are the files, beside the anchor, that running consoles lock so that others see them.
type consoles struct {
	mutex sync.Mutex
	name  string // of this console; "" if it has kept no draft
	file  *os.File
}

func (s *Store) consolePath(name string) string {
	return filepath.Join(filepath.Dir(s.anchor.Path), "console-"+name)
}

// consoleName returns the name of this console; "" if there is no place to lock it.
func (s *Store) consoleName() string {
	s.handles.RLock()
	defer s.handles.RUnlock()
	c := &s.consoles
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.name != "" || s.anchor == nil {
		return c.name
	}
	name := rand.Text()
	file, err := os.OpenFile(s.consolePath(name), os.O_RDWR|os.O_CREATE|os.O_EXCL, disk.FileMode)
	if err != nil {
		return ""
	}
	if disk.TryLock(file, disk.Exclusive) != nil {
		_ = errors.Join(file.Close(), os.Remove(file.Name())) // nobody is held back without it
		return ""
	}
	c.name, c.file = name, file
	return name
}

// mayTake reports whether a console is this one, or has ended, whose file it then removes.
func (s *Store) mayTake(name string) bool {
	s.consoles.mutex.Lock()
	own := s.consoles.name
	s.consoles.mutex.Unlock()
	if name == "" || name == own || s.anchor == nil {
		return true
	}
	file, err := disk.OpenRegular(s.consolePath(name), os.O_RDWR)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer func() { _ = file.Close() }() // it was only locked
	ended := disk.TryLock(file, disk.Exclusive) == nil
	if ended && !s.options.ReadOnly {
		_ = os.Remove(file.Name()) // a file that stays says the same
	}
	return ended
}

func (c *consoles) leave() error {
	if c.file == nil {
		return nil
	}
	err := errors.Join(os.Remove(c.file.Name()), c.file.Close())
	c.name, c.file = "", nil
	return err
}

// draftOf returns the draft that this console may take on the revision, or on an earlier one.
func (s *Store) draftOf(ctx context.Context, tx engine.Tx, reviewer terms.ID, table terms.Table,
	key packets.Key) (kept records.KeptDraft, err error) {
	drafts, err := tx.Local().Drafts(ctx, engine.Own{Reviewer: reviewer, Table: table, Key: key})
	at := slices.IndexFunc(drafts, func(d engine.Draft) bool { return s.mayTake(d.Console()) })
	if err != nil || at < 0 {
		return records.KeptDraft{}, err
	}
	draft := drafts[at]
	kept.Revision = draft.Revision
	kept.SavedAt, _ = terms.ParseInstant(draft.SavedAt)
	if kept.Draft, err = records.ReadDraft(draft.Document); err != nil {
		kept.Unreadable = err.Error()
	}
	return kept, nil
}

// Skip notes that the reviewer skips a revision for now, and why. A skip is local state and not a
// record: neither later revisions nor other reviewers are affected. Skipping again replaces the
// reason.
func (s *Store) Skip(ctx context.Context, reviewer terms.ID, table terms.Table, key packets.Key, reason string) error {
	if !reviewer.Present() {
		return errors.New("no reviewer is set up to skip on this machine; set up one first")
	}
	if err := records.CheckSkipReason(strings.TrimSpace(reason)); err != nil {
		return err
	}
	return s.writing(ctx, "skip the packet", func(ctx context.Context, tx engine.Tx) error {
		if err := mustBeThere(ctx, tx, table, key); err != nil {
			return err
		}
		own := engine.Own{Reviewer: reviewer, Table: table, Key: key}
		return tx.Local().Skip(ctx, own, reason, terms.InstantOf(s.now()))
	})
}

// mustBeThere returns an error that wraps ErrNotFound if the table holds no such packet.
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

// Unskip removes a skip. The error wraps ErrNotFound if it is not there.
func (s *Store) Unskip(ctx context.Context, reviewer terms.ID, table terms.Table, key packets.Key) error {
	return s.writing(ctx, "take the skip back", func(ctx context.Context, tx engine.Tx) error {
		skipped, err := tx.Local().Unskip(ctx, engine.Own{Reviewer: reviewer, Table: table, Key: key})
		if err == nil && !skipped {
			err = fmt.Errorf("skip of %w", notFound(table, key))
		}
		return err
	})
}

// LeaveQueue notes that the reviewer leaves the queue now, as a skip of no packet.
func (s *Store) LeaveQueue(ctx context.Context, reviewer terms.ID) error {
	if !reviewer.Present() {
		return nil
	}
	return s.writing(ctx, "note the visit", func(ctx context.Context, tx engine.Tx) error {
		now := terms.InstantOf(s.now())
		return tx.Local().Skip(ctx, engine.Own{Reviewer: reviewer}, now.String(), now)
	})
}

// LeftQueue returns when the reviewer last left the queue; absent if they never did.
func (s *Store) LeftQueue(ctx context.Context, reviewer terms.ID) (terms.Instant, error) {
	return ask(ctx, s, "read the last visit", func(ctx context.Context, tx engine.Tx) (terms.Instant, error) {
		text, err := skipReason(ctx, tx, reviewer, 0, packets.Key{})
		at, _ := terms.ParseInstant(text)
		return at, err
	})
}

// skipReason returns why the reviewer skipped the revision; "" if they did not.
func skipReason(ctx context.Context, tx engine.Tx, reviewer terms.ID, table terms.Table,
	key packets.Key) (string, error) {
	reason, err := tx.Local().SkipReason(ctx, engine.Own{Reviewer: reviewer, Table: table, Key: key})
	return reason, unlessNoRow(err)
}
