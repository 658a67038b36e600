package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"docket/store/disk"
	"docket/store/engine"
	"docket/store/turn"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Options say which file to open and how.
type Options struct {
	Path     string // absolute
	ReadOnly bool
	Busy     time.Duration // how long to wait for a lock that another process holds
	Alone    bool          // nobody else has the file open, and no other file belongs to it
	Serving  bool          // it is read for many callers, each of whom wants little of it
	// Connector makes the connections for a purpose; nil: Connect.
	Connector Connector
}

// A Connector makes the connections to a file for a purpose.
type Connector func(p Purpose, path string, busy time.Duration) driver.Connector

// A DB is the engine.Database over SQLite: one connection that writes, in immediate transactions,
// and some that read. The caller ensures that the connections are not in use while Open or Close
// runs.
type DB struct {
	options Options
	engine.Base
	reads Purpose // of the connections that read
	file  fs.FileInfo
	wal   fs.FileInfo // the write-ahead log of the open file; nil if there was none

	wrote atomic.Int64 // when this program last wrote, in nanoseconds of Unix time
}

// New returns a database that is not open yet.
func New(o Options) (*DB, error) {
	if err := lockByFile(); err != nil {
		return nil, err
	}
	d := &DB{options: o}
	d.Driver, d.Version = d, SchemaVersion
	return d, nil
}

// lockByFile selects, before any database is opened, locks that belong to an open file and not to
// the process, where the system has them.
func lockByFile() error {
	if _, err := sqlite.OFDLocking(true); err != nil && !errors.Is(err, sqlite.ErrOFDLockingUnavailable) {
		return fmt.Errorf("set up file locking before any database is opened: %w", err)
	}
	return nil
}

const readers = 4

func (d *DB) connect(p Purpose) driver.Connector {
	if d.options.Connector != nil {
		return d.options.Connector(p, d.options.Path, d.options.Busy)
	}
	return Connect(p, d.options.Path, d.options.Busy)
}

// Explain implements engine.Database with Explain.
func (d *DB) Explain(doing string, err error) error { return Explain(d.options.Path, doing, err) }

// Broken implements engine.Database with broken.
func (d *DB) Broken(err error) bool { return broken(err) }

// Passing returns false: a transaction that holds the lock runs to its end.
func (d *DB) Passing(error) bool { return false }

// Inspect reads the file through its own connection, changing nothing.
func (d *DB) Inspect(ctx context.Context) (engine.State, error) {
	if !d.options.ReadOnly {
		db, err := openPool(ctx, d.connect(Probing), 1)
		found, err := inspectOnce(ctx, db, err)
		if err == nil || !engine.CannotWrite(d.Explain("open the store", err)) {
			return found, err
		}
		d.Barred = d.Explain("open the store", err)
	}
	db, err := d.openReaders(ctx, 1)
	return inspectOnce(ctx, db, err)
}

// inspectOnce returns the state at one moment; another process may be making a store of it.
func inspectOnce(ctx context.Context, db *sql.DB, err error) (found engine.State, _ error) {
	if err != nil {
		return engine.Foreign, err
	}
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err == nil {
		found, err = inspect(ctx, tx)
		_ = tx.Rollback()
	}
	return found, errors.Join(err, db.Close())
}

// Create makes the schema in an empty database and fills it, in one transaction. made is false if
// another process made a store of it just before, and after an error.
func (d *DB) Create(ctx context.Context, fill engine.Work) (made bool, err error) {
	db, err := openPool(ctx, d.connect(creating), 1)
	if err != nil {
		return false, err
	}
	made, err = create(ctx, db, fill, false)
	return made, errors.Join(err, db.Close())
}

