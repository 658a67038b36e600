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
// that of the service's own log, and lies beside it in the key file.
type cosigner struct {
	signer   note.Signer // nil without the key file
	verifier note.Verifier
	encoded  string // the verifier
}

// witnessName is the name under which the service of an origin cosigns.
func witnessName(origin string) string { return origin + "/witness" }

// newCosigner makes a key.
func newCosigner(origin string) (private, public string, err error) {
	if private, public, err = note.GenerateKey(rand.Reader, witnessName(origin)); err != nil {
		return "", "", err
	}
	public, err = cosignature.VKeyToCosignatureV1(public)
	return private, public, err
}

// parseCosigner reads the public half and holds it to the origin.
func parseCosigner(origin, public string) (*cosigner, error) {
	verifier, err := cosignature.NewVerifierForCosignatureV1(public)
	if err != nil {
		return nil, fmt.Errorf("the public key of cosignatures: %w", err)
	}
	if verifier.Name() != witnessName(origin) {
		return nil, errors.New("the key of cosignatures is not the one of this log")
	}
	return &cosigner{verifier: verifier, encoded: public}, nil
}

// unlock takes the private half, which has to be the one of the public half.
func (c *cosigner) unlock(private string) error {
	signer, err := cosignature.NewSignerForCosignatureV1(private)
	if err != nil || signer.Name() != c.verifier.Name() || signer.KeyHash() != c.verifier.KeyHash() {
		return errors.New("it does not hold the cosigning key of this service")
	}
	c.signer = signer
	return nil
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
