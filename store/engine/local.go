package engine

import (
	"context"
	"strings"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
)

// Meta are the store's own facts, by their names.
type Meta struct{ Tx }

// Meta returns the store's own facts.
func (t Tx) Meta() Meta { return Meta{t} }

// Value returns one, or ErrNoRow.
func (q Meta) Value(ctx context.Context, name string) (string, error) {
	return one[string](ctx, q.Tx, "MetaValue", name)
}

// Values returns at most so many.
func (q Meta) Values(ctx context.Context, most int) (map[string]string, error) {
	return pairs[string, string](ctx, q.Tx, "MetaValues", most)
}

// Add adds one.
func (q Meta) Add(ctx context.Context, name, value string) error {
	return q.add(ctx, "AddMeta", name, value)
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

// Console is the console that holds the draft; "" for none.
func (d *Draft) Console() string {
	_, console, _ := strings.Cut(d.Holder, consoleMark)
	return console
}

// Local is a reviewer's local state, which is in no log and is changed and deleted.
type Local struct{ Tx }

// Local returns the local state.
func (t Tx) Local() Local { return Local{t} }

func argsOf(own Own, more ...any) []any {
	return append([]any{own.Holder(), own.Table.String(), own.Key.ID, own.Key.Number}, more...)
}

// Drafts returns the reviewer's drafts on the revision and on earlier ones, of any console, the latest revision and the newest first.
func (q Local) Drafts(ctx context.Context, own Own) ([]Draft, error) {
	own.Console = ""
	return all[Draft](ctx, q.Tx, "Drafts", argsOf(own)...)
}

// SaveDraft keeps a console's draft on the revision, and replaces an earlier one of that console.
func (q Local) SaveDraft(ctx context.Context, own Own, draft records.Draft, at terms.Instant) error {
	return q.add(ctx, "SaveDraft", argsOf(own, Text(draft.Document()), at.String())...)
}

// DropDrafts deletes the console's drafts on the revision and on earlier ones.
func (q Local) DropDrafts(ctx context.Context, own Own) error {
	_, err := q.run(ctx, "DropDrafts", argsOf(own)...)
	return err
}

// SkipReason returns why the revision is skipped, or ErrNoRow.
func (q Local) SkipReason(ctx context.Context, own Own) (string, error) {
	return one[string](ctx, q.Tx, "SkipReason", argsOf(own)...)
}

// Skip skips the revision. The reason replaces an earlier one.
func (q Local) Skip(ctx context.Context, own Own, reason string, at terms.Instant) error {
	return q.add(ctx, "Skip", argsOf(own, Text(reason), at.String())...)
}

// Unskip deletes the skip, and reports whether there was one.
func (q Local) Unskip(ctx context.Context, own Own) (bool, error) {
	count, err := q.run(ctx, "Unskip", argsOf(own)...)
	return count > 0, err
}
