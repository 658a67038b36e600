// Package disk keeps files of a store on this machine: it finds them, makes new ones that only
// their owner can read, opens only regular files, locks open files against other processes, and
// syncs content and names. An error of a file or its surroundings is a Problem, with the path and
// the next step.
//
// Code that differs between systems is in the files with a system's name. Start at CreateFile in
// file.go and Lock in lock.go.
package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// The permissions of new files and folders: only the reviewer may use them.
const (
	FolderMode = 0o700
	FileMode   = 0o600
)

// Locate makes the path absolute and looks at what is there, without opening it. exists reports
// whether there is a file. An address, with ://, is an error.
func Locate(path string) (absolute string, exists bool, err error) {
	if path == "" || strings.ContainsRune(path, 0) {
		return "", false, &Problem{Path: "the store", Kind: ErrNoAccess, Advice: "name a file"}
	}
	// What follows the scheme may be secret.
	if scheme, _, is := strings.Cut(path, "://"); is && !strings.ContainsRune(scheme, filepath.Separator) {
		return "", false, &Problem{Path: scheme + "://", Kind: ErrNoAccess, Advice: "it is an address; name a file"}
	}
	absolute, err = filepath.Abs(path)
	if err != nil {
		return "", false, FileError(path, err)
	}
	info, err := os.Stat(absolute)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return absolute, false, nil
	case err != nil:
		return "", false, FileError(absolute, err)
	case info.IsDir():
		return "", false, &Problem{Path: absolute, Kind: ErrNotAStore,
			Advice: "it is a folder; name a file in it"}
	case !info.Mode().IsRegular():
		return "", false, &Problem{Path: absolute, Kind: ErrNotAStore,
			Advice: "it is not a regular file; name another one"}
	}
	return absolute, true, nil
}

// AtHome expands a path that begins with "~/". One that begins with another "~" and has a folder is
// an error: no shell has expanded it.
func AtHome(path string) (string, error) {
	name, rest, below := strings.Cut(path, "/")
	if !strings.HasPrefix(path, "~") || !below && path != "~" {
		return path, nil
	}
	home, err := os.UserHomeDir()
	switch {
	case name != "~":
		return "", errors.New("a path that begins with ~NAME is not expanded; write the folder out, or ./~NAME for a folder of that name")
	case err != nil:
		return "", errors.New("a path that begins with ~/ needs a home folder; write the folder out")
	}
	return filepath.Join(home, rest), nil
}

// CreateFile makes the folders and an empty file, readable for its owner only, and syncs both. A
// file that another process created meanwhile is accepted.
func CreateFile(path string) error {
	durable, err := MakeFolder(filepath.Dir(path))
	if err != nil {
		return FileError(path, err)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, FileMode)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return FileError(path, err)
	}
	if err := file.Close(); err != nil {
		return FileError(path, err)
	}
	if err := durable(); err != nil {
		return FileError(path, err)
	}
	return nil
}

// Discard removes the files of a store that could not be made.
func Discard(path string) error {
	var failed []error
	for _, suffix := range []string{"", "-journal", "-wal", "-shm"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// Replace replaces the file at the path, readable for its owner only: a reader finds either the old
// or the new file, whole, even after a loss of power.
func Replace(path string, content []byte) error {
	folder := filepath.Dir(path)
	durable, err := MakeFolder(folder)
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(folder, ".docket-*")
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return durable()
}

// MakeFolder makes a folder, with those above it that are missing. durable makes the new names
// durable; it is called once the file in the folder is made.
func MakeFolder(folder string) (durable func() error, err error) {
	holders := append(missingFolders(folder), folder)
	if err := os.MkdirAll(folder, FolderMode); err != nil {
		return nil, err
	}
	return func() error {
		for _, holder := range holders {
			if err := SyncFolder(holder); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// missingFolders lists the folders in which MkdirAll is going to make an entry, the deepest first.
func missingFolders(folder string) []string {
	var holders []string
	for {
		if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) || folder == filepath.Dir(folder) {
			return holders
		}
		folder = filepath.Dir(folder)
		holders = append(holders, folder)
	}
}

// SyncFolder makes a new name in a folder durable. Windows has no such call and needs none.
func SyncFolder(folder string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	handle, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(handle.Sync(), handle.Close())
}

// FileError wraps an error of the file system in a Problem with the path and the next step.
func FileError(path string, err error) error {
	kind, advice := ErrNoAccess, "check that the file and its folder are yours to read and write"
	switch {
	case errors.Is(err, fs.ErrPermission):
		kind, advice = ErrReadOnly, "make the folder writable for you, or name another file"
	case isFull(err):
		kind, advice = ErrDiskFull, "free some space, then do it again"
	}
	return &Problem{Path: path, Kind: kind, Advice: advice, Cause: err}
}

var errIrregular = errors.New("it is no regular file")

// OpenRegular opens a regular file and nothing else, and never waits, as opening a FIFO does.
func OpenRegular(path string, flag int) (*os.File, error) {
	file, err := os.OpenFile(path, flag|Nonblocking, 0)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errIrregular
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// ReadRegular reads a regular file of at most bound bytes.
func ReadRegular(path string, bound int64) (content []byte, err error) {
	file, err := OpenRegular(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if content, err = io.ReadAll(io.LimitReader(file, bound+1)); err != nil {
		return nil, err
	}
	if int64(len(content)) > bound {
		return nil, fmt.Errorf("it has more than %d bytes", bound)
	}
	return content, nil
}

// SyncFile syncs the content of a file whose size does not change.
func SyncFile(path string) error {
	file, err := OpenRegular(path, os.O_RDWR)
	if err != nil {
		return err
	}
	return errors.Join(SyncContent(file), file.Close())
}

// WriteNew writes a new file that only its owner may read, and leaves nothing after an error, which
// wraps fs.ErrExist if there is a file already.
func WriteNew(path string, content []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, FileMode)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// Reason returns the reason of a file error, without the paths.
func Reason(err error) error {
	var failed *fs.PathError
	if errors.As(err, &failed) {
		return failed.Err
	}
	var moved *os.LinkError
	if errors.As(err, &moved) {
		return moved.Err
	}
	return err
}

// A Volume is the file system that a file lies on.
type Volume struct {
	Known    bool   // the rest was found out
	Name     string // such as ext4, or its number where it has no name here
	Network  bool   // of another machine or a program: locks may not hold there
	ReadOnly bool
	Free     int64 // bytes
}
