package sqlite

import (
	"context"
	"database/sql"
	_ "embed"

	"docket/store/engine"
)

// A flavor is the engine.Flavor of SQLite.
type flavor struct{}

//go:embed queries.sql
var own string

var queries = engine.Queries(own)

// Own implements engine.Flavor.
func (flavor) Own(name string) (string, bool) {
	text, there := queries[name]
	return text, there
}

// Value implements engine.Flavor: a STRICT column of texts refuses bytes.
func (flavor) Value(text engine.Text) any { return string(text) }

// Failed implements engine.Flavor.
func (flavor) Failed(err error) error { return err }

// view runs work in one snapshot of a pool.
func view(ctx context.Context, pool *sql.DB, work engine.Work) error {
	tx, err := pool.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	return work(ctx, engine.Of(tx, flavor{}))
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
	if err := work(ctx, engine.Of(tx, flavor{})); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return &engine.CommitError{Cause: err}
	}
	return nil
}
