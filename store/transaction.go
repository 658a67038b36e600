package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"docket/domain/records"
	"docket/domain/visible"
	"docket/store/disk"
	"docket/store/engine"
	"docket/store/merkle"
	"docket/store/verify"
)

// acquire keeps the connections until release is called, and reopens those that an error closed.
func (s *Store) acquire(ctx context.Context) (release func(), err error) {
	for {
		s.handles.RLock()
		if s.db.IsOpen() {
			return s.handles.RUnlock, nil
		}
		s.handles.RUnlock()
		if err := s.reopen(ctx); err != nil {
			return nil, err
		}
	}
}

func (s *Store) reopen(ctx context.Context) error {
	s.handles.Lock()
	defer s.handles.Unlock()
	switch {
	case s.closed:
		return ErrClosed
	case s.db.IsOpen():
		return nil
	}
	return s.open(ctx)
}

// dropConnections closes failed connections, so that the next use reads what is on the disk.
func (s *Store) dropConnections() {
	s.handles.Lock()
	defer s.handles.Unlock()
	_ = s.db.Close() // they failed: what closing them reports is of no use
}

// reading runs do in one snapshot of the store, until ctx ends.
func (s *Store) reading(ctx context.Context, doing string, do engine.Work) error {
	release, err := s.acquire(ctx)
	if err != nil {
		return err
	}
	defer release()
	return s.explain(doing, s.db.View(ctx, do))
}

// ask returns what get reads in one snapshot of a Store or of a Snapshot; with an error, nothing.
func ask[T any](ctx context.Context, of interface {
	reading(ctx context.Context, doing string, do engine.Work) error
}, doing string, get func(ctx context.Context, tx engine.Tx) (T, error)) (T, error) {
	var value, none T
	err := of.reading(ctx, doing, func(ctx context.Context, tx engine.Tx) (err error) {
		value, err = get(ctx, tx)
		return err
	})
	if err != nil {
		return none, err
	}
	return value, nil
}

// askKind is ask for what only a service's store answers, or only a console's.
func askKind[T any](ctx context.Context, s *Store, service bool, doing string,
	get func(ctx context.Context, tx engine.Tx) (T, error)) (T, error) {
	return ask(ctx, s, doing, func(ctx context.Context, tx engine.Tx) (value T, err error) {
		if err := s.checkKind(service); err != nil {
			return value, err
		}
		return get(ctx, tx)
	})
}

func into[T any](target *T) func(value T, err error) error {
	return func(value T, err error) error {
		if err == nil {
			*target = value
		}
		return err
	}
}

// unlessNoRow returns an error, but nil for a row that is not there.
func unlessNoRow(err error) error {
	if errors.Is(err, engine.ErrNoRow) {
		return nil
	}
	return err
}

// orNotFound turns a missing row into an ErrNotFound of what was looked for.
func orNotFound(err error, what string, args ...any) error {
	if errors.Is(err, engine.ErrNoRow) {
		return fmt.Errorf("%s: %w", fmt.Sprintf(what, args...), ErrNotFound)
	}
	return err
}

// writing runs do in one immediate transaction and commits it. ctx ends only the wait for the lock,
// so that the outcome is known; do gets its own context. When writing returns, the anchor covers
// the entries that do appended, and the rows that it added to the tables beside the log; after a kill
// before that, or if the anchor cannot be written, the next opening covers the rest.
//
// A transaction that the database ended for another one, or with its connection, is run again. The
// one before may have been committed: do has to look for what it wrote before it writes it, or
// before it says that it may not be written.
func (s *Store) writing(ctx context.Context, doing string, do engine.Work) error {
	var head merkle.Anchored
	err := repeated(ctx, s.db, func() error {
		return s.writingRecord(ctx, doing, func(ctx context.Context, tx engine.Tx) (err error) {
			if err = do(ctx, tx); err == nil {
				head, err = s.coveredIn(ctx, tx)
			}
			return err
		})
	})
	if err == nil {
		s.keepCovered(ctx, head)
	}
	return err
}

// writingOnce is writing for what cannot be repeated: a second try asks if the first is there.
func (s *Store) writingOnce(ctx context.Context, doing string, there func(ctx context.Context,
	tx engine.Tx) (bool, error), do engine.Work) error {
	tried := false
	return s.writing(ctx, doing, func(ctx context.Context, tx engine.Tx) error {
		if tried {
			if is, err := there(ctx, tx); is || err != nil {
				return err
			}
		}
		tried = true
		return do(ctx, tx)
	})
}

// mostTries is how often a transaction is run that the database, or the loss of a connection, ends.
const mostTries = 5

// repeated runs a transaction, and runs it again as long as its error is Passing.
func repeated(ctx context.Context, db engine.Database, run func() error) (err error) {
	for range mostTries {
		err = run()
		if err == nil || errors.Is(err, ErrUnknownOutcome) || !db.Passing(err) || ctx.Err() != nil {
			return err
		}
	}
	return err
}

