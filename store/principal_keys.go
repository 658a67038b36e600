package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"docket/domain"

	"golang.org/x/crypto/ssh"
)

// A PrincipalKey is a public key with which a principal of a service may sign records.
type PrincipalKey struct {
	Principal   domain.ID
	Fingerprint string // OpenSSH's SHA256:… form
	PublicKey   string // in one line of the form of authorized_keys, without a comment
	Added       domain.Instant
	Revoked     domain.Instant // absent unless it was revoked
}

// AddKey registers an OpenSSH public key, in the form of authorized_keys, for a principal, and returns its fingerprint.
// A key that is the principal's already changes nothing. The error wraps ErrTaken if the key is or was another
// principal's, or was revoked, and ErrKind in a console's store.
func (s *Store) AddKey(ctx context.Context, principal domain.ID, authorized string) (fingerprint string, err error) {
	if _, ok := domain.ParseID(string(principal)); !ok {
		return "", errors.New("a key needs the id of whose it is")
	}
	key, _, options, rest, err := ssh.ParseAuthorizedKey([]byte(authorized))
	if err != nil || len(rest) > 0 || len(options) > 0 {
		return "", errors.New("it is not one OpenSSH public key; give the line of a .pub file")
	}
	if _, certificate := key.(*ssh.Certificate); certificate {
		return "", errors.New("it is a certificate; give the public key itself")
	}
	fingerprint = ssh.FingerprintSHA256(key)
	err = s.serving(ctx, "register the key", func(ctx context.Context, tx *sql.Tx) error {
		held, err := keysFrom(ctx, tx, selectKeys+" WHERE held.fingerprint = ?", fingerprint)
		switch {
		case err != nil:
			return err
		case len(held) > 0 && held[0].Principal == principal && !held[0].Revoked.Present():
			return nil
		case len(held) > 0:
			return fmt.Errorf("key %s: %w", fingerprint, ErrTaken)
		}
		const statement = "INSERT INTO main." + keysTable + " (fingerprint, principal, publicKey, addedAt) VALUES (?, ?, ?, ?)"
		return changeOne(ctx, tx, statement, fingerprint, string(principal), authorizedKey(key), domain.InstantOf(s.now()).String())
	})
	if err != nil {
		return "", err
	}
	return fingerprint, nil
}

// RevokeKey makes a key of a principal nobody's, for good; a second time changes nothing. Records that it signed stay.
// The error wraps ErrNotFound if the principal has no such key.
func (s *Store) RevokeKey(ctx context.Context, principal domain.ID, fingerprint string) error {
	return s.serving(ctx, "revoke the key", func(ctx context.Context, tx *sql.Tx) error {
		held, err := keysFrom(ctx, tx, selectKeys+" WHERE held.fingerprint = ? AND held.principal = ?", fingerprint, string(principal))
		if err != nil {
			return err
		}
		if len(held) == 0 {
			return fmt.Errorf("key %s of %s: %w", fingerprint, principal, ErrNotFound)
		}
		return revoke(ctx, tx, keysTable, keyRevocationsTable, "fingerprint", fingerprint, domain.InstantOf(s.now()))
	})
}

const selectKeys = "SELECT held.principal, held.fingerprint, held.publicKey, held.addedAt, coalesce(revocation.revokedAt, '') FROM main." +
	keysTable + " AS held LEFT JOIN main." + keyRevocationsTable + " AS revocation ON revocation.fingerprint = held.fingerprint"

// Keys lists all keys in the order in which they were added, those that were revoked included.
func (s *Store) Keys(ctx context.Context) (keys []PrincipalKey, err error) {
	err = s.reading(ctx, "read the keys", func(ctx context.Context, tx *sql.Tx) (err error) {
		keys, err = keysFrom(ctx, tx, selectKeys+" ORDER BY held.rowid")
		return err
	})
	return keys, err
}

// HasKey tells whether the key is registered for the principal and was not revoked.
func (s *Store) HasKey(ctx context.Context, principal domain.ID, fingerprint string) (bool, error) {
	var held []PrincipalKey
	err := s.reading(ctx, "look the key up", func(ctx context.Context, tx *sql.Tx) (err error) {
		held, err = keysFrom(ctx, tx, selectKeys+" WHERE held.fingerprint = ? AND held.principal = ?", fingerprint, string(principal))
		return err
	})
	return err == nil && len(held) == 1 && !held[0].Revoked.Present(), err
}

func keysFrom(ctx context.Context, q querier, query string, args ...any) (keys []PrincipalKey, err error) {
	err = eachRow(ctx, q, query, func(scan func(...any) error) error {
		var key PrincipalKey
		var added, revoked string
		if err := scan(&key.Principal, &key.Fingerprint, &key.PublicKey, &added, &revoked); err != nil {
			return err
		}
		var ok bool
		key.Added, _ = domain.ParseInstant(added)
		if key.Revoked, ok = domain.ParseInstant(revoked); !ok && revoked != "" {
			return fmt.Errorf("key %s: %w", key.Fingerprint, ErrDamaged)
		}
		keys = append(keys, key)
		return nil
	}, args...)
	if err != nil {
		return nil, err
	}
	return keys, nil
}
