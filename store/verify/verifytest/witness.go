package verifytest

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"time"

	"filippo.io/torchwood"

	"docket/store/verify"
)

// A Witness cosigns every checkpoint that it is given, for any time and not only its own clock's.
type Witness struct {
	Key     string // verifier key
	private ed25519.PrivateKey
	name    string
	hash    uint32
}

// NewWitness returns the witness of a name.
func NewWitness(t testing.TB, name string) Witness {
	t.Helper()
	seed := sha256.Sum256([]byte(name))
	return Witness{private: ed25519.NewKeyFromSeed(seed[:])}.Named(t, name)
}

// Named returns the witness under another name, with the same key.
func (w Witness) Named(t testing.TB, name string) Witness {
	t.Helper()
	private := w.private
	signer, err := torchwood.NewCosignatureSigner(name, private)
	if err != nil {
		t.Fatal(err)
	}
	return Witness{signer.Verifier().String(), private, name, signer.KeyHash()}
}

// Line makes a cosignature/v1 of a checkpoint.
func (w Witness) Line(checkpoint []byte, at time.Time) []byte {
	text, _, _ := bytes.Cut(checkpoint, []byte("\n\n"))
	message := fmt.Sprintf("cosignature/v1\ntime %d\n%s\n", at.Unix(), text)
	signature := binary.BigEndian.AppendUint32(nil, w.hash)
	signature = binary.BigEndian.AppendUint64(signature, uint64(at.Unix()))
	signature = append(signature, ed25519.Sign(w.private, []byte(message))...)
	return []byte("— " + w.name + " " + base64.StdEncoding.EncodeToString(signature) + "\n")
}

// Cosign returns the checkpoint with the cosignature.
func (w Witness) Cosign(checkpoint []byte, at time.Time) verify.Cosigned {
	return verify.Cosigned{Checkpoint: checkpoint, Line: w.Line(checkpoint, at), Key: w.Key}
}

// Policy returns a policy that requires each of the witnesses.
func Policy(t testing.TB, witnesses ...Witness) *verify.Policy {
	t.Helper()
	policy, err := verify.ParsePolicy([]byte(PolicyText(witnesses...)))
	if err != nil {
		t.Fatal(err)
	}
	return policy
}

// PolicyText returns the text of that policy.
func PolicyText(witnesses ...Witness) string {
	var text strings.Builder
	group := "group all all"
	for i, w := range witnesses {
		fmt.Fprintf(&text, "witness w%d %s\n", i, w.Key)
		group += fmt.Sprintf(" w%d", i)
	}
	return text.String() + group + "\nquorum all\n"
}
