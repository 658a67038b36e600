package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/sqlite"
)

var errQuery = errors.New("the query failed")

// A failing is which of the queries fails: each counts it down, and the one that meets 0 fails.
type failing struct {
	left  atomic.Int64
	rows  bool // it fails where its first row is read
	fired atomic.Bool
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
	fails := c.fails()
	if fails && !c.rows {
		return nil, errQuery
	}
	rows, err := c.Conn.QueryContext(ctx, query, args)
	if err == nil && fails {
		rows = failingRows{rows}
	}
	return rows, err
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

// A query that fails is never taken for one without rows: whatever is asked, and whichever of its queries fails, at once or at
// its first row, the answer is an error.
func TestAQueryThatFailsIsNoAnswer(t *testing.T) {
	t.Parallel()
	d, _ := anchoredFixture(t)
	var ids []records.RecordID
	for _, entry := range wholeLog(t, d.store) {
		ids = append(ids, entry.Receipt.RecordID)
	}
	f := &failing{}
	s := openWith(t, Options{Path: d.store.Path(), ReadOnly: true, Now: d.store.now, connector: func(p sqlite.Purpose, path string, busy time.Duration) driver.Connector {
		return failingConnector{sqlite.Connect(p, path, busy), f}
	}})
	for name, read := range readings {
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
	}
	if found := s.Findings(); len(found) > 0 {
		t.Errorf("found %v, and nothing is wrong with the store", found)
	}
}

// A record whose taking fails at a query, whichever it is, has no receipt: neither the first time nor when it is handed in again.
func TestAQueryThatFailsIsNoReceipt(t *testing.T) {
	t.Parallel()
	failingAt := func(d *fixture, o Options) (*Store, *failing) {
		f := &failing{}
		o.Path, o.Now = d.store.Path(), d.store.now
		o.connector = func(p sqlite.Purpose, path string, busy time.Duration) driver.Connector {
			return failingConnector{sqlite.Connect(p, path, busy), f}
		}
		return openWith(t, o), f
	}
	take := func(t *testing.T, f *failing, taking func() (records.Receipt, error)) {
		t.Helper()
		for _, rows := range []bool{false, true} {
			for n := int64(1); ; n++ {
				f.rows = rows
				f.fired.Store(false)
				f.left.Store(n)
				receipt, err := taking()
				if !f.fired.Load() {
					if err != nil || receipt.TreeSize == 0 {
						t.Errorf("no query failed: %+v, %v", receipt, err)
					}
					break
				}
				if !errors.Is(err, errQuery) || receipt != (records.Receipt{}) {
					t.Errorf("query %d failed (at its first row: %v): %+v, %v", n, rows, receipt, err)
				}
			}
		}
	}
	t.Run("at a console", func(t *testing.T) {
		d, o := anchoredFixture(t)
		s, f := failingAt(d, o)
		caseFile := d.caseFile(terms.AppealCases, "case-4")
		sub := d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision})
		take(t, f, func() (records.Receipt, error) { return s.Append(t.Context(), sub) })
	})
	t.Run("at a service", func(t *testing.T) {
		d := serviceWithCase(t)
		if d.store.options.Database != nil {
			t.Skip("it is about the file of a store")
		}
		s, f := failingAt(d, d.store.options)
		sub := d.judged("case-1", decision{})
		sub.Token = d.grant(d.reviewer)
		take(t, f, func() (records.Receipt, error) {
			accepted, err := s.HandIn(t.Context(), sub)
			return accepted.Receipt, err
		})
	})
}
