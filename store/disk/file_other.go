//go:build !unix

package disk

import (
	"errors"
	"io/fs"
	"syscall"
)

// The codes of Windows for a disk and for a volume without room.
const (
	errorHandleDiskFull = syscall.Errno(39)
	errorDiskFull       = syscall.Errno(112)
)

// isFull reports whether the file system has no room left.
func isFull(err error) bool {
	return errors.Is(err, errorHandleDiskFull) || errors.Is(err, errorDiskFull)
}

// ModeMask keeps nothing: modes on Windows do not say who may do what.
const ModeMask fs.FileMode = 0

// Nonblocking is 0: there are no FIFOs among files here.
const Nonblocking = 0

// FolderWritable reports whether files can be made beside the path. Here only an attempt would show that.
func FolderWritable(string) bool { return true }
