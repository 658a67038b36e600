package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"docket/domain/terms"
	"docket/store/disk"
	"docket/store/merkle"
	"docket/store/sqlite"
	"docket/store/verify"

	"golang.org/x/mod/sumdb/tlog"
)

// The proof at every opening takes the same time for a log of any size: the schema is the one of this version, the tables
// end at the same record, the newest checkpoint is of the tree as it is, and the log extends the anchor. Verify
// checks the records themselves.

// verifyHead is the check of an opening. It reads the anchor before the log, and writers write them in the opposite order, so that the log is never
// shorter than an anchor that was written meanwhile.
func (s *Store) verifyHead(ctx context.Context) (newest merkle.Checkpoint, err error) {
	altered, err := sqlite.Altered(ctx, s.db.Reader())
	if err != nil {
		return newest, err
	}
	for _, name := range altered {
		s.findings.add(found(verify.SchemaAltered, "%s", name))
	}
	s.key, err = s.loadKey(ctx, s.db.Reader())
	var unusable *merkle.KeyError
	if errors.As(err, &unusable) {
		s.findings.add(found(verify.KeyUnusable, "%v", unusable.Cause))
		return newest, nil
	}
	if err == nil && s.options.Service {
		err = s.checkKind(true)
	}
	if err != nil {
		return newest, err
	}
	if !s.key.CanSign() && !s.options.ReadOnly && s.obstacle() == nil {
		s.locked = s.unlock(s.key)
	}
	if s.anchor == nil && s.options.AnchorFolder != "" {
		s.anchor = merkle.NewAnchor(s.options.AnchorFolder, s.key, s.busyTimeout())
	}
	held, unanchored := s.readAnchor(ctx)
	tx, err := s.db.Reader().BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return newest, err
	}
	defer func() { _ = tx.Rollback() }()
	list, newest, err := verifyLog(ctx, tx, s.key)
	if err != nil {
		return newest, err
	}
	var apart []verify.Finding
	if s.anchor != nil {
		if apart, err = verifyAnchor(ctx, tx, held, unanchored); err != nil {
			return newest, err
		}
	}
	statements, err := verifyStatements(ctx, tx, s.key.Origin)
	if err != nil {
		return newest, err
	}
	seconds, err := s.secondKeys(ctx, tx)
	if err != nil {
		return newest, err
	}
	facts, err := verifyMeta(ctx, tx)
	if err != nil {
		return newest, err
	}
	s.findings.add(slices.Concat(apart, list, statements, seconds, facts)...)
	s.anchored.Store(s.anchor != nil && unanchored == nil && len(apart) == 0)
	return newest, nil
}

// readAnchor reads what is kept outside the store; merkle.ErrNoAnchor if there is none.
func (s *Store) readAnchor(ctx context.Context) (merkle.Checkpoint, error) {
	if s.anchor == nil {
		return merkle.Checkpoint{}, merkle.ErrNoAnchor
	}
	return s.anchor.Read(ctx)
}

// verifyLog compares the tables with each other and with the newest checkpoint, which it returns.
func verifyLog(ctx context.Context, q querier, key *merkle.Key) (list []verify.Finding, newest merkle.Checkpoint, err error) {
	size, err := logSize(ctx, q)
	if errors.Is(err, ErrDamaged) {
		return []verify.Finding{found(verify.TreeDiffers, "%v", err)}, newest, nil
	}
	if err != nil {
		return nil, newest, err
	}
	if list, err = verifyTails(ctx, q, size); err != nil {
		return nil, newest, err
	}
	signed, err := newestCheckpoint(ctx, q)
	if errors.Is(err, sql.ErrNoRows) {
		return append(list, found(verify.CheckpointMissing, "of %d records", size)), newest, nil
	}
	if err != nil {
		return nil, newest, err
	}
	newest, err = key.Open(signed)
	switch {
	case errors.Is(err, merkle.ErrOtherOrigin):
		return append(list, found(verify.CheckpointOrigin, "the newest")), newest, nil
	case err != nil:
		return append(list, found(verify.CheckpointUnreadable, "of %d records: %v", size, err)), newest, nil
	case newest.Size != size:
		return append(list, found(verify.CheckpointMissing, "of %d records", size)), newest, nil
	}
	root, err := rootOf(ctx, q, size)
	switch {
	case errors.Is(err, ErrDamaged):
		return append(list, found(verify.TreeDiffers, "%v", err)), newest, nil
	case err != nil:
		return nil, newest, err
	case root != newest.Root:
		return append(list, found(verify.RootDiffers, "the checkpoint of %d records", size)), newest, nil
	}
	return list, newest, nil
}

