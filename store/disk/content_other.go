//go:build !linux

package disk

import "os"

// SyncContent syncs the content of a file.
func SyncContent(file *os.File) error { return file.Sync() }
