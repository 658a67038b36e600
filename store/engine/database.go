package engine

import "context"

// A State is what a database was found to hold.
type State uint8

// States.
const (
	Foreign State = iota // no store, and not to be touched
	Empty                // nothing yet; a store may be made in it
	Current              // a store of this version of the schema
	Older                // a store that an earlier docket made
	Newer                // a store that a later docket made
)

// A Database holds one store. The caller sees to it that nothing uses it while Open or Close runs.
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
	// Update runs work in the one transaction that may write, and commits it. It waits for the lock as long as ctx allows, and then forgets that
	// ctx can end: work gets a context for that, so that its outcome is known. After an error that is Broken what was written may have
	// been committed.
	Update(ctx context.Context, work Work) error
	// UpdateOnce is Update of a database that is kept from writing because of what was found in it.
	UpdateOnce(ctx context.Context, work Work) error
	// Awaited reports whether somebody waits to write: work that goes on for long ends its transaction then, and goes on in another one.
	Awaited() bool
	// Fold makes durable what was committed, after an error that left it in doubt.
	Fold(ctx context.Context) error

	// OpenReaders opens so many more connections that read as the others do. The caller closes them.
	OpenReaders(ctx context.Context, count int) (Readers, error)
	// Erasing notes durably, in a transaction that is about to delete rows for good, that Scrub has to follow: where it did not, the next
	// Open for writing begins with it, unless others have the database open. Unscrubbed reports whether it is still to come.
	Erasing() error
	Unscrubbed() bool
	// Scrub sees to it that no byte of a deleted row is left.
	Scrub(ctx context.Context) error

	// Explain turns an error of the database into a *disk.Problem; any other error is returned with what was being done.
	Explain(doing string, err error) error
	// Broken reports whether after the error the connection is not to be trusted, nor what it says of a commit.
	Broken(err error) bool
	// Passing reports whether the transaction was ended for another one, or with its connection: where nothing came of it, doing it again may
	// succeed.
	Passing(err error) bool
	// Schema is the version of the schema that this docket makes and reads.
	Schema() int
}

// A Copier is a database that can be copied as it lies on the disk.
type Copier interface {
	// Copy copies one snapshot of the database into the empty file target, without any file beside it. look sees the snapshot first: its
	// transaction keeps what others write out of the copy. Errors of the target call it by the name. progress is told parts of the whole.
	Copy(ctx context.Context, target, name string, look Work, progress func(done, total int64)) error
}

// Readers are more connections that read.
type Readers interface {
	View(ctx context.Context, work Work) error
	Close() error
}