func create(ctx context.Context, db *sql.DB, fill engine.Work, late bool) (made bool, err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer func() { _ = tx.Rollback() }()
	if found, err := inspect(ctx, tx); err != nil || found != engine.Empty {
		return false, err
	}
	makeObjects := func(triggers bool) (err error) {
		for i := 0; i < len(schema) && err == nil; i++ {
			if (late && schema[i].Kind == "trigger") == triggers {
				_, err = tx.ExecContext(ctx, schema[i].SQL)
			}
		}
		return err
	}
	if err := makeObjects(false); err != nil {
		return false, err
	}
	if err := fill(ctx, engine.Of(tx, flavor{})); err != nil {
		return false, err
	}
	if err := makeObjects(true); err != nil {
		return false, err
	}
	marks := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, SchemaVersion)
	if _, err := tx.ExecContext(ctx, marks); err != nil {
		return false, err
	}
	err = tx.Commit()
	return err == nil, err
}

// emptyIndex is the size to which SQLite cuts an unused -shm file before it fills it, and which
// stays if there is no room for more.
const emptyIndex = 3

// readingPurpose returns how to read while no connection of this process writes; if the shared file
// could not be made and is not there, no other program can be writing either.
func (d *DB) readingPurpose() Purpose {
	if d.options.Alone {
		return Unwritten
	}
	if shared, err := os.Stat(d.options.Path + "-shm"); err == nil && shared.Size() > 0 || disk.FolderWritable(d.options.Path) {
		return Reading
	}
	return d.asideOfWriters()
}

// asideOfWriters returns how to read where nothing can be written but the last writer's write-ahead
// log counts.
func (d *DB) asideOfWriters() Purpose {
	if log, err := os.Stat(d.options.Path + "-wal"); err == nil && log.Size() > 0 {
		return unshared
	}
	return Unwritten
}

func (d *DB) openReaders(ctx context.Context, size int) (*sql.DB, error) {
	d.reads = Reading
	if d.options.Serving {
		d.reads = Serving
	}
	if d.options.ReadOnly || d.Barred != nil {
		d.reads = d.readingPurpose()
	}
	db, err := openPool(ctx, d.connect(d.reads), size)
	if err == nil || !d.reads.shares() || !engine.CannotWrite(d.Explain("open the store", err)) {
		return db, err
	}
	if shared, there := os.Stat(d.options.Path + "-shm"); !errors.Is(there, fs.ErrNotExist) &&
		(there != nil || shared.Size() > emptyIndex) {
		return nil, err // the store is open elsewhere, or that cannot be determined
	}
	d.reads = d.asideOfWriters()
	return openPool(ctx, d.connect(d.reads), size)
}

// Open opens the connections. The writer comes first, because only it can make the files that both
// share. After an error Close has to be called.
func (d *DB) Open(ctx context.Context) (err error) {
	if !d.options.ReadOnly {
		if err := d.OpenWriter(ctx, false); err != nil {
			return err
		}
		if d.Writer != nil && d.Unscrubbed() {
			_ = d.Scrub(ctx) // what keeps it from doing so is no reason not to open: the note stays
		}
	}
	if d.Reader, err = d.openReaders(ctx, readers); err != nil {
		return err
	}
	return d.remember()
}

// Connect implements engine.Driver.
func (d *DB) Connect(ctx context.Context, writes bool, size int) (*sql.DB, error) {
	if writes {
		return openPool(ctx, d.connect(Writing), size)
	}
	return openPool(ctx, d.connect(d.reads), size)
}

// TryWrite begins to write and rolls back: SQLite opens a file that it may not write without an
// error, and takes only a read lock when it should take a write lock.
func (d *DB) TryWrite(ctx context.Context) error {
	tx, err := d.lock(ctx, d.Writer)
	if err != nil {
		return err
	}
	return errors.Join(engine.Of(tx, flavor{}).Structure().TryWrite(ctx), tx.Rollback())
}

// remember notes which files are open: one opened again after an error has to be the same store.
func (d *DB) remember() error {
	file, err := os.Stat(d.options.Path)
	if err != nil || d.file != nil && !os.SameFile(file, d.file) {
		return d.replaced(err)
	}
	d.file, d.wal = file, nil
	if d.Writer == nil {
		return nil
	}
	if log, err := os.Stat(d.options.Path + "-wal"); err == nil {
		d.wal = log
	}
	return nil
}

