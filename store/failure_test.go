package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/sqlite"
)

// A faultyDisk is what the connections of a store stand on in these tests: its next commits and openings can be made to fail.
type faultyDisk struct {
	commit func(commit, rollback func() error) error // nil: as it is
	refuse error                                     // what opening a connection reports; nil: as it is
}

var errDisk = errors.New("the disk of this test failed")

// A wrapped makes connections of which each is wrapped.
type wrapped struct {
	driver.Connector
	wrap func(sqlite.Conn) (driver.Conn, error)
}

func (c wrapped) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return c.wrap(conn.(sqlite.Conn))
}

func connecting(wrap func(sqlite.Purpose, sqlite.Conn) (driver.Conn, error)) func(sqlite.Purpose, string, time.Duration) driver.Connector {
	return func(p sqlite.Purpose, path string, busy time.Duration) driver.Connector {
		return wrapped{sqlite.Connect(p, path, busy), func(conn sqlite.Conn) (driver.Conn, error) { return wrap(p, conn) }}
	}
}

// onDisk is a fixture on a disk that can fail, with one case.
func onDisk(t testing.TB, o Options) (*fixture, *faultyDisk) {
	t.Helper()
	under := &faultyDisk{}
	o.Path, o.Now = filepath.Join(t.TempDir(), "docket.db"), func() time.Time { return noon }
	o.connector = under.connector()
	d := fixtureAt(t, openWith(t, o))
	d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-1", 1)))
	return d, under
}

func (u *faultyDisk) connector() func(sqlite.Purpose, string, time.Duration) driver.Connector {
	return connecting(func(_ sqlite.Purpose, conn sqlite.Conn) (driver.Conn, error) {
		if u.refuse != nil {
			return nil, errors.Join(u.refuse, conn.Close())
		}
		return diskConn{conn, u}, nil
	})
}

type diskConn struct {
	sqlite.Conn
	disk *faultyDisk
}

func (c diskConn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	tx, err := c.Conn.BeginTx(ctx, o)
	if err != nil || o.ReadOnly {
		return tx, err
	}
	return diskTx{tx, c.disk}, nil
}

type diskTx struct {
	driver.Tx
	disk *faultyDisk
}

func (t diskTx) Commit() error {
	if t.disk.commit == nil {
		return t.Tx.Commit()
	}
	return t.disk.commit(t.Tx.Commit, t.Rollback)
}

func withDisk(t *testing.T) (*fixture, *faultyDisk, Submission) {
	t.Helper()
	d, under := onDisk(t, Options{AnchorFolder: filepath.Join(t.TempDir(), "anchors")})
	return d, under, d.submission("case-1", decision{outcome: terms.UpholdDecision})
}

// The ways in which a commit can fail.
func written(commit, _ func() error) error {
	return errors.Join(commit(), errDisk)
}

func lost(_, rollback func() error) error {
	return errors.Join(rollback(), errDisk)
}

func TestACommitThatTookPlaceIsAcknowledgedInSpiteOfItsError(t *testing.T) {
	t.Parallel()
	d, under, sub := withDisk(t)
	under.commit = written
	receipt, err := d.store.Append(t.Context(), sub)
	// Without its write-ahead log, the file has the record: it was not just read back from memory.
	wantSame(t, "records in the file", len(wholeLog(t, openAt(t, copied(t, d.store.Path(), ""), noon))), 1)
	mustNot(t, err != nil || receipt.Sequence != 2 ||
		receipt.RecordID != sub.Record.Members().RecordID, "%+v, %v", receipt, err)
	under.commit = nil
	wantSame(t, "the anchor is of", need(d.store.anchor.Read(t.Context()))(t).Size, 3)
	wantSame(t, "again", need(d.store.Append(t.Context(), sub))(t), receipt)
	wholeLog(t, d.store)
}

func TestACommitThatWasLostIsReportedAndCanBeRepeated(t *testing.T) {
	t.Parallel()
	d, under, sub := withDisk(t)
	under.commit = lost
	_, err := d.store.Append(t.Context(), sub)
	mustBe(t, err, errDisk)
	wantNot(t, errors.Is(err, ErrUnknownOutcome) || errors.Is(err, records.ErrRefused),
		"the error is %v", err)
	wantSame(t, "records", len(wholeLog(t, d.store)), 0)
	under.commit = nil
	wantSame(t, "again", need(d.store.Append(t.Context(), sub))(t).TreeSize, 3)
}

