package signed

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"docket/domain/records"
)

// ErrKey says that a text is not the verifier key of a service's log.
var ErrKey = errors.New("it is not the verifier key of a service's log")

// A Key verifies what a service signs. Only ParseKey makes one; the zero Key verifies nothing.
type Key struct {
	encoded  string
	verifier note.Verifier
}

// ParseKey reads a verifier key in the one form in which golang.org/x/mod/sumdb/note writes it:
// "<origin>+<hash>+<base64>". The error wraps ErrKey.
func ParseKey(encoded string) (Key, error) {
	verifier, err := note.NewVerifier(encoded)
	if err != nil {
		return Key{}, fmt.Errorf("%w: %w", ErrKey, err)
	}
	name := verifier.Name()
	parts := strings.SplitN(encoded, "+", 3)
	raw, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || fmt.Sprintf("%s+%08x+%s", name, verifier.KeyHash(), base64.StdEncoding.EncodeToString(raw)) != encoded {
		return Key{}, fmt.Errorf("%w: it is not in its one form", ErrKey)
	}
	if !records.OfService(name) || name == records.ServiceOriginPrefix {
		return Key{}, fmt.Errorf("%w: its name does not begin with %s", ErrKey, records.ServiceOriginPrefix)
	}
	return Key{encoded, verifier}, nil
}

// String is the key as ParseKey reads it; "" for the zero Key.
func (k Key) String() string { return k.encoded }

// Origin is the origin of the service's log, which is the key's name; "" for the zero Key.
func (k Key) Origin() string {
	if k.verifier == nil {
		return ""
	}
	return k.verifier.Name()
}

// open verifies a note that this key signed, and nobody besides, and returns its text. Every byte counts.
func (k Key) open(signed string) (text string, ok bool) {
	if k.verifier == nil {
		return "", false
	}
	opened, err := note.Open([]byte(signed), note.VerifierList(k.verifier))
	if err != nil || len(opened.Sigs) != 1 || len(opened.UnverifiedSigs) != 0 {
		return "", false
	}
	signature := opened.Sigs[0]
	raw, err := base64.StdEncoding.DecodeString(signature.Base64)
	written := opened.Text + "\n— " + signature.Name + " " + base64.StdEncoding.EncodeToString(raw) + "\n"
	return opened.Text, err == nil && signed == written
}
