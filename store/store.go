// Package store keeps a docket in one database: the packets that were imported and the enforcement
// records that reviewers made, append-only. Every record is a leaf of one RFC 6962 log.
//
// The tables and their columns are in sqlite/schema.sql. The six tables of the source stand under
// their own names: a row is one canonical document, and each member a column that is generated from
// it, so that no column can contradict the document. A record is stored at its sequence in the log,
// with what is not part of the signed bytes beside it: signature, statement of reasons, note, salt.
// Texts and salts are in docket_texts and can be erased (erase.go). docket_tokens and
// docket_service_… are the state of a service, and docket_handin_… what a console knows of its
// service and got from it. docket_local is local state, such as skips and drafts, whose rows are
// changed and deleted.
//
// Three independent things keep the other tables append-only: triggers, which hold for every
// program that opens the file; an authorizer on the program's own connections
// (sqlite/authorizer.go); and the log, which reveals other changes. A person who has the file can
// remove the first two, and a part of the log. That is found: the newest checkpoint is also kept
// elsewhere on the machine (merkle/anchor.go), and each export and receipt holds another one.
//
// Every opening proves in a moment that the log extends the anchor. Verifying the whole log
// recomputes it from the records. A store with findings can be read and takes no records.
// Checkpoints cover the records; the heads that the anchor keeps cover the packets, with the times
// of their import, and the other append-only tables. Skips and drafts are not covered.
//
// A store is a console's or a service's: the origin of its log says which (service.go). Append
// records decisions in a console's store. HandIn takes records into a service's store; Page and
// Packet return packets to the principals that they are assigned to.
//
// One connection writes, in short immediate transactions; others read. Several programs may work on
// one store. Records that wait for the write lock in one program share a transaction, each with its
// own checks, receipt and checkpoint.
//
// # Rooms
//
// This folder holds the rules, once, and no SQL. Package engine says what they need of a database:
// typed operations of a transaction. Packages sqlite and postgres are the engines: the connections,
// the transaction with the lock, the schema with its triggers, every SQL statement, the
// classification of errors and the copying of a database. Package merkle holds the tree, the
// checkpoints, their keys and the anchor. Package disk holds the files, locks and volumes, package
// turn says who writes when, package parsed reads stored packets. Package verify is the verifier,
// which reads a Snapshot as it reads an export.
//
// Start at Open in store.go, Append in append.go and Queue in queue.go.
package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/records"
	"docket/store/disk"
	"docket/store/engine"
	"docket/store/merkle"
	"docket/store/parsed"
	"docket/store/sqlite"
	"docket/store/turn"
	"docket/store/verify"
)

// Options say which store to open and how.
type Options struct {
	// Path of the file, created with its folder where missing; of a Database, what messages call it.
	Path     string
	ReadOnly bool // open what is there, write nothing
	Service  bool // a service's store: a new one is made as that, a console's refused with ErrKind
	// LogAgent is the fingerprint of the key of a new store's log in ssh-agent; "" makes a key file.
	LogAgent string
	Now      func() time.Time // the clock; nil: time.Now
	// Waiting, or nil, is told once by each Import that waits for an anchor locked by another program.
	Waiting func(*Problem)
	// Existing refuses to make a store.
	Existing bool
	// BusyTimeout is how long to wait for a lock that another process holds; 0: ten seconds.
	BusyTimeout time.Duration

	// AnchorFolder is where the newest checkpoint of each store on this machine is kept, outside the
	// folders of the stores, and created where missing. "" keeps none: then no rollback can be found.
	AnchorFolder string

	// Database holds the store, a service's, instead of a file; many processes may use it. The store
	// closes it.
	Database engine.Database
	// KeyFolder holds the log's key file; "": the store's folder. A process without it serves reads.
	KeyFolder string

	// Reviewer owns this store, if anyone does: another key's signature in that name is a finding.
	Reviewer records.Reviewer

	// alone says that no other program has the file open, and that no other file belongs to it.
	alone bool
	// connector makes the connections for a purpose; nil: those of SQLite.
	connector sqlite.Connector
}

