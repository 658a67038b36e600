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
	if err != nil {
		t.Fatal(err)
	}
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
	if err := db.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
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
	err := d.View(t.Context(), func(ctx context.Context, tx engine.Tx) error {
		_, err := tx.Meta().Value(ctx, name)
		held = err == nil
		if errors.Is(err, engine.ErrNoRow) {
			return nil
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
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
			if err := errors.Join(db.Close(), db.Open(t.Context())); err != nil {
				t.Fatal(err)
			}
			if db.holds(t, "doubtful") != c.kept || !db.holds(t, "before") {
				t.Errorf("it is kept: %v", !c.kept)
			}
			if err := errors.Join(db.Fold(t.Context()), db.Update(t.Context(), fact("after"))); err != nil {
				t.Error(err)
			}
		})
	}
}

// terminate ends the connections in a role.
func (d *DB) terminate(t *testing.T) {
	t.Helper()
	const all = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
	if err := d.as(t, "", all); err != nil {
		t.Fatal(err)
	}
}

func TestAConnectionThatTheServerEndedIsReplaced(t *testing.T) {
	db := opened(t)
	if err := db.Update(t.Context(), fact("before")); err != nil {
		t.Fatal(err)
	}
	for range 2 { // connections that read, too
		db.terminate(t)
		if !db.holds(t, "before") {
			t.Error("it does not hold what was written")
		}
	}
	db.terminate(t)
	if err := db.Update(t.Context(), fact("after")); err != nil {
		t.Error(err)
	}
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
	if err := errors.Join(db.Close(), db.Open(t.Context())); err != nil {
		t.Fatal(err)
	}
	if !db.holds(t, "after") || db.holds(t, "in the middle") {
		t.Error("something else is kept")
	}
}
