package sqlite

import (
	"context"
	"fmt"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/engine"
)

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
