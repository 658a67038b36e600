package bundle

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// makeDurable syncs everything below the folder. It syncs the whole file system, because an fsync for each of millions
// of files would take hours.
func makeDurable(dir string) error {
	folder, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("make the export durable: %w", err)
	}
	if err := errors.Join(unix.Syncfs(int(folder.Fd())), folder.Close()); err != nil {
		return fmt.Errorf("make the export durable: %w", err)
	}
	return nil
}

// exchange swaps two folders atomically, if the file system can.
func exchange(finished, old string) error {
	err := unix.Renameat2(unix.AT_FDCWD, finished, unix.AT_FDCWD, old, unix.RENAME_EXCHANGE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) {
		return swapByName(finished, old)
	}
	return err
}
