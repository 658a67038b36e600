package engine

import (
	"context"
	"database/sql"
	"errors"

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

// A Database holds one store. The caller ensures that it is not in use while Open or Close runs.
type Database interface {
	// Inspect says what the database holds, before it is opened, and changes nothing.
	Inspect(ctx context.Context) (State, error)
	// Create makes the schema and fills it, in one transaction, unless another process just did.
	Create(ctx context.Context, fill Work) (made bool, err error)

	Open(ctx context.Context) error
	Close() error
	// IsOpen reports whether the database can be read, Writes whether it can be written, and Obstacle why one that was opened for writing can
	// only be read; nil if it can be written.
	IsOpen() bool
	Writes() bool
	Obstacle() error
	// StopWriting leaves the database open for reading alone.
	StopWriting() error

	// View runs work in one snapshot. ctx ends it.
	View(ctx context.Context, work Work) error
	// Update runs work in the one transaction that may write, and commits it. It waits for the lock as long as ctx
	// allows; from then on the end of ctx does not stop it: work gets a context for that, so that its outcome is known.
	// After an error that is Broken the transaction may have been committed.
	Update(ctx context.Context, work Work) error
	// UpdateOnce is Update of a database that takes no other writes because of its findings.
	UpdateOnce(ctx context.Context, work Work) error
	// Awaited reports whether another writer waits: long work then ends its transaction and continues in a new one.
	Awaited() bool
	// Fold makes durable what was committed, after an error that left it in doubt.
	Fold(ctx context.Context) error

	// OpenReaders opens count more connections for reading. The caller closes them.
	OpenReaders(ctx context.Context, count int) (Readers, error)
	// Erasing notes durably, in a transaction that is about to delete rows for good, that Scrub has to follow: if it
	// did not, the next Open for writing begins with it, unless others have the database open. Unscrubbed reports
	// whether it is still due.
	Erasing() error
	Unscrubbed() bool
	// Scrub removes all bytes of deleted rows.
	Scrub(ctx context.Context) error

	// Explain turns an error of the database into a *disk.Problem; any other error is returned with the operation.
	Explain(doing string, err error) error
	// Broken reports whether the connection cannot be trusted after the error, so that the outcome of a commit is unknown.
	Broken(err error) bool
	// Passing reports whether the database ended the transaction in favour of another one, or with its connection: if
	// it was not committed, a second try may succeed.
	Passing(err error) bool
	// Schema is the version of the schema that this docket makes and reads.
	Schema() int
}

// A Copier is a database that can be copied as it lies on the disk.
type Copier interface {
	// Copy copies one snapshot of the database into the empty file target, without any file beside it. look sees the
	// snapshot first: its transaction keeps the rows of other writers out of the copy. Errors of the target name it by
	// name. progress is called with the parts done of the total.
	Copy(ctx context.Context, target, name string, look Work, progress func(done, total int64)) error
}

// Readers are additional connections for reading.
type Readers interface {
	View(ctx context.Context, work Work) error
	Close() error
}

// Pools are the connections of a Database. Writer has one.
type Pools struct {
	Writer *sql.DB // nil in a store that is only read
	Reader *sql.DB // nil before Open and after Close
	Barred error   // the Obstacle
}

// IsOpen implements Database.
func (p *Pools) IsOpen() bool { return p.Reader != nil }

// Writes implements Database.
func (p *Pools) Writes() bool { return p.Writer != nil }

// Obstacle implements Database: the error says that CannotWrite.
func (p *Pools) Obstacle() error { return p.Barred }

// StopWriting implements Database.
func (p *Pools) StopWriting() error { return closed(&p.Writer) }

// StopReading is StopWriting for the other pool.
func (p *Pools) StopReading() error { return closed(&p.Reader) }

func closed(pool **sql.DB) (err error) {
	if *pool != nil {
		err = (*pool).Close()
		*pool = nil
	}
	return err
}

// CannotWrite reports whether an error says that nothing can be written here. The store can still be
// read.
func CannotWrite(err error) bool {
	return errors.Is(err, disk.ErrReadOnly) || errors.Is(err, disk.ErrDiskFull)
}

// A ReaderPool is Readers over a pool, in which Work is run by Run.
type ReaderPool struct {
	*sql.DB
	Run func(ctx context.Context, pool *sql.DB, work Work) error
}

// View implements Readers.
func (r ReaderPool) View(ctx context.Context, work Work) error { return r.Run(ctx, r.DB, work) }
