//go:build unix

package identity

import "io/fs"

// tooOpen reports whether other users than the owner can read or write the file.
func tooOpen(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 != 0 }
