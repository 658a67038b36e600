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