// writingRecord is writing once, for appending: the tables beside the log are covered later.
func (s *Store) writingRecord(ctx context.Context, doing string, do engine.Work) error {
	err := s.transact(ctx, do)
	if s.db.Broken(err) {
		s.dropConnections()
	}
	return s.explain(doing, err)
}

// coveredIn returns the newest checkpoint and the head of the tables as a transaction has them; each
// without a Note if nothing came.
func (s *Store) coveredIn(ctx context.Context, tx engine.Tx) (head merkle.Anchored, err error) {
	if s.anchor == nil {
		return head, nil
	}
	newest, err := tx.Log().NewestCheckpoint(ctx)
	if err == nil && newest.Size != s.size.Load() {
		if head.Checkpoint, err = s.key.Open(newest.Note); err != nil {
			err = fmt.Errorf("the newest checkpoint of the log: %w: %w", err, ErrDamaged)
		}
	}
	if err != nil {
		return head, err
	}
	head.Tables, err = coverTables(ctx, tx, s.key, s.covered.Load())
	if errors.Is(err, errRowsGone) {
		s.findings.add(found(verify.RowsRolledBack, "since this program opened the store"))
		err = s.checkNoFindings()
	}
	return head, err
}

func (s *Store) keepAnchor(ctx context.Context, newest merkle.Checkpoint) error {
	if s.anchor == nil {
		return nil
	}
	err := s.anchor.Keep(context.WithoutCancel(ctx), merkle.Anchored{Checkpoint: newest})
	if err == nil {
		return nil
	}
	if errors.Is(err, merkle.ErrAnchorForked) {
		s.findings.add(found(verify.Forked, "its %d records are not the %d that this machine last saw", newest.Size, newest.Size))
	}
	return &AnchorError{err}
}

// AwaitAnchor waits, after ErrAnchorLocked and without holding a lock, until no other program locks
// the checkpoint outside the store. The error is the cause of ctx.
func (s *Store) AwaitAnchor(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	release, err := s.acquire(ctx)
	if err != nil {
		return err
	}
	anchor := s.anchor
	release()
	if anchor == nil {
		return nil
	}
	return anchor.Await(ctx)
}

// keepCovered keeps the newest checkpoint and the head of the tables outside the store; otherwise the
// next opening does.
func (s *Store) keepCovered(ctx context.Context, head merkle.Anchored) {
	if head.Note != nil && s.keepAnchor(ctx, head.Checkpoint) == nil {
		s.size.Store(head.Size)
	}
	if s.anchor == nil || head.Tables.Note == nil {
		return
	}
	err := s.anchor.Keep(context.WithoutCancel(ctx), merkle.Anchored{Tables: head.Tables})
	if errors.Is(err, merkle.ErrAnchorForked) {
		s.findings.add(found(verify.RowsRolledBack, "another process has seen other rows"))
	}
	if err == nil {
		s.covered.Store(&head.Tables)
	}
}

// errRowsGone says that a table has fewer rows than this process saw.
var errRowsGone = errors.New("a table beside the log has fewer rows than before")

// extendChain adds to a chain the rows after those that it covers, up to a number of rows; -1: all.
func extendChain(ctx context.Context, tx engine.Tx, table string, chain *merkle.Chain, most int64) error {
	if most >= 0 {
		most -= chain.Count
	}
	return tx.Covered().Rows(ctx, table, chain.Count, most, func(columns [][]byte) { chain.Add(columns...) })
}

// coverTables returns the head of the tables, which extends an earlier one, without a Note if
// nothing came since; errRowsGone if that covers rows that are not there.
func coverTables(ctx context.Context, tx engine.Tx, key *merkle.Key, before *merkle.TableHead) (head merkle.TableHead, err error) {
	tables, err := tx.Covered().Tables(ctx)
	if err != nil {
		return merkle.TableHead{}, err
	}
	more := before.Note == nil
	head.Chains = map[string]merkle.Chain{}
	for _, t := range tables {
		chain := before.Chains[t.Name]
		if chain.Count > t.Rows {
			return merkle.TableHead{}, errRowsGone
		}
		if chain.Count < t.Rows {
			more = true
			if err := extendChain(ctx, tx, t.Name, &chain, -1); err != nil {
				return merkle.TableHead{}, err
			}
		}
		head.Chains[t.Name] = chain
	}
	if !more {
		return merkle.TableHead{}, nil
	}
	return head, key.SignTables(&head)
}

