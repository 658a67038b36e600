// Package licenses holds the notices of the code that is linked into docket: of Go and of every module, unchanged.
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

// Notices returns the text of all notices. Above each notice are the modules to which it applies.
func Notices() (string, error) {
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(unpacked)
	return string(text), err
}
