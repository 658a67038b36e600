package sqlite

import (
	"context"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/engine"
)

// metaOf is the engine.Meta of a transaction.
type metaOf struct{ transaction }

// Meta implements engine.Tx.
func (t transaction) Meta() engine.Meta { return metaOf{t} }

func (q metaOf) Value(ctx context.Context, name string) (value string, err error) {
	err = q.row(ctx, "SELECT value FROM main."+metaTable+" WHERE name = ?", []any{name}, &value)
	return value, err
}

func (q metaOf) Values(ctx context.Context, most int) (map[string]string, error) {
	return engine.Pairs[string, string](ctx, q, "SELECT name, value FROM main."+metaTable+" LIMIT ?", most)
}

func (q metaOf) Add(ctx context.Context, name, value string) error {
	return q.changeOne(ctx, "INSERT INTO main."+metaTable+" (name, value) VALUES (?, ?)", name, value)
}

// localOf is the engine.Local of a transaction.
type localOf struct{ transaction }

// Local implements engine.Tx.
func (t transaction) Local() engine.Local { return localOf{t} }

// The conditions on the rows of a reviewer, and their arguments.
const (
	ownRows = " WHERE reviewer = ? AND tableName = ? AND id = ? AND revision "
	ownRow  = ownRows + "= ?"
	upToRow = ownRows + "<= ?"
)

func argsOf(own engine.Own, more ...any) []any {
	return append([]any{own.Holder(), own.Table.String(), string(own.Key.ID), own.Key.Number}, more...)
}

// ofReviewer is the condition on drafts of a reviewer, whichever console holds them.
const ofReviewer = "(reviewer = ?1 OR substr(reviewer, 1, length(?1) + 1) = ?1 || '@')"

func (q localOf) Drafts(ctx context.Context, own engine.Own) ([]engine.Draft, error) {
	const query = "SELECT reviewer, revision, draft, savedAt FROM main." + draftsTable + " WHERE " + ofReviewer +
		" AND tableName = ?2 AND id = ?3 AND revision <= ?4 ORDER BY revision DESC, savedAt DESC, reviewer"
	own.Console = ""
	return engine.List(ctx, q, query, (*engine.Draft).Columns, argsOf(own)...)
}

func (q localOf) SaveDraft(ctx context.Context, own engine.Own, draft records.Draft, at terms.Instant) error {
	return q.changeOne(ctx, "INSERT INTO main."+draftsTable+" (reviewer, tableName, id, revision, draft, savedAt) "+
		"VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET draft = excluded.draft, savedAt = excluded.savedAt",
		argsOf(own, string(draft.Document()), at.String())...)
}

func (q localOf) DropDrafts(ctx context.Context, own engine.Own) error {
	_, err := q.count(ctx, "DELETE FROM main."+draftsTable+upToRow, argsOf(own)...)
	return err
}

func (q localOf) SkipReason(ctx context.Context, own engine.Own) (reason string, err error) {
	err = q.row(ctx, "SELECT reason FROM main."+skipsTable+ownRow, argsOf(own), &reason)
	return reason, err
}

func (q localOf) Skip(ctx context.Context, own engine.Own, reason string, at terms.Instant) error {
	return q.changeOne(ctx, "INSERT INTO main."+skipsTable+" (reviewer, tableName, id, revision, reason, skippedAt) "+
		"VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET reason = excluded.reason, skippedAt = excluded.skippedAt",
		argsOf(own, reason, at.String())...)
}

func (q localOf) Unskip(ctx context.Context, own engine.Own) (bool, error) {
	count, err := q.count(ctx, "DELETE FROM main."+skipsTable+ownRow, argsOf(own)...)
	return count > 0, err
}