// checkNamed refuses to write to a file that no longer lies at its path, or whose write-ahead log
// does not: the last program that has it open would take what is written with it.
func (d *DB) checkNamed() error {
	file, err := os.Stat(d.options.Path)
	if err != nil || !os.SameFile(file, d.file) {
		return d.replaced(err)
	}
	if d.wal == nil {
		return nil
	}
	if log, err := os.Stat(d.options.Path + "-wal"); err != nil || !os.SameFile(log, d.wal) {
		return d.replaced(err)
	}
	return nil
}

func (d *DB) replaced(cause error) error {
	return &disk.Problem{Path: d.options.Path, Kind: disk.ErrReplaced, Cause: cause,
		Advice: "nothing was written; leave docket, put the file back or find out which one is meant, and open it again"}
}

// Begin implements engine.Driver.
func (d *DB) Begin(ctx context.Context, pool *sql.DB, writes bool) (engine.Running, error) {
	if !writes {
		tx, err := pool.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
		return &running{Tx: tx, ended: func() {}}, err
	}
	if err := d.checkNamed(); err != nil {
		return nil, err
	}
	d.letIn(ctx)
	waiting, cancel := context.WithCancel(context.WithoutCancel(ctx))
	forget := context.AfterFunc(ctx, cancel)
	tx, err := d.lock(waiting, pool)
	if err == nil && forget() {
		return &running{tx, func() { d.wrote.Store(time.Now().UnixNano()); cancel() }}, nil
	}
	if err == nil {
		err = tx.Rollback()
	}
	cancel()
	return nil, errors.Join(context.Cause(ctx), err)
}

// Awaited reports whether another caller of Update or another program waits for the lock.
func (d *DB) Awaited() bool { return d.Asked() || d.bell().Rings() }

func (d *DB) bell() turn.Bell { return turn.Bell{Folder: filepath.Dir(d.options.Path)} }

// letIn waits a moment if this program has just written and another one waits for the lock, which
// this program would take again first.
func (d *DB) letIn(ctx context.Context) {
	if time.Now().UnixNano()-d.wrote.Load() > int64(turn.Pause) || !d.bell().Rings() {
		return
	}
	select {
	case <-ctx.Done():
	case <-time.After(turn.Pause):
	}
}

// lock begins a transaction that writes. It waits for the lock itself: SQLite would try ever more
// rarely, and miss the moments between the transactions of an import.
func (d *DB) lock(ctx context.Context, pool *sql.DB) (tx *sql.Tx, err error) {
	var stop func()
	defer func() {
		if stop != nil {
			stop()
		}
	}()
	err = whileBusy(ctx, d.options.Busy, func() (err error) {
		tx, err = pool.BeginTx(ctx, nil)
		if codeOf(err) == sqlite3.SQLITE_BUSY && stop == nil {
			stop = d.bell().Ring()
		}
		return err
	})
	return tx, err
}

// Fold writes the contents of the write-ahead log into the file, and syncs that. After a failed
// sync of the log, its contents may be in memory only, and a second sync would report success: so
// they have to be written again.
func (d *DB) Fold(ctx context.Context) error {
	return whileBusy(ctx, d.options.Busy, func() error { return d.checkpoint(ctx, d.Writer, "FULL") })
}

// checkpoint brings all of the write-ahead log into the file, unless others use it.
func (d *DB) checkpoint(ctx context.Context, db *sql.DB, mode string) error {
	var busy, frames, done int64
	err := db.QueryRowContext(ctx, "PRAGMA wal_checkpoint("+mode+")").Scan(&busy, &frames, &done)
	if err == nil && (busy != 0 || done < frames) {
		err = &disk.Problem{Path: d.options.Path, Kind: disk.ErrLocked, Advice: adviceLocked}
	}
	return err
}
