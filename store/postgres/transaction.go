package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"docket/store/engine"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/puddle/v2"
)

// The statements that begin transactions.
const (
	beginReading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
	beginWriting = "BEGIN ISOLATION LEVEL READ COMMITTED"
	lockHead     = "SELECT turn FROM docket.docket_head WHERE id = 0 FOR UPDATE"
)

// A transaction is an engine.Tx on a connection of its own.
type transaction struct {
	conn   *connection
	lease  *puddle.Resource[*connection] // of the connection; nil if nobody else has it
	pool   *pool                         // of the connection, while another one may take its place
	queued []statement                   // to be sent with the next query
	sent   int                           // how often something was sent
	parts  int                           // how deep the part is that runs; 0 for the whole
	asking *[]asked                      // where queries are noted that are to be read ahead; nil if they are to be answered
	ahead  map[string]*answered
	done   bool  // it was committed
	lost   error // the connection ended the transaction: nothing more is to be sent
}

// A statement changes exactly rows rows; any number if that is below 0.
type statement struct {
	rows int64
	text string
	args []any
}

// A lostError is a connection that ended in the middle of a transaction.
type lostError struct{ cause error }

func (e *lostError) Error() string {
	return fmt.Sprintf("the connection to the server ended: %v", e.cause)
}
func (e *lostError) Unwrap() error { return e.cause }

// begin begins a transaction with statements; a lone BEGIN is sent with the first query. A connection that the server
// has ended meanwhile is replaced.
func begin(ctx context.Context, pool *pool, statements ...string) (*transaction, error) {
	lease, err := pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	t := &transaction{conn: lease.Value(), lease: lease, pool: pool}
	for _, text := range statements {
		t.queued = append(t.queued, statement{-1, text, nil})
	}
	if len(statements) == 1 {
		return t, nil
	}
	if err := t.flush(ctx); err != nil {
		return nil, errors.Join(err, ignoreLost(t.end(context.WithoutCancel(ctx))))
	}
	return t, nil
}

// send sends the queued statements and then, if its text is not empty, a query, and returns a reader of the query's
// rows. Their batch is to be closed.
func (t *transaction) send(ctx context.Context, query string, args []any) (sent *batch, rows *pgconn.ResultReader, err error) {
	if t.asking != nil {
		return nil, nil, errAsking
	}
	if t.lost != nil {
		return nil, nil, t.lost
	}
	queued, all := t.queued, t.queued
	t.queued = nil
	if query != "" {
		all = append(slices.Clip(all), statement{-1, query, args})
	}
	t.sent++
	sent = t.conn.send(ctx, all)
	for i, s := range queued {
		tag, err := sent.done()
		if err != nil && i == 0 && t.replace(ctx) {
			t.queued = queued
			return t.send(ctx, query, args)
		}
		if t.lost != nil {
			return nil, nil, t.lost
		}
		if err == nil && s.rows >= 0 && tag.RowsAffected() != s.rows {
			err = fmt.Errorf("a statement changed %d rows instead of %d", tag.RowsAffected(), s.rows)
		}
		if err == nil && s.text == "COMMIT" && tag.String() != s.text {
			err = errors.New("the server rolled the transaction back")
		}
		if err != nil {
			return nil, nil, t.failed(errors.Join(err, ignoreRepeated(err, sent.close())))
		}
	}
	t.pool = nil
	if query == "" {
		return nil, nil, t.failed(sent.close())
	}
	rows, err = sent.next()
	if err != nil {
		return nil, nil, t.failed(errors.Join(err, ignoreRepeated(err, sent.close())))
	}
	return sent, rows, nil
}

// replace takes another connection if the server ended this one before it was used.
func (t *transaction) replace(ctx context.Context) bool {
	if t.pool == nil || t.sent > int(t.pool.Stat().MaxResources())+1 || !t.conn.IsClosed() || ctx.Err() != nil {
		return false
	}
	release(t.lease) // a pool of one connection has no other before that
	lease, err := t.pool.Acquire(ctx)
	if err != nil {
		t.conn, t.lease, t.lost = nil, nil, &lostError{err}
		return false
	}
	t.conn, t.lease = lease.Value(), lease
	return true
}

// ignoreRepeated drops the error with which a pipeline ends because a statement of it failed.
func ignoreRepeated(first, last error) error {
	var one, other *pgconn.PgError
	if last == nil || last.Error() == first.Error() || errors.As(first, &one) && errors.As(last, &other) && one.Code == other.Code {
		return nil
	}
	return last
}

// failed notes that the connection ended.
func (t *transaction) failed(err error) error {
	if err != nil && t.conn.IsClosed() {
		t.lost = &lostError{err}
		return t.lost
	}
	return err
}

// flush sends the queued statements.
func (t *transaction) flush(ctx context.Context) error {
	if len(t.queued) == 0 {
		return nil
	}
	_, _, err := t.send(ctx, "", nil)
	return err
}

