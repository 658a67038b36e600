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

// A Received is the time at which a record came in at a service, and its place in its console's log.
type Received struct {
	Sequence int64 // in the service's log
	At       string
	Head     records.LogHead // of the console's log as the reviewer saw it; the root is not stored
	RecordID records.RecordID
}

// Service is the state of a service.
type Service interface {
	// Tokens returns all tokens, in the order in which they were added.
	Tokens(ctx context.Context) ([]Token, error)
	// TokensBetween returns the tokens whose digests lie between two digests, both included.
	TokensBetween(ctx context.Context, from, to []byte) ([]Token, error)
	// Token returns the one of an id, or ErrNoRow.
	Token(ctx context.Context, id string) (Token, error)
	// HasToken reports whether there is a token of the id or the digest.
	HasToken(ctx context.Context, id string, digest []byte) (bool, error)
	// AddToken adds a token that is not revoked.
	AddToken(ctx context.Context, token Token) error
	// RevokeToken revokes a token for good, once. It returns ErrNoRow if there is none of the id.
	RevokeToken(ctx context.Context, id string, at terms.Instant) error

	// AddMove keeps when the service's store with the log was moved from a file to a database, in both, once for a log.
	AddMove(ctx context.Context, origin string, at terms.Instant) error
	// MovedAt returns when that was, or ErrNoRow.
	MovedAt(ctx context.Context, origin string) (string, error)

	// Receive keeps when a record came in.
	Receive(ctx context.Context, received Received) error
	// ReceivedAt returns when the record of an id came in, or ErrNoRow.
	ReceivedAt(ctx context.Context, id records.RecordID) (string, error)
	// ReceivedFrom reports whether a record came in from a log of a console with an id not below one, made on fewer records than size.
	ReceivedFrom(ctx context.Context, origin string, id records.RecordID, size int64) (bool, error)
}
