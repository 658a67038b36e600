// Package licenses holds the notices of what is linked into docket: of Go and of every module, as they stand in the modules.
package licenses

import (
	"bytes"
	"compress/gzip"
	_ "embed" // for the notices
	"io"
)

//go:generate go run generate.go

// packed is notices.txt, a tenth of its size.
//
//go:embed notices.txt.gz
var packed []byte

// Notices is the text of all of them. The modules that one applies to stand above it.
func Notices() (string, error) {
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(unpacked)
	return string(text), err
}
