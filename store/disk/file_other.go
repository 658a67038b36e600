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

func isFull(err error) bool {
	return errors.Is(err, errorHandleDiskFull) || errors.Is(err, errorDiskFull)
}

// ModeMask keeps nothing: modes on Windows do not say who may do what.
const ModeMask fs.FileMode = 0

// Nonblocking is 0: there are no FIFOs among files here.
const Nonblocking = 0

// FolderWritable returns true: here only making a file would show whether that is possible.
func FolderWritable(string) bool { return true }