func TestAnOutcomeThatCannotBeLookedUpIsSaidToBeUnknown(t *testing.T) {
	t.Parallel()
	for name, commit := range map[string]func(commit, rollback func() error) error{"written": written, "lost": lost} {
		t.Run(name, func(t *testing.T) {
			d, under, sub := withDisk(t)
			under.commit = func(c, r func() error) error {
				under.refuse = errDisk
				return commit(c, r)
			}
			_, err := d.store.Append(t.Context(), sub)
			mustBe(t, err, ErrUnknownOutcome)
			if next := "check the disk, then look up record " + string(sub.Record.Members().RecordID); !errors.Is(err, errDisk) || !strings.Contains(err.Error(), next) {
				t.Errorf("it says %v", err)
			}
			mustBe(t, errOf(d.store.Head(t.Context())), errDisk)
			under.commit, under.refuse = nil, nil
			receipt := need(d.store.Append(t.Context(), sub))(t)
			wantSame(t, "once the disk is well", receipt.TreeSize, 3)
			wantSame(t, "records", len(wholeLog(t, d.store)), 1)
		})
	}
}

// onFullDisk is a fixture, and its connection that writes, whose file growBy keeps from growing.
func onFullDisk(t *testing.T) (*fixture, *sqlite.Conn) {
	t.Helper()
	var writes sqlite.Conn
	return fixtureAt(t, openWith(t, Options{Path: filepath.Join(t.TempDir(), "docket.db"), Now: func() time.Time { return noon },
		connector: connecting(func(p sqlite.Purpose, conn sqlite.Conn) (driver.Conn, error) {
			if p == sqlite.Writing {
				writes = conn
			}
			return conn, nil
		})})), &writes
}

func TestAFullDiskLosesNothingAndSaysWhatToDo(t *testing.T) {
	t.Parallel()
	d, writes := onFullDisk(t)
	d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-1", 1)))
	note := records.Note{Salt: "s", Text: strings.Repeat("x", 1<<16)}
	sub := d.submission("case-1", decision{outcome: terms.UpholdDecision, note: note})
	growBy(t, *writes, 0)
	mustBe(t, errOf(d.store.Append(t.Context(), sub)), ErrDiskFull)
	wantSame(t, "records", len(wholeLog(t, d.store)), 0)
	growBy(t, *writes, 0)
	packets := make([]packets.Packet, 50)
	for i := range packets {
		packets[i] = d.mill.appealCase(passing("more", int64(i+1)))
	}
	mustBe(t, errOf(d.store.Import(t.Context(), packets)), ErrDiskFull)
	wantSame(t, "part of the portion is in", len(need(d.store.Find(t.Context(), "more"))(t)), 0)
	d.take(packets...)
	need(d.store.Append(t.Context(), sub))(t)
}

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
	o.connector = connecting(func(_ sqlite.Purpose, conn sqlite.Conn) (driver.Conn, error) { return failingConn{conn, f}, nil })
	return openWith(d.t, o), f
}

func (f *failing) fails() bool {
	if f.left.Add(-1) != 0 {
		return false
	}
	f.fired.Store(true)
	return true
}

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

type failingRows struct{ driver.Rows }

func (failingRows) Next([]driver.Value) error { return errQuery }

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
		d.erase(records.Erasure{What: records.ErasableStatement, Record: taken.Receipt.RecordID, Reason: textsOfCase1.Reason})
		mustFail(t, d, servedReadings)
	})
}

// servedReadings are what the service's store is asked for those who read it.
var servedReadings = map[string]func(question) (any, error){
	"Feed":           func(q question) (any, error) { return q.Feed(q.ctx, assigned, About{}, "", 5) },
	"Feed of owners": func(q question) (any, error) { return q.Feed(q.ctx, overseer, About{}, "", 1) },
	"Feed of a case": func(q question) (any, error) { return q.Feed(q.ctx, assigned, About{terms.Appeals, "case-1"}, "", 5) },
	"ReadRecord":     func(q question) (any, error) { return q.ReadRecord(q.ctx, assigned, q.ids[0]) },
	"ProveRecord": func(q question) (any, error) {
		proof, _, err := q.ProveRecord(q.ctx, assigned, q.ids[1])
		return proof, err
	},
	"Reliance":  func(q question) (any, error) { return q.Reliance(q.ctx, &assigned, About{terms.Appeals, "case-1"}) },
	"Statement": func(q question) (any, error) { return q.Statement(q.ctx, q.ids[0]) },
	"Registrations": func(q question) (any, error) {
		q.registry.last = nil // what it holds is asked again
		return q.Registrations(q.ctx, reviewerID)
	},
	"ServiceStatements": func(q question) (any, error) {
		q.registry.last = nil
		return q.ServiceStatements(q.ctx)
	},
}

