package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"docket/store/disk"
	"docket/store/engine"
)

// A transaction is an engine.Tx.
type transaction struct{ *sql.Tx }

// Nested implements engine.Tx.
func (t transaction) Nested(ctx context.Context, work engine.Work) error {
	if _, err := t.ExecContext(ctx, "SAVEPOINT "+partOfTransaction); err != nil {
		return err
	}
	err := work(ctx, t)
	if err != nil {
		if _, failed := t.ExecContext(ctx, "ROLLBACK TO "+partOfTransaction); failed != nil {
			return &engine.UndoError{Cause: errors.Join(err, failed)}
		}
	}
	if _, failed := t.ExecContext(ctx, "RELEASE "+partOfTransaction); failed != nil {
		return &engine.UndoError{Cause: errors.Join(err, failed)}
	}
	return err
}

// view runs work in one snapshot of a pool.
func view(ctx context.Context, pool *sql.DB, work engine.Work) error {
	tx, err := pool.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	return work(ctx, transaction{tx})
}

// update runs work in one transaction of a pool and commits it.
func (d *DB) update(ctx context.Context, pool *sql.DB, work engine.Work) error {
	tx, err := d.begin(ctx, pool)
	if err != nil {
		return err
	}
	return finish(ctx, tx, work)
}

// finish runs work in a transaction and commits it.
func finish(ctx context.Context, tx *sql.Tx, work engine.Work) error {
	defer func() { _ = tx.Rollback() }()
	if err := work(ctx, transaction{tx}); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return &engine.CommitError{Cause: err}
	}
	return nil
}

// EachRow calls look for each row of a query.
func (t transaction) EachRow(ctx context.Context, query string, look func(scan engine.Scan) error, args ...any) (err error) {
	rows, err := t.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	scan := func(into ...any) error {
		err := rows.Scan(into...)
		if err != nil && rows.Err() == nil { // a value is of another type than docket writes, and no cancelled read
			err = fmt.Errorf("%w: %w", disk.ErrDamaged, err)
		}
		return err
	}
	for rows.Next() {
		if err := look(scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// errFirst ends a query after its first row.
var errFirst = errors.New("no more rows are wanted")

// row reads the first row of a query; engine.ErrNoRow if there is none.
func (t transaction) row(ctx context.Context, query string, args []any, into ...any) error {
	err := t.EachRow(ctx, query, func(scan engine.Scan) error { return cmp.Or(scan(into...), errFirst) }, args...)
	switch {
	case errors.Is(err, errFirst):
		return nil
	case err == nil:
		return engine.ErrNoRow
	}
	return err
}

// changeOne runs a statement that has to change exactly one row.
func (t transaction) changeOne(ctx context.Context, statement string, args ...any) error {
	return t.change(ctx, 1, statement, args...)
}

// change runs a statement that has to change exactly rows rows.
func (t transaction) change(ctx context.Context, rows int64, statement string, args ...any) error {
	result, err := t.ExecContext(ctx, statement, args...)
	if err != nil {
		return err
	}
	return changed(rows, result)
}

// changed returns an error unless a statement changed the number of rows: an insertion that a trigger swallowed reports
// none.
func changed(rows int64, result sql.Result) error {
	changed, err := result.RowsAffected()
	if err == nil && changed != rows {
		err = fmt.Errorf("a statement changed %d rows instead of %d", changed, rows)
	}
	return err
}

// count runs a statement and returns how many rows it changed.
func (t transaction) count(ctx context.Context, statement string, args ...any) (int64, error) {
	result, err := t.ExecContext(ctx, statement, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}
