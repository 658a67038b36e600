package store

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockedByte lies behind all content, because a locked range can be neither read nor written by others.
const lockedByte = 1 << 30

// tryLock takes the lock, or returns errHeld.
func tryLock(file *os.File, mode lockMode) error {
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if mode == exclusive {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err := windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, &windows.Overlapped{Offset: lockedByte})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return errHeld
	}
	return err
}
