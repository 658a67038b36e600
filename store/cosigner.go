package store

import (
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	cosignature "github.com/transparency-dev/formats/note"
	"golang.org/x/mod/sumdb/note"
)

// A cosigner signs what a service saw of other logs: cosignature/v1 of C2SP tlog-cosignature. Its key is another one than
// that of the service's own log, and lies beside it in the store.
type cosigner struct {
	signer   note.Signer
	verifier note.Verifier
	encoded  string // the verifier
}

// witnessName is the name under which the service of an origin cosigns.
func witnessName(origin string) string { return origin + "/witness" }

// newCosigner makes a key, as rows of docket_meta.
func newCosigner(origin string) (rows [][2]string, err error) {
	private, public, err := note.GenerateKey(rand.Reader, witnessName(origin))
	if err != nil {
		return nil, err
	}
	if public, err = cosignature.VKeyToCosignatureV1(public); err != nil {
		return nil, err
	}
	return [][2]string{{metaCosigningKey, private}, {metaCosignerKey, public}}, nil
}

// parseCosigner holds the keys to belong together and to the origin.
func parseCosigner(origin, private, public string) (*cosigner, error) {
	signer, err := cosignature.NewSignerForCosignatureV1(private)
	if err != nil {
		return nil, errors.New("the private key of cosignatures cannot be read")
	}
	verifier, err := cosignature.NewVerifierForCosignatureV1(public)
	if err != nil {
		return nil, fmt.Errorf("the public key of cosignatures: %w", err)
	}
	if name := witnessName(origin); signer.Name() != name || verifier.Name() != name || signer.KeyHash() != verifier.KeyHash() {
		return nil, errors.New("the key of cosignatures is not the one of this log")
	}
	return &cosigner{signer: signer, verifier: verifier, encoded: public}, nil
}

// cosign returns the one line of the signature of a checkpoint's text, with its end.
func (c *cosigner) cosign(text string) (string, error) {
	signed, err := note.Sign(&note.Note{Text: text}, c.signer)
	if err != nil {
		return "", fmt.Errorf("cosign the checkpoint: %w", err)
	}
	line, _ := strings.CutPrefix(string(signed), text+"\n")
	return line, nil
}
