package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"docket/domain"
	"docket/store/disk"
	"docket/store/merkle"

	"modernc.org/sqlite"
)

// Options say which store to open and how.
type Options struct {
	Path     string           // of the file; it and its folder are created where they are missing
	ReadOnly bool             // open what is there, write nothing
	Service  bool             // the store is a service's: a new one is made as that, a console's is refused with ErrKind
	Now      func() time.Time // the clock; nil: time.Now
	// Existing refuses to make a store where there is none.
	Existing bool
	// BusyTimeout is how long to wait for a lock that another process holds; 0: ten seconds.
	BusyTimeout time.Duration

	// AnchorFolder is where the newest checkpoint of each store on this machine is kept, outside the folders of the
	// stores; it is created where it is missing. "" keeps none: then a store that was rolled back cannot be told
	// from one that was not.
	AnchorFolder string

	// Reviewer is whose store this is, if anybody's: a record in the reviewer's name that was signed by another key than this one is
	// a finding.
	Reviewer domain.Reviewer

	// alone says that nobody else has the file open, and that no other file belongs to it.
	alone bool
	// connector makes the connections for a purpose; nil: those of SQLite.
	connector func(p purpose, path string, busy time.Duration) driver.Connector
}

// readers is how many connections may read at the same time.
const readers = 4

const defaultBusyTimeout = 10 * time.Second

// A Store is an open store. Its methods may be called by several goroutines at once.
type Store struct {
	path    string
	options Options

	// handles is held for reading by whoever uses one of the two pools, and for writing to replace or close them.
	handles sync.RWMutex
	write   *sql.DB // one connection; nil in a store that is only read, and while read is
	read    *sql.DB // nil once the store is closed, and after an error until the next use
	reads   purpose // of the connections that read
	closed  bool
	made    bool        // by this opening
	key     *merkle.Key // of the log's checkpoints; nil where the store has none that is usable
	file    fs.FileInfo // the open file; nil before the first opening
	wal     fs.FileInfo // its write-ahead log; nil if there was none

	// obstacle is why a store that was opened for writing can only be read, apart from findings; nil if it can be written.
	obstacle error

	shelf    shelf
	anchor   *merkle.Anchor // nil without a folder for it, and without a key
	anchored atomic.Bool
	findings findings
}

// Open opens the store at the path, and makes a new one where there is nothing, or an empty file. What it returns is
// usable: it is a store of this version and can be read, and unless ReadOnly is set, or there are Findings, it can be
// written. Whenever the file or its surroundings are at fault, the error is a *Problem.
//
// Each opening proves that the log extends the checkpoint that is kept in the AnchorFolder, where one is kept from the making of
// the store on. That there is none, or none that can be used, is a finding until a person accepts the log: see AcceptAnchor.
func Open(ctx context.Context, o Options) (*Store, error) {
	if err := lockByDescription(); err != nil {
		return nil, err
	}
	path, exists, err := disk.Locate(o.Path)
	if err != nil {
		return nil, err
	}
	s := &Store{path: path, options: o}
	if !exists {
		if o.ReadOnly || o.Existing {
			return nil, &Problem{Path: path, Kind: ErrNoStore,
				Advice: "make one with `docket import FILE`, or try `docket demo`"}
		}
		if err := disk.CreateFile(path); err != nil {
			return nil, err
		}
	}
	if err := s.prepare(ctx); err != nil {
		if !exists && (errors.Is(err, ErrNoAnchor) || errors.Is(err, ErrReadOnly) || errors.Is(err, ErrDiskFull)) {
			err = errors.Join(err, disk.Discard(path))
		}
		return nil, err
	}
	if err := s.openHandles(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// lockByDescription asks SQLite for locks that belong to an open file and not to the process. Where the system has
// none, the ordinary ones serve.
func lockByDescription() error {
	if _, err := sqlite.OFDLocking(true); err != nil && !errors.Is(err, sqlite.ErrOFDLockingUnavailable) {
		return fmt.Errorf("set up file locking before any database is opened: %w", err)
	}
	return nil
}

// prepare sees to it that the file is a store.
func (s *Store) prepare(ctx context.Context) error {
	found, err := s.inspectFile(ctx)
	if err != nil {
		return explain(s.path, "open the store", err)
	}
	if found == stateEmpty && (s.options.ReadOnly || s.options.Existing) {
		return &Problem{Path: s.path, Kind: ErrNoStore, Advice: "the file is empty; make a store with `docket import FILE`"}
	}
	if found == stateEmpty {
		return s.found(ctx)
	}
	return checkState(s.path, found)
}

// inspectFile looks at the file through a connection of its own.
func (s *Store) inspectFile(ctx context.Context) (state, error) {
	if !s.options.ReadOnly {
		found, err := s.inspectThrough(ctx, func() (*sql.DB, error) { return openPool(ctx, s.connect(probing), 1) })
		if err == nil || !cannotWrite(explain(s.path, "open the store", err)) {
			return found, err
		}
		s.obstacle = explain(s.path, "open the store", err)
	}
	return s.inspectThrough(ctx, func() (*sql.DB, error) { return s.openReaders(ctx, 1) })
}

func (s *Store) inspectThrough(ctx context.Context, open func() (*sql.DB, error)) (state, error) {
	db, err := open()
	if err != nil {
		return stateForeign, err
	}
	found, err := inspectAtOnce(ctx, db)
	return found, errors.Join(err, db.Close())
}

// Close closes the store. A second call does nothing. An *AnchorError says that all went well but for the checkpoint
// outside the store.
func (s *Store) Close() error {
	s.handles.Lock()
	defer s.handles.Unlock()
	s.closed = true
	err := s.closeHandles()
	if s.anchor != nil {
		if failed := s.anchor.Close(); failed != nil {
			err = errors.Join(err, &AnchorError{failed})
		}
	}
	return err
}

// Made tells whether this opening made the store.
func (s *Store) Made() bool { return s.made }

// Path is the absolute path of the store's file.
func (s *Store) Path() string { return s.path }

// ReadOnly tells whether the store takes nothing: it was opened for reading only, there are Findings, or there is an Obstacle.
func (s *Store) ReadOnly() bool {
	return s.options.ReadOnly || len(s.findings.all()) > 0 || s.Obstacle() != nil
}

// Obstacle is why a store that was opened for writing can only be read, apart from Findings: the disk is full, the medium can only
// be read, or the key file is not there. It is a *Problem, or nil.
func (s *Store) Obstacle() error {
	s.handles.RLock()
	defer s.handles.RUnlock()
	return s.obstacle
}

// KeepsAnchor tells whether a checkpoint of the log is looked for outside the store.
func (s *Store) KeepsAnchor() bool { return s.options.AnchorFolder != "" }

// Anchored tells whether the log was proven to extend a checkpoint that this machine had kept of it.
func (s *Store) Anchored() bool { return s.anchored.Load() }

func (s *Store) now() time.Time {
	if s.options.Now != nil {
		return s.options.Now()
	}
	return time.Now()
}

func (s *Store) busyTimeout() time.Duration {
	if s.options.BusyTimeout > 0 {
		return s.options.BusyTimeout
	}
	return defaultBusyTimeout
}

func (s *Store) connect(p purpose) driver.Connector {
	busy := s.busyTimeout()
	if s.options.connector != nil {
		return s.options.connector(p, s.path, busy)
	}
	return newConnector(p, s.path, busy)
}
