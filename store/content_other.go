//go:build !linux

package store

import "os"

// syncContent brings what was written to a file to the disk.
func syncContent(file *os.File) error { return file.Sync() }