// Engine names the database in this program, with its version and the one of the schema.
func Engine() string {
	return fmt.Sprintf("SQLite %s, schema %d", sqlite.Version, sqlite.SchemaVersion)
}

const defaultBusyTimeout = 10 * time.Second

// A Store is an open store. Its methods may be called by several goroutines at once.
type Store struct {
	path    string
	options Options

	// handles is held for reading to use the database, and for writing to open or close it.
	handles sync.RWMutex
	db      engine.Database
	closed  bool
	made    bool        // by this opening
	key     *merkle.Key // of the log's checkpoints; nil where the store has none that is usable
	locked  error       // why the key file cannot be used; nil if it can
	moved   error       // that the store was moved to a database; nil if it was not

	appends  turn.Queue[*appending] // those that wait to be written
	size     atomic.Int64           // of the log as this process knows it in the anchor
	cache    parsed.Cache
	checked  parsed.Checked
	registry registry
	bounds   handInBounds
	anchor   *merkle.Anchor                   // nil without a folder for it, and without a key
	covered  atomic.Pointer[merkle.TableHead] // newest head that this process knows in the anchor
	consoles consoles
	anchored atomic.Bool
	// anchorLocked says that another program kept the anchor locked when the store was opened.
	anchorLocked atomic.Bool
	findings     findings
}

