package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"

	"docket/store/disk"
)

// A State says what a database holds.
type State uint8

// States.
const (
	Foreign State = iota // no store, and not to be touched
	Empty                // nothing yet; a store may be made in it
	Current              // a store of this version of the schema
	Older                // a store that an earlier docket made
	Newer                // a store that a later docket made
)

// StateOf returns the state of a store with a version of the schema; Foreign below the first.
func StateOf(version, current int64) State {
	switch {
	case version < 1:
		return Foreign
	case version < current:
		return Older
	case version > current:
		return Newer
	}
	return Current
}

// A Database holds one store. The caller ensures that it is not in use while Open or Close runs.
type Database interface {
	// Inspect says what the database holds, before it is opened, and changes nothing.
	Inspect(ctx context.Context) (State, error)
	// Create makes the schema and fills it, in one transaction, unless another process just did.
	Create(ctx context.Context, fill Work) (made bool, err error)

	Open(ctx context.Context) error
	Close() error
	// IsOpen reports whether the database can be read, Writes whether it can be written, and
	// Obstacle why one that was opened for writing can only be read; nil if it can be written.
	IsOpen() bool
	Writes() bool
	Obstacle() error
	// StopWriting leaves the database open for reading alone.
	StopWriting() error

	// View runs work in one snapshot. ctx ends it.
	View(ctx context.Context, work Work) error
	// Update runs work in the one transaction that may write, and commits it. It waits for the lock
	// as long as ctx allows; from then on the end of ctx does not stop it: work gets a context for
	// that, so that its outcome is known. After an error that is Broken the transaction may have
	// been committed.
	Update(ctx context.Context, work Work) error
	// UpdateOnce is Update of a database that takes no other writes because of its findings.
	UpdateOnce(ctx context.Context, work Work) error
	// Awaited reports whether another writer waits: long work then continues in a new transaction.
	Awaited() bool
	// Fold makes durable what was committed, after an error that left it in doubt.
	Fold(ctx context.Context) error

	// OpenReaders opens count more connections for reading. The caller closes them.
	OpenReaders(ctx context.Context, count int) (*Readers, error)
	// Erasing notes durably, in a transaction that is about to delete rows for good, that Scrub has
	// to follow: if it did not, the next Open for writing begins with it, unless others have the
	// database open. Unscrubbed reports whether it is still due.
	Erasing() error
	Unscrubbed() bool
	// Scrub removes all bytes of deleted rows.
	Scrub(ctx context.Context) error

	// Explain turns an error of the database into a *disk.Problem, and adds doing to any other.
	Explain(doing string, err error) error
	// Broken reports whether the connection cannot be trusted after the error, so that the outcome
	// of a commit is unknown.
	Broken(err error) bool
	// Passing reports whether the database ended the transaction in favour of another one, or with
	// its connection: if it was not committed, a second try may succeed.
	Passing(err error) bool
	// Schema is the version of the schema that this docket makes and reads.
	Schema() int
}

// A Copier is a database that can be copied as it lies on the disk.
type Copier interface {
	// Copy copies one snapshot of the database into the empty file target, without any file beside
	// it. look sees the snapshot first: its transaction keeps the rows of other writers out of the
	// copy. Errors of the target name it by name. progress is called with the parts done of the
	// total.
	Copy(ctx context.Context, target, name string, look Work, progress func(done, total int64)) error
}

// A Driver is what differs between the engines under a Base.
type Driver interface {
	// Connect opens at most size connections, for reading or for writing.
	Connect(ctx context.Context, writes bool, size int) (*sql.DB, error)
	// Begin begins a transaction. One that writes has the lock: ctx ends only the wait for it.
	Begin(ctx context.Context, pool *sql.DB, writes bool) (Running, error)
	// TryWrite takes the lock, sees whether anything can be written, and writes nothing.
	TryWrite(ctx context.Context) error
	Explain(doing string, err error) error
}

// A Running is a transaction that runs. The error of Commit is a CommitError unless nothing was
// committed. End rolls back what was not committed.
type Running interface {
	Work() Tx
	Commit() error
	End() error
}

