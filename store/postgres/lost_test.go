package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"docket/store/disk"
	"docket/store/engine"
)

func TestAServerWithoutAConnectionLeftIsNotALockedStore(t *testing.T) {
	config, err := pgx.ParseConfig("postgres://docket@db.example.org/docket")
	must(t, err)
	full := fmt.Errorf("connect: %w", &pgconn.PgError{Severity: "FATAL", Code: "53300", Message: "sorry, too many clients already"})
	err = (&DB{config: config}).Explain("open", full)
	if !errors.Is(err, disk.ErrCrowded) || errors.Is(err, disk.ErrLocked) {
		t.Errorf("it is %v", err)
	}
	for _, said := range []string{"no connection left", "raise max_connections", "lower pool_max_conns"} {
		if !strings.Contains(err.Error(), said) {
			t.Errorf("%q does not say %q", err, said)
		}
	}
}

// A cut is what happens on the way to the server.
type cut struct {
	net.Conn
	to, from *atomic.Bool // nothing gets there, nothing comes back
}

func (c cut) Write(b []byte) (int, error) {
	if c.to.Load() {
		return 0, io.ErrClosedPipe
	}
	return c.Conn.Write(b)
}

func (c cut) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.from.Load() {
		return 0, io.ErrUnexpectedEOF
	}
	return n, err
}

// cuttable is a database whose connections can be cut.
func cuttable(t *testing.T) (db *DB, to, from *atomic.Bool) {
	t.Helper()
	db, to, from = made(t), new(atomic.Bool), new(atomic.Bool)
	dial := db.config.DialFunc
	db.config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		return cut{conn, to, from}, err
	}
	must(t, db.Open(t.Context()))
	t.Cleanup(func() { _ = db.Close() })
	return db, to, from
}

// fact adds a fact.
func fact(name string) engine.Work {
	return func(ctx context.Context, tx engine.Tx) error { return tx.Meta().Add(ctx, name, "") }
}

// holds reports whether there is a fact.
func (d *DB) holds(t *testing.T, name string) (held bool) {
	t.Helper()
	must(t, d.View(t.Context(), func(ctx context.Context, tx engine.Tx) error {
		_, err := tx.Meta().Value(ctx, name)
		held = err == nil
		if errors.Is(err, engine.ErrNoRow) {
			return nil
		}
		return err
	}))
	return held
}

// Whether a commit took place is not known where the answer to it is lost, nor where it may not have been sent. What is read after opening
// the database again is what came of it.
func TestTheOutcomeOfACommitThatWasNotAnsweredIsReadAfterwards(t *testing.T) {
	for name, c := range map[string]struct {
		arm  func(to, from *atomic.Bool)
		kept bool
	}{
		"its answer is lost": {func(_, from *atomic.Bool) { from.Store(true) }, true},
		"it was not sent":    {func(to, _ *atomic.Bool) { to.Store(true) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			db, to, from := cuttable(t)
			if err := db.Update(t.Context(), fact("before")); err != nil { // whose statements stay prepared
				t.Fatal(err)
			}
			err := db.Update(t.Context(), func(ctx context.Context, tx engine.Tx) error {
				defer c.arm(to, from)
				return fact("doubtful")(ctx, tx)
			})
			if unknown := new(engine.CommitError); !errors.As(err, &unknown) || !db.Broken(err) || !db.Passing(err) {
				t.Fatalf("the error is %v, broken %v, passing %v", err, db.Broken(err), db.Passing(err))
			}
			to.Store(false)
			from.Store(false)
			must(t, errors.Join(db.Close(), db.Open(t.Context())))
			if db.holds(t, "doubtful") != c.kept || !db.holds(t, "before") {
				t.Errorf("it is kept: %v", !c.kept)
			}
			must(t, errors.Join(db.Fold(t.Context()), db.Update(t.Context(), fact("after"))))
		})
	}
}

// terminate ends the connections in a role.
func (d *DB) terminate(t *testing.T) {
	t.Helper()
	const all = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
	must(t, d.as(t, "", all))
}

func TestAConnectionThatTheServerEndedIsReplaced(t *testing.T) {
	db := opened(t)
	must(t, db.Update(t.Context(), fact("before")))
	for range 2 { // connections that read, too
		db.terminate(t)
		if !db.holds(t, "before") {
			t.Error("it does not hold what was written")
		}
	}
	db.terminate(t)
	must(t, db.Update(t.Context(), fact("after")))
	err := db.Update(t.Context(), func(ctx context.Context, tx engine.Tx) error {
		if _, err := tx.Log().Last(ctx); err != nil {
			return err
		}
		db.terminate(t)
		return fact("in the middle")(ctx, tx)
	})
	if !db.Broken(err) || !db.Passing(err) {
		t.Errorf("the error is %v", err)
	}
	must(t, errors.Join(db.Close(), db.Open(t.Context())))
	if !db.holds(t, "after") || db.holds(t, "in the middle") {
		t.Error("something else is kept")
	}
}

