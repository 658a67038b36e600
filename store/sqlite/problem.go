package sqlite

import (
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"docket/store/disk"
	"docket/store/engine"
)

// A verdict is the meaning of a result code of SQLite for the store.
type verdict struct {
	kind   error
	advice string
	// broken says that the connection cannot be trusted after this error, so that the outcome of a commit is unknown.
	broken bool
}

// The next steps after errors of SQLite.
const (
	adviceDamaged = "keep a copy of it, then restore a backup"

	adviceLocked = "wait for the other program or close it, then try again"
	adviceWrite  = "make the file and its folder writable for you, or only read it"
	adviceSpace  = "free some space, then do it again; nothing that was acknowledged is lost"
	adviceDisk   = "check the disk, then do it again; nothing that was acknowledged is lost"
)

// verdicts is indexed by result code; all but the first are primary ones. Other codes are not the file's fault.
var verdicts = map[int]verdict{
	sqlite3.SQLITE_IOERR_SHMSIZE: {kind: disk.ErrDiskFull, advice: adviceSpace, broken: true}, // no room for the -shm file

	sqlite3.SQLITE_NOTADB:   {kind: disk.ErrNotAStore, advice: "it is not an SQLite file; name another one"},
	sqlite3.SQLITE_ERROR:    {kind: disk.ErrDamaged, advice: adviceDamaged}, // docket's own statements fail only on what it did not write
	sqlite3.SQLITE_CORRUPT:  {kind: disk.ErrDamaged, advice: adviceDamaged, broken: true},
	sqlite3.SQLITE_BUSY:     {kind: disk.ErrLocked, advice: adviceLocked},
	sqlite3.SQLITE_LOCKED:   {kind: disk.ErrLocked, advice: adviceLocked},
	sqlite3.SQLITE_PROTOCOL: {kind: disk.ErrLocked, advice: adviceLocked},
	sqlite3.SQLITE_READONLY: {kind: disk.ErrReadOnly, advice: adviceWrite},
	sqlite3.SQLITE_PERM:     {kind: disk.ErrReadOnly, advice: adviceWrite},
	sqlite3.SQLITE_FULL:     {kind: disk.ErrDiskFull, advice: adviceSpace, broken: true},
	sqlite3.SQLITE_IOERR:    {kind: disk.ErrDevice, advice: adviceDisk, broken: true},
	sqlite3.SQLITE_CANTOPEN: {kind: disk.ErrNoAccess, advice: "check that the file and its folder are yours to read and write"},
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

// Explain turns an error of SQLite into a Problem with the store's path; any other error is returned with the
// operation.
func Explain(path, doing string, err error) error {
	if err == nil {
		return nil
	}
	if v, known := verdicts[codeOf(err)]; known {
		if v.kind == disk.ErrNoAccess && !disk.FolderWritable(path) {
			v.kind, v.advice = disk.ErrReadOnly, adviceWrite // on a medium that can only be read, SQLite says no more than that
		}
		return &disk.Problem{Path: path, Kind: v.kind, Advice: v.advice, Cause: err}
	}
	return fmt.Errorf("%s: %s: %w", path, doing, err)
}

// broken reports whether the connection cannot be trusted after the error: the transaction may have been committed in
// spite of it.
func broken(err error) bool { return engine.Doubtful(err) || verdicts[codeOf(err)].broken }
