package store

import (
	"bytes"
	"context"
	"crypto/subtle"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"docket/domain"
)

// A Token says for whom a service takes the holder of a secret. The secret itself is not kept.
type Token struct {
	ID        string         // names it in lists and logs; no secret
	Digest    [32]byte       // SHA-256 of the secret
	Principal domain.ID      // for whom it stands
	Role      domain.Role    // in which role
	Owners    []domain.ID    // whose amendments it is for; none: no amendment
	Created   domain.Instant // absent in AddToken: now
	Expires   domain.Instant // from then on it stands for nobody
	Revoked   domain.Instant // absent unless it was revoked
}

// check tells whether the token is whole.
func (t *Token) check() error {
	_, principal := domain.ParseID(string(t.Principal))
	_, id := domain.ParseID(t.ID)
	_, err := domain.Roles.Parse(t.Role.String())
	switch {
	case !id:
		return errors.New("a token needs a name: a letter or digit, then letters, digits and ._:-")
	case t.Digest == [32]byte{}:
		return errors.New("a token needs its SHA-256")
	case !principal:
		return errors.New("a token needs the id of whom it stands for")
	case err != nil:
		return fmt.Errorf("a token needs a role: %w", err)
	case !t.Expires.Present() || !t.Created.Before(t.Expires):
		return errors.New("a token has to expire later than it is made")
	}
	for _, owner := range t.Owners {
		if _, ok := domain.ParseID(string(owner)); !ok {
			return errors.New("an owner of a token is no id")
		}
	}
	return nil
}

// ErrTaken says that something is registered under the name already, for good.
var ErrTaken = errors.New("it was registered before")

// AddToken makes a token valid. The error wraps ErrTaken if there was one with its ID or Digest, and ErrKind in a
// console's store.
func (s *Store) AddToken(ctx context.Context, t Token) error {
	if !t.Created.Present() {
		t.Created = domain.InstantOf(s.now())
	}
	if err := t.check(); err != nil {
		return err
	}
	owners, err := json.Marshal(append([]domain.ID{}, t.Owners...))
	if err != nil {
		return err
	}
	return s.serving(ctx, "add the token", func(ctx context.Context, tx *sql.Tx) error {
		var taken bool
		const query = "SELECT EXISTS (SELECT 1 FROM main." + tokensTable + " WHERE id = ? OR digest = ?)"
		if err := tx.QueryRowContext(ctx, query, t.ID, t.Digest[:]).Scan(&taken); err != nil {
			return err
		}
		if taken {
			return fmt.Errorf("token %s: %w", t.ID, ErrTaken)
		}
		const statement = "INSERT INTO main." + tokensTable +
			" (id, digest, principal, role, owners, createdAt, expiresAt) VALUES (?, ?, ?, ?, ?, ?, ?)"
		return changeOne(ctx, tx, statement, t.ID, t.Digest[:], string(t.Principal), t.Role.String(), string(owners),
			t.Created.String(), t.Expires.String())
	})
}

// RevokeToken makes a token stand for nobody, for good; a second time changes nothing. The error wraps ErrNotFound if
// there is no such token.
func (s *Store) RevokeToken(ctx context.Context, id string) error {
	return s.serving(ctx, "revoke the token", func(ctx context.Context, tx *sql.Tx) error {
		return revoke(ctx, tx, tokensTable, revocationsTable, "id", id, domain.InstantOf(s.now()))
	})
}

// revoke adds the row of a revocation, unless it is there.
func revoke(ctx context.Context, tx *sql.Tx, table, revocations, column, name string, at domain.Instant) error {
	var there, revoked bool
	query := fmt.Sprintf("SELECT EXISTS (SELECT 1 FROM main.%[1]s WHERE %[3]s = ?1), EXISTS (SELECT 1 FROM main.%[2]s WHERE %[3]s = ?1)",
		table, revocations, column)
	if err := tx.QueryRowContext(ctx, query, name).Scan(&there, &revoked); err != nil || revoked {
		return err
	}
	if !there {
		return fmt.Errorf("%s: %w", name, ErrNotFound)
	}
	statement := fmt.Sprintf("INSERT INTO main.%s (%s, revokedAt) VALUES (?, ?)", revocations, column)
	return changeOne(ctx, tx, statement, name, at.String())
}

const selectTokens = "SELECT token.id, token.digest, token.principal, token.role, token.owners, token.createdAt, token.expiresAt," +
	" coalesce(revocation.revokedAt, '') FROM main." + tokensTable + " AS token LEFT JOIN main." + revocationsTable +
	" AS revocation ON revocation.id = token.id"

// Tokens lists all tokens in the order in which they were added, those that expired or were revoked included.
func (s *Store) Tokens(ctx context.Context) ([]Token, error) {
	return s.tokens(ctx, selectTokens+" ORDER BY token.rowid")
}

func (s *Store) tokens(ctx context.Context, query string, args ...any) (tokens []Token, err error) {
	err = s.reading(ctx, "read the tokens", func(ctx context.Context, tx *sql.Tx) error {
		return eachRow(ctx, tx, query, func(scan func(...any) error) error {
			t, err := scanToken(scan)
			tokens = append(tokens, t)
			return err
		}, args...)
	})
	if err != nil {
		return nil, err
	}
	return tokens, nil
}

func scanToken(scan func(...any) error) (t Token, err error) {
	var digest, owners []byte
	var role, created, expires, revoked string
	if err := scan(&t.ID, &digest, &t.Principal, &role, &owners, &created, &expires, &revoked); err != nil {
		return Token{}, err
	}
	parsed, failed := domain.Roles.Parse(role)
	var ok [3]bool
	t.Role = parsed
	t.Created, ok[0] = domain.ParseInstant(created)
	t.Expires, ok[1] = domain.ParseInstant(expires)
	t.Revoked, ok[2] = domain.ParseInstant(revoked)
	ok[2] = ok[2] || revoked == ""
	if copy(t.Digest[:], digest) != len(t.Digest) || failed != nil || json.Unmarshal(owners, &t.Owners) != nil || ok != [3]bool{true, true, true} {
		return Token{}, fmt.Errorf("token %s: %w", t.ID, ErrDamaged)
	}
	return t, nil
}

// prefixSize is by how many bytes of a digest tokens are looked up. The rest is compared in constant time.
const prefixSize = 4

// TokenOf returns the token with this SHA-256, if it is valid now. The error wraps ErrNotFound if it is unknown, expired
// or revoked.
func (s *Store) TokenOf(ctx context.Context, digest [32]byte) (Token, error) {
	from, to := [32]byte{}, [32]byte(bytes.Repeat([]byte{0xff}, 32))
	copy(from[:prefixSize], digest[:prefixSize])
	copy(to[:prefixSize], digest[:prefixSize])
	tokens, err := s.tokens(ctx, selectTokens+" WHERE token.digest BETWEEN ? AND ?", from[:], to[:])
	if err != nil {
		return Token{}, err
	}
	now := domain.InstantOf(s.now())
	found, valid := Token{}, false
	for i := range tokens {
		t := &tokens[i]
		if subtle.ConstantTimeCompare(t.Digest[:], digest[:]) == 1 && !t.Revoked.Present() && now.Before(t.Expires) {
			found, valid = *t, true
		}
	}
	if !valid {
		return Token{}, fmt.Errorf("a valid token: %w", ErrNotFound)
	}
	return found, nil
}
