package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"docket/store/disk"
	"docket/store/engine"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
)

// Options say which database to open and how.
type Options struct {
	DSN      string // a URL, or keywords and values, as libpq reads them
	ReadOnly bool
	Busy     time.Duration // how long to wait for the lock of another transaction; 0: without end
}

// A DB is the engine.Database over PostgreSQL: one connection that writes, and some that read. The
// caller ensures that the connections are not in use while Open or Close runs.
type DB struct {
	options Options
	config  *pgx.ConnConfig
	readers int // how many connections may read at the same time
	engine.Base

	doubt   atomic.Bool                    // the outcome of an earlier transaction is not known
	since   atomic.Int64                   // when the lock was taken, in Unix nanoseconds
	warning atomic.Pointer[pgconn.PgError] // the last one of the server to a connection that writes
}

var _ engine.Database = (*DB)(nil)

// The roles that connections take.
const (
	ownerRole  = "docket_owner"
	writerRole = "docket_writer"
	readerRole = "docket_reader"
)

// How many connections may read at the same time, unless the DSN says so.
const (
	mostReaders = 8
	poolSize    = "pool_max_conns" // the parameter of a DSN, as pgxpool has it
)

// settings prefer plans with indexes: a statement is planned once, perhaps of an empty table.
var settings = map[string]string{
	"search_path": "pg_catalog, docket, pg_temp", "plan_cache_mode": "force_generic_plan", "jit": "off",
	"enable_seqscan": "off", "enable_bitmapscan": "off", "enable_hashjoin": "off", "enable_mergejoin": "off",
	"application_name": "docket", "timezone": "UTC", "lock_timeout": "0", "statement_timeout": "0",
	// The server ends an idle transaction, as of a stopped process, because it may hold the lock.
	"idle_in_transaction_session_timeout": "30000",
	"tcp_keepalives_idle":                 "10", "tcp_keepalives_interval": "5", "tcp_keepalives_count": "3",
}

// New returns a database that is not open yet.
func New(o Options) (*DB, error) {
	config, err := pgx.ParseConfig(o.DSN)
	if err != nil {
		return nil, errors.New("the address of the database cannot be read; it is written postgres://user@host:port/database")
	}
	d := &DB{options: o, config: config, readers: mostReaders}
	d.Driver, d.Version = d, SchemaVersion
	if size, given := config.RuntimeParams[poolSize]; given {
		count, err := strconv.ParseUint(size, 10, 16)
		if err != nil || count == 0 {
			return nil, fmt.Errorf("the address of the database names a number of connections that is none: %s is 1 or more", poolSize)
		}
		d.readers = int(count)
		delete(config.RuntimeParams, poolSize)
	}
	maps.Copy(config.RuntimeParams, settings)
	if config.ConnectTimeout <= 0 {
		config.ConnectTimeout = dialTime
	}
	config.BuildContextWatcherHandler = func(conn *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.CancelRequestContextWatcherHandler{Conn: conn, DeadlineDelay: cancelTime}
	}
	return d, nil
}

// cancelTime is how long a cancelled statement may take to end before the connection is given up.
const cancelTime = 2 * time.Second

// Name returns the name of the database for messages, without the secret parts of its address.
func (d *DB) Name() string {
	c := d.config
	u := url.URL{Scheme: "postgres", Host: fmt.Sprintf("%s:%d", c.Host, c.Port), Path: "/" + c.Database}
	if len(c.Host) > 0 && c.Host[0] == '/' { // the folder of a socket
		u.Host, u.RawQuery = "", url.Values{"host": {c.Host}}.Encode()
	}
	if c.User != "" {
		u.User = url.User(c.User)
	}
	return u.String()
}

// Open opens the connections. After an error that left the outcome of a transaction unknown it
// first waits for the lock, which that transaction holds until it ends: later reads then see its
// outcome. After an error Close has to be called.
func (d *DB) Open(ctx context.Context) (err error) {
	if d.Barred = nil; !d.options.ReadOnly {
		if err := d.OpenWriter(ctx, d.doubt.Load()); err != nil {
			return err
		}
	}
	if d.Reader, err = d.Connect(ctx, false, d.readers); err == nil {
		d.doubt.Store(false)
	}
	return err
}

// TryWrite implements engine.Driver. If another process holds the lock and no outcome is in doubt,
// it does not wait.
func (d *DB) TryWrite(ctx context.Context) error {
	lock := lockHead + " SKIP LOCKED"
	if d.doubt.Load() {
		lock = lockHead
	}
	t, err := d.begin(ctx, d.Writer, writing, lock)
	if err != nil {
		return err
	}
	return errors.Join(t.Structure().TryWrite(ctx), t.End())
}

// Begin implements engine.Driver.
func (d *DB) Begin(ctx context.Context, pool *sql.DB, writes bool) (engine.Running, error) {
	if !writes {
		return d.begin(ctx, pool, reading, "")
	}
	t, err := d.begin(ctx, pool, writing, lockHead)
	if err != nil {
		return nil, errors.Join(context.Cause(ctx), err)
	}
	d.since.Store(time.Now().UnixNano())
	return t, nil
}

// longest is how long a transaction that can be split may keep the lock.
const longest = 50 * time.Millisecond

// Awaited reports whether another caller of Update waits for the lock, and is true after a while,
// because waiting processes cannot be seen from here.
func (d *DB) Awaited() bool {
	return d.Asked() || time.Now().UnixNano()-d.since.Load() > int64(longest)
}

// Fold commits a change to the head row: the commit returns once all earlier commits are as
// durable, also on a replica if the server waits for one.
func (d *DB) Fold(ctx context.Context) error {
	return d.Update(ctx, func(ctx context.Context, tx engine.Tx) error {
		return tx.Exec1(ctx, "UPDATE docket.docket_head SET turn = turn + 1 WHERE id = 0")
	})
}

var scrubbed = []string{"docket_texts", "docket_local"}

// Erasing implements engine.Database: nothing is noted here.
func (d *DB) Erasing() error { return nil }

// Unscrubbed implements engine.Database.
func (d *DB) Unscrubbed() bool { return false }

// Scrub rewrites, as their owner, the tables from which texts are erased: the server keeps the
// bytes of a deleted row until then. The server's write-ahead log and its copies lose those bytes
// as they are recycled.
func (d *DB) Scrub(ctx context.Context) error {
	pool, err := d.open(ctx, ownerRole, 1)
	if err != nil {
		err = d.Explain("rewrite the tables", err)
		if errors.Is(err, disk.ErrNoAccess) {
			return &disk.Problem{Path: d.Name(), Kind: disk.ErrNoAccess, Advice: fmt.Sprintf(
				"the rows are deleted; have a member of %s run VACUUM FULL on %s in the schema docket",
				ownerRole, strings.Join(scrubbed, ", ")), Cause: err}
		}
		return err
	}
	defer func() { _ = pool.Close() }() // nothing is left to do on it
	for _, table := range scrubbed {
		if _, err := pool.ExecContext(ctx, "VACUUM FULL docket."+table); err != nil {
			return d.Explain("rewrite the tables", err)
		}
	}
	return nil
}
