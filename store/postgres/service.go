package postgres

import (
	"context"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/engine"
)

// serviceOf is the engine.Service of a transaction.
type serviceOf struct{ *transaction }

// Service implements engine.Tx.
func (t *transaction) Service() engine.Service { return serviceOf{t} }

const tokenColumns = "SELECT token.id, token.digest, token.principal, token.role, token.owners, token.createdAt, token.expiresAt," +
	" coalesce(revocation.revokedAt, '') FROM docket.docket_service_tokens AS token" +
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

func (q serviceOf) AddToken(ctx context.Context, t engine.Token) error {
	return q.changeOne(ctx, insert("docket_service_tokens", "position, id, digest, principal, role, owners, createdAt, expiresAt"),
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
	return q.changeOne(ctx, insert("docket_service_revocations", "position, id, revokedAt"), id, at.String())
}

func (q serviceOf) AddMove(ctx context.Context, origin string, at terms.Instant) error {
	return q.changeOne(ctx, insert("docket_service_moves", "position, origin, movedAt"), origin, at.String())
}

func (q serviceOf) MovedAt(ctx context.Context, origin string) (at string, err error) {
	err = q.row(ctx, "SELECT movedAt FROM docket.docket_service_moves WHERE origin = $1", []any{origin}, &at)
	return at, err
}

func (q serviceOf) Receive(ctx context.Context, r engine.Received) error {
	return q.changeOne(ctx, insert("docket_service_received", "sequence, receivedAt, origin, recordId, size"),
		r.Sequence, r.At, r.Head.Origin, r.RecordID, r.Head.Size)
}

func (q serviceOf) ReceivedAt(ctx context.Context, id records.RecordID) (at string, err error) {
	const query = "SELECT received.receivedAt FROM docket.docket_log AS log JOIN docket.docket_service_received AS received" +
		" ON received.sequence = log.sequence WHERE log.recordId = $1"
	err = q.row(ctx, query, []any{id}, &at)
	return at, err
}

func (q serviceOf) ReceivedFrom(ctx context.Context, origin string, id records.RecordID, size int64) (there bool, err error) {
	const query = "SELECT EXISTS (SELECT 1 FROM docket.docket_service_received WHERE origin = $1 AND recordId >= $2 AND size < $3)"
	err = q.row(ctx, query, []any{origin, id, size}, &there)
	return there, err
}
