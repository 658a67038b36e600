package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"

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

// A logKey is the key with which a store signs checkpoints of its log. It lies in the store's own file: what it signs
// proves that the checkpoint is this store's, not who wrote the store. That is what the anchor is for.
type logKey struct {
	origin   string // of the log, and name of the key
	verifier note.Verifier
	encoded  string // the verifier, as golang.org/x/mod/sumdb/note writes it
	signer   note.Signer
	cosigner *cosigner // with which a service signs the checkpoints of other logs; nil in a console's store
}

// ofService tells whether the log is a service's.
func (k *logKey) ofService() bool { return domain.OfService(k.origin) }

// newLogKey makes a random origin and a key for it, as rows of docket_meta.
func newLogKey(service bool) (rows [][2]string, key *logKey, err error) {
	origin := newOrigin(service)
	private, public, err := note.GenerateKey(rand.Reader, origin)
	if err != nil {
		return nil, nil, err
	}
	if key, err = parseLogKey(origin, private, public); err != nil {
		return nil, nil, err
	}
	rows = [][2]string{{metaOrigin, origin}, {metaSigningKey, private}, {metaVerifierKey, public}}
	if service {
		more, err := newCosigner(origin)
		if err != nil {
			return nil, nil, err
		}
		rows = append(rows, more...)
	}
	return rows, key, nil
}

// parseLogKey holds the three to belong together.
func parseLogKey(origin, private, public string) (*logKey, error) {
	verifier, err := note.NewVerifier(public)
	if err != nil {
		return nil, fmt.Errorf("the public key: %w", err)
	}
	signer, err := note.NewSigner(private)
	if err != nil {
		return nil, errors.New("the private key cannot be read")
	}
	if verifier.Name() != origin || signer.Name() != origin || signer.KeyHash() != verifier.KeyHash() {
		return nil, errors.New("the key is not the one of this log")
	}
	return &logKey{origin: origin, verifier: verifier, encoded: public, signer: signer}, nil
}

// A keyError says that the key that the store holds is not usable.
type keyError struct{ cause error }

func (e *keyError) Error() string { return fmt.Sprintf("the key of the log: %v", e.cause) }
func (e *keyError) Unwrap() error { return e.cause }

// loadLogKey reads the key; a *keyError if it is there but no key.
func loadLogKey(ctx context.Context, q querier) (*logKey, error) {
	values, err := metaValues(ctx, q, metaOrigin, metaSigningKey, metaVerifierKey)
	if err != nil {
		return nil, err
	}
	key, err := parseLogKey(values[0], values[1], values[2])
	if err != nil {
		return nil, &keyError{err}
	}
	if !key.ofService() {
		return key, nil
	}
	if values, err = metaValues(ctx, q, metaCosigningKey, metaCosignerKey); err != nil {
		return nil, err
	}
	if key.cosigner, err = parseCosigner(key.origin, values[0], values[1]); err != nil {
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
