package engine

import (
	"context"
	"strings"

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
	Console  string // of the reviewer's, which holds a draft; "" for none
	Table    terms.Table
	Key      packets.Key
}

// consoleMark stands between a reviewer and a console. No id has it.
const consoleMark = "@"

// Holder is who holds a draft, as it is stored.
func (o *Own) Holder() string {
	if o.Console == "" {
		return string(o.Reviewer)
	}
	return string(o.Reviewer) + consoleMark + o.Console
}

// A Draft is a draft of a decision as it is stored.
type Draft struct {
	Holder   string
	Revision int64
	Document []byte
	SavedAt  string
}

// Columns are all of them.
func (d *Draft) Columns() []any { return []any{&d.Holder, &d.Revision, &d.Document, &d.SavedAt} }

// Console is the console that holds the draft; "" for none.
func (d *Draft) Console() string {
	_, console, _ := strings.Cut(d.Holder, consoleMark)
	return console
}

// Local is a reviewer's local state, which is in no log and is changed and deleted.
type Local interface {
	// Drafts returns the reviewer's drafts on the revision and on earlier ones, of any console, the latest revision and the newest first.
	Drafts(ctx context.Context, own Own) ([]Draft, error)
	// SaveDraft keeps a console's draft on the revision, and replaces an earlier one of that console.
	SaveDraft(ctx context.Context, own Own, draft records.Draft, at terms.Instant) error
	// DropDrafts deletes the console's drafts on the revision and on earlier ones.
	DropDrafts(ctx context.Context, own Own) error
	// SkipReason returns why the revision is skipped, or ErrNoRow.
	SkipReason(ctx context.Context, own Own) (string, error)
	// Skip skips the revision. The reason replaces an earlier one.
	Skip(ctx context.Context, own Own, reason string, at terms.Instant) error
	// Unskip deletes the skip, and reports whether there was one.
	Unskip(ctx context.Context, own Own) (bool, error)
}
