package merkle

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"docket/domain/records"

	cosignature "github.com/transparency-dev/formats/note"
	"golang.org/x/mod/sumdb/note"
)

// newOrigin names a log: records.OriginPrefix, or records.ServiceOriginPrefix for that of a service, and 16 random bytes in
// hex, so that no two stores share one. It is neither a host nor an address: nothing is reached under it.
func newOrigin(service bool) string {
	random := make([]byte, 16)
	rand.Read(random)
	if service {
		return records.ServiceOriginPrefix + hex.EncodeToString(random)
	}
	return records.OriginPrefix + hex.EncodeToString(random)
}

// A Key is the key of a store's checkpoints. The store names the public half; the private half is in a key file
// in the store's folder, so that nobody can sign with the database alone.
type Key struct {
	Origin   string // of the log, and name of the key
	verifier note.Verifier
	Encoded  string      // the verifier, as golang.org/x/mod/sumdb/note writes it
	signer   note.Signer // nil without the key file
	Cosigner *Cosigner   // with which a service signs the checkpoints of other logs; nil in a console's store
}

// OfService reports whether the log is a service's.
func (k *Key) OfService() bool { return records.OfService(k.Origin) }

// NewKey makes a random origin, of a service or of a console, and a key for it. It returns the text of the key file as well.
func NewKey(service bool) (key *Key, file string, err error) {
	origin := newOrigin(service)
	private, public, err := note.GenerateKey(rand.Reader, origin)
	if err != nil {
		return nil, "", err
	}
	file = private + "\n"
	cosignerKey := ""
	if service {
		if private, cosignerKey, err = NewCosigner(origin); err != nil {
			return nil, "", err
		}
		file += private + "\n"
	}
	if key, err = ParseKey(origin, public, cosignerKey); err != nil {
		return nil, "", err
	}
	return key, file, key.Unlock(file)
}

// ParseKey reads the public keys and checks that they are of the origin.
func ParseKey(origin, public, cosigner string) (*Key, error) {
	key, err := ParseVerifier(origin, public)
	if err != nil {
		return nil, err
	}
	if key.OfService() {
		if key.Cosigner, err = parseCosigner(origin, cosigner); err != nil {
			return nil, err
		}
	}
	return key, nil
}

// ParseVerifier reads the public key of a log that ended: one that signs nothing any more.
func ParseVerifier(origin, public string) (*Key, error) {
	verifier, err := note.NewVerifier(public)
	if err != nil {
		return nil, fmt.Errorf("the public key: %w", err)
	}
	if verifier.Name() != origin {
		return nil, errors.New("the key is not the one of this log")
	}
	return &Key{Origin: origin, verifier: verifier, Encoded: public}, nil
}

// Unlock takes the private halves from the text of the key file.
func (k *Key) Unlock(file string) error {
	lines := strings.Split(file, "\n")
	want := 2
	if k.Cosigner != nil {
		want = 3
	}
	if len(lines) != want || lines[want-1] != "" {
		return errors.New("it is no key file")
	}
	signer, err := note.NewSigner(lines[0])
	if err != nil || signer.Name() != k.Origin || signer.KeyHash() != k.verifier.KeyHash() {
		return errors.New("it does not hold the key of this log")
	}
	if k.Cosigner != nil {
		if err := k.Cosigner.unlock(lines[1]); err != nil {
			return err
		}
	}
	k.signer = signer
	return nil
}

// canonicalNote writes a note with the one signature as this store writes it, so that no other byte is taken for it.
func (k *Key) canonicalNote(text string, signature note.Signature) string {
	raw, err := base64.StdEncoding.DecodeString(signature.Base64)
	if err != nil {
		return ""
	}
	return text + "\n— " + signature.Name + " " + base64.StdEncoding.EncodeToString(raw) + "\n"
}

// Verify reports whether the signed note is exactly the text with one signature by this key.
func (k *Key) Verify(signed []byte, text string) bool {
	opened, err := note.Open(signed, note.VerifierList(k.verifier))
	return err == nil && opened.Text == text && len(opened.Sigs) == 1 && len(opened.UnverifiedSigs) == 0 &&
		k.canonicalNote(text, opened.Sigs[0]) == string(signed)
}

// A KeyError says that the public key that the store names is not usable.
type KeyError struct{ Cause error }

func (e *KeyError) Error() string { return fmt.Sprintf("the key of the log: %v", e.Cause) }
func (e *KeyError) Unwrap() error { return e.Cause }

// FileName is the name of a log's files outside its database: a digest of the origin, so that no origin leads out of a folder.
func FileName(origin string) string {
	name := sha256.Sum256([]byte(origin))
	return hex.EncodeToString(name[:])
}

// A Cosigner signs what a service saw of other logs: cosignature/v1 of C2SP tlog-cosignature. Its key differs from
// that of the service's own log, and lies beside it in the key file.
type Cosigner struct {
	signer   note.Signer // nil without the key file
	verifier note.Verifier
	Encoded  string // the verifier
}

// witnessName is the name under which the service of an origin cosigns.
func witnessName(origin string) string { return origin + "/witness" }

// NewCosigner makes a key.
func NewCosigner(origin string) (private, public string, err error) {
	if private, public, err = note.GenerateKey(rand.Reader, witnessName(origin)); err != nil {
		return "", "", err
	}
	public, err = cosignature.VKeyToCosignatureV1(public)
	return private, public, err
}

// parseCosigner reads the public half and checks that it is of the origin.
func parseCosigner(origin, public string) (*Cosigner, error) {
	verifier, err := cosignature.NewVerifierForCosignatureV1(public)
	if err != nil {
		return nil, fmt.Errorf("the public key of cosignatures: %w", err)
	}
	if verifier.Name() != witnessName(origin) {
		return nil, errors.New("the key of cosignatures is not the one of this log")
	}
	return &Cosigner{verifier: verifier, Encoded: public}, nil
}

// unlock reads the private half, which has to belong to the public half.
func (c *Cosigner) unlock(private string) error {
	signer, err := cosignature.NewSignerForCosignatureV1(private)
	if err != nil || signer.Name() != c.verifier.Name() || signer.KeyHash() != c.verifier.KeyHash() {
		return errors.New("it does not hold the cosigning key of this service")
	}
	c.signer = signer
	return nil
}

// Cosign returns the one line of the signature of a checkpoint's text, with its end.
func (c *Cosigner) Cosign(text string) (string, error) {
	signed, err := note.Sign(&note.Note{Text: text}, c.signer)
	if err != nil {
		return "", fmt.Errorf("cosign the checkpoint: %w", err)
	}
	line, _ := strings.CutPrefix(string(signed), text+"\n")
	return line, nil
}

// CanSign reports whether the private half of the key is at hand.
func (k *Key) CanSign() bool { return k.signer != nil }

// SignNote signs a text with the key; ErrNoKey without its private half.
func (k *Key) SignNote(text string) ([]byte, error) {
	if k.signer == nil {
		return nil, ErrNoKey
	}
	return note.Sign(&note.Note{Text: text}, k.signer)
}

// OpenNote returns the note that the key signed.
func (k *Key) OpenNote(signed []byte) (*note.Note, error) {
	return note.Open(signed, note.VerifierList(k.verifier))
}

// ErrNoKey says that the store's key file is not there or is not its own, so that nothing can be recorded.
var ErrNoKey = errors.New("the key file of the store cannot be used")

// Signer returns the private half of the key; nil without it.
func (k *Key) Signer() note.Signer { return k.signer }
