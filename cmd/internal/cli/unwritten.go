package cli

import (
	"errors"
	"io/fs"
	"syscall"
)

// reasonsNotToWrite are what a system says when something new cannot be written, with what to do about it.
var reasonsNotToWrite = []struct {
	said   error
	advice string
}{
	{syscall.ENOSPC, "the disk is full; free some space, then do it again"},
	{syscall.EDQUOT, "your share of the disk is used up; free some space, then do it again"},
	{syscall.EFBIG, "a file may not get that large here; see `ulimit -f`, or name a place elsewhere"},
	{syscall.EROFS, "the medium can only be read; name a place on a disk that can be written"},
	{fs.ErrPermission, "the folder that it would lie in cannot be written by you; make it writable for you, or name another one"},
	{fs.ErrNotExist, "the folder that it would lie in is not there; make it, or name another one"},
}

// unwritten says what to do about an output that could not be written, and of which nothing is left. An error that is
// not of that kind stays as it is.
func unwritten(what string, err error) error {
	for _, reason := range reasonsNotToWrite {
		if errors.Is(err, reason.said) {
			return &explained{what + ": " + reason.advice, err}
		}
	}
	return err
}

// An explained error is one in other words.
type explained struct {
	words string
	cause error
}

func (e *explained) Error() string { return e.words }
func (e *explained) Unwrap() error { return e.cause }
