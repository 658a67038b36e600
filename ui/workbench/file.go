package workbench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"docket/domain/visible"
	"docket/store/disk"
)

// WriteStatement writes a statement to a file, readable for its owner only. A path that begins with
// "~/" is relative to the home folder. An existing file is replaced if replace is set; otherwise
// the error wraps fs.ErrExist and the file stays as it is.
func (d *Workbench) WriteStatement(_ context.Context, path, text string, replace bool) error {
	path, err := disk.AtHome(path)
	if err != nil {
		return err
	}
	if !replace {
		return WriteNew(path, text)
	}
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no regular file and stays as it is; name another file", visible.String(path))
	}
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return Unwritten(fmt.Sprintf("nothing was written to %s", path), err)
	}
	return Unwritten(fmt.Sprintf("nothing was written to %s", path), disk.Replace(path, []byte(text)))
}

// WriteNew writes a new file, readable for its owner only, and removes it if it cannot be written.
// The error wraps fs.ErrExist if the path exists.
func WriteNew(path, text string) error {
	err := disk.WriteNew(path, []byte(text))
	if errors.Is(err, fs.ErrExist) {
		return &explained{fmt.Sprintf("%s is there already; name another file", visible.String(path)), err}
	}
	return Unwritten(fmt.Sprintf("nothing was written to %s", path), err)
}

var writeAdvice = []struct {
	said   error
	advice string
}{
	{syscall.ENOSPC, "the disk is full; free some space, then try again"},
	{syscall.EDQUOT, "your disk quota is used up; free some space, then try again"},
	{syscall.EFBIG, "the file would exceed the size limit; see `ulimit -f`, or name another place"},
	{syscall.EROFS, "the file system is read-only; name a place on one that can be written"},
	{fs.ErrPermission, "you may not write there; make the folder writable for you, or name another one"},
	{fs.ErrNotExist, "its folder does not exist; create the folder, or name another one"},
}

// Unwritten adds advice to the error of an output that could not be written and was removed. It
// returns other errors unchanged.
func Unwritten(what string, err error) error {
	for _, reason := range writeAdvice {
		if errors.Is(err, reason.said) {
			return &explained{what + ": " + reason.advice, err}
		}
	}
	return err
}

type explained struct {
	words string
	cause error
}

func (e *explained) Error() string { return e.words }
func (e *explained) Unwrap() error { return e.cause }
