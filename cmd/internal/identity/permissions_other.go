//go:build !unix

package identity

import "io/fs"

// tooOpen is false where the mode bits do not say who may read a file.
func tooOpen(fs.FileInfo) bool { return false }