// mustFail fails unless each reading of the fixture's store has an error where one of its queries has.
func mustFail(t *testing.T, d *fixture, readings map[string]func(question) (any, error)) {
	t.Helper()
	var ids []records.RecordID
	for _, entry := range wholeLog(t, d.store) {
		ids = append(ids, entry.Receipt.RecordID)
	}
	for name, read := range readings {
		s, f := failingAt(d, Options{ReadOnly: true})
		f.left.Store(0)
		_, err := read(question{s, t.Context(), ids})
		mustNot(t, err != nil && !errors.Is(err, ErrNotFound), "%s: %v", name, err)
		for _, rows := range []bool{false, true} {
			for n := int64(1); ; n++ {
				if !longTests() && rows == (n%2 == 0) {
					continue // each query fails in one of the two ways
				}
				f.rows = rows
				f.fired.Store(false)
				f.left.Store(n)
				_, err := read(question{s, t.Context(), ids})
				if !f.fired.Load() {
					break
				}
				wantNot(t, !errors.Is(err, errQuery),
					"%s: its query %d failed (at its first row: %v), and there was an answer: %v", name, n, rows, err)
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
	type step struct {
		rows, writes bool // as failing has them
		change       func() error
	}
	run := func(t *testing.T, f *failing, steps ...step) {
		t.Helper()
		for i, s := range steps {
			f.rows, f.writes = s.rows, s.writes
			for n := int64(1); ; n++ {
				f.fired.Store(false)
				f.left.Store(n)
				err := s.change()
				if !f.fired.Load() {
					wantErr(t, "nothing failed", err, nil)
					break
				}
				wantErr(t, fmt.Sprintf("step %d, where %d failed", i, n), err, errQuery)
			}
		}
	}
	receipted := func(receipt records.Receipt, err error) error {
		wantNot(t, (err == nil) == (receipt == (records.Receipt{})), "the receipt is %+v, the error %v", receipt, err)
		return err
	}
	t.Run("at a console", func(t *testing.T) {
		d, o := anchoredFixture(t)
		s, f := failingAt(d, o)
		recording := func(id terms.ID) func() error {
			sub := d.submission(id, decision{outcome: terms.UpholdDecision})
			return func() error { return receipted(s.Append(t.Context(), sub)) }
		}
		taking := func(id string) func() error {
			list := []packets.Packet{d.mill.appealCase(passing(id, 1))}
			return func() error { return errOf(s.Import(t.Context(), list)) }
		}
		first := recording("case-4")
		run(t, f, step{change: first}, step{change: taking("case-6")}, step{rows: true, change: first},
			step{writes: true, change: recording("case-5")}, step{writes: true, change: taking("case-7")})
	})
	t.Run("at a service", func(t *testing.T) {
		d := serviceWithCase(t)
		ofFile(t, d.store.Path())
		d.take(d.mill.appealCase(passing("case-2", 1)))
		s, f := failingAt(d, d.store.options)
		handing := func(id terms.ID) func() error {
			sub := d.judged(id, decision{})
			sub.Token = d.grant(d.reviewer)
			return func() error {
				accepted, err := s.HandIn(t.Context(), sub)
				return receipted(accepted.Receipt, err)
			}
		}
		adding := func(seed byte) func() error {
			key := signed.AuthorizedKey(newKey(t, seed).PublicKey())
			return func() error { return errOf(s.AddKey(t.Context(), "rev-other", key)) }
		}
		first, second := handing("case-1"), handing("case-2")
		run(t, f, step{change: first}, step{change: adding(81)}, step{rows: true, change: first},
			step{writes: true, change: second}, step{writes: true, change: adding(82)}, step{change: second})
	})
}

// serviceWithDisk is a service with one case on a disk that can fail, and a record ready to hand in.
func serviceWithDisk(t *testing.T) (*fixture, *faultyDisk, Submission) {
	t.Helper()
	d, under := onDisk(t, Options{Service: true})
	d.register()
	return d, under, d.judged("case-1", decision{})
}
