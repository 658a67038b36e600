package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/sqlite"
)

var errQuery = errors.New("the query failed")

// A failing is which of the queries, or of the statements that write, fails: each counts it down, and the one that meets 0 fails.
type failing struct {
	left   atomic.Int64
	rows   bool // it fails where its first row is read
	writes bool // it is a statement that writes
	fired  atomic.Bool
}

// failingAt opens the store of a fixture once more, so that what is asked of it can fail.
func failingAt(d *fixture, o Options) (*Store, *failing) {
	f := &failing{}
	o.Path, o.Now = d.store.Path(), d.store.now
	o.connector = func(p sqlite.Purpose, path string, busy time.Duration) driver.Connector {
		return failingConnector{sqlite.Connect(p, path, busy), f}
	}
	return openWith(d.t, o), f
}

// fails reports whether it is this query that fails.
func (f *failing) fails() bool {
	if f.left.Add(-1) != 0 {
		return false
	}
	f.fired.Store(true)
	return true
}

// A failingConn fails one of its queries.
type failingConn struct {
	sqlite.Conn
	*failing
}

func (c failingConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	fails := !c.writes && c.fails()
	if fails && !c.rows {
		return nil, errQuery
	}
	rows, err := c.Conn.QueryContext(ctx, query, args)
	if err == nil && fails {
		rows = failingRows{rows}
	}
	return rows, err
}

func (c failingConn) ExecContext(ctx context.Context, statement string, args []driver.NamedValue) (driver.Result, error) {
	if c.writes && c.fails() {
		return nil, errQuery
	}
	return c.Conn.ExecContext(ctx, statement, args)
}

// failingRows have an error in the place of their first.
type failingRows struct{ driver.Rows }

func (failingRows) Next([]driver.Value) error { return errQuery }

type failingConnector struct {
	driver.Connector
	*failing
}

func (c failingConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return failingConn{conn.(sqlite.Conn), c.failing}, nil
}

// A query that fails is never taken for one without rows: for each question, and each of its queries that fails, at once or at
// its first row, the answer is an error.
func TestAQueryThatFailsIsNoAnswer(t *testing.T) {
	t.Parallel()
	t.Run("at a console", func(t *testing.T) {
		d, _ := anchoredFixture(t)
		d.record("case-4", decision{outcome: terms.BlockReliance}) // whether that is against the advice, its packets say
		mustFail(t, d, readings)
	})
	t.Run("at a service", func(t *testing.T) {
		d, _ := erasingService(t)
		ofFile(t, d.store.Path())
		stated := records.Statement{Salt: packetSalt, Text: "The notice came late."}
		taken := d.handIn(d.judged("case-1", decision{outcome: terms.BlockReliance, added: []terms.Blocker{terms.NoticeMissing}, statement: stated}))
		d.handIn(d.judged("case-2", decision{}))
		d.erase(records.Erasure{What: records.ErasableStatement, Record: taken.receipt.RecordID, Reason: textsOfCase1.Reason})
		mustFail(t, d, servedReadings)
	})
}

// servedReadings are what the service's store is asked for those who read it.
var servedReadings = map[string]func(context.Context, *Store, []records.RecordID) (any, error){
	"Feed": func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) {
		return s.Feed(ctx, assigned, About{}, "", 5)
	},
	"Feed of owners": func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) {
		return s.Feed(ctx, overseer, About{}, "", 1)
	},
	"Feed of a case": func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) {
		return s.Feed(ctx, assigned, About{terms.Appeals, "case-1"}, "", 5)
	},
	"ReadRecord": func(ctx context.Context, s *Store, ids []records.RecordID) (any, error) {
		return s.ReadRecord(ctx, assigned, ids[0])
	},
	"ProveRecord": func(ctx context.Context, s *Store, ids []records.RecordID) (any, error) {
		proof, _, err := s.ProveRecord(ctx, assigned, ids[1])
		return proof, err
	},
	"Reliance": func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) {
		return s.Reliance(ctx, &assigned, About{terms.Appeals, "case-1"})
	},
	"Statement": func(ctx context.Context, s *Store, ids []records.RecordID) (any, error) {
		return s.Statement(ctx, ids[0])
	},
	"Registrations": func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) {
		s.registry.last = nil // what it holds is asked again
		return s.Registrations(ctx, reviewerID)
	},
	"ServiceStatements": func(ctx context.Context, s *Store, _ []records.RecordID) (any, error) {
		s.registry.last = nil
		return s.ServiceStatements(ctx)
	},
}

