package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"

	"modernc.org/sqlite"
)

// A Conn lists the methods of a connection of the driver.
type Conn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.SessionResetter
	driver.Validator
	sqlite.AuthorizerRegisterer
	NewBackup(target string) (*sqlite.Backup, error)
}

// mostStatements is how many statements a connection keeps. The store has fewer.
const mostStatements = 128

// A keepingConn keeps its prepared statements, because preparing most of them takes longer than running them. Like
// every connection of a pool it is used by one goroutine at a time.
type keepingConn struct {
	Conn
	idle map[string]*keptStatement // by text, those that nobody is using
}

// A keptStatement is a statement of the driver.
type keptStatement struct {
	text string
	stmt interface {
		driver.Stmt
		driver.StmtQueryContext
		driver.StmtExecContext
	}
}

func keeping(conn driver.Conn) (driver.Conn, error) {
	whole, able := conn.(Conn)
	if !able {
		return nil, errors.Join(errors.New("this build of SQLite lacks what a store needs"), conn.Close())
	}
	return &keepingConn{whole, map[string]*keptStatement{}}, nil
}

// take returns a prepared statement that is not in use.
func (c *keepingConn) take(ctx context.Context, text string) (*keptStatement, error) {
	if kept := c.idle[text]; kept != nil {
		delete(c.idle, text)
		return kept, nil
	}
	prepared, err := c.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	kept := &keptStatement{text: text}
	able := false
	if kept.stmt, able = prepared.(interface {
		driver.Stmt
		driver.StmtQueryContext
		driver.StmtExecContext
	}); !able {
		return nil, errors.Join(errors.New("this build of SQLite lacks what a store needs"), prepared.Close())
	}
	return kept, nil
}

// putBack keeps a statement that ran without an error for reuse.
func (c *keepingConn) putBack(kept *keptStatement, err error) error {
	if err != nil || c.idle[kept.text] != nil || len(c.idle) >= mostStatements {
		return errors.Join(err, kept.stmt.Close())
	}
	c.idle[kept.text] = kept
	return nil
}

// ExecContext runs a statement.
func (c *keepingConn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	kept, err := c.take(ctx, text)
	if err != nil {
		return nil, err
	}
	result, err := kept.stmt.ExecContext(ctx, args)
	return result, c.putBack(kept, err)
}

// QueryContext runs a query. Its statement is in use until the rows are closed.
func (c *keepingConn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	kept, err := c.take(ctx, text)
	if err != nil {
		return nil, err
	}
	rows, err := kept.stmt.QueryContext(ctx, args)
	if err != nil {
		return nil, c.putBack(kept, err)
	}
	return &keptRows{rows, c, kept}, nil
}

// Close closes the statements and the connection.
func (c *keepingConn) Close() error {
	var failed []error
	for _, kept := range c.idle {
		failed = append(failed, kept.stmt.Close())
	}
	clear(c.idle)
	return errors.Join(append(failed, c.Conn.Close())...)
}

// keptRows are the rows of a kept statement.
type keptRows struct {
	driver.Rows
	conn *keepingConn
	kept *keptStatement // nil once they are closed
}

// Close ends the use of the statement.
func (r *keptRows) Close() error {
	err := r.Rows.Close()
	if r.kept == nil {
		return err
	}
	kept := r.kept
	r.kept = nil
	return r.conn.putBack(kept, err)
}
