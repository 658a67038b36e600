package store

import (
	"errors"

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
