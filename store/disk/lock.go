package disk

import (
	"context"
	"errors"
	"os"
	"time"
)

// A LockMode says whether others may hold the lock at the same time.
type LockMode uint8

const (
	Shared LockMode = iota
	Exclusive
)

// ErrHeld says that a lock of another open file excludes the wanted one.
var ErrHeld = errors.New("another program keeps it locked")

// lockPause is how long to wait between tries of a lock, which is held for a few system calls.
const lockPause = time.Millisecond

// Lock takes a lock that ends when the open file is closed, and waits up to patience for it.
func Lock(ctx context.Context, file *os.File, mode LockMode, patience time.Duration) error {
	deadline := time.Now().Add(patience)
	for {
		err := TryLock(file, mode)
		if !errors.Is(err, ErrHeld) || time.Now().After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(lockPause):
		}
	}
}
