package engine

import (
	"context"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
)

// Meta are the store's own facts, by their names.
type Meta interface {
	// Value returns one, or ErrNoRow.
	Value(ctx context.Context, name string) (string, error)
	// Values returns at most so many.
	Values(ctx context.Context, most int) (map[string]string, error)
	// Add adds one.
	Add(ctx context.Context, name, value string) error
}

// An Own names the reviewer and the case or amendment of local state.
type Own struct {
	Reviewer terms.ID
	Table    terms.Table
	Key      packets.Key
}

// A Draft is a draft of a decision as it is stored.
type Draft struct {
	Revision int64
	Document []byte
	SavedAt  string
}

// Local is a reviewer's local state, which is in no log and is changed and deleted.
type Local interface {
	// Draft returns the draft on the revision or on the latest earlier one, or ErrNoRow.
	Draft(ctx context.Context, own Own) (Draft, error)
	// SaveDraft keeps a draft on the revision, and replaces an earlier one.
	SaveDraft(ctx context.Context, own Own, draft records.Draft, at terms.Instant) error
	// DropDrafts deletes the drafts on the revision and on earlier ones.
	DropDrafts(ctx context.Context, own Own) error
	// SkipReason returns why the revision is skipped, or ErrNoRow.
	SkipReason(ctx context.Context, own Own) (string, error)
	// Skip skips the revision. The reason replaces an earlier one.
	Skip(ctx context.Context, own Own, reason string, at terms.Instant) error
	// Unskip deletes the skip, and reports whether there was one.
	Unskip(ctx context.Context, own Own) (bool, error)
}

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
