package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"reflect"

	"docket/domain/terms"
	"docket/store/disk"
)

// ErrNoRow says that the database has no such row.
var ErrNoRow = errors.New("there is no such row")

// A Tx is a transaction over database/sql: it reads one snapshot of the database, and writes if it
// was begun for that. Its methods are called by one goroutine at a time.
type Tx struct {
	tx     *sql.Tx
	flavor Flavor
	table  terms.Table // of the words of its queries
	words  [4]string   // more of them, each before what it stands for
	erased *erased     // nil: what was erased is read, too
}

// A Flavor is what differs between the engines within a transaction.
type Flavor interface {
	Dialect() *Dialect
	// Value returns a free text, which may hold U+0000, in the form that the engine's columns take.
	Value(text Text) any
	// Failed takes every error of a statement, and returns what it means.
	Failed(err error) error

	// These are the methods of Structure.
	Altered(ctx context.Context, q Tx) ([]string, error)
	Faults(ctx context.Context, q Tx) (int, error)
	TryWrite(ctx context.Context, q Tx) error
}

// A Text is an argument that is a free text or a document: it may hold U+0000.
type Text []byte

// Of returns the transaction over one of database/sql.
func Of(tx *sql.Tx, flavor Flavor) Tx { return Tx{tx: tx, flavor: flavor, erased: &erased{}} }

// Work is the function that a transaction runs.
type Work func(ctx context.Context, tx Tx) error

// Savepoint is the name of the only savepoint. Nested ones of one name are a stack.
const Savepoint = "part"

// Nested runs work as a part of the transaction. If it fails, what it wrote is undone, its error is
// returned, and the transaction goes on; an error of undoing it ends the transaction.
func (t Tx) Nested(ctx context.Context, work Work) error {
	run := func(statement string) error {
		_, err := t.Exec(ctx, statement+Savepoint)
		return err
	}
	if err := run("SAVEPOINT "); err != nil {
		return err
	}
	err := work(ctx, t)
	if err == nil {
		err = run("RELEASE SAVEPOINT ")
	}
	if err == nil {
		return nil
	}
	undo := run("ROLLBACK TO SAVEPOINT ")
	if undo == nil {
		undo = run("RELEASE SAVEPOINT ")
	}
	if undo != nil {
		return &UndoError{Cause: errors.Join(err, undo)}
	}
	return err
}

// EachRow calls look for each row of a query, and stops at its first error. What is read into bytes
// is a copy. A value of another type than docket writes is disk.ErrDamaged.
func (t Tx) EachRow(ctx context.Context, query string, look func(scan Scan) error, args ...any) error {
	rows, err := t.tx.QueryContext(ctx, query, t.sent(args)...)
	if err != nil {
		return t.flavor.Failed(err)
	}
	scan := func(into ...any) error {
		err := rows.Scan(into...)
		if err != nil && rows.Err() == nil { // a cancelled read is no damage
			err = fmt.Errorf("%w: %w", disk.ErrDamaged, err)
		}
		return err
	}
	enough := false
	for err == nil && !enough && rows.Next() {
		if err = look(scan); errors.Is(err, errEnough) {
			enough, err = true, nil
		}
	}
	if err == nil {
		err = rows.Err()
	}
	return t.flavor.Failed(errors.Join(err, rows.Close()))
}

var errEnough = errors.New("no more rows are wanted")

// Row reads the first row of a query, or returns ErrNoRow.
func (t Tx) Row(ctx context.Context, query string, args []any, into ...any) error {
	there := false
	err := t.EachRow(ctx, query, func(scan Scan) error {
		if err := scan(into...); err != nil {
			return err
		}
		there = true
		return errEnough
	}, args...)
	if err == nil && !there {
		return ErrNoRow
	}
	return err
}

// Exec runs a statement and returns how many rows it changed.
func (t Tx) Exec(ctx context.Context, statement string, args ...any) (changed int64, err error) {
	result, err := t.tx.ExecContext(ctx, statement, t.sent(args)...)
	if err != nil {
		return 0, t.flavor.Failed(err)
	}
	return result.RowsAffected()
}

// Exec1 runs a statement that has to change exactly one row: one that a trigger swallowed fails.
func (t Tx) Exec1(ctx context.Context, statement string, args ...any) error {
	return t.ExecRows(ctx, 1, statement, args...)
}

// ExecRows runs a statement that has to change exactly so many rows.
func (t Tx) ExecRows(ctx context.Context, rows int64, statement string, args ...any) error {
	changed, err := t.Exec(ctx, statement, args...)
	if err == nil && changed != rows {
		err = fmt.Errorf("a statement changed %d rows instead of %d", changed, rows)
	}
	return err
}

// sent are arguments as plain texts and numbers: a driver sends a text as it is, for any column.
func (t Tx) sent(args []any) []any {
	plain := make([]any, len(args))
	for i, arg := range args {
		plain[i] = arg
		if text, is := arg.(Text); is {
			plain[i] = t.flavor.Value(text)
			continue
		}
		switch of := reflect.ValueOf(arg); of.Kind() {
		case reflect.String:
			plain[i] = of.String()
		case reflect.Int, reflect.Int64:
			plain[i] = of.Int()
		}
	}
	return plain
}

// A CommitError is a COMMIT that failed or was not answered: its outcome is not known.
type CommitError struct{ Cause error }

// Error says what happened.
func (e *CommitError) Error() string { return fmt.Sprintf("commit: %v", e.Cause) }

// Unwrap returns the Cause.
func (e *CommitError) Unwrap() error { return e.Cause }

// An UndoError is a part of a transaction that was not undone: the whole must not be committed.
type UndoError struct{ Cause error }

// Error says what happened.
func (e *UndoError) Error() string { return fmt.Sprintf("undo a part of the transaction: %v", e.Cause) }

// Unwrap returns the Cause.
func (e *UndoError) Unwrap() error { return e.Cause }

// Doubtful reports whether an error is one of these, after which every engine is Broken.
func Doubtful(err error) bool {
	var commit *CommitError
	var undo *UndoError
	return errors.As(err, &commit) || errors.As(err, &undo)
}
