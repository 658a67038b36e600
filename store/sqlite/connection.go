package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"docket/store/disk"
	"docket/store/turn"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// A Purpose is what a connection is for.
type Purpose uint8

const (
	Reading   Purpose = iota // the file may be written by others
	Unwritten                // reading from a folder that cannot be written, where nobody else writes
	unshared                 // the same, with a write-ahead log whose index is kept in memory
	Probing                  // looking whether the file is a store at all, changing nothing
	creating                 // making the schema
	Writing
	Scrubbing // rewriting the file
	Serving   // Reading, of the same indexes again and again
)

type setting struct{ name, value string }

// settings lists the pragmas with which a connection is opened, and whose values are read back.
func (p Purpose) settings(busy time.Duration) []setting {
	all := []setting{
		{"busy_timeout", strconv.FormatInt(busy.Milliseconds(), 10)},
		{"cell_size_check", "1"}, {"foreign_keys", "1"}, {"recursive_triggers", "1"}, {"trusted_schema", "0"},
	}
	switch p {
	case unshared:
		// The mode has to be set before the file is read, which setting the size of the cache does.
		exclusive := []setting{{"locking_mode", "exclusive"}}
		return append(append(exclusive, all...), setting{"query_only", "1"})
	case Reading, Unwritten:
		// A console reads all of a large store once, on several connections without a large cache.
		return append(all, setting{"query_only", "1"}, setting{"cache_size", "-1000"})
	case Serving:
		// For the inner pages of the tables and indexes, of which each page of a queue takes some.
		return append(all, setting{"query_only", "1"}, setting{"cache_size", "-8000"})
	case creating, Writing, Scrubbing:
		// Imports are not in the order of the indexes: a larger cache reads and writes their pages
		// less often. Deleted bytes are overwritten, so that erased texts leave nothing in a page
		// that stays in use.
		return append(all, setting{"journal_mode", "wal"}, setting{"synchronous", "2"},
			setting{"cache_size", "-16000"}, setting{"secure_delete", "1"})
	}
	return all
}

// shares reports whether others may write the file while the connection reads it.
func (p Purpose) shares() bool { return p == Reading || p == Serving }

// guarded reports whether the authorizer watches the connection.
func (p Purpose) guarded() bool {
	return p.shares() || p == Unwritten || p == unshared || p == Writing
}

// DSN writes the data source name. The path is escaped, so that no character in it acts as a
// parameter.
func (p Purpose) DSN(path string, busy time.Duration) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed
	}
	values := url.Values{"_defensive": {"1"}, "_dqs": {"0"}, "_error_rc": {"1"}, "mode": {"rw"}}
	switch p {
	case Reading, Serving:
		values.Set("mode", "ro")
	case unshared:
		values.Set("mode", "ro")
		values.Set("vfs", "unix-none") // no locks: nobody else can write
	case Unwritten:
		values.Set("mode", "ro")
		values.Set("immutable", "1")
	case creating, Writing:
		values.Set("_txlock", "immediate")
	}
	for _, s := range p.settings(busy) {
		values.Add("_pragma", s.name+"("+s.value+")")
	}
	return (&url.URL{Scheme: "file", Path: slashed, RawQuery: values.Encode()}).String()
}

// A connector checks each connection for its purpose before it is used: a pragma sent through a
// pool reaches one connection only, and SQLite silently ignores unknown pragmas.
type connector struct {
	driver *sqlite.Driver
	dsn    string
	busy   time.Duration
}

// Connect makes connections to the file for a purpose. SQLite itself waits for the lock only while
// a writing connection is opened: see DB.lock.
func Connect(p Purpose, path string, busy time.Duration) driver.Connector {
	c := connector{&sqlite.Driver{}, p.DSN(path, busy), busy}
	c.driver.RegisterConnectionHook(func(conn sqlite.ExecQuerierContext, _ string) error {
		if err := held(conn, p.settings(busy)); err != nil || !p.guarded() {
			return err
		}
		if p == Writing {
			if _, err := conn.ExecContext(context.Background(), "PRAGMA busy_timeout = 1", nil); err != nil {
				return err
			}
		}
		registerer, ok := conn.(sqlite.AuthorizerRegisterer)
		if !ok {
			return errors.New("this build of SQLite has no authorizer")
		}
		return registerer.RegisterAuthorizer(Authorize)
	})
	return c
}

// Connect opens one connection. It waits for a lock itself: SQLite does not if two connections are
// about to change the journal mode of one file.
func (c connector) Connect(ctx context.Context) (opened driver.Conn, err error) {
	err = whileBusy(ctx, c.busy, func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		conn, err := c.driver.Open(c.dsn)
		if err == nil {
			opened, err = keeping(conn)
		}
		return err
	})
	return opened, err
}

// whileBusy calls try at short intervals while another program holds the lock and busy allows.
func whileBusy(ctx context.Context, busy time.Duration, try func() error) error {
	for deadline := time.Now().Add(busy); ; {
		err := try()
		if codeOf(err) != sqlite3.SQLITE_BUSY && !errors.Is(err, disk.ErrLocked) || ctx.Err() != nil || time.Now().After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(turn.Look):
		}
	}
}

// Driver returns the driver with the checks.
func (c connector) Driver() driver.Driver { return c.driver }

// held reads the settings back. Defensive mode is on if the schema cannot be made writable.
func held(conn sqlite.ExecQuerierContext, settings []setting) error {
	if _, err := conn.ExecContext(context.Background(), "PRAGMA writable_schema = 1", nil); err != nil {
		return err
	}
	for _, s := range append(settings, setting{"writable_schema", "0"}) {
		value, err := pragma(conn, s.name)
		if err != nil {
			return err
		}
		if value != s.value {
			return fmt.Errorf("SQLite keeps %s at %s where %s is needed", s.name, value, s.value)
		}
	}
	return nil
}

func pragma(conn sqlite.ExecQuerierContext, name string) (value string, err error) {
	rows, err := conn.QueryContext(context.Background(), "PRAGMA "+name, nil)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	row := make([]driver.Value, 1)
	if err := rows.Next(row); errors.Is(err, io.EOF) {
		return "", nil // there is none
	} else if err != nil {
		return "", err
	}
	return fmt.Sprint(row[0]), nil
}

// openPool opens at most size connections, the first at once, so that its error is returned here.
func openPool(ctx context.Context, c driver.Connector, size int) (*sql.DB, error) {
	db := sql.OpenDB(c)
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	if err := db.PingContext(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}
