package sqlite

import (
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"docket/store/disk"
	"docket/store/engine"
)

type verdict struct {
	kind   error
	advice string
	// broken says that the outcome of a commit is unknown after this error.
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

// verdicts is indexed by result code, all but the first primary; others are not the file's fault.
var verdicts = map[int]verdict{
	sqlite3.SQLITE_IOERR_SHMSIZE: {kind: disk.ErrDiskFull, advice: adviceSpace, broken: true}, // -shm

	sqlite3.SQLITE_NOTADB: {kind: disk.ErrNotAStore, advice: "it is not an SQLite file; name another one"},
	// The statements of docket fail only on what it did not write.
	sqlite3.SQLITE_ERROR:    {kind: disk.ErrDamaged, advice: adviceDamaged},
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

// codeOf returns SQLite's result code, extended only if that has a verdict; 0 for other errors.
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

// Explain turns an error of SQLite into a Problem with the path, and adds doing to any other error.
func Explain(path, doing string, err error) error {
	if err == nil {
		return nil
	}
	if v, known := verdicts[codeOf(err)]; known {
		if v.kind == disk.ErrNoAccess && !disk.FolderWritable(path) {
			v.kind, v.advice = disk.ErrReadOnly, adviceWrite // SQLite says no more of a read-only medium
		}
		return &disk.Problem{Path: path, Kind: v.kind, Advice: v.advice, Cause: err}
	}
	return fmt.Errorf("%s: %s: %w", path, doing, err)
}

// broken reports whether the transaction may have been committed in spite of the error.
func broken(err error) bool { return engine.Doubtful(err) || verdicts[codeOf(err)].broken }
