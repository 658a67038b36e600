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

func (q metaOf) Add(_ context.Context, name, value string) error {
	return q.changeOne(insert("docket_meta", "name, value"), name, value)
}

// localOf is the engine.Local of a transaction.
type localOf struct{ *transaction }

// Local implements engine.Tx.
func (t *transaction) Local() engine.Local { return localOf{t} }

// The conditions on the rows of a reviewer, and their arguments.
const (
	ownRows = " WHERE reviewer = $1 AND table_name = $2 AND id = $3 AND revision "
	ownRow  = ownRows + "= $4"
	upToRow = ownRows + "<= $4"
)

func argsOf(own engine.Own, more ...any) []any {
	return append([]any{own.Reviewer, own.Table.String(), own.Key.ID, own.Key.Number}, more...)
}

func (q localOf) Draft(ctx context.Context, own engine.Own) (d engine.Draft, err error) {
	const query = "SELECT revision, draft, saved_at FROM docket.docket_drafts" + upToRow + " ORDER BY revision DESC LIMIT 1"
	err = q.row(ctx, query, argsOf(own), &d.Revision, &d.Document, &d.SavedAt)
	return d, err
}

// onOwn is the clause by which a row of a reviewer replaces an existing one.
const onOwn = " ON CONFLICT (reviewer, table_name, id, revision) DO UPDATE SET "

func (q localOf) SaveDraft(_ context.Context, own engine.Own, draft records.Draft, at terms.Instant) error {
	return q.changeOne(insert("docket_drafts", "reviewer, table_name, id, revision, draft, saved_at")+onOwn+
		"draft = excluded.draft, saved_at = excluded.saved_at", argsOf(own, draft.Document(), at.String())...)
}

func (q localOf) DropDrafts(_ context.Context, own engine.Own) error {
	return q.change(-1, "DELETE FROM docket.docket_drafts"+upToRow, argsOf(own)...)
}

func (q localOf) SkipReason(ctx context.Context, own engine.Own) (string, error) {
	var reason []byte
	err := q.row(ctx, "SELECT reason FROM docket.docket_skips"+ownRow, argsOf(own), &reason)
	return string(reason), err
}

func (q localOf) Skip(_ context.Context, own engine.Own, reason string, at terms.Instant) error {
	return q.changeOne(insert("docket_skips", "reviewer, table_name, id, revision, reason, skipped_at")+onOwn+
		"reason = excluded.reason, skipped_at = excluded.skipped_at", argsOf(own, []byte(reason), at.String())...)
}

func (q localOf) Unskip(ctx context.Context, own engine.Own) (bool, error) {
	count, err := q.count(ctx, "DELETE FROM docket.docket_skips"+ownRow, argsOf(own)...)
	return count > 0, err
}

// serviceOf is the engine.Service of a transaction.
type serviceOf struct{ *transaction }

// Service implements engine.Tx.
func (t *transaction) Service() engine.Service { return serviceOf{t} }

const tokenColumns = "SELECT token.id, token.digest, token.principal, token.role, token.owners, token.created_at, token.expires_at," +
	" coalesce(revocation.revoked_at, '') FROM docket.docket_service_tokens AS token" +
	" LEFT JOIN docket.docket_service_revocations AS revocation ON revocation.id = token.id"

func (q serviceOf) Tokens(ctx context.Context) ([]engine.Token, error) {
	return engine.List(ctx, q, tokenColumns+" ORDER BY token.position", (*engine.Token).Columns)
}

func (q serviceOf) TokensBetween(ctx context.Context, from, to []byte) ([]engine.Token, error) {
	return engine.List(ctx, q, tokenColumns+" WHERE token.digest BETWEEN $1 AND $2 ORDER BY token.digest", (*engine.Token).Columns, from, to)
}

func (q serviceOf) Token(ctx context.Context, id string) (t engine.Token, err error) {
	err = q.row(ctx, tokenColumns+" WHERE token.id = $1", []any{id}, t.Columns()...)
	return t, err
}

func (q serviceOf) HasToken(ctx context.Context, id string, digest []byte) (there bool, err error) {
	const query = "SELECT EXISTS (SELECT 1 FROM docket.docket_service_tokens WHERE id = $1)" +
		" OR EXISTS (SELECT 1 FROM docket.docket_service_tokens WHERE digest = $2)"
	err = q.row(ctx, query, []any{id, digest}, &there)
	return there, err
}

func (q serviceOf) AddToken(_ context.Context, t engine.Token) error {
	return q.changeOne(insert("docket_service_tokens", "position, id, digest, principal, role, owners, created_at, expires_at"),
		t.ID, t.Digest, t.Principal, t.Role, string(t.Owners), t.Created, t.Expires)
}

func (q serviceOf) RevokeToken(ctx context.Context, id string, at terms.Instant) error {
	var there, revoked bool
	const query = "SELECT EXISTS (SELECT 1 FROM docket.docket_service_tokens WHERE id = $1)," +
		" EXISTS (SELECT 1 FROM docket.docket_service_revocations WHERE id = $1)"
	if err := q.row(ctx, query, []any{id}, &there, &revoked); err != nil || revoked {
		return err
	}
	if !there {
		return engine.ErrNoRow
	}
	return q.changeOne(insert("docket_service_revocations", "position, id, revoked_at"), id, at.String())
}

func (q serviceOf) AddMove(_ context.Context, origin string, at terms.Instant) error {
	return q.changeOne(insert("docket_service_moves", "position, origin, moved_at"), origin, at.String())
}

func (q serviceOf) MovedAt(ctx context.Context, origin string) (at string, err error) {
	err = q.row(ctx, "SELECT moved_at FROM docket.docket_service_moves WHERE origin = $1", []any{origin}, &at)
	return at, err
}

func (q serviceOf) Receive(_ context.Context, r engine.Received) error {
	return q.changeOne(insert("docket_service_received", "sequence, received_at, origin, record_id, size"),
		r.Sequence, r.At, r.Head.Origin, r.RecordID, r.Head.Size)
}

func (q serviceOf) ReceivedAt(ctx context.Context, id records.RecordID) (at string, err error) {
	const query = "SELECT received.received_at FROM docket.docket_log AS log JOIN docket.docket_service_received AS received" +
		" ON received.sequence = log.sequence WHERE log.record_id = $1"
	err = q.row(ctx, query, []any{id}, &at)
	return at, err
}

func (q serviceOf) ReceivedFrom(ctx context.Context, origin string, id records.RecordID, size int64) (there bool, err error) {
	const query = "SELECT EXISTS (SELECT 1 FROM docket.docket_service_received WHERE origin = $1 AND record_id >= $2 AND size < $3)"
	err = q.row(ctx, query, []any{origin, id, size}, &there)
	return there, err
}
