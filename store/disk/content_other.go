//go:build !linux

package disk

import "os"

// SyncContent brings what was written to a file to the disk.
func SyncContent(file *os.File) error { return file.Sync() }
