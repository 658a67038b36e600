// Package signed reads what is signed about a log and checks the signatures. A service signs
// checkpoints, rejections and, by a checkpoint with a proof, the acceptance of a record, all with
// the key of its log. Persons and logs sign statements about a log, reviewers sign enrolments, and
// a log signs the manifest of a bundle. Notes are in the form of golang.org/x/mod/sumdb/note; their
// first lines keep them apart, so that a rejection is never taken for a checkpoint, nor the other
// way round.
//
// Start at ParseKey. What reads without checking a signature says so: a function by its name,
// Unverified or Unproven, a type by its comment.
package signed

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/transparency-dev/formats/log"
	"golang.org/x/mod/sumdb/note"

	"docket/domain/records"
	"docket/domain/terms"
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

// open returns the text of a note that this key and no other signed; every byte counts.
func (k Key) open(signed string) (text string, ok bool) {
	if k.verifier == nil {
		return "", false
	}
	return OpenNote(k.verifier, signed)
}

// OpenNote verifies a note with one signature, and returns its text. Every byte counts.
func OpenNote(verifier note.Verifier, signed string) (text string, ok bool) {
	opened, err := note.Open([]byte(signed), note.VerifierList(verifier))
	if err != nil || len(opened.Sigs) != 1 || len(opened.UnverifiedSigs) != 0 {
		return "", false
	}
	signature := opened.Sigs[0]
	raw, err := base64.StdEncoding.DecodeString(signature.Base64)
	written := opened.Text + "\n— " + signature.Name + " " + base64.StdEncoding.EncodeToString(raw) + "\n"
	return opened.Text, err == nil && signed == written
}

// ErrCheckpoint says that a text is not a checkpoint of the service's log.
var ErrCheckpoint = errors.New("it is not a checkpoint of the service's log")

// OpenCheckpoint verifies a checkpoint of the service's log (C2SP tlog-checkpoint) and returns what
// it signs. The error is ErrCheckpoint.
func (k Key) OpenCheckpoint(signed string) (records.LogHead, error) {
	text, ok := k.open(signed)
	if !ok {
		return records.LogHead{}, ErrCheckpoint
	}
	var parsed log.Checkpoint
	rest, err := parsed.Unmarshal([]byte(text))
	if err != nil || len(rest) > 0 || parsed.Size > math.MaxInt64 || parsed.Origin != k.Origin() || string(parsed.Marshal()) != text {
		return records.LogHead{}, ErrCheckpoint
	}
	root, ok := terms.ParseHash("sha256:" + hex.EncodeToString(parsed.Hash))
	if !ok {
		return records.LogHead{}, ErrCheckpoint
	}
	return records.LogHead{Size: int64(parsed.Size), Root: root}, nil
}

// OpenRejection verifies a rejection that the service signed and reads it. The caller checks that
// it is about the right record. The error wraps records.ErrRejection.
func (k Key) OpenRejection(signed string) (records.Rejection, error) {
	text, ok := k.open(signed)
	if !ok {
		return records.Rejection{}, fmt.Errorf("%w: it is not signed with the key of the service", records.ErrRejection)
	}
	r, err := records.ReadRejection(text)
	if err != nil {
		return records.Rejection{}, err
	}
	if r.Origin != k.Origin() {
		return records.Rejection{}, fmt.Errorf("%w: it is one of another service", records.ErrRejection)
	}
	return r, nil
}

// Unverified is OpenRejection without verifying the signature.
func Unverified(signed string) (records.Rejection, error) {
	text, _, found := strings.Cut(signed, "\n\n")
	if !found {
		return records.Rejection{}, records.ErrRejection
	}
	return records.ReadRejection(text + "\n")
}
