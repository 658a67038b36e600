package engine

import (
	"context"

	"docket/domain/keys"
	"docket/domain/records"
	"docket/domain/signed"
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

// An AnswerRow is the columns of an Answer, each of which may be NULL.
type AnswerRow struct{ receipt, acceptedAt, rejection, changes *string }

// Columns are the receipt, when it was kept, the rejection and the changes.
func (r *AnswerRow) Columns() []any {
	return []any{&r.receipt, &r.acceptedAt, &r.rejection, &r.changes}
}

// Answer is the answer in the row.
func (r *AnswerRow) Answer() Answer {
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

// Columns are the revision, the document, the rejection and whether there is one.
func (a *Added) Columns() []any { return []any{&a.Revision, &a.Document, &a.Rejection, &a.Rejected} }

// DatesOf returns the rows of a query with a sequence and both dates.
func DatesOf(ctx context.Context, q Querier, query string, args ...any) (map[int64]Dates, error) {
	dates := map[int64]Dates{}
	return dates, q.EachRow(ctx, query, func(scan Scan) error {
		var sequence int64
		var d Dates
		err := scan(&sequence, &d.FiledAt, &d.Deadline)
		dates[sequence] = d
		return err
	}, args...)
}

// EachLogged yields the leaves of a query: the leaf, its document, the record that superseded it, an AnswerRow, the record that replaced it, the
// sequence of the one that judged it again, whether the record of its rejection is here, whether a revoked key signed it, and whether there is a service.
func EachLogged(ctx context.Context, q Querier, query string, yield func(*Logged) error, args ...any) error {
	return q.EachRow(ctx, query, func(scan Scan) error {
		var l Logged
		var superseded, replaced *string
		var again *int64
		var answer AnswerRow
		columns := append(append(l.Leaf.Columns(), &l.Document, &superseded), answer.Columns()...)
		if err := scan(append(columns, &replaced, &again, &l.InForceHere, &l.Revoked, &l.Bound)...); err != nil {
			return err
		}
		l.SupersededBy, l.ReplacedBy = records.RecordID(text(superseded)), records.RecordID(text(replaced))
		if again != nil {
			l.JudgedAgain = *again
		}
		l.Answer = answer.Answer()
		return yield(&l)
	}, args...)
}

// EachEntry yields what a query says of places of the log, one entry a sequence, also where an edited store has two receipts that stand for a
// record: Answers.Acceptances yields both. Its columns are the sequence, the table's name, the record's id, the hash, the signature, the salt of the
// packet, salt and text of the statement, salt and text of the note, receipt, checkpoint and proof of the acceptance, the document, and
// the one in the other table.
func EachEntry(ctx context.Context, q Querier, query string, yield func(*Entry) error, args ...any) error {
	last := int64(-1)
	return q.EachRow(ctx, query, func(scan Scan) error {
		var e Entry
		var table, id, receipt, checkpoint, proof *string
		var statement, note []byte
		err := scan(&e.Sequence, &table, &id, &e.LeafHash, &e.Signature, &e.PacketSalt, &e.Statement.Salt, &statement,
			&e.Note.Salt, &note, &receipt, &checkpoint, &proof, &e.Document, &e.Elsewhere)
		if err != nil || e.Sequence == last {
			return err
		}
		last = e.Sequence
		if receipt != nil {
			e.Acceptance = &signed.Acceptance{Receipt: *receipt, Checkpoint: text(checkpoint), Proof: text(proof)}
		}
		e.Table, e.RecordID = text(table), records.RecordID(text(id))
		e.Statement.Text, e.Note.Text = string(statement), string(note)
		return yield(&e)
	}, args...)
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
