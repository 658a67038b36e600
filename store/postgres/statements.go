package postgres

import (
	"context"

	"docket/domain/terms"
	"docket/store/engine"
)

// statementsOf is the engine.Statements of a transaction.
type statementsOf struct{ *transaction }

// Statements implements engine.Tx.
func (t *transaction) Statements() engine.Statements { return statementsOf{t} }

func (q statementsOf) Count(ctx context.Context) (count int64, err error) {
	err = q.row(ctx, "SELECT coalesce(max(position) + 1, 0) FROM docket.docket_log_statements", nil, &count)
	return count, err
}

func (q statementsOf) All(ctx context.Context) ([]engine.StoredStatement, error) {
	const query = "SELECT position, statement, signature, logSignature, checkpoint FROM docket.docket_log_statements ORDER BY position"
	return engine.List(ctx, q, query, (*engine.StoredStatement).Columns)
}

func (q statementsOf) NewestRestore(ctx context.Context) (s engine.StoredStatement, err error) {
	const query = "SELECT position, statement, checkpoint FROM docket.docket_log_statements WHERE checkpoint <> '' ORDER BY position DESC LIMIT 1"
	err = q.row(ctx, query, nil, &s.Position, &s.Text, &s.Checkpoint)
	return s, err
}

func (q statementsOf) AnyErasure(ctx context.Context) (there bool, err error) {
	const query = `SELECT EXISTS (SELECT 1 FROM docket.docket_log_statements WHERE strpos(statement, E'\nerasure\n') > 0)`
	err = q.row(ctx, query, nil, &there)
	return there, err
}

func (q statementsOf) Add(ctx context.Context, s engine.StoredStatement) error {
	return q.changeOne(ctx, insert("docket_log_statements", "position, statement, signature, logSignature, checkpoint"),
		s.Text, string(s.Signature), string(s.LogSignature), string(s.Checkpoint))
}

// cosignaturesOf is the engine.Cosignatures of a transaction.
type cosignaturesOf struct{ *transaction }

// Cosignatures implements engine.Tx.
func (t *transaction) Cosignatures() engine.Cosignatures { return cosignaturesOf{t} }

func (q cosignaturesOf) Last(ctx context.Context) (position int64, err error) {
	err = q.row(ctx, "SELECT coalesce(max(position), -1) FROM docket.docket_cosignatures", nil, &position)
	return position, err
}

const cosignedColumns = "SELECT position, checkpoint, cosignature, key FROM docket.docket_cosignatures"

func (q cosignaturesOf) Before(ctx context.Context, before, last int64, most int) ([]engine.Cosigned, error) {
	const query = cosignedColumns + " WHERE position < $1 AND position <= $2 ORDER BY position DESC LIMIT $3"
	return engine.List(ctx, q, query, (*engine.Cosigned).Columns, before, last, most)
}

func (q cosignaturesOf) Newest(ctx context.Context, key, beginning string) (c engine.Cosigned, err error) {
	const query = cosignedColumns + " WHERE key = $1 AND starts_with(checkpoint, $2) ORDER BY position DESC LIMIT 1"
	err = q.row(ctx, query, []any{key, beginning}, c.Columns()...)
	return c, err
}

func (q cosignaturesOf) Has(ctx context.Context, c engine.Cosigned) (there bool, err error) {
	const query = "SELECT EXISTS (SELECT 1 FROM docket.docket_cosignatures WHERE checkpoint = $1 AND cosignature = $2 AND key = $3)"
	err = q.row(ctx, query, []any{string(c.Checkpoint), string(c.Line), c.Key}, &there)
	return there, err
}

func (q cosignaturesOf) Add(ctx context.Context, c engine.Cosigned, at terms.Instant) error {
	return q.changeOne(ctx, insert("docket_cosignatures", "position, checkpoint, cosignature, key, keptAt"), string(c.Checkpoint), string(c.Line), c.Key, at.String())
}
