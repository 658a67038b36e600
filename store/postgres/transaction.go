package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"docket/store/engine"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// The transactions that read have one snapshot; those that write begin with the lock.
var (
	reading = sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
	writing = sql.TxOptions{Isolation: sql.LevelReadCommitted}
)

const lockHead = "SELECT turn FROM docket.docket_head WHERE id = 0 FOR UPDATE"

// A transaction is an engine.Tx on a connection of its own.
type transaction struct {
	*sql.Tx
	conn   *sql.Conn
	cancel context.CancelFunc
	parts  int   // how deep the part is that runs; 0 for the whole
	lost   error // the connection ended the transaction
}

// A lostError is a connection that ended in the middle of a transaction.
type lostError struct{ cause error }

func (e *lostError) Error() string {
	return fmt.Sprintf("the connection to the server ended: %v", e.cause)
}
func (e *lostError) Unwrap() error { return e.cause }

// begin begins a transaction, which takes a lock if lock is not empty. The end of ctx ends that, and not the transaction. A
// connection that the server has ended meanwhile is replaced.
func begin(ctx context.Context, pool *sql.DB, options sql.TxOptions, lock string) (t *transaction, err error) {
	for range pool.Stats().OpenConnections + 1 {
		if t, err = beginOnce(ctx, pool, options, lock); err == nil || !connectionEnded(err) || ctx.Err() != nil {
			break
		}
	}
	return t, err
}

func beginOnce(ctx context.Context, pool *sql.DB, options sql.TxOptions, lock string) (*transaction, error) {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	whole, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, cancel)
	t := &transaction{conn: conn, cancel: cancel}
	if t.Tx, err = conn.BeginTx(whole, &options); err != nil {
		err = t.failed(err)
		return nil, errors.Join(err, t.release())
	}
	if lock != "" {
		err = t.run(whole, lock)
	}
	if !stop() && err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, t.end())
	}
	return t, nil
}

// failed notes that the connection ended.
func (t *transaction) failed(err error) error {
	if err == nil || connectionEnded(err) {
		return err
	}
	server := serverOf(t.conn)
	if server == nil || server.IsClosed() || errors.Is(err, driver.ErrBadConn) {
		t.lost = &lostError{err}
		return t.lost
	}
	return err
}

func connectionEnded(err error) bool {
	var lost *lostError
	return errors.As(err, &lost)
}

// commit commits the transaction. After an error with which the server refuses that, nothing was committed; after any other error
// the outcome is unknown.
func (t *transaction) commit() error {
	_ = t.warning() // of an earlier statement
	err := t.failed(t.Commit())
	if err == nil {
		if err = t.warning(); err == nil {
			return nil
		}
		return &engine.CommitError{Cause: err}
	}
	var refused *pgconn.PgError
	if t.lost == nil && (errors.Is(err, pgx.ErrTxCommitRollback) || errors.As(err, &refused) && refused.Severity == "ERROR") {
		return err
	}
	return &engine.CommitError{Cause: err}
}

// warning returns the last warning of the server, once.
func (t *transaction) warning() error {
	server := serverOf(t.conn)
	if server == nil {
		return nil
	}
	last, _ := server.CustomData()[warningKey].(*pgconn.PgError)
	delete(server.CustomData(), warningKey)
	if last == nil {
		return nil
	}
	return last
}

// end rolls back an uncommitted transaction, and releases the connection. The server rolls back that of a connection that ended.
func (t *transaction) end() error {
	defer time.AfterFunc(closeTime, t.cancel).Stop()
	err := t.Rollback()
	if errors.Is(err, sql.ErrTxDone) || t.lost != nil {
		err = nil
	}
	if err = t.failed(err); connectionEnded(err) {
		err = nil
	}
	return errors.Join(err, t.release())
}

func (t *transaction) release() error {
	t.cancel()
	if err := t.conn.Close(); !errors.Is(err, sql.ErrConnDone) && !errors.Is(err, driver.ErrBadConn) {
		return err
	}
	return nil
}

// Nested implements engine.Tx.
func (t *transaction) Nested(ctx context.Context, work engine.Work) error {
	t.parts++
	defer func() { t.parts-- }()
	name := fmt.Sprintf("part%d", t.parts)
	if err := t.run(ctx, "SAVEPOINT "+name); err != nil {
		return err
	}
	err := work(ctx, t)
	if err == nil {
		err = t.run(ctx, "RELEASE SAVEPOINT "+name)
	}
	if err == nil {
		return nil
	}
	if undo := t.run(ctx, "ROLLBACK TO SAVEPOINT "+name+"; RELEASE SAVEPOINT "+name); undo != nil {
		return &engine.UndoError{Cause: errors.Join(err, undo)}
	}
	return err
}

// EachRow calls look for each row of a query. What scan reads into bytes is a copy.
func (t *transaction) EachRow(ctx context.Context, query string, look func(scan engine.Scan) error, args ...any) error {
	rows, err := t.QueryContext(ctx, query, sent(args)...)
	if err != nil {
		return t.failed(err)
	}
	for err == nil && rows.Next() {
		err = look(rows.Scan)
	}
	if err == nil {
		err = rows.Err()
	}
	return t.failed(errors.Join(err, rows.Close()))
}

// row reads the first row of a query; engine.ErrNoRow if there is none.
func (t *transaction) row(ctx context.Context, query string, args []any, into ...any) error {
	there := false
	err := t.EachRow(ctx, query, func(scan engine.Scan) error {
		if there {
			return nil
		}
		there = true
		return scan(into...)
	}, args...)
	if err == nil && !there {
		return engine.ErrNoRow
	}
	return err
}

// changeOne runs a statement that has to change exactly one row.
func (t *transaction) changeOne(ctx context.Context, text string, args ...any) error {
	return t.change(ctx, 1, text, args...)
}

// change runs a statement that has to change exactly rows rows.
func (t *transaction) change(ctx context.Context, rows int64, text string, args ...any) error {
	changed, err := t.count(ctx, text, args...)
	if err == nil && changed != rows {
		err = fmt.Errorf("a statement changed %d rows instead of %d", changed, rows)
	}
	return err
}

// count runs a statement and returns how many rows it changed.
func (t *transaction) count(ctx context.Context, text string, args ...any) (int64, error) {
	result, err := t.ExecContext(ctx, text, sent(args)...)
	if err != nil {
		return 0, t.failed(err)
	}
	return result.RowsAffected()
}

// run runs statements without arguments, of which there may be several.
func (t *transaction) run(ctx context.Context, statements string) error {
	_, err := t.ExecContext(ctx, statements)
	return t.failed(err)
}

// sent are arguments as plain texts and numbers: pgx sends a text as it is, whatever its column.
func sent(args []any) []any {
	plain := make([]any, len(args))
	for i, arg := range args {
		plain[i] = arg
		switch of := reflect.ValueOf(arg); of.Kind() {
		case reflect.String:
			plain[i] = of.String()
		case reflect.Int, reflect.Int64:
			plain[i] = of.Int()
		}
	}
	return plain
}

// insert is the statement that adds a row with values in columns. It takes no value for the column position, which gets the number of the next
// row, from 0.
func insert(table, columns string) string {
	names := strings.Split(columns, ", ")
	values, place := make([]string, len(names)), 1
	for i, name := range names {
		if name == "position" {
			values[i] = "(SELECT coalesce(max(position) + 1, 0) FROM docket." + table + ")"
			continue
		}
		values[i] = fmt.Sprintf("$%d", place)
		place++
	}
	return "INSERT INTO docket." + table + " (" + columns + ") VALUES (" + strings.Join(values, ", ") + ")"
}
