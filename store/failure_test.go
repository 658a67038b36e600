package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/sqlite"
)

// A faultyDisk is what the connections of a store stand on in these tests: its next commits and openings can be made to fail.
type faultyDisk struct {
	commit func(commit, rollback func() error) error // nil: as it is
	refuse error                                     // what opening a connection reports; nil: as it is
}

var errDisk = errors.New("the disk of this test failed")

type diskConnector struct {
	driver.Connector
	disk *faultyDisk
}

func (c diskConnector) Connect(ctx context.Context) (driver.Conn, error) {
	if c.disk.refuse != nil {
		return nil, c.disk.refuse
	}
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return diskConn{conn.(sqlite.Conn), c.disk}, nil
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

// withDisk is a fixture with one case on a disk that can fail, and a record ready to append.
func withDisk(t *testing.T) (*fixture, *faultyDisk, Submission) {
	t.Helper()
	under := &faultyDisk{}
	d := fixtureAt(t, openWith(t, Options{Path: filepath.Join(t.TempDir(), "docket.db"), Now: func() time.Time { return noon },
		connector: func(p sqlite.Purpose, path string, busy time.Duration) driver.Connector {
			return diskConnector{sqlite.Connect(p, path, busy), under}
		}}))
	d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-1", 1)))
	caseFile := d.caseFile(terms.AppealCases, "case-1")
	return d, under, d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision})
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
	if err != nil || receipt.Sequence != 0 || receipt.RecordID != sub.Record.Members().RecordID {
		t.Fatalf("%+v, %v", receipt, err)
	}
	under.commit = nil
	wantSame(t, "again", need(d.store.Append(t.Context(), sub))(t), receipt)
	wholeLog(t, d.store)
}

func TestACommitThatWasLostIsReportedAndCanBeRepeated(t *testing.T) {
	t.Parallel()
	d, under, sub := withDisk(t)
	under.commit = lost
	_, err := d.store.Append(t.Context(), sub)
	mustBe(t, err, errDisk)
	if errors.Is(err, ErrUnknownOutcome) || errors.Is(err, records.ErrRefused) {
		t.Errorf("the error is %v", err)
	}
	wantSame(t, "records", len(wholeLog(t, d.store)), 0)
	under.commit = nil
	wantSame(t, "again", need(d.store.Append(t.Context(), sub))(t).TreeSize, 1)
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
			wantSame(t, "once the disk is well", receipt.TreeSize, 1)
			wantSame(t, "records", len(wholeLog(t, d.store)), 1)
		})
	}
}

// A lastConnector makes connections and remembers the last one.
type lastConnector struct {
	driver.Connector
	last *sqlite.Conn
}

func (c lastConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err == nil {
		*c.last = conn.(sqlite.Conn)
	}
	return conn, err
}

// fill keeps the file of a connection from growing, as a full disk does.
func fill(t *testing.T, conn sqlite.Conn) {
	t.Helper()
	must(t, conn.RegisterAuthorizer(nil))
	_, err := conn.ExecContext(context.Background(), "PRAGMA max_page_count = 1", nil)
	must(t, errors.Join(err, conn.RegisterAuthorizer(sqlite.Authorize)))
}

func TestAFullDiskLosesNothingAndSaysWhatToDo(t *testing.T) {
	t.Parallel()
	var writes sqlite.Conn
	d := fixtureAt(t, openWith(t, Options{Path: filepath.Join(t.TempDir(), "docket.db"), Now: func() time.Time { return noon },
		connector: func(p sqlite.Purpose, path string, busy time.Duration) driver.Connector {
			if p != sqlite.Writing {
				return sqlite.Connect(p, path, busy)
			}
			return lastConnector{sqlite.Connect(p, path, busy), &writes}
		}}))
	d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-1", 1)))
	caseFile := d.caseFile(terms.AppealCases, "case-1")
	note := records.Note{Salt: "s", Text: strings.Repeat("x", 1<<16)}
	sub := d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision, note: note})
	fill(t, writes)
	mustBe(t, errOf(d.store.Append(t.Context(), sub)), ErrDiskFull)
	wantSame(t, "records", len(wholeLog(t, d.store)), 0)
	fill(t, writes)
	packets := make([]packets.Packet, 50)
	for i := range packets {
		packets[i] = d.mill.appealCase(passing("more", int64(i+1)))
	}
	mustBe(t, errOf(d.store.Import(t.Context(), packets)), ErrDiskFull)
	wantSame(t, "part of the portion is in", len(need(d.store.Find(t.Context(), "more"))(t)), 0)
	d.take(packets...)
	need(d.store.Append(t.Context(), sub))(t)
}

func TestACommitThatTookPlaceInSpiteOfItsErrorReachesTheAnchor(t *testing.T) {
	t.Parallel()
	under := &faultyDisk{}
	folder := t.TempDir()
	d := fixtureAt(t, openWith(t, Options{Path: filepath.Join(folder, "docket.db"), AnchorFolder: filepath.Join(folder, "anchors"), Now: func() time.Time { return noon },
		connector: func(p sqlite.Purpose, path string, busy time.Duration) driver.Connector {
			return diskConnector{sqlite.Connect(p, path, busy), under}
		}}))
	d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-1", 1)))
	caseFile := d.caseFile(terms.AppealCases, "case-1")
	under.commit = written
	need(d.store.Append(t.Context(), d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision})))(t)
	under.commit = nil
	wantSame(t, "the anchor is of", need(d.store.anchor.Read(t.Context()))(t).Size, 1)
}