// verifyCovered compares the tables with the head kept outside the store, nil for none: the number
// of rows of all, and the rows of those that grow with the log if storage is set, otherwise of the
// others.
func verifyCovered(ctx context.Context, tx engine.Tx, held *merkle.TableHead, storage bool) (list []verify.Finding, err error) {
	if held == nil {
		return nil, nil
	}
	tables, err := tx.Covered().Tables(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range tables {
		due := held.Chains[t.Name]
		var chain merkle.Chain
		switch {
		case t.Rows < due.Count:
			list = append(list, found(verify.RowsRolledBack, "%s: %d rows were there, and %d are", t.Name, due.Count, max(0, t.Rows)))
			continue
		case t.Grows != storage:
			continue
		}
		if err := extendChain(ctx, tx, t.Name, &chain, due.Count); err != nil {
			return nil, err
		}
		if chain != due {
			list = append(list, found(verify.RowsRolledBack, "%s: its first %d rows are others", t.Name, due.Count))
		}
	}
	return list, nil
}

func (s *Store) transact(ctx context.Context, do engine.Work) error {
	if s.Obstacle() != nil && len(s.findings.all()) == 0 {
		s.dropConnections() // the cause may be gone
	}
	release, err := s.acquire(ctx)
	if err != nil {
		return err
	}
	defer release()
	if err := s.checkNoFindings(); err != nil {
		return err
	}
	if !s.db.Writes() {
		if err := s.obstacle(); err != nil {
			return err
		}
		return &Problem{Path: s.path, Kind: ErrReadOnly, Advice: "it was opened for reading; open it for writing"}
	}
	return s.db.Update(ctx, func(ctx context.Context, tx engine.Tx) error {
		if err := s.checkMoved(ctx, tx); err != nil {
			return err
		}
		return do(ctx, tx)
	})
}

// checkMoved refuses to write to a file whose store was moved to a database.
func (s *Store) checkMoved(ctx context.Context, tx engine.Tx) error {
	if s.options.Database != nil || s.key == nil || !s.key.OfService() {
		return nil
	}
	at, err := tx.Service().MovedAt(ctx, s.key.Origin)
	if err == nil {
		err = &Problem{Path: s.path, Kind: ErrMoved, Advice: fmt.Sprintf(
			"records are taken there since %s; name it with --db. This store is only read",
			visible.String(at))}
	}
	return unlessNoRow(err)
}

// fold writes the write-ahead log to disk again, after an error that leaves its state unknown.
func (s *Store) fold(ctx context.Context) error {
	release, err := s.acquire(ctx)
	if err != nil {
		return err
	}
	defer release()
	if !s.db.Writes() {
		return s.checkNoFindings()
	}
	return s.explain("bring the log to the disk", s.db.Fold(ctx))
}

// isAnswer reports whether an error is one that a caller compares, and not a failure.
func isAnswer(err error) bool {
	return slices.ContainsFunc([]error{records.ErrRefused, ErrNotFound, ErrClosed, ErrEarly, ErrSetback, ErrTaken, ErrPacketSalt,
		ErrTokenInvalid, ErrInvitation}, func(kind error) bool { return errors.Is(err, kind) })
}

// explain returns answers and Problems unchanged, and keeps damage as a finding.
func (s *Store) explain(doing string, err error) error {
	if problem := (*Problem)(nil); err != nil && !errors.As(err, &problem) && !isAnswer(err) {
		err = s.db.Explain(doing, err)
	}
	s.met(doing, err)
	return err
}

// A Problem is an error of the store's file or its surroundings, with the path and the next step,
// that unwraps to one of the errors below.
type Problem = disk.Problem

// The kinds of Problem.
var (
	ErrNoStore        = disk.ErrNoStore
	ErrNoService      = disk.ErrNoService // wraps ErrNoStore
	ErrNotAStore      = disk.ErrNotAStore
	ErrNewer          = disk.ErrNewer
	ErrOlder          = disk.ErrOlder
	ErrAltered        = disk.ErrAltered
	ErrDamaged        = disk.ErrDamaged
	ErrReadOnly       = disk.ErrReadOnly
	ErrLocked         = disk.ErrLocked
	ErrCrowded        = disk.ErrCrowded
	ErrDiskFull       = disk.ErrDiskFull
	ErrDevice         = disk.ErrDevice
	ErrNoAccess       = disk.ErrNoAccess
	ErrExists         = disk.ErrExists
	ErrKind           = disk.ErrKind
	ErrNoAnchor       = disk.ErrNoAnchor
	ErrAnchorLocked   = disk.ErrAnchorLocked
	ErrReplaced       = disk.ErrReplaced
	ErrMoved          = disk.ErrMoved
	ErrTampered       = disk.ErrTampered
	ErrUnknownOutcome = disk.ErrUnknownOutcome
)

// ErrNoKey is the Kind of a Problem with the log's key.
var ErrNoKey = merkle.ErrNoKey

// ErrForked says that the log does not extend what was seen of it before.
var ErrForked = errors.New("the log does not extend what was seen of it before")

// ErrNotFound says that the store does not hold the requested thing.
var ErrNotFound = errors.New("not found in the store")

// ErrClosed says that the store was closed.
var ErrClosed = errors.New("the store is closed")

// An AnchorError says that the newest checkpoint could not be kept outside the store. The log
// itself is not affected: appended records are in it, and durable.
type AnchorError struct{ cause error }

// Error says that nothing is lost, and gives the next step.
func (e *AnchorError) Error() string {
	return fmt.Sprintf("what was recorded is in the log, but its checkpoint could not be kept outside the store: %v; "+
		"make sure that it can be written, and the next record brings it up to date", e.cause)
}

// Unwrap returns the error of the system.
func (e *AnchorError) Unwrap() error { return e.cause }
