package disk

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockedByte lies behind all content, because others can neither read nor write a locked range.
const lockedByte = 1 << 30

// TryLock takes the lock, or returns ErrHeld.
func TryLock(file *os.File, mode LockMode) error {
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if mode == Exclusive {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err := windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, &windows.Overlapped{Offset: lockedByte})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrHeld
	}
	return err
}