// hasFact reports whether there is a fact in the transaction.
func hasFact(ctx context.Context, t *testing.T, tx engine.Tx, name string) bool {
	t.Helper()
	values := need(tx.Meta().Values(ctx, 99))(t)
	_, there := values[name]
	return there
}

// One transaction writes and has not committed; another one that writes begins; a third one reads. The second waits for the first, and sees what
// it wrote; the third waits for nobody, and sees nothing of what was not committed when it began, to its end.
func TestOfInterleavedTransactionsThoseThatWriteSeeEachOtherAndThoseThatReadWaitForNobody(t *testing.T) {
	db := opened(t)
	other, err := New(db.options)
	must(t, err)
	must(t, other.Open(t.Context()))
	t.Cleanup(func() { _ = other.Close() })
	second := make(chan error)
	err = db.Update(t.Context(), func(ctx context.Context, first engine.Tx) error {
		if err := fact("first")(ctx, first); err != nil || !hasFact(ctx, t, first, "first") {
			t.Errorf("the first does not see what it wrote: %v", err)
		}
		go func() {
			second <- other.Update(context.Background(), func(ctx context.Context, tx engine.Tx) error {
				if !hasFact(ctx, t, tx, "first") {
					t.Error("the second does not see what the first committed while it waited")
				}
				return fact("second")(ctx, tx)
			})
		}()
		for waits := int64(0); waits == 0; { // until the second waits for the lock
			err := db.View(ctx, func(ctx context.Context, tx engine.Tx) error {
				if hasFact(ctx, t, tx, "first") {
					t.Error("one that reads sees what was not committed")
				}
				return tx.Row(ctx, "SELECT count(*) FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"+
					" OR NOT granted AND locktype = 'transactionid'", nil, &waits)
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	must(t, err)
	err = db.View(t.Context(), func(ctx context.Context, tx engine.Tx) error {
		had := hasFact(ctx, t, tx, "second")
		if !had { // it may be committed meanwhile
			if err := <-second; err != nil {
				return err
			}
		}
		if hasFact(ctx, t, tx, "second") != had {
			t.Error("one that reads sees what was committed after it began")
		}
		if had {
			return <-second
		}
		return nil
	})
	if err != nil || !db.holds(t, "first") || !db.holds(t, "second") {
		t.Errorf("not both are kept: %v", err)
	}
}

func TestAnAddressIsShownWithoutItsPassword(t *testing.T) {
	t.Parallel()
	for address, bare := range map[string]string{
		"postgres://docket@db.example/docket":                                       "postgres://docket@db.example/docket",
		"postgres://docket:s3cret@db.example/docket":                                "postgres://docket@db.example/docket",
		"postgresql://docket:s3cret@[::1]:5433,other/docket?sslmode=verify-full":    "postgres://",
		"postgresql://docket:s3cret@one:5433,other:5432/docket":                     "postgresql://docket@one:5433,other:5432/docket",
		"postgres://db/docket?password=s3cret&user=docket":                          "postgres://db/docket?user=docket",
		"postgres:///docket?host=%2Frun%2Fpostgresql&sslpassword=s3cret":            "postgres:///docket?host=%2Frun%2Fpostgresql",
		"postgres://docket:s3%zzcret@db/docket":                                     "postgres://",
		"postgres://db/docket?user=docket;password=s3cret":                          "postgres://",
		"POSTGRES://docket:s3cret@db/docket":                                        "postgres://docket@db/docket",
		"postgres://docket:s3cret@db:notaport/docket":                               "postgres://",
		"postgres://docket:s3cret%40more@db/docket?options=-c%20search_path%3Dnone": "postgres://docket@db/docket?options=-c+search_path%3Dnone",
	} {
		if !IsAddress(address) {
			t.Errorf("%s is no address", address)
		}
		if got := Bare(address); got != bare || strings.Contains(got, "cret") {
			t.Errorf("%s is shown as %s, want %s", address, got, bare)
		}
		if HasPassword(address) != strings.Contains(address, "cret") {
			t.Errorf("%s: has a password: %v", address, HasPassword(address))
		}
	}
	for _, path := range []string{"service.db", "/var/lib/docket/service.db", "postgres", "postgres:/x", "./postgres://x", "sqlite://x", ""} {
		if IsAddress(path) {
			t.Errorf("%s is an address", path)
		}
	}
}