// A Base is the part of a Database that does not differ: its connections, and how they run work.
type Base struct {
	Driver  Driver
	Version int     // of the schema
	Writer  *sql.DB // one connection; nil in a store that is only read
	Reader  *sql.DB // nil before Open and after Close
	Barred  error   // the Obstacle

	asking atomic.Int32 // callers of Update that hold the lock or wait for it
}

// IsOpen implements Database.
func (b *Base) IsOpen() bool { return b.Reader != nil }

// Writes implements Database.
func (b *Base) Writes() bool { return b.Writer != nil }

// Obstacle implements Database: the error says that CannotWrite.
func (b *Base) Obstacle() error { return b.Barred }

// StopWriting implements Database.
func (b *Base) StopWriting() error { return closed(&b.Writer) }

// Close implements Database: the writer last, because only it can remove SQLite's shared files.
func (b *Base) Close() error {
	return b.Driver.Explain("close the store", errors.Join(closed(&b.Reader), closed(&b.Writer)))
}

// Schema implements Database.
func (b *Base) Schema() int { return b.Version }

func closed(pool **sql.DB) (err error) {
	if *pool != nil {
		err = (*pool).Close()
		*pool = nil
	}
	return err
}

// OpenWriter opens the writing connection and takes the lock once. That nothing can be written is
// the obstacle and no error, unless the outcome of a transaction is in doubt.
func (b *Base) OpenWriter(ctx context.Context, doubt bool) (err error) {
	b.Barred = nil
	if b.Writer, err = b.Driver.Connect(ctx, true, 1); err == nil {
		err = b.Driver.TryWrite(ctx)
	}
	explained := b.Driver.Explain("open the store", err)
	if !CannotWrite(explained) || doubt {
		return err
	}
	b.Barred = explained
	_ = b.StopWriting() // an error of closing says nothing more
	return nil
}

// View implements Database.
func (b *Base) View(ctx context.Context, work Work) error { return b.run(ctx, b.Reader, false, work) }

// Update implements Database.
func (b *Base) Update(ctx context.Context, work Work) error {
	return b.run(ctx, b.Writer, true, work)
}

// UpdateOnce is Update through its own connection.
func (b *Base) UpdateOnce(ctx context.Context, work Work) error {
	pool, err := b.Driver.Connect(ctx, true, 1)
	if err != nil {
		return err
	}
	defer func() { _ = pool.Close() }() // what it did is committed, or is known not to be
	return b.run(ctx, pool, true, work)
}

func (b *Base) run(ctx context.Context, pool *sql.DB, writes bool, work Work) (err error) {
	if writes {
		b.asking.Add(1)
		defer b.asking.Add(-1)
	}
	t, err := b.Driver.Begin(ctx, pool, writes)
	if err != nil {
		return withEnd(ctx, err)
	}
	defer func() { err = errors.Join(err, t.End()) }()
	if writes {
		ctx = context.WithoutCancel(ctx)
	}
	if err := work(ctx, t.Work()); err != nil || !writes {
		return withEnd(ctx, err)
	}
	return t.Commit()
}

// withEnd adds to an error that ctx has ended, of which a server says little or nothing.
func withEnd(ctx context.Context, err error) error {
	if ended := context.Cause(ctx); ended != nil && err != nil && !errors.Is(err, ended) {
		return fmt.Errorf("%w: %w", ended, err)
	}
	return err
}

// Asked reports whether another caller of Update waits for the lock.
func (b *Base) Asked() bool { return b.asking.Load() > 1 }

// OpenReaders implements Database.
func (b *Base) OpenReaders(ctx context.Context, count int) (*Readers, error) {
	pool, err := b.Driver.Connect(ctx, false, count)
	return &Readers{pool, b}, err
}

// Readers are additional connections for reading.
type Readers struct {
	pool *sql.DB
	base *Base
}

// View is that of the Database, through them.
func (r *Readers) View(ctx context.Context, work Work) error {
	return r.base.run(ctx, r.pool, false, work)
}

// Close closes them.
func (r *Readers) Close() error { return r.pool.Close() }

// CannotWrite reports whether an error says that the store can be read here, and not written.
func CannotWrite(err error) bool {
	return errors.Is(err, disk.ErrReadOnly) || errors.Is(err, disk.ErrDiskFull)
}