// mustFail fails unless each reading of the fixture's store has an error where one of its queries has.
func mustFail(t *testing.T, d *fixture, readings map[string]func(context.Context, *Store, []records.RecordID) (any, error)) {
	t.Helper()
	var ids []records.RecordID
	for _, entry := range wholeLog(t, d.store) {
		ids = append(ids, entry.Receipt.RecordID)
	}
	for name, read := range readings {
		s, f := failingAt(d, Options{ReadOnly: true})
		f.left.Store(0)
		if _, err := read(t.Context(), s, ids); err != nil && !errors.Is(err, ErrNotFound) {
			t.Fatalf("%s: %v", name, err)
		}
		for _, rows := range []bool{false, true} {
			for n := int64(1); ; n++ {
				if !longTests() && rows == (n%2 == 0) {
					continue // each query fails in one of the two ways
				}
				f.rows = rows
				f.fired.Store(false)
				f.left.Store(n)
				_, err := read(t.Context(), s, ids)
				if !f.fired.Load() {
					break
				}
				if !errors.Is(err, errQuery) {
					t.Errorf("%s: its query %d failed (at its first row: %v), and there was an answer: %v", name, n, rows, err)
				}
			}
		}
		if found := s.Findings(); len(found) > 0 != (name == "Verify" || name == "VerifyStorage") {
			t.Errorf("%s: found %v; a check that ends with an error is a finding, and a query that fails is none", name, found)
		}
	}
}

// A record whose taking fails at a query or at a statement that writes, whichever it is, has no receipt: neither the first time nor when it
// is handed in again. Other changes fail likewise.
func TestAQueryThatFailsIsNoReceipt(t *testing.T) {
	t.Parallel()
	changing := func(t *testing.T, f *failing, change func() error) {
		t.Helper()
		for n := int64(1); ; n++ {
			f.fired.Store(false)
			f.left.Store(n)
			err := change()
			if !f.fired.Load() {
				if err != nil {
					t.Errorf("nothing failed: %v", err)
				}
				return
			}
			if !errors.Is(err, errQuery) {
				t.Errorf("%d failed (a statement that writes: %v, at its first row: %v): %v", n, f.writes, f.rows, err)
			}
		}
	}
	take := func(t *testing.T, f *failing, taking func() (records.Receipt, error)) {
		t.Helper()
		changing(t, f, func() error {
			receipt, err := taking()
			if (err == nil) == (receipt == (records.Receipt{})) {
				t.Errorf("the receipt is %+v, the error %v", receipt, err)
			}
			return err
		})
	}
	t.Run("at a console", func(t *testing.T) {
		d, o := anchoredFixture(t)
		s, f := failingAt(d, o)
		subs := map[string]Submission{}
		for _, id := range []string{"case-4", "case-5"} {
			caseFile := d.caseFile(terms.AppealCases, terms.ID(id))
			subs[id] = d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision})
		}
		append := func(id string) {
			take(t, f, func() (records.Receipt, error) { return s.Append(t.Context(), subs[id]) })
		}
		take := func(id string) {
			changing(t, f, func() error {
				_, err := s.Import(t.Context(), []packets.Packet{d.mill.appealCase(passing(id, 1))})
				return err
			})
		}
		append("case-4")
		take("case-6")
		f.rows = true
		append("case-4")
		f.rows, f.writes = false, true
		append("case-5")
		take("case-7")
	})
	t.Run("at a service", func(t *testing.T) {
		d := serviceWithCase(t)
		ofFile(t, d.store.Path())
		d.take(d.mill.appealCase(passing("case-2", 1)))
		s, f := failingAt(d, d.store.options)
		subs := map[terms.ID]Submission{}
		for _, id := range []terms.ID{"case-1", "case-2"} {
			sub := d.judged(id, decision{})
			sub.Token = d.grant(d.reviewer)
			subs[id] = sub
		}
		handIn := func(id terms.ID) {
			take(t, f, func() (records.Receipt, error) {
				accepted, err := s.HandIn(t.Context(), subs[id])
				return accepted.Receipt, err
			})
		}
		addKey := func(seed byte) {
			changing(t, f, func() error {
				_, err := s.AddKey(t.Context(), "rev-other", signed.AuthorizedKey(newKey(t, seed).PublicKey()))
				return err
			})
		}
		handIn("case-1")
		addKey(81)
		f.rows = true
		handIn("case-1")
		f.rows, f.writes = false, true
		handIn("case-2")
		addKey(82)
		f.writes = false
		handIn("case-2")
	})
}