// Open opens the store at the path, and makes a new one where there is nothing, or an empty file.
// The store is of this version; it can be read, and written unless it is ReadOnly. If the file or
// its surroundings are at fault, the error is a *Problem.
//
// Each opening proves that the log extends the checkpoint in the AnchorFolder, which is kept there
// from the making of the store on. Where that is missing or unusable, there is a finding until a
// person accepts the log: see AcceptAnchor.
func Open(ctx context.Context, o Options) (*Store, error) {
	o.Service = o.Service || o.Database != nil
	s := &Store{path: o.Path, options: o, db: o.Database}
	s.cache.Met = s.metPacket
	s.covered.Store(&merkle.TableHead{})
	created := false
	if s.db == nil {
		var err error
		if created, err = s.takeFile(); err != nil {
			return nil, err
		}
	}
	if err := s.prepare(ctx); err != nil {
		if created && (errors.Is(err, ErrNoAnchor) || errors.Is(err, ErrNoKey) ||
			errors.Is(err, ErrReadOnly) || errors.Is(err, ErrDiskFull)) {
			err = errors.Join(err, disk.Discard(s.path))
		}
		return nil, err
	}
	if err := s.open(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// takeFile makes the file at the path the store's file, and creates it if it is missing.
func (s *Store) takeFile() (created bool, err error) {
	o := &s.options
	path, exists, err := disk.Locate(o.Path)
	if err != nil {
		return false, err
	}
	s.path = path
	s.db, err = sqlite.New(sqlite.Options{Path: path, ReadOnly: o.ReadOnly, Busy: s.busyTimeout(),
		Alone: o.alone, Serving: o.Service, Connector: o.connector})
	if err != nil || exists {
		return false, err
	}
	if o.ReadOnly || o.Existing {
		if o.Service {
			return false, &Problem{Path: path, Kind: ErrNoService, Advice: "the service makes it when it first runs"}
		}
		return false, &Problem{Path: path, Kind: ErrNoStore, Advice: "make one by importing packets"}
	}
	return true, disk.CreateFile(path)
}

// copyTo copies one snapshot into the empty file target alone, as engine.Copier has it.
func (s *Store) copyTo(ctx context.Context, target, name string, look engine.Work, progress func(done, total int64)) error {
	if copier, is := s.db.(engine.Copier); is {
		return copier.Copy(ctx, target, name, look, progress)
	}
	return s.db.View(ctx, func(ctx context.Context, from engine.Tx) error {
		if err := look(ctx, from); err != nil {
			return err
		}
		err := sqlite.Load(ctx, target, s.busyTimeout(), func(ctx context.Context, to engine.Tx) error {
			return copyRows(ctx, from, to, sqlite.SchemaVersion, progress)
		})
		return sqlite.Explain(name, "copy the store", err)
	})
}

func (s *Store) keyFolder() string {
	if s.options.KeyFolder != "" {
		return s.options.KeyFolder
	}
	return filepath.Dir(s.path)
}

// prepare makes a store of an empty file, and refuses a file that is not a store of this version.
func (s *Store) prepare(ctx context.Context) error {
	found, err := s.db.Inspect(ctx)
	if err != nil {
		return s.db.Explain("open the store", err)
	}
	if found == engine.Empty && (s.options.ReadOnly || s.options.Existing) {
		if s.options.Database != nil {
			return &Problem{Path: s.path, Kind: ErrNoService,
				Advice: "`docket serve db init` sets the database up, and the first `docket serve` makes the store"}
		}
		return &Problem{Path: s.path, Kind: ErrNoStore, Advice: "the file is empty; make a store by importing packets"}
	}
	if found == engine.Empty {
		return s.explain("make the store", repeated(ctx, s.db, func() error { return s.create(ctx) }))
	}
	return checkState(s.path, found)
}

// open opens the database and proves its log, and closes it after an error; a store with findings,
// or that cannot be written, keeps only its readers.
func (s *Store) open(ctx context.Context) error {
	s.locked = nil
	err := s.db.Open(ctx)
	var newest merkle.Anchored
	if err == nil {
		newest, err = s.verifyHead(ctx)
	}
	switch {
	case err != nil:
	case !s.db.Writes(), s.options.ReadOnly:
		return nil
	case len(s.findings.all()) > 0 || s.obstacle() != nil:
		return s.explain("close what writes", s.db.StopWriting())
	default:
		// An anchor that cannot be written is tried again, and reported, with the first record.
		if s.anchor != nil && s.anchored.Load() && s.anchor.Keep(ctx, newest) == nil {
			s.covered.Store(&newest.Tables)
			s.size.Store(newest.Size)
		}
		return nil
	}
	if errors.Is(err, ErrAltered) {
		err = &Problem{Path: s.path, Kind: ErrAltered,
			Advice: "its schema was changed; keep a copy, then restore a backup"}
	}
	return errors.Join(s.explain("open the store", err), s.db.Close())
}

// Close closes the store; a second call does nothing. An *AnchorError says that only the checkpoint
// outside the store could not be kept.
func (s *Store) Close() error {
	s.handles.Lock()
	defer s.handles.Unlock()
	s.closed = true
	err := s.db.Close()
	err = errors.Join(err, s.consoles.leave())
	if s.anchor != nil {
		if failed := s.anchor.Close(); failed != nil {
			err = errors.Join(err, &AnchorError{failed})
		}
	}
	return err
}

// Made reports whether this opening made the store.
func (s *Store) Made() bool { return s.made }

// Path is the absolute path of the store's file, or the name of its database in messages.
func (s *Store) Path() string { return s.path }

// ReadOnly reports whether the store was opened for reading only, or has Findings or an Obstacle.
func (s *Store) ReadOnly() bool {
	return s.options.ReadOnly || len(s.findings.all()) > 0 || s.Obstacle() != nil
}

// Obstacle is why a store that was opened for writing can only be read, apart from Findings: a full
// disk, a read-only medium or a missing key file. It is a *Problem, or nil.
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
	if s.moved != nil {
		return s.moved
	}
	return s.locked
}

// Anchored reports whether the log was proven to extend a checkpoint that this machine kept.
func (s *Store) Anchored() bool { return s.anchored.Load() }

// AnchorLocked reports whether another program's lock kept the opening from using the anchor.
func (s *Store) AnchorLocked() bool { return s.anchorLocked.Load() }

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

func checkState(path string, found engine.State) error {
	switch found {
	case engine.Current, engine.Empty:
		return nil
	case engine.Older:
		return &Problem{Path: path, Kind: ErrOlder,
			Advice: "this docket does not read it: keep the file, and import its packets into a new store"}
	case engine.Newer:
		return &Problem{Path: path, Kind: ErrNewer, Advice: "use the docket that wrote it, or a later one"}
	}
	return &Problem{Path: path, Kind: ErrNotAStore,
		Advice: "it belongs to a different program, or `.dump` made it, which loses what marks a store; name another file, or a copy by `docket backup`"}
}

// create makes a store of an empty database, unless another process just did; key file and anchor
// are on disk before the commit: without an anchor no store is made.
func (s *Store) create(ctx context.Context) error {
	keyPath := ""
	made, err := s.db.Create(ctx, func(ctx context.Context, tx engine.Tx) error {
		key, file, first, err := s.writeMeta(ctx, tx)
		if err != nil {
			return err
		}
		path := key.File(s.keyFolder())
		if s.options.KeyFolder != "" {
			if err := os.MkdirAll(s.options.KeyFolder, disk.FolderMode); err != nil {
				return disk.FileError(s.options.KeyFolder, err)
			}
		}
		if err := merkle.MakeKeyFile(path, file); err != nil {
			return disk.FileError(path, err)
		}
		keyPath = path
		if s.options.AnchorFolder == "" {
			return nil
		}
		if err := merkle.NewAnchor(s.options.AnchorFolder, key, s.busyTimeout()).Begin(first); err != nil {
			return &Problem{Path: s.path, Kind: ErrNoAnchor, Cause: err,
				Advice: fmt.Sprintf("make sure that files can be made in %s (%v); no store was made", s.options.AnchorFolder, disk.Reason(err))}
		}
		return nil
	})
	s.made = made
	if !made && keyPath != "" && !s.db.Passing(err) { // else it may be made
		err = errors.Join(err, os.Remove(keyPath))
	}
	return err
}

// writeMeta fills docket_meta of an empty log, signs its first checkpoint, and returns the key, the
// contents of the key file, and those of the anchor.
func (s *Store) writeMeta(ctx context.Context, tx engine.Tx) (key *merkle.Key, file string, first merkle.Anchored, err error) {
	key, file, err = merkle.NewKey(ctx, s.options.Service, s.options.LogAgent)
	if err != nil {
		return nil, "", merkle.Anchored{}, &Problem{Path: s.path, Kind: ErrNoKey, Cause: err,
			Advice: fmt.Sprintf("%v; no store was made", err)}
	}
	for _, row := range [][2]string{{metaOrigin, key.Origin}, {metaVerifierKey, key.Encoded},
		{metaSchemaVersion, fmt.Sprint(s.db.Schema())}} {
		if err := tx.Meta().Add(ctx, row[0], row[1]); err != nil {
			return nil, "", first, err
		}
	}
	root, err := tlog.TreeHash(0, nil)
	if err == nil {
		first.Checkpoint, err = key.Sign(0, root)
	}
	if err == nil {
		err = tx.Log().AddCheckpoint(ctx, engine.Checkpoint{Size: 0, Note: first.Note})
	}
	if err == nil {
		first.Tables, err = coverTables(ctx, tx, key, &merkle.TableHead{})
	}
	return key, file, first, err
}

// The rows of docket_meta.
const (
	metaSchemaVersion = "schemaVersion"
	metaOrigin        = "origin"      // of the log that the store was made with; see currentLog
	metaVerifierKey   = "verifierKey" // of its checkpoints: the public half
)

// verifyMeta checks the rows of docket_meta; what they signed checks the log's origin and keys.
func (s *Store) verifyMeta(ctx context.Context, tx engine.Tx) ([]verify.Finding, error) {
	rows, err := tx.Meta().Values(ctx, mostMeta+1)
	if err != nil {
		return nil, err
	}
	altered := rows[metaSchemaVersion] != fmt.Sprint(s.db.Schema())
	for name := range rows {
		altered = altered || !slices.Contains([]string{metaSchemaVersion, metaOrigin, metaVerifierKey}, name)
	}
	if altered {
		return []verify.Finding{found(verify.SchemaAltered, metaRows)}, nil
	}
	return nil, nil
}

const metaRows = "docket_meta"

const mostMeta = 3
