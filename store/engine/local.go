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

// The kinds of local state.
const (
	ofDraft      = "draft"
	ofSkip       = "skip"
	ofPull       = "pull"       // the cursor, and when packets were last pulled to the end
	ofReassigned = "reassigned" // the revision that the service assigned to another reviewer
)

// Local is the state of this machine and its reviewers: in no log, and changed and deleted.
type Local struct{ Tx }

// Local returns the local state.
func (t Tx) Local() Local { return Local{t} }

func argsOf(own Own, more ...any) []any {
	return append([]any{own.Holder(), own.Table.String(), own.Key.ID, own.Key.Number}, more...)
}

func argsOfKind(kind string, own Own) []any { return append([]any{kind}, argsOf(own)...) }

func (q Local) keep(ctx context.Context, kind string, own Own, value Text, at string) error {
	return q.add(ctx, "KeepLocal", append(argsOfKind(kind, own), value, at)...)
}

// Drafts returns the reviewer's drafts on the revision and on earlier ones, of any console, the
// latest revision and the newest first.
func (q Local) Drafts(ctx context.Context, own Own) ([]Draft, error) {
	own.Console = ""
	return all[Draft](ctx, q.Tx, "Drafts", argsOf(own)...)
}

// SaveDraft keeps a console's draft on the revision, and replaces an earlier one of that console.
func (q Local) SaveDraft(ctx context.Context, own Own, draft records.Draft, at terms.Instant) error {
	return q.keep(ctx, ofDraft, own, draft.Document(), at.String())
}

// DropDraft deletes the console's draft on the revision.
func (q Local) DropDraft(ctx context.Context, own Own) error {
	_, err := q.run(ctx, "DropLocal", argsOfKind(ofDraft, own)...)
	return err
}

// SkipReason returns why the revision is skipped, or ErrNoRow.
func (q Local) SkipReason(ctx context.Context, own Own) (reason string, err error) {
	err = q.get(ctx, "Local", argsOfKind(ofSkip, own), &reason, new(string))
	return reason, err
}

// Skip skips the revision. The reason replaces an earlier one.
func (q Local) Skip(ctx context.Context, own Own, reason string, at terms.Instant) error {
	return q.keep(ctx, ofSkip, own, Text(reason), at.String())
}

// Unskip deletes the skip, and reports whether there was one.
func (q Local) Unskip(ctx context.Context, own Own) (bool, error) {
	count, err := q.run(ctx, "DropLocal", argsOfKind(ofSkip, own)...)
	return count > 0, err
}

// Reassigned returns the revision in which the service gave the id to another reviewer; 0: none.
func (q Local) Reassigned(ctx context.Context, table terms.Table, id terms.ID) (int64, error) {
	return one[int64](ctx, q.Tx, "Reassigned", table.String(), id)
}

// Reassign keeps that revision.
func (q Local) Reassign(ctx context.Context, table terms.Table, key packets.Key, at terms.Instant) error {
	return q.keep(ctx, ofReassigned, Own{Table: table, Key: key}, Text(""), at.String())
}

// WithdrawReassigned withdraws all of them.
func (q Local) WithdrawReassigned(ctx context.Context) error {
	_, err := q.run(ctx, "WithdrawReassigned")
	return err
}

// Stray reports whether a store without a service has what only a service says.
func (q Local) Stray(ctx context.Context) (bool, error) { return one[bool](ctx, q.Tx, "StrayLocal") }

// Pull returns the pull cursor, and when packets were last pulled to the end, or ErrNoRow.
func (q Local) Pull(ctx context.Context) (cursor, completedAt string, err error) {
	err = q.get(ctx, "Local", argsOfKind(ofPull, Own{}), &cursor, &completedAt)
	return cursor, completedAt, err
}

// SetPull replaces the cursor and the time.
func (q Local) SetPull(ctx context.Context, cursor string, completed terms.Instant) error {
	return q.keep(ctx, ofPull, Own{}, Text(cursor), completed.String())
}
