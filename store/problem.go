package store

import (
	"errors"
	"fmt"

	"docket/store/disk"
	"docket/store/merkle"
)

// A Problem is an error of the store's file or its surroundings, with the path and what to do. It unwraps to one of the errors
// below.
type Problem = disk.Problem

// The kinds of Problem.
var (
	ErrNoStore        = disk.ErrNoStore
	ErrNotAStore      = disk.ErrNotAStore
	ErrNewer          = disk.ErrNewer
	ErrOlder          = disk.ErrOlder
	ErrAltered        = disk.ErrAltered
	ErrDamaged        = disk.ErrDamaged
	ErrReadOnly       = disk.ErrReadOnly
	ErrLocked         = disk.ErrLocked
	ErrDiskFull       = disk.ErrDiskFull
	ErrDevice         = disk.ErrDevice
	ErrNoAccess       = disk.ErrNoAccess
	ErrExists         = disk.ErrExists
	ErrKind           = disk.ErrKind
	ErrNoAnchor       = disk.ErrNoAnchor
	ErrAnchorLocked   = disk.ErrAnchorLocked
	ErrReplaced       = disk.ErrReplaced
	ErrTampered       = disk.ErrTampered
	ErrUnknownOutcome = disk.ErrUnknownOutcome
)

// ErrNoKey says that the store's key file is missing or is not its own, so that nothing can be recorded. It is the Kind of a Problem.
var ErrNoKey = merkle.ErrNoKey

// ErrForked says that the log does not extend what was seen of it before.
var ErrForked = errors.New("the log does not extend what was seen of it before")

// ErrNotFound says that the store does not hold what was asked for.
var ErrNotFound = errors.New("not found in the store")

// ErrClosed says that the store was closed.
var ErrClosed = errors.New("the store is closed")

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
