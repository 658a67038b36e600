//go:build unix

package disk

import (
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"
)

// isFull reports whether the file system has no room left, for all users or for this one.
func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// ModeMask keeps the bits of a file's mode that say who may do what.
const ModeMask fs.FileMode = 0o777

// Nonblocking keeps the opening of a FIFO from waiting for its other end, and does nothing else.
const Nonblocking = syscall.O_NONBLOCK

// FolderWritable reports whether files can be made beside the path.
func FolderWritable(path string) bool {
	const write = 2
	return syscall.Access(filepath.Dir(path), write) == nil
}
