package disk

import (
	"errors"
	"os"
	"syscall"
)

// SyncContent syncs a file's content and the metadata that reading it needs. Unlike fsync it does
// not write the time of the change, which would also write the journal of the file system.
func SyncContent(file *os.File) error {
	for {
		err := syscall.Fdatasync(int(file.Fd()))
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		return os.NewSyscallError("fdatasync", err)
	}
}
