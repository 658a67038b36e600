//go:build !linux

package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// makeDurable syncs every file and folder below the folder.
func makeDurable(dir string) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && runtime.GOOS == "windows" {
			return err
		}
		mode := os.O_RDONLY
		if !entry.IsDir() {
			mode = os.O_RDWR
		}
		file, err := os.OpenFile(path, mode, 0)
		if err == nil {
			err = errors.Join(file.Sync(), file.Close())
		}
		if err != nil {
			return fmt.Errorf("make the export durable: %w", err)
		}
		return nil
	})
}