// verifyTails checks that the tables of records end where the log ends. Verify finds a record that is missing in the middle: counting
// would take longer with every record.
func verifyTails(ctx context.Context, q querier, size int64) (list []verify.Finding, err error) {
	ends := []struct {
		name, query string
		want        int64 // rows, numbered from 0
	}{
		{"the table of signatures", "SELECT coalesce(max(sequence), -1) FROM main." + signaturesTable, size},
		{"the table of records", fmt.Sprintf("SELECT coalesce(max(n), -1) FROM "+
			"(SELECT max(sequence) AS n FROM main.%s UNION ALL SELECT max(sequence) FROM main.%s)",
			terms.AppealEnforcements, terms.AmendmentEnforcements), size},
		{"the table of hashes", "SELECT coalesce(max(position), -1) FROM main." + hashesTable, tlog.StoredHashCount(size)},
	}
	for _, e := range ends {
		var last int64
		if err := q.QueryRowContext(ctx, e.query).Scan(&last); err != nil {
			return nil, err
		}
		if last != e.want-1 {
			list = append(list, found(verify.TablesDiffer, "%s ends at number %d where the log asks for %d", e.name, last, e.want-1))
		}
	}
	before, err := rowsBefore(ctx, q)
	return append(list, before...), err
}

// rowsBefore finds rows with a number below 0, which a count from 0 does not reach.
func rowsBefore(ctx context.Context, q querier) (list []verify.Finding, err error) {
	for _, t := range [...]struct{ name, column string }{
		{logTable, "sequence"}, {hashesTable, "position"}, {checkpointsTable, "size"}, {signaturesTable, "sequence"}, {saltsTable, "sequence"},
		{reasonsTable, "sequence"}, {notesTable, "sequence"}, {packetHeadsTable, "position"}, {statementsTable, "position"},
		{terms.AppealEnforcements.String(), "sequence"}, {terms.AmendmentEnforcements.String(), "sequence"},
	} {
		var there bool
		query := fmt.Sprintf("SELECT EXISTS (SELECT 1 FROM main.%s WHERE %s < 0)", t.name, t.column)
		if err := q.QueryRowContext(ctx, query).Scan(&there); err != nil {
			return nil, err
		}
		if there {
			list = append(list, found(verify.RecordWithoutLeaf, "%s", t.name))
		}
	}
	return list, nil
}

// verifyAnchor holds the log to extending what is kept outside the store; failed is why that could not be read. One that another
// program keeps locked proves nothing and is no finding: nothing is recorded until it is free.
func verifyAnchor(ctx context.Context, q querier, held merkle.Checkpoint, failed error) ([]verify.Finding, error) {
	var unreadable *merkle.UnreadableAnchor
	switch {
	case errors.Is(failed, merkle.ErrOtherOrigin):
		return []verify.Finding{found(verify.CheckpointOrigin, "the one that is kept outside the store")}, nil
	case errors.As(failed, &unreadable):
		return []verify.Finding{found(verify.AnchorUnreadable, "%v", unreadable.Cause)}, nil
	case errors.Is(failed, merkle.ErrNoAnchor):
		return []verify.Finding{verify.AnchorMissing.OfLog("")}, nil
	case errors.Is(failed, disk.ErrHeld):
		return nil, nil
	case failed != nil:
		return nil, failed
	}
	size, err := logSize(ctx, q)
	if errors.Is(err, ErrDamaged) {
		return []verify.Finding{found(verify.TreeDiffers, "%v", err)}, nil
	}
	if err != nil {
		return nil, err
	}
	if size < held.Size {
		return []verify.Finding{found(verify.RolledBack, "%d of the %d records that this machine last saw", size, held.Size)}, nil
	}
	root, err := rootOf(ctx, q, held.Size)
	if errors.Is(err, ErrDamaged) {
		return []verify.Finding{found(verify.TreeDiffers, "%v", err)}, nil
	}
	if err != nil {
		return nil, err
	}
	if root != held.Root {
		return []verify.Finding{found(verify.Forked, "its %d records do not begin with the %d that this machine last saw", size, held.Size)}, nil
	}
	return nil, nil
}

// verifyAgain holds the log to extending the anchor as it is now, before a record is appended. Nobody else can write
// while it runs, so that an anchor beyond the log is never one that is about to be right.
func (s *Store) verifyAgain(ctx context.Context, tx *sql.Tx) error {
	if s.anchor == nil {
		return nil
	}
	held, failed := s.anchor.Read(ctx)
	if failed == nil && s.anchor.Knows(held) {
		return nil
	}
	if errors.Is(failed, disk.ErrHeld) {
		return &Problem{Path: s.anchor.Path, Kind: ErrAnchorLocked, Cause: failed,
			Advice: "nothing was written; record again once that program has given it up"}
	}
	list, err := verifyAnchor(ctx, tx, held, failed)
	if err != nil {
		return err
	}
	s.findings.add(list...)
	return s.checkNoFindings()
}
