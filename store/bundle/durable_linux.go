package bundle

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// makeDurable syncs the whole file system: an fsync for each of millions of files would take hours.
func makeDurable(dir string) error {
	folder, err := os.Open(dir)
	if err == nil {
		err = errors.Join(unix.Syncfs(int(folder.Fd())), folder.Close())
	}
	if err != nil {
		err = fmt.Errorf("make the export durable: %w", err)
	}
	return err
}
