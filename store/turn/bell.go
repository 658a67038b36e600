package turn

import (
	"errors"
	"os"
	"time"

	"docket/store/disk"
)

// A Bell tells programs that write to the stores of a folder that another program waits to write. A
// program that finds the lock taken rings it; a program that wants to write again lets others in
// first while it rings. The bell is a lock on the folder, so that it stops with the program that
// rings it. Where a folder cannot be locked, as on Windows, it does nothing.
type Bell struct{ Folder string }

// Pause is how long a program waits to let in those that ring. Look is how long these wait between
// two tries of the lock.
const (
	Pause = 4 * time.Millisecond
	Look  = time.Millisecond
)

// Ring rings the bell until stop is called. It returns nil if a program tests the bell at that
// moment: ring again.
func (b Bell) Ring() (stop func()) {
	file, err := os.Open(b.Folder)
	if err != nil {
		return func() {}
	}
	if err := disk.TryLock(file, disk.Shared); err != nil {
		_ = file.Close() // it was only opened
		if errors.Is(err, disk.ErrHeld) {
			return nil
		}
		return func() {}
	}
	return func() { _ = file.Close() } // which gives the lock up
}

// Rings reports whether another program waits.
func (b Bell) Rings() bool {
	file, err := os.Open(b.Folder)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }() // which gives the lock up
	return errors.Is(disk.TryLock(file, disk.Exclusive), disk.ErrHeld)
}
