package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// The permissions of what is created: a docket is its reviewer's own.
const (
	folderMode = 0o700
	fileMode   = 0o600
)

// locate makes the path absolute and looks at what is there, without opening it. It tells whether the file exists.
func locate(path string) (absolute string, exists bool, err error) {
	if path == "" || strings.ContainsRune(path, 0) {
		return "", false, &Problem{Path: "the store", Kind: ErrNoAccess, Advice: "name a file with --db"}
	}
	absolute, err = filepath.Abs(path)
	if err != nil {
		return "", false, noAccess(path, err)
	}
	info, err := os.Stat(absolute)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return absolute, false, nil
	case err != nil:
		return "", false, noAccess(absolute, err)
	case info.IsDir():
		return "", false, &Problem{Path: absolute, Kind: ErrNotAStore,
			Advice: "it is a folder; name a file in it with --db"}
	case !info.Mode().IsRegular():
		return "", false, &Problem{Path: absolute, Kind: ErrNotAStore,
			Advice: "it is no regular file; name another one with --db"}
	}
	return absolute, true, nil
}

// create makes the folders and an empty file, readable for nobody else, and sees to it that both outlast a crash. A
// file that another process has created in the meantime is as good.
func create(path string) error {
	folder := filepath.Dir(path)
	missing := missingFolders(folder)
	if err := os.MkdirAll(folder, folderMode); err != nil {
		return noAccess(path, err)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, fileMode)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return noAccess(path, err)
	}
	if err := file.Close(); err != nil {
		return noAccess(path, err)
	}
	for _, made := range append(missing, folder) {
		if err := syncFolder(made); err != nil {
			return noAccess(path, err)
		}
	}
	return nil
}

// discard takes away what create made, where no store came of it.
func discard(path string) error {
	var failed []error
	for _, suffix := range []string{"", "-journal", "-wal", "-shm"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// missingFolders lists the folders that hold an entry which MkdirAll is going to make, the deepest first.
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

// syncFolder makes a new name in a folder durable. Windows has no such call, and needs none.
func syncFolder(folder string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	handle, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(handle.Sync(), handle.Close())
}

// noAccess wraps an error of the file system.
func noAccess(path string, err error) error {
	kind, advice := ErrNoAccess, "check that the file and its folder are yours to read and write"
	switch {
	case errors.Is(err, fs.ErrPermission):
		kind, advice = ErrReadOnly, "make the folder writable for you, or name another file with --db"
	case isDiskFull(err):
		kind, advice = ErrDiskFull, "free some space, then do it again"
	}
	return &Problem{Path: path, Kind: kind, Advice: advice, cause: err}
}
