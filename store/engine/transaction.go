package engine

import (
	"context"
	"database/sql"
	"errors"
)

// ErrNoRow says that the database has no such row.
var ErrNoRow = errors.New("there is no such row")

// A Tx is a transaction: it reads one snapshot of the database, and writes if it was begun for that. Its methods are called by one
// goroutine at a time.
type Tx interface {
	SQL
	Structure() Structure
}

// Structure is what the database itself says of its soundness.
type Structure interface {
	// Altered names the tables, indexes and triggers that are gone, other than they were made, or too many. The error is
	// disk.ErrAltered if the store cannot even be read with what there is.
	Altered(ctx context.Context) ([]string, error)
	// Faults counts what the database's own check of its structure complains of. It holds indexes to their tables.
	Faults(ctx context.Context) (int, error)
}

// SQL is a transaction of database/sql.
type SQL interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
}

// Work is what is done in a transaction.
type Work func(ctx context.Context, tx Tx) error
