package postgres

import (
	"context"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/engine"
)

// metaOf is the engine.Meta of a transaction.
type metaOf struct{ *transaction }

// Meta implements engine.Tx.
func (t *transaction) Meta() engine.Meta { return metaOf{t} }

func (q metaOf) Value(ctx context.Context, name string) (value string, err error) {
	err = q.row(ctx, "SELECT value FROM docket.docket_meta WHERE name = $1", []any{name}, &value)
	return value, err
}

func (q metaOf) Values(ctx context.Context, most int) (map[string]string, error) {
	return engine.Pairs[string, string](ctx, q, "SELECT name, value FROM docket.docket_meta LIMIT $1", most)
}

func (q metaOf) Add(ctx context.Context, name, value string) error {
	return q.changeOne(ctx, insert("docket_meta", "name, value"), name, value)
}

// localOf is the engine.Local of a transaction.
type localOf struct{ *transaction }

// Local implements engine.Tx.
func (t *transaction) Local() engine.Local { return localOf{t} }

// The conditions on the rows of a reviewer, and their arguments.
const (
	ownRows = " WHERE reviewer = $1 AND tableName = $2 AND id = $3 AND revision "
	ownRow  = ownRows + "= $4"
	upToRow = ownRows + "<= $4"
)

func argsOf(own engine.Own, more ...any) []any {
	return append([]any{own.Holder(), own.Table.String(), own.Key.ID, own.Key.Number}, more...)
}

func (q localOf) Drafts(ctx context.Context, own engine.Own) ([]engine.Draft, error) {
	const query = "SELECT reviewer, revision, draft, savedAt FROM docket.docket_drafts" +
		" WHERE (reviewer = $1 OR starts_with(reviewer, $1 || '@')) AND tableName = $2 AND id = $3 AND revision <= $4" +
		" ORDER BY revision DESC, savedAt DESC, reviewer"
	own.Console = ""
	return engine.List(ctx, q, query, (*engine.Draft).Columns, argsOf(own)...)
}

// onOwn is the clause by which a row of a reviewer replaces an existing one.
const onOwn = " ON CONFLICT (reviewer, tableName, id, revision) DO UPDATE SET "

func (q localOf) SaveDraft(ctx context.Context, own engine.Own, draft records.Draft, at terms.Instant) error {
	return q.changeOne(ctx, insert("docket_drafts", "reviewer, tableName, id, revision, draft, savedAt")+onOwn+
		"draft = excluded.draft, savedAt = excluded.savedAt", argsOf(own, draft.Document(), at.String())...)
}

func (q localOf) DropDrafts(ctx context.Context, own engine.Own) error {
	_, err := q.count(ctx, "DELETE FROM docket.docket_drafts"+upToRow, argsOf(own)...)
	return err
}

func (q localOf) SkipReason(ctx context.Context, own engine.Own) (string, error) {
	var reason []byte
	err := q.row(ctx, "SELECT reason FROM docket.docket_skips"+ownRow, argsOf(own), &reason)
	return string(reason), err
}

func (q localOf) Skip(ctx context.Context, own engine.Own, reason string, at terms.Instant) error {
	return q.changeOne(ctx, insert("docket_skips", "reviewer, tableName, id, revision, reason, skippedAt")+onOwn+
		"reason = excluded.reason, skippedAt = excluded.skippedAt", argsOf(own, []byte(reason), at.String())...)
}

func (q localOf) Unskip(ctx context.Context, own engine.Own) (bool, error) {
	count, err := q.count(ctx, "DELETE FROM docket.docket_skips"+ownRow, argsOf(own)...)
	return count > 0, err
}
