package store

import (
	"database/sql/driver"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"docket/domain/records"
	"docket/store/sqlite"
)

// serviceWithDisk is a service with one case on a disk that can fail, and a record ready to hand in.
func serviceWithDisk(t *testing.T) (*fixture, *faultyDisk, Submission) {
	t.Helper()
	under := &faultyDisk{}
	d := fixtureAt(t, openWith(t, Options{Path: filepath.Join(t.TempDir(), "docket.db"), Service: true,
		Now: func() time.Time { return noon }, connector: func(p sqlite.Purpose, path string, busy time.Duration) driver.Connector {
			return diskConnector{sqlite.Connect(p, path, busy), under}
		}}))
	d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-1", 1)))
	d.register()
	return d, under, d.judged("case-1", decision{})
}

func TestWhatIsHandedInIsAcknowledgedOnlyIfTheCommitTookPlace(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		commit func(commit, rollback func() error) error
		taken  bool
	}{"written": {written, true}, "lost": {lost, false}} {
		d, under, sub := serviceWithDisk(t)
		under.commit = c.commit
		receipt, checkpoint, again, err := d.offer(sub)
		switch {
		case c.taken && (err != nil || again || receipt.TreeSize != 1 || len(checkpoint) == 0):
			t.Errorf("%s: %+v, %v", name, receipt, err)
		case !c.taken && (!errors.Is(err, errDisk) || errors.Is(err, records.ErrRefused) || receipt != (records.Receipt{}) || checkpoint != nil):
			t.Errorf("%s: %+v, %v", name, receipt, err)
		}
		under.commit = nil
		second := d.handIn(sub)
		if second.again != c.taken || second.receipt.TreeSize != 1 || c.taken && (second.receipt != receipt || second.checkpoint != string(checkpoint)) {
			t.Errorf("%s: again %+v", name, second)
		}
		wantSame(t, name, len(wholeLog(t, d.store)), 1)
	}
}
