package sqlite

import (
	"context"
	"fmt"

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
	return append([]any{string(own.Reviewer), own.Table.String(), string(own.Key.ID), own.Key.Number}, more...)
}

func (q localOf) Draft(ctx context.Context, own engine.Own) (d engine.Draft, err error) {
	const query = "SELECT revision, draft, savedAt FROM main." + draftsTable + upToRow + " ORDER BY revision DESC LIMIT 1"
	err = q.row(ctx, query, argsOf(own), &d.Revision, &d.Document, &d.SavedAt)
	return d, err
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

// serviceOf is the engine.Service of a transaction.
type serviceOf struct{ transaction }

// Service implements engine.Tx.
func (t transaction) Service() engine.Service { return serviceOf{t} }

const tokenColumns = "SELECT token.id, token.digest, token.principal, token.role, token.owners, token.createdAt, token.expiresAt," +
	" coalesce(revocation.revokedAt, '') FROM main." + tokensTable + " AS token LEFT JOIN main." + revocationsTable +
	" AS revocation ON revocation.id = token.id"

func (q serviceOf) Tokens(ctx context.Context) ([]engine.Token, error) {
	return engine.List(ctx, q, tokenColumns+" ORDER BY token.position", (*engine.Token).Columns)
}

func (q serviceOf) TokensBetween(ctx context.Context, from, to []byte) ([]engine.Token, error) {
	return engine.List(ctx, q, tokenColumns+" WHERE token.digest BETWEEN ? AND ? ORDER BY token.digest", (*engine.Token).Columns, from, to)
}

func (q serviceOf) Token(ctx context.Context, id string) (t engine.Token, err error) {
	err = q.row(ctx, tokenColumns+" WHERE token.id = ?", []any{id}, t.Columns()...)
	return t, err
}

func (q serviceOf) HasToken(ctx context.Context, id string, digest []byte) (there bool, err error) {
	err = q.row(ctx, "SELECT EXISTS (SELECT 1 FROM main."+tokensTable+" WHERE id = ? OR digest = ?)", []any{id, digest}, &there)
	return there, err
}

func (q serviceOf) AddToken(ctx context.Context, t engine.Token) error {
	const statement = "INSERT INTO main." + tokensTable + " (position, id, digest, principal, role, owners, createdAt, expiresAt) VALUES (" +
		nextIn + tokensTable + "), ?, ?, ?, ?, ?, ?, ?)"
	return q.changeOne(ctx, statement, t.ID, t.Digest, string(t.Principal), t.Role, string(t.Owners), t.Created, t.Expires)
}

func (q serviceOf) RevokeToken(ctx context.Context, id string, at terms.Instant) error {
	var there, revoked bool
	query := fmt.Sprintf("SELECT EXISTS (SELECT 1 FROM main.%s WHERE id = ?1), EXISTS (SELECT 1 FROM main.%s WHERE id = ?1)", tokensTable, revocationsTable)
	if err := q.row(ctx, query, []any{id}, &there, &revoked); err != nil || revoked {
		return err
	}
	if !there {
		return engine.ErrNoRow
	}
	const add = "INSERT INTO main." + revocationsTable + " (position, id, revokedAt) VALUES (" + nextIn + revocationsTable + "), ?, ?)"
	return q.changeOne(ctx, add, id, at.String())
}

func (q serviceOf) AddMove(ctx context.Context, origin string, at terms.Instant) error {
	const add = "INSERT INTO main." + movesTable + " (position, origin, movedAt) VALUES (" + nextIn + movesTable + "), ?, ?)"
	return q.changeOne(ctx, add, origin, at.String())
}

func (q serviceOf) MovedAt(ctx context.Context, origin string) (at string, err error) {
	err = q.row(ctx, "SELECT movedAt FROM main."+movesTable+" WHERE origin = ?", []any{origin}, &at)
	return at, err
}

func (q serviceOf) Receive(ctx context.Context, r engine.Received) error {
	const add = "INSERT INTO main." + receivedTable + " (sequence, receivedAt, origin, recordId, size) VALUES (?, ?, ?, ?, ?)"
	return q.changeOne(ctx, add, r.Sequence, r.At, r.Head.Origin, string(r.RecordID), r.Head.Size)
}

func (q serviceOf) ReceivedAt(ctx context.Context, id records.RecordID) (at string, err error) {
	const query = "SELECT received.receivedAt FROM main." + logTable + " AS log JOIN main." + receivedTable +
		" AS received ON received.sequence = log.sequence WHERE log.recordId = ?"
	err = q.row(ctx, query, []any{string(id)}, &at)
	return at, err
}

func (q serviceOf) ReceivedFrom(ctx context.Context, origin string, id records.RecordID, size int64) (there bool, err error) {
	const query = "SELECT EXISTS (SELECT 1 FROM main." + receivedTable + " WHERE origin = ? AND recordId >= ? AND size < ?)"
	err = q.row(ctx, query, []any{origin, string(id), size}, &there)
	return there, err
}
