package store

import (
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// What may be wrong with a store. Each is wrapped in a *Problem with the path and what to do about it.
var (
	ErrNoStore   = errors.New("there is no store")
	ErrNotAStore = errors.New("not a docket store")
	ErrNewer     = errors.New("the store was written by a newer version of docket")
	ErrOlder     = errors.New("the store was made by a docket before the first release")
	ErrAltered   = errors.New("the tables of the store were altered")
	ErrDamaged   = errors.New("the store is damaged")
	ErrReadOnly  = errors.New("the store can only be read")
	ErrLocked    = errors.New("the store is locked by another process")
	ErrDiskFull  = errors.New("the disk is full")
	ErrDevice    = errors.New("the disk failed")
	ErrNoAccess  = errors.New("the store cannot be opened")
	ErrExists    = errors.New("there is a file of that name already")
	ErrKind      = errors.New("the store is of another kind")
	// ErrNoAnchor says that the newest checkpoint cannot be kept outside the store that is being made.
	ErrNoAnchor = errors.New("the checkpoint outside the store cannot be made")
	// ErrAnchorLocked says that nothing can be recorded until another program gives up the anchor.
	ErrAnchorLocked = errors.New("another program keeps the checkpoint outside the store locked")
	// ErrReplaced says that the open file is no longer the one at the store's path.
	ErrReplaced = errors.New("the store's file was removed or replaced while it was open")
	// ErrForked says that the log does not extend what was seen of it before.
	ErrForked = errors.New("the log does not extend what was seen of it before")
	// ErrTampered says that the store has findings and therefore takes nothing.
	ErrTampered = errors.New("the store is not what it was, and takes no record")
	// ErrUnknownOutcome says that a record may or may not have been written, and that looking it up failed too.
	ErrUnknownOutcome = errors.New("it is not known whether the record was written")
)

// ErrNotFound says that the store does not hold what was asked for.
var ErrNotFound = errors.New("not found in the store")

// ErrClosed says that the store was closed.
var ErrClosed = errors.New("the store is closed")

// A Problem is an error of the store's file or its surroundings. It unwraps to one of the errors above.
type Problem struct {
	Path   string // of the store's file
	Kind   error  // one of the errors above
	Advice string // what to do, a clause without a full stop
	cause  error
}

// Error says which store, what is wrong with it and what to do.
func (p *Problem) Error() string {
	return fmt.Sprintf("%s: %v; %s", p.Path, p.Kind, p.Advice)
}

// Unwrap returns the kind and, where there is one, what SQLite or the system said.
func (p *Problem) Unwrap() []error {
	if p.cause == nil {
		return []error{p.Kind}
	}
	return []error{p.Kind, p.cause}
}

// StopsRecording tells whether nothing can be recorded any more until the store is opened again.
func (p *Problem) StopsRecording() bool { return p.Kind == ErrTampered || p.Kind == ErrReplaced }

// An AnchorError says that the newest checkpoint of the log could not be kept outside the store. The log itself is
// not touched by that: what was appended is in it, and durable.
type AnchorError struct{ cause error }

// Error says that nothing is lost, and what to do.
func (e *AnchorError) Error() string {
	return fmt.Sprintf("what was recorded is in the log, but its checkpoint could not be kept outside the store: %v; "+
		"see to it that it can be written, and the next record brings it up to date", e.cause)
}

// Unwrap returns what the system said.
func (e *AnchorError) Unwrap() error { return e.cause }

// A verdict is what a result code of SQLite means for whoever uses the store.
type verdict struct {
	kind   error
	advice string
	// broken says that after this error the connection is not to be trusted, nor what it says of a commit.
	broken bool
}

// What to do about the errors of SQLite.
const (
	adviceLocked = "wait for the other program or close it, then try again"
	adviceWrite  = "make the file and its folder writable for you, or only read it"
	adviceSpace  = "free some space, then do it again; nothing that was acknowledged is lost"
	adviceDisk   = "check the disk, then do it again; nothing that was acknowledged is lost"
)

// verdicts is indexed by result code, primary but for the first. A code that is not here is not the file's fault.
var verdicts = map[int]verdict{
	sqlite3.SQLITE_IOERR_SHMSIZE: {kind: ErrDiskFull, advice: adviceSpace, broken: true}, // no room for the -shm file

	sqlite3.SQLITE_NOTADB:   {kind: ErrNotAStore, advice: "it is no SQLite file; name another one with --db"},
	sqlite3.SQLITE_CORRUPT:  {kind: ErrDamaged, advice: "keep a copy of it, then restore a backup", broken: true},
	sqlite3.SQLITE_BUSY:     {kind: ErrLocked, advice: adviceLocked},
	sqlite3.SQLITE_LOCKED:   {kind: ErrLocked, advice: adviceLocked},
	sqlite3.SQLITE_PROTOCOL: {kind: ErrLocked, advice: adviceLocked},
	sqlite3.SQLITE_READONLY: {kind: ErrReadOnly, advice: adviceWrite},
	sqlite3.SQLITE_PERM:     {kind: ErrReadOnly, advice: adviceWrite},
	sqlite3.SQLITE_FULL:     {kind: ErrDiskFull, advice: adviceSpace, broken: true},
	sqlite3.SQLITE_IOERR:    {kind: ErrDevice, advice: adviceDisk, broken: true},
	sqlite3.SQLITE_CANTOPEN: {kind: ErrNoAccess, advice: "check that the file and its folder are yours to read and write"},
}

// codeOf returns SQLite's result code, the primary one unless there is a verdict on the extended one; 0 if the error is
// not SQLite's.
func codeOf(err error) int {
	var failed *sqlite.Error
	if !errors.As(err, &failed) {
		return 0
	}
	if _, known := verdicts[failed.Code()]; known {
		return failed.Code()
	}
	return failed.Code() & 0xff
}

// explain turns an error of SQLite into a Problem with the store's path; any other error is returned with what was
// being done.
func explain(path, doing string, err error) error {
	if err == nil {
		return nil
	}
	if v, known := verdicts[codeOf(err)]; known {
		if v.kind == ErrNoAccess && !folderWritable(path) {
			v.kind, v.advice = ErrReadOnly, adviceWrite // on a medium that can only be read, SQLite says no more than that
		}
		return &Problem{Path: path, Kind: v.kind, Advice: v.advice, cause: err}
	}
	return fmt.Errorf("%s: %s: %w", path, doing, err)
}