// commit commits the transaction with the queued statements. After an error of a statement before the COMMIT, or one
// with which the server refuses it, nothing was committed; after any other error the outcome is unknown.
func (t *transaction) commit(ctx context.Context) error {
	_ = t.warning() // of an earlier statement
	t.queued = append(t.queued, statement{-1, "COMMIT", nil})
	err := t.flush(ctx)
	if err == nil {
		t.done = true
		if err = t.warning(); err == nil {
			return nil
		}
		return &engine.CommitError{Cause: err}
	}
	var refused *pgconn.PgError
	if t.lost == nil && (!errors.As(err, &refused) || refused.Severity == "ERROR") {
		return err
	}
	return &engine.CommitError{Cause: err}
}

// warningKey is the key under which a connection keeps the last warning of the server.
const warningKey = "warning"

// noteWarning keeps a warning: the server reports only a warning when it no longer waits for its replica.
func noteWarning(conn *pgconn.PgConn, n *pgconn.Notice) {
	if n.SeverityUnlocalized == "WARNING" {
		conn.CustomData()[warningKey] = (*pgconn.PgError)(n)
	}
}

// warning returns the last warning of the server, once.
func (t *transaction) warning() error {
	kept := t.conn.CustomData()
	last, _ := kept[warningKey].(*pgconn.PgError)
	delete(kept, warningKey)
	if last == nil {
		return nil
	}
	return last
}

// end rolls back an uncommitted transaction, and releases the connection.
func (t *transaction) end(ctx context.Context) error {
	if t.conn == nil {
		return nil
	}
	if t.lease != nil {
		defer release(t.lease)
	}
	t.queued = nil
	if t.done || t.lost != nil || t.conn.TxStatus() == 'I' {
		return nil
	}
	return t.failed(t.conn.run(ctx, "ROLLBACK"))
}

// ignoreLost drops the error of ending a transaction on a connection that ended: the server rolls it back.
func ignoreLost(err error) error {
	if lost := new(lostError); errors.As(err, &lost) {
		return nil
	}
	return err
}

// Nested implements engine.Tx. A part that sent nothing is undone without the server.
func (t *transaction) Nested(ctx context.Context, work engine.Work) error {
	t.parts++
	defer func() { t.parts-- }()
	name := fmt.Sprintf("part%d", t.parts)
	before, sent := len(t.queued), t.sent
	t.queued = append(t.queued, statement{-1, "SAVEPOINT " + name, nil})
	err := work(ctx, t)
	if err == nil {
		t.queued = append(t.queued, statement{-1, "RELEASE SAVEPOINT " + name, nil})
		err = t.flush(ctx)
	}
	if err == nil {
		return nil
	}
	if t.sent == sent {
		t.queued = t.queued[:before]
		return err
	}
	t.queued = nil
	// A failed transaction cannot prepare statements: these are sent as text.
	undo := t.lost
	if undo == nil {
		t.sent++
		undo = t.failed(t.conn.run(ctx, "ROLLBACK TO SAVEPOINT "+name+"; RELEASE SAVEPOINT "+name))
	}
	if undo != nil {
		return &engine.UndoError{Cause: errors.Join(err, undo)}
	}
	return err
}

// EachRow calls look for each row of a query. What scan reads into bytes is a copy.
func (t *transaction) EachRow(ctx context.Context, query string, look func(scan engine.Scan) error, args ...any) (err error) {
	if t.asking != nil {
		*t.asking = append(*t.asking, asked{query, args})
		return nil
	}
	if rows := t.takeAhead(query, args); rows != nil {
		return rows.each(look)
	}
	sent, rows, err := t.send(ctx, query, args)
	if err != nil {
		return err
	}
	scan := func(into ...any) error { return scanRow(rows.FieldDescriptions(), rows.Values(), into) }
	for err == nil && rows.NextRow() {
		err = look(scan)
	}
	if _, failed := rows.Close(); err == nil {
		err = failed
	}
	if failed := sent.close(); err == nil {
		err = failed
	}
	return t.failed(err)
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

// changeOne queues a statement that has to change exactly one row.
func (t *transaction) changeOne(text string, args ...any) error { return t.change(1, text, args...) }

// change queues a statement that has to change exactly rows rows; any number if that is below 0.
func (t *transaction) change(rows int64, text string, args ...any) error {
	t.queued = append(t.queued, statement{rows, text, args})
	return nil
}

// count runs a statement and returns how many rows it changed.
func (t *transaction) count(ctx context.Context, text string, args ...any) (int64, error) {
	sent, rows, err := t.send(ctx, text, args)
	if err != nil {
		return 0, err
	}
	tag, err := rows.Close()
	if failed := sent.close(); err == nil {
		err = failed
	}
	return tag.RowsAffected(), t.failed(err)
}

// run runs statements as text.
func (t *transaction) run(ctx context.Context, statements string) error {
	if err := t.flush(ctx); err != nil {
		return err
	}
	t.sent++
	return t.failed(t.conn.run(ctx, statements))
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
