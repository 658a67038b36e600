package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	_ "embed"
	"errors"
	"fmt"
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

// A transaction is an engine.Tx on its own connection, its engine.Flavor, and an engine.Running.
type transaction struct {
	engine.Tx
	db     *DB
	whole  *sql.Tx
	conn   *sql.Conn
	cancel context.CancelFunc
	lost   bool // the connection ended the transaction
}

//go:embed queries.sql
var own string

var dialect = engine.NewDialect(own)

// Dialect implements engine.Flavor.
func (*transaction) Dialect() *engine.Dialect { return dialect }

// Value implements engine.Flavor: a column of texts refuses U+0000, and one of bytes nothing.
func (*transaction) Value(text engine.Text) any { return []byte(text) }

var errLost = errors.New("the connection to the server ended")

func connectionEnded(err error) bool { return errors.Is(err, errLost) }

// begin begins a transaction, with a lock unless lock is empty; ctx ends only this wait, and a
// connection that the server has ended meanwhile is replaced.
func (d *DB) begin(ctx context.Context, pool *sql.DB, options sql.TxOptions, lock string) (t *transaction, err error) {
	for range pool.Stats().OpenConnections + 1 {
		if t, err = d.beginOnce(ctx, pool, options, lock); err == nil || !connectionEnded(err) || ctx.Err() != nil {
			break
		}
	}
	return t, err
}

func (d *DB) beginOnce(ctx context.Context, pool *sql.DB, options sql.TxOptions, lock string) (*transaction, error) {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	whole, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, cancel)
	t := &transaction{db: d, conn: conn, cancel: cancel}
	if t.whole, err = conn.BeginTx(whole, &options); err != nil {
		defer t.release()
		return nil, t.Failed(err)
	}
	t.Tx = engine.Of(t.whole, t)
	if lock != "" {
		err = t.run(whole, lock)
	}
	if !stop() && err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		err = errors.Join(err, t.End())
		return nil, cmp.Or(context.Cause(ctx), err) // nothing was done on the connection that is lost
	}
	return t, nil
}

// Failed implements engine.Flavor: it notes that the connection ended.
func (t *transaction) Failed(err error) error {
	if err == nil || connectionEnded(err) {
		return err
	}
	if isClosed(t.conn) || errors.Is(err, driver.ErrBadConn) {
		t.lost = true
		return fmt.Errorf("%w: %w", errLost, err)
	}
	return err
}

// Work implements engine.Running.
func (t *transaction) Work() engine.Tx { return t.Tx }

// Commit commits the transaction. After an error with which the server refuses that, nothing was
// committed; after any other error the outcome is unknown.
func (t *transaction) Commit() error {
	t.db.warning.Store(nil) // of an earlier statement
	err := t.Failed(t.whole.Commit())
	var refused *pgconn.PgError
	if err == nil {
		warning := t.db.warning.Load()
		if warning == nil {
			return nil
		}
		err = warning
	} else if !t.lost && (errors.Is(err, pgx.ErrTxCommitRollback) || errors.As(err, &refused) && refused.Severity == "ERROR") {
		return err
	}
	t.db.doubt.Store(true)
	return &engine.CommitError{Cause: err}
}

// End rolls back an uncommitted transaction, and releases the connection. The server rolls back
// that of a connection that ended.
func (t *transaction) End() error {
	defer time.AfterFunc(closeTime, t.cancel).Stop()
	defer t.release()
	err := t.Failed(t.whole.Rollback())
	if errors.Is(err, sql.ErrTxDone) || t.lost {
		return nil
	}
	return err
}

func (t *transaction) release() {
	t.cancel()
	_ = t.conn.Close() // it goes back to its pool
}

// run runs statements without arguments, of which there may be several.
func (t *transaction) run(ctx context.Context, statements string) error {
	_, err := t.Exec(ctx, statements)
	return err
}
