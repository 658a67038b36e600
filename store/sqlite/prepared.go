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

type statement interface {
	driver.Stmt
	driver.StmtQueryContext
	driver.StmtExecContext
}

var errLacking = errors.New("this build of SQLite lacks what a store needs")

// mostStatements is how many statements a connection keeps; the store has fewer.
const mostStatements = 128

// A keepingConn keeps its prepared statements: preparing most takes longer than running them.
type keepingConn struct {
	Conn
	idle map[string]statement // by text, those that nobody is using
}

func keeping(conn driver.Conn) (driver.Conn, error) {
	whole, able := conn.(Conn)
	if !able {
		return nil, errors.Join(errLacking, conn.Close())
	}
	return &keepingConn{whole, map[string]statement{}}, nil
}

func (c *keepingConn) take(ctx context.Context, text string) (statement, error) {
	if kept := c.idle[text]; kept != nil {
		delete(c.idle, text)
		return kept, nil
	}
	prepared, err := c.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	kept, able := prepared.(statement)
	if !able {
		return nil, errors.Join(errLacking, prepared.Close())
	}
	return kept, nil
}

// putBack keeps a statement that ran without an error for reuse.
func (c *keepingConn) putBack(text string, kept statement, err error) error {
	if err != nil || c.idle[text] != nil || len(c.idle) >= mostStatements {
		return errors.Join(err, kept.Close())
	}
	c.idle[text] = kept
	return nil
}

// ExecContext runs a statement.
func (c *keepingConn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	kept, err := c.take(ctx, text)
	if err != nil {
		return nil, err
	}
	result, err := kept.ExecContext(ctx, args)
	return result, c.putBack(text, kept, err)
}

// QueryContext runs a query. Its statement is in use until the rows are closed.
func (c *keepingConn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	kept, err := c.take(ctx, text)
	if err != nil {
		return nil, err
	}
	rows, err := kept.QueryContext(ctx, args)
	if err != nil {
		return nil, c.putBack(text, kept, err)
	}
	return &keptRows{rows, func(err error) error { return c.putBack(text, kept, err) }}, nil
}

// Close closes the statements and the connection.
func (c *keepingConn) Close() (err error) {
	for _, kept := range c.idle {
		err = errors.Join(err, kept.Close())
	}
	clear(c.idle)
	return errors.Join(err, c.Conn.Close())
}

type keptRows struct {
	driver.Rows
	putBack func(err error) error // nil once they are closed
}

// Close ends the use of the statement.
func (r *keptRows) Close() error {
	err := r.Rows.Close()
	if r.putBack != nil {
		err = r.putBack(err)
		r.putBack = nil
	}
	return err
}
