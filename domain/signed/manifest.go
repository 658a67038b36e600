package signed

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"docket/domain/terms"
)

// A Manifest lists files that are derived from a log, with their digests. It is signed as a note with the key of the log.
type Manifest struct {
	Origin string // of the log
	Size   int64
	Root   terms.Hash
	Files  []ManifestFile // in the order of their paths
}

// A ManifestFile is a file with its digest.
type ManifestFile struct {
	Path   string
	SHA256 [sha256.Size]byte
}

// manifestHead is the first line. No checkpoint and no other signed text begins like this.
const manifestHead = "docket-manifest/v1"

// Text is the text that is signed: four lines, and a line for each file as sha256sum writes it.
//
//	docket-manifest/v1
//	<origin of the log>
//	<size of the log>
//	<root of the log>
//	<digest in hex>  <path>
func (m *Manifest) Text() string {
	var text strings.Builder
	text.WriteString(strings.Join([]string{manifestHead, m.Origin, strconv.FormatInt(m.Size, 10), m.Root.String(), ""}, "\n"))
	for i := range m.Files {
		text.WriteString(hex.EncodeToString(m.Files[i].SHA256[:]) + "  " + m.Files[i].Path + "\n")
	}
	return text.String()
}

// SignedAs reports whether the note is this manifest, signed with the verifier key of the log and with no other. Every byte counts.
func (m *Manifest) SignedAs(signed []byte, verifierKey string) bool {
	verifier, err := note.NewVerifier(verifierKey)
	if err != nil {
		return false
	}
	text, ok := Key{verifierKey, verifier}.open(string(signed))
	return ok && text == m.Text()
}
