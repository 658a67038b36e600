package merkle

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/store/disk"

	"golang.org/x/mod/sumdb/note"
)

// newOrigin returns a prefix, records.OriginPrefix or records.ServiceOriginPrefix, and 16 random
// bytes in hex: unique, and neither a host nor an address.
func newOrigin(service bool) string {
	random := make([]byte, 16)
	rand.Read(random)
	prefix := records.OriginPrefix
	if service {
		prefix = records.ServiceOriginPrefix
	}
	return prefix + hex.EncodeToString(random)
}

// A Key is the key of a store's checkpoints. The store names the public half; the private half is
// in a key file, or in the ssh-agent that it names, so that the database alone cannot sign.
type Key struct {
	Origin   string // of the log, and name of the key
	verifier note.Verifier
	Encoded  string      // the verifier, as golang.org/x/mod/sumdb/note writes it
	signer   note.Signer // nil without the key file
	asked    bool        // ssh-agent signs
}

// OfService reports whether the log is a service's.
func (k *Key) OfService() bool { return records.OfService(k.Origin) }

// NewKey makes a random origin, of a service or of a console, and a key for it; with a fingerprint,
// that key of ssh-agent becomes the log's. It also returns the text of the key file.
func NewKey(ctx context.Context, service bool, fingerprint string) (key *Key, file string, err error) {
	origin := newOrigin(service)
	var private, public string
	if fingerprint == "" {
		private, public, err = note.GenerateKey(rand.Reader, origin)
	} else {
		private = agentPrefix + fingerprint
		public, err = agentVerifier(ctx, origin, fingerprint)
	}
	if err != nil {
		return nil, "", err
	}
	file = private + "\n"
	if key, err = ParseKey(origin, public); err != nil {
		return nil, "", err
	}
	return key, file, key.Unlock(ctx, file)
}

// ParseKey reads the public key and checks that it is of the origin.
func ParseKey(origin, public string) (*Key, error) {
	verifier, err := note.NewVerifier(public)
	if err != nil {
		return nil, fmt.Errorf("the public key: %w", err)
	}
	if verifier.Name() != origin {
		return nil, errors.New("the key is not the one of this log")
	}
	return &Key{Origin: origin, verifier: verifier, Encoded: public}, nil
}

// Unlock takes the private half from the text of the key file, or from the ssh-agent that it names.
func (k *Key) Unlock(ctx context.Context, file string) error {
	line, rest, ended := strings.Cut(file, "\n")
	if !ended || rest != "" {
		return errors.New("it is no key file")
	}
	if fingerprint, held := strings.CutPrefix(line, agentPrefix); held {
		return k.unlockAgent(ctx, fingerprint)
	}
	signer, err := note.NewSigner(line)
	if err != nil || signer.Name() != k.Origin || signer.KeyHash() != k.verifier.KeyHash() {
		return errors.New("it does not hold the key of this log")
	}
	k.signer, k.asked = signer, false
	return nil
}

// verify reports whether the note is exactly the text with one signature by this key.
func (k *Key) verify(written []byte, text string) bool {
	opened, ok := signed.OpenNote(k.verifier, string(written))
	return ok && opened == text
}

// A KeyError says that the public key that the store names is not usable.
type KeyError struct{ Cause error }

func (e *KeyError) Error() string { return fmt.Sprintf("the key of the log: %v", e.Cause) }
func (e *KeyError) Unwrap() error { return e.Cause }

// FileName returns the name of a log's files: a digest, so that no origin names a path outside the
// folder.
func FileName(origin string) string {
	name := sha256.Sum256([]byte(origin))
	return hex.EncodeToString(name[:])
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

// Countersign adds the signature of the key to a statement; ErrNoKey without its private half.
func (k *Key) Countersign(s signed.Statement) (signed.Statement, error) {
	written, err := k.SignNote(s.Text)
	if err != nil {
		return signed.Statement{}, err
	}
	return s.SignedByLog(written)
}

// ErrNoKey says that the log's key file is missing or belongs to another log, or that ssh-agent
// does not hold the key. Nothing can be recorded then.
var ErrNoKey = errors.New("the key of the log cannot be used")

// Signer returns the private half of the key; nil without it.
func (k *Key) Signer() note.Signer { return k.signer }

// The key file holds the private half of the log's key, or names a key of ssh-agent. It lies in the
// store's folder, or in the one that the opening of a database names, readable for its owner only.
// Its name is the log's and not the database's: several stores may lie in one folder, and a
// database that is renamed or restored there finds its key.

// KeyFileBound is the largest size of a key file, in bytes.
const KeyFileBound = 4096

// File is the path of the key file in a folder.
func (k *Key) File(folder string) string {
	return filepath.Join(folder, "docket-"+FileName(k.Origin)[:16]+".key")
}

// MakeKeyFile writes a new key file and syncs it.
func MakeKeyFile(path, text string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, disk.FileMode)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return disk.SyncFolder(filepath.Dir(path))
}
