package store

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"docket/domain"

	"golang.org/x/mod/sumdb/note"
)

// newOrigin names a log: domain.OriginPrefix, or domain.ServiceOriginPrefix for that of a service, and 16 random bytes in
// hex, so that no two stores share one. It is neither a host nor an address: nothing is reached under it.
func newOrigin(service bool) string {
	random := make([]byte, 16)
	rand.Read(random)
	if service {
		return domain.ServiceOriginPrefix + hex.EncodeToString(random)
	}
	return domain.OriginPrefix + hex.EncodeToString(random)
}

// A logKey is the key of a store's checkpoints. The store names the public half; the private half lies in the key file
// (key_file.go), so that nobody can sign with the database alone.
type logKey struct {
	origin   string // of the log, and name of the key
	verifier note.Verifier
	encoded  string      // the verifier, as golang.org/x/mod/sumdb/note writes it
	signer   note.Signer // nil without the key file
	cosigner *cosigner   // with which a service signs the checkpoints of other logs; nil in a console's store
}

// ofService tells whether the log is a service's.
func (k *logKey) ofService() bool { return domain.OfService(k.origin) }

// newLogKey makes a random origin and a key for it. It returns the rows of docket_meta and the text of the key file.
func newLogKey(service bool) (key *logKey, rows [][2]string, file string, err error) {
	origin := newOrigin(service)
	private, public, err := note.GenerateKey(rand.Reader, origin)
	if err != nil {
		return nil, nil, "", err
	}
	rows, file = [][2]string{{metaOrigin, origin}, {metaVerifierKey, public}}, private+"\n"
	cosignerKey := ""
	if service {
		if private, cosignerKey, err = newCosigner(origin); err != nil {
			return nil, nil, "", err
		}
		rows, file = append(rows, [2]string{metaCosignerKey, cosignerKey}), file+private+"\n"
	}
	if key, err = parseLogKey(origin, public, cosignerKey); err != nil {
		return nil, nil, "", err
	}
	return key, rows, file, key.unlock(file)
}

// parseLogKey reads the public keys and holds them to the origin.
func parseLogKey(origin, public, cosigner string) (*logKey, error) {
	verifier, err := note.NewVerifier(public)
	if err != nil {
		return nil, fmt.Errorf("the public key: %w", err)
	}
	if verifier.Name() != origin {
		return nil, errors.New("the key is not the one of this log")
	}
	key := &logKey{origin: origin, verifier: verifier, encoded: public}
	if key.ofService() {
		if key.cosigner, err = parseCosigner(origin, cosigner); err != nil {
			return nil, err
		}
	}
	return key, nil
}

// unlock takes the private halves from the text of the key file.
func (k *logKey) unlock(file string) error {
	lines := strings.Split(file, "\n")
	want := 2
	if k.cosigner != nil {
		want = 3
	}
	if len(lines) != want || lines[want-1] != "" {
		return errors.New("it is no key file")
	}
	signer, err := note.NewSigner(lines[0])
	if err != nil || signer.Name() != k.origin || signer.KeyHash() != k.verifier.KeyHash() {
		return errors.New("it does not hold the key of this log")
	}
	if k.cosigner != nil {
		if err := k.cosigner.unlock(lines[1]); err != nil {
			return err
		}
	}
	k.signer = signer
	return nil
}

// canonicalNote writes a note with the one signature as this store writes it, so that no other byte is taken for it.
func (k *logKey) canonicalNote(text string, signature note.Signature) string {
	raw, err := base64.StdEncoding.DecodeString(signature.Base64)
	if err != nil {
		return ""
	}
	return text + "\n— " + signature.Name + " " + base64.StdEncoding.EncodeToString(raw) + "\n"
}

// verify tells whether the signed note is exactly the text with one signature by this key.
func (k *logKey) verify(signed []byte, text string) bool {
	opened, err := note.Open(signed, note.VerifierList(k.verifier))
	return err == nil && opened.Text == text && len(opened.Sigs) == 1 && len(opened.UnverifiedSigs) == 0 &&
		k.canonicalNote(text, opened.Sigs[0]) == string(signed)
}

// A keyError says that the public key that the store names is not usable.
type keyError struct{ cause error }

func (e *keyError) Error() string { return fmt.Sprintf("the key of the log: %v", e.cause) }
func (e *keyError) Unwrap() error { return e.cause }

// loadLogKey reads the public key; a *keyError if it is there but no key.
func loadLogKey(ctx context.Context, q querier) (*logKey, error) {
	values, err := metaValues(ctx, q, metaOrigin, metaVerifierKey)
	if err != nil {
		return nil, err
	}
	cosigner := []string{""}
	if domain.OfService(values[0]) {
		if cosigner, err = metaValues(ctx, q, metaCosignerKey); err != nil {
			return nil, err
		}
	}
	key, err := parseLogKey(values[0], values[1], cosigner[0])
	if err != nil {
		return nil, &keyError{err}
	}
	return key, nil
}

// metaValues reads rows of docket_meta; a *keyError if one is missing.
func metaValues(ctx context.Context, q querier, names ...string) ([]string, error) {
	values := make([]string, len(names))
	for i, name := range names {
		err := q.QueryRowContext(ctx, oneMeta, name).Scan(&values[i])
		if errors.Is(err, sql.ErrNoRows) {
			return nil, &keyError{fmt.Errorf("%s is missing", name)}
		}
		if err != nil {
			return nil, err
		}
	}
	return values, nil
}

// Verifier returns the public key of the store's checkpoints in the form of golang.org/x/mod/sumdb/note:
// "<origin>+<hash>+<base64>".
func (s *Store) Verifier(ctx context.Context) (encoded string, err error) {
	err = s.reading(ctx, "read the store's key", func(ctx context.Context, tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, oneMeta, metaVerifierKey).Scan(&encoded)
	})
	return encoded, err
}

// nameOf is the name under which files of a log are kept outside its database: it reveals nothing, and no origin leads out of a
// folder by it.
func nameOf(origin string) string {
	name := sha256.Sum256([]byte(origin))
	return hex.EncodeToString(name[:])
}
