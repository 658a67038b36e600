package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// Times for connections.
const (
	dialTime  = 2 * time.Minute // to connect, where the address says nothing
	closeTime = 15 * time.Second
	lifetime  = time.Hour // of a connection: the server's process grows with what it caches
)

// Connect implements engine.Driver.
func (d *DB) Connect(ctx context.Context, writes bool, size int) (*sql.DB, error) {
	if writes {
		return d.open(ctx, writerRole, size)
	}
	return d.open(ctx, readerRole, size)
}

// open opens a pool and its first connection in a role; "" keeps that of the login.
func (d *DB) open(ctx context.Context, role string, size int) (*sql.DB, error) {
	config := *d.config
	// The server only warns when it no longer waits for its replica.
	if role != readerRole {
		config.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) {
			if n.SeverityUnlocalized == "WARNING" {
				d.warning.Store((*pgconn.PgError)(n))
			}
		}
	}
	pool := stdlib.OpenDB(config, stdlib.OptionAfterConnect(func(ctx context.Context, conn *pgx.Conn) error {
		if role == "" {
			return nil
		}
		take := "SET ROLE " + role
		if role == writerRole { // commits wait even where the server would acknowledge earlier
			take += "; SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')"
			if d.options.Busy > 0 {
				take += "; SET lock_timeout = " + fmt.Sprint(d.options.Busy.Milliseconds())
			}
		}
		_, err := conn.Exec(ctx, take)
		return err
	}))
	pool.SetMaxOpenConns(size)
	pool.SetMaxIdleConns(size)
	pool.SetConnMaxLifetime(lifetime)
	if err := pool.PingContext(ctx); err != nil {
		_ = pool.Close() // it has no connection
		return nil, err
	}
	return pool, nil
}

// isClosed reports whether a pool's connection was closed, and waits for what uses it, such as the
// rollback of a transaction whose context has ended.
func isClosed(conn *sql.Conn) bool {
	closed := true
	_ = conn.Raw(func(under any) error { // whose error says that it was closed
		closed = under.(*stdlib.Conn).Conn().IsClosed()
		return nil
	})
	return closed
}
