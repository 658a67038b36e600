package engine

import (
	"context"

	"docket/domain/keys"
	"docket/domain/terms"
)

// A Scan reads the columns of a row into pointers, as database/sql and pgx do. A column that may be NULL is read into a pointer to a pointer.
type Scan = func(into ...any) error

// A Querier is a transaction, of which the functions below only read rows.
type Querier interface {
	// EachRow calls look for each row of a query, and stops at its first error. What is read into bytes is a copy.
	EachRow(ctx context.Context, query string, look func(scan Scan) error, args ...any) error
}

// Each yields the rows of a query, whose columns are read into what columns returns.
func Each[T any](ctx context.Context, q Querier, query string, columns func(row *T) []any, yield func(*T) error, args ...any) error {
	return q.EachRow(ctx, query, func(scan Scan) error {
		var row T
		if err := scan(columns(&row)...); err != nil {
			return err
		}
		return yield(&row)
	}, args...)
}

// List returns the rows of a query.
func List[T any](ctx context.Context, q Querier, query string, columns func(row *T) []any, args ...any) (list []T, err error) {
	err = Each(ctx, q, query, columns, func(row *T) error {
		list = append(list, *row)
		return nil
	}, args...)
	return list, err
}

// Column returns the rows of a query with one column.
func Column[T any](ctx context.Context, q Querier, query string, args ...any) ([]T, error) {
	return List(ctx, q, query, func(row *T) []any { return []any{row} }, args...)
}

// EachPair yields the rows of a query with two columns.
func EachPair[K, V any](ctx context.Context, q Querier, query string, yield func(K, V), args ...any) error {
	return q.EachRow(ctx, query, func(scan Scan) error {
		var first K
		var second V
		err := scan(&first, &second)
		if err == nil {
			yield(first, second)
		}
		return err
	}, args...)
}

// Pairs returns the rows of a query with two columns, by the first.
func Pairs[K comparable, V any](ctx context.Context, q Querier, query string, args ...any) (map[K]V, error) {
	all := map[K]V{}
	return all, EachPair(ctx, q, query, func(first K, second V) { all[first] = second }, args...)
}

// Columns of the rows that are stored as they are returned.

// Columns are the sequence, the table's name, the record's id and the hash.
func (l *Leaf) Columns() []any { return []any{&l.Sequence, &l.Table, &l.RecordID, &l.Hash} }

// Columns are all of them.
func (s *StoredStatement) Columns() []any {
	return []any{&s.Position, &s.Text, &s.Signature, &s.LogSignature, &s.Checkpoint}
}

// Columns are the position, the checkpoint, the cosignature and the key.
func (c *Cosigned) Columns() []any { return []any{&c.Position, &c.Checkpoint, &c.Line, &c.Key} }

// Columns are all of them.
func (s *Signer) Columns() []any { return []any{&s.Reviewer, &s.Fingerprint, &s.PublicKey, &s.Since} }

// RevocationColumns are all of them.
func RevocationColumns(r *keys.Revocation) []any {
	return []any{&r.Reviewer, &r.Fingerprint, &r.From, &r.Made, &r.Received}
}

// Columns are the position and the note.
func (h *PacketHead) Columns() []any { return []any{&h.Position, &h.Note} }

// Columns are all of them, and when the token was revoked.
func (t *Token) Columns() []any {
	return []any{&t.ID, &t.Digest, &t.Principal, &t.Role, &t.Owners, &t.Created, &t.Expires, &t.Revoked}
}

// Columns are all of them.
func (c *ShownCheckpoint) Columns() []any {
	return []any{&c.Position, &c.Setback, &c.Checkpoint, &c.Key, &c.At}
}

// Columns are all of them, but for the leaf, of which they have the sequence.
func (a *Acceptance) Columns() []any {
	return []any{&a.Sequence, &a.Origin, &a.TreeSize, &a.Receipt, &a.Proof, &a.Checkpoint}
}

// ColumnsWithLeaf are those of its leaf, the others, and whether it is Rejected.
func (a *Acceptance) ColumnsWithLeaf() []any {
	return append(a.Leaf.Columns(), &a.Origin, &a.TreeSize, &a.Receipt, &a.Proof, &a.Checkpoint, &a.Rejected)
}

// ColumnsWithLeaf are those of its leaf, and the others.
func (r *Rejection) ColumnsWithLeaf() []any {
	return append(r.Leaf.Columns(), &r.Position, &r.InForce, &r.Signed, &r.Changes)
}

// Rows with columns that may be NULL, or that are not what is returned.

// An answerRow is the columns of an Answer, each of which may be NULL.
type answerRow struct{ receipt, acceptedAt, rejection, changes *string }

// Columns are the receipt, when it was kept, the rejection and the changes.
func (r *answerRow) Columns() []any {
	return []any{&r.receipt, &r.acceptedAt, &r.rejection, &r.changes}
}

// Answer is the answer in the row.
func (r *answerRow) Answer() Answer {
	return Answer{Accepted: r.receipt != nil, Rejected: r.rejection != nil, Receipt: text(r.receipt), AcceptedAt: text(r.acceptedAt),
		Rejection: text(r.rejection), Changes: text(r.changes)}
}

// text is the text in a column; "" for NULL.
func text(column *string) string {
	if column == nil {
		return ""
	}
	return *column
}

// EachServiceRecord yields the rows of a query with all columns of a ServiceRecord but for when it was kept. The table of a row that was edited may be
// none.
func EachServiceRecord(ctx context.Context, q Querier, query string, yield func(*ServiceRecord) error, args ...any) error {
	return q.EachRow(ctx, query, func(scan Scan) error {
		var r ServiceRecord
		var table string
		err := scan(&r.Position, &table, &r.Key.ID, &r.Key.Number, &r.RecordID, &r.Supersedes, &r.Record, &r.Signature, &r.Origin, &r.Sequence, &r.Proof,
			&r.Checkpoint, &r.AfterRecords, &r.AfterRejections, &r.Earlier)
		if err != nil {
			return err
		}
		r.Table, _ = terms.Tables.Parse(table)
		return yield(&r)
	}, args...)
}
