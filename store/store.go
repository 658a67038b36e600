package store

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"docket/domain/records"
	"docket/store/disk"
	"docket/store/merkle"
	"docket/store/sqlite"
)

// Options say which store to open and how.
type Options struct {
	Path     string // of the file; it and its folder are created where they are missing
	ReadOnly bool   // open what is there, write nothing
	Service  bool   // the store is a service's: a new one is made as that, a console's is refused with ErrKind
	// LogAgent is the fingerprint of the key of ssh-agent that is to be the log's where a store is made; "" makes one, in a key file.
	LogAgent string
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
	Reviewer records.Reviewer

	// alone says that nobody else has the file open, and that no other file belongs to it.
	alone bool
	// connector makes the connections for a purpose; nil: those of SQLite.
	connector sqlite.Connector
}

const defaultBusyTimeout = 10 * time.Second

// A Store is an open store. Its methods may be called by several goroutines at once.
type Store struct {
	path    string
	options Options

	// handles is held for reading by what uses the database, and for writing to open or close it.
	handles sync.RWMutex
	db      *sqlite.DB
	closed  bool
	made    bool        // by this opening
	key     *merkle.Key // of the log's checkpoints; nil where the store has none that is usable
	locked  error       // why the key file cannot be used; nil if it can

	cache    packetCache
	registry registry
	anchor   *merkle.Anchor // nil without a folder for it, and without a key
	covered  covered
	anchored atomic.Bool
	findings findings
}

// Open opens the store at the path, and makes a new one where there is nothing, or an empty file. It returns
// a store of this version, which can be read, and written unless it is ReadOnly. If the file or its surroundings are at fault, the
// error is a *Problem.
//
// Each opening proves that the log extends the checkpoint that is kept in the AnchorFolder, where one is kept from the making of
// the store on. That there is none, or none that can be used, is a finding until a person accepts the log: see AcceptAnchor.
func Open(ctx context.Context, o Options) (*Store, error) {
	path, exists, err := disk.Locate(o.Path)
	if err != nil {
		return nil, err
	}
	s := &Store{path: path, options: o}
	s.db, err = sqlite.New(sqlite.Options{Path: path, ReadOnly: o.ReadOnly, Busy: s.busyTimeout(), Alone: o.alone, Connector: o.connector})
	if err != nil {
		return nil, err
	}
	if !exists {
		if o.ReadOnly || o.Existing {
			return nil, &Problem{Path: path, Kind: ErrNoStore,
				Advice: "make one by importing packets"}
		}
		if err := disk.CreateFile(path); err != nil {
			return nil, err
		}
	}
	if err := s.prepare(ctx); err != nil {
		if !exists && (errors.Is(err, ErrNoAnchor) || errors.Is(err, ErrNoKey) || errors.Is(err, ErrReadOnly) || errors.Is(err, ErrDiskFull)) {
			err = errors.Join(err, disk.Discard(path))
		}
		return nil, err
	}
	if err := s.open(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// prepare makes a store of an empty file, and refuses a file that is not a store of this version.
func (s *Store) prepare(ctx context.Context) error {
	found, err := s.db.Inspect(ctx)
	if err != nil {
		return sqlite.Explain(s.path, "open the store", err)
	}
	if found == sqlite.Empty && (s.options.ReadOnly || s.options.Existing) {
		return &Problem{Path: s.path, Kind: ErrNoStore, Advice: "the file is empty; make a store by importing packets"}
	}
	if found == sqlite.Empty {
		return s.create(ctx)
	}
	return checkState(s.path, found)
}

// open opens the database and proves its log; after an error nothing is open. A store with findings, or one that cannot be written,
// keeps only its readers.
func (s *Store) open(ctx context.Context) error {
	s.locked = nil
	err := s.db.Open(ctx)
	var newest merkle.Anchored
	if err == nil {
		newest, err = s.verifyHead(ctx)
	}
	if err == nil {
		return s.opened(ctx, newest)
	}
	if errors.Is(err, ErrAltered) {
		err = &Problem{Path: s.path, Kind: ErrAltered,
			Advice: "its schema was changed; keep a copy, then restore a backup"}
	}
	return errors.Join(s.explain("open the store", err), s.db.Close())
}

// opened acts on the result of the proof. An anchor that cannot be written is reported with the first record.
func (s *Store) opened(ctx context.Context, newest merkle.Anchored) error {
	switch {
	case !s.db.Writes():
		return nil
	case len(s.findings.all()) > 0 || s.obstacle() != nil:
		return s.explain("close what writes", s.db.StopWriting())
	case s.anchor != nil && s.anchored.Load():
		if s.anchor.Keep(ctx, newest) == nil { // else Append tries again, and reports it
			s.covered.set(newest.Tables)
		}
	}
	return nil
}

// Close closes the store. A second call does nothing. An *AnchorError says that only the checkpoint outside the
// store could not be kept.
func (s *Store) Close() error {
	s.handles.Lock()
	defer s.handles.Unlock()
	s.closed = true
	err := s.db.Close()
	if s.anchor != nil {
		if failed := s.anchor.Close(); failed != nil {
			err = errors.Join(err, &AnchorError{failed})
		}
	}
	return err
}

// Made reports whether this opening made the store.
func (s *Store) Made() bool { return s.made }

// Path is the absolute path of the store's file.
func (s *Store) Path() string { return s.path }

// ReadOnly reports whether the store takes nothing: it was opened for reading only, there are Findings, or there is an Obstacle.
func (s *Store) ReadOnly() bool {
	return s.options.ReadOnly || len(s.findings.all()) > 0 || s.Obstacle() != nil
}

// Obstacle is why a store that was opened for writing can only be read, apart from Findings: the disk is full, the medium can only
// be read, or the key file is not there. It is a *Problem, or nil.
func (s *Store) Obstacle() error {
	s.handles.RLock()
	defer s.handles.RUnlock()
	return s.obstacle()
}

// obstacle is Obstacle for a caller that holds the handles.
func (s *Store) obstacle() error {
	if err := s.db.Obstacle(); err != nil {
		return err
	}
	return s.locked
}

// KeepsAnchor reports whether a checkpoint of the log is kept outside the store.
func (s *Store) KeepsAnchor() bool { return s.options.AnchorFolder != "" }

// Anchored reports whether the log was proven to extend a checkpoint that this machine had kept of it.
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
