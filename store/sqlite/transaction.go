package sqlite

import (
	"database/sql"
	_ "embed"

	"docket/store/engine"
)

type flavor struct{}

//go:embed queries.sql
var own string

var dialect = engine.NewDialect(own)

// Dialect implements engine.Flavor.
func (flavor) Dialect() *engine.Dialect { return dialect }

// Value implements engine.Flavor: a STRICT column of texts refuses bytes.
func (flavor) Value(text engine.Text) any { return string(text) }

// Failed implements engine.Flavor.
func (flavor) Failed(err error) error { return err }

type running struct {
	*sql.Tx
	ended func()
}

// Work implements engine.Running.
func (r *running) Work() engine.Tx { return engine.Of(r.Tx, flavor{}) }

// Commit implements engine.Running.
func (r *running) Commit() error {
	if err := r.Tx.Commit(); err != nil {
		return &engine.CommitError{Cause: err}
	}
	return nil
}

// End implements engine.Running.
func (r *running) End() error {
	_ = r.Rollback() // it is over if it was committed
	r.ended()
	return nil
}
