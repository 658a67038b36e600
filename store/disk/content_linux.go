package disk

import (
	"errors"
	"os"
	"syscall"
)

// SyncContent brings what was written to a file to the disk, and all that it takes to read it again. Unlike an fsync it
// leaves the time of the change to be written some other time: that would take the journal of the file system along.
func SyncContent(file *os.File) error {
	for {
		err := syscall.Fdatasync(int(file.Fd()))
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		return os.NewSyscallError("fdatasync", err)
	}
}
