package store

import (
	"context"
	"errors"
	"os"
	"time"
)

// A lockMode says whether others may hold the lock at the same time.
type lockMode uint8

const (
	shared lockMode = iota
	exclusive
)

// errHeld says that another open file has a lock that excludes the wanted one.
var errHeld = errors.New("another program keeps it locked")

// lockPause is how long to wait before a lock is tried again. It is held for the time of a few system calls.
const lockPause = time.Millisecond

// lockFile takes a lock that belongs to the open file and ends when it is closed, waiting for it up to a time.
func lockFile(ctx context.Context, file *os.File, mode lockMode, patience time.Duration) error {
	deadline := time.Now().Add(patience)
	for {
		err := tryLock(file, mode)
		if !errors.Is(err, errHeld) || time.Now().After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(lockPause):
		}
	}
}
