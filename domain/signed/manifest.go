package signed

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"docket/domain/terms"
)

// A Manifest lists files derived from a log with their digests, a note signed by the log's key.
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

// manifestHead is the first line, with which no other signed text begins.
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

// ReadManifest reads a note that is a manifest. ok says that the log with the verifier key signed
// it, and no one else; without a key no signature is asked for. Of a text that is not signed, the
// files are those that can be read.
func ReadManifest(signed []byte, verifierKey string) (m Manifest, ok bool) {
	text, _, found := strings.Cut(string(signed), "\n\n")
	text += "\n"
	if verifier, err := note.NewVerifier(verifierKey); err == nil {
		opened, verified := Key{verifierKey, verifier}.open(string(signed))
		ok = verified && opened == text
	} else {
		ok = found && verifierKey == ""
	}
	lines := strings.Split(text, "\n")
	if len(lines) < 5 || lines[0] != manifestHead {
		return Manifest{}, false
	}
	m.Origin = lines[1]
	m.Size, _ = strconv.ParseInt(lines[2], 10, 64)
	m.Root, _ = terms.ParseHash(lines[3])
	for _, line := range lines[4 : len(lines)-1] {
		digest, path, _ := strings.Cut(line, "  ")
		sum, err := hex.DecodeString(digest)
		if err != nil || len(sum) != sha256.Size || path == "" {
			ok = false
			continue
		}
		m.Files = append(m.Files, ManifestFile{path, [sha256.Size]byte(sum)})
	}
	return m, ok && m.Text() == text
}
