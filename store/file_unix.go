//go:build unix

package store

import (
	"errors"
	"path/filepath"
	"syscall"
)

// isDiskFull tells whether the file system has no room left, for anybody or for this user.
func isDiskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// folderWritable tells whether files can be made beside the path.
func folderWritable(path string) bool {
	const write = 2
	return syscall.Access(filepath.Dir(path), write) == nil
}
