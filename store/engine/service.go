package engine

import (
	"context"

	"docket/domain/records"
	"docket/domain/terms"
)

// A Token is a token of a service as it is stored.
type Token struct {
	ID                        string
	Digest                    []byte
	Principal                 terms.ID
	Role                      string
	Owners                    []byte // a JSON list
	Created, Expires, Revoked string // Revoked is "" unless it was revoked
}

// A Received is a record that came in at a service, with its place in its console's log.
type Received struct {
	Sequence int64           // in the service's log
	Head     records.LogHead // of the console's log as the reviewer saw it; the root is not stored
	RecordID records.RecordID
}

// Service is the state of a service.
type Service struct{ Tx }

// Service returns the state of a service.
func (t Tx) Service() Service { return Service{t} }

// Tokens returns all tokens, in the order in which they were added.
func (q Service) Tokens(ctx context.Context) ([]Token, error) {
	return all[Token](ctx, q.Tx, "Tokens")
}

// TokensBetween returns the tokens whose digests lie between two digests, both included.
func (q Service) TokensBetween(ctx context.Context, from, to []byte) ([]Token, error) {
	return all[Token](ctx, q.Tx, "TokensBetween", from, to)
}

// Token returns the one of an id, or ErrNoRow.
func (q Service) Token(ctx context.Context, id string) (Token, error) {
	return one[Token](ctx, q.Tx, "Token", id)
}

// HasToken reports whether there is a token of the id or the digest.
func (q Service) HasToken(ctx context.Context, id string, digest []byte) (bool, error) {
	return one[bool](ctx, q.Tx, "HasToken", id, digest)
}

// AddToken adds a token that is not revoked.
func (q Service) AddToken(ctx context.Context, t Token) error {
	return q.add(ctx, "AddToken", t.ID, t.Digest, t.Principal, t.Role, string(t.Owners), t.Created, t.Expires)
}

// RevokeToken revokes a token for good, once. It returns ErrNoRow if there is none of the id.
func (q Service) RevokeToken(ctx context.Context, id string, at terms.Instant) error {
	token, err := q.Token(ctx, id)
	if err != nil || token.Revoked != "" {
		return err
	}
	return q.add(ctx, "RevokeToken", id, at.String())
}

// AddMove keeps, in both, when a service's store moved from a file to a database, once for a log.
func (q Service) AddMove(ctx context.Context, origin string, at terms.Instant) error {
	return q.add(ctx, "AddMove", origin, at.String())
}

// MovedAt returns when that was, or ErrNoRow.
func (q Service) MovedAt(ctx context.Context, origin string) (string, error) {
	return one[string](ctx, q.Tx, "MovedAt", origin)
}

// Receive keeps that a record came in.
func (q Service) Receive(ctx context.Context, r Received) error {
	return q.add(ctx, "Receive", r.Sequence, r.Head.Origin, r.RecordID, r.Head.Size)
}

// A KeptReceived is a record of a service's log with what is kept of how it came in.
type KeptReceived struct {
	Sequence int64
	Document []byte
	Origin   string // "" if nothing is kept
	RecordID records.RecordID
	Size     int64
}

// Received yields the records of a table.
func (q Service) Received(ctx context.Context, table terms.Table, yield func(*KeptReceived) error) error {
	return each(ctx, q.on(table), "Received", yield)
}

// ReceivedFrom reports whether a record came in from a log of a console with an id not below one,
// made on fewer records than size.
func (q Service) ReceivedFrom(ctx context.Context, origin string, id records.RecordID, size int64) (bool, error) {
	return one[bool](ctx, q.Tx, "ReceivedFrom", origin, id, size)
}
