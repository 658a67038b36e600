package store

import (
	"database/sql/driver"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"docket/domain/terms"
	"docket/store/disk"
	"docket/store/sqlite"
	"docket/store/verify"
)

// copyStore copies a closed store's file, and its key file.
func copyStore(t testing.TB, from, to string) {
	t.Helper()
	content := need(os.ReadFile(from))(t)
	must(t, os.MkdirAll(filepath.Dir(to), disk.FolderMode))
	must(t, os.WriteFile(to, content, disk.FileMode))
	copyKey(t, from, to)
}

// copyKey brings the key files beside one store to another.
func copyKey(t testing.TB, from, to string) {
	t.Helper()
	keys, err := filepath.Glob(filepath.Join(filepath.Dir(from), "docket-*.key"))
	if err != nil || len(keys) == 0 {
		t.Fatalf("%d key files, %v", len(keys), err)
	}
	for _, key := range keys {
		content, err := os.ReadFile(key)
		if err == nil {
			err = os.WriteFile(filepath.Join(filepath.Dir(to), filepath.Base(key)), content, disk.FileMode)
		}
		must(t, err)
	}
}

// another is the options for a second file on the same machine.
func another(o Options, t testing.TB) Options {
	t.Helper()
	o.Path = filepath.Join(t.TempDir(), "docket.db")
	return o
}

func TestAStoreThatWasRolledBackToYesterdayIsFound(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	d.close()
	yesterday := another(o, t)
	copyStore(t, o.Path, yesterday.Path)
	d = fixtureAt(t, openWith(t, o))
	d.record("case-4", decision{outcome: terms.UpholdDecision})
	d.close()
	copyStore(t, yesterday.Path, o.Path)
	s := openWith(t, o)
	wantKinds(t, "at opening", s.Findings(), verify.RolledBack)
	if s.Anchored() {
		t.Error("it counts as proven")
	}
	mustTakeNothing(t, s)
	o.ReadOnly = true
	wantKinds(t, "opened for reading", openWith(t, o).Findings(), verify.RolledBack)
	o.AnchorFolder = filepath.Join(t.TempDir(), "other machine")
	wantKinds(t, "on a machine that never saw it", openWith(t, o).Findings(), verify.AnchorMissing)
}

func TestOfTwoForksOnlyOneIsGoneOnWith(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	d.close()
	fork := another(o, t)
	copyStore(t, o.Path, fork.Path)
	first := fixtureAt(t, openWith(t, o))
	second := fixtureAt(t, openWith(t, fork))
	first.record("case-4", decision{outcome: terms.UpholdDecision})
	caseFile := second.caseFile(terms.AppealCases, "case-5")
	mustBe(t, errOf(second.store.Append(t.Context(), second.decide(&caseFile.View, decision{outcome: terms.UpholdDecision}))), ErrTampered)
	wantKinds(t, "the one that was open", second.store.Findings(), verify.RolledBack)
	second.close()
	fork.AnchorFolder = ""
	alone := fixtureAt(t, openWith(t, fork))
	alone.record("case-5", decision{outcome: terms.UpholdDecision})
	alone.close()
	fork.AnchorFolder = o.AnchorFolder
	again := openWith(t, fork)
	wantKinds(t, "the other fork", again.Findings(), verify.Forked)
	mustTakeNothing(t, again)
	first.record("case-5", decision{outcome: terms.UpholdDecision})
}

func TestTwoForksThatCommitAtTheSameMomentAreFound(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	d.close()
	fork := another(o, t)
	copyStore(t, o.Path, fork.Path)
	first := fixtureAt(t, openWith(t, o))
	fork.connector = func(p sqlite.Purpose, path string, busy time.Duration) driver.Connector {
		return diskConnector{sqlite.Connect(p, path, busy), &faultyDisk{commit: func(commit, _ func() error) error {
			first.record("case-4", decision{outcome: terms.UpholdDecision})
			return commit()
		}}}
	}
	second := fixtureAt(t, openWith(t, fork))
	caseFile := second.caseFile(terms.AppealCases, "case-5")
	receipt, err := second.store.Append(t.Context(), second.decide(&caseFile.View, decision{outcome: terms.UpholdDecision}))
	var unanchored *AnchorError
	if !errors.As(err, &unanchored) || receipt.TreeSize != 5 {
		t.Errorf("%+v, %v", receipt, err)
	}
	wantKinds(t, "the second", second.store.Findings(), verify.Forked)
	wantSame(t, "the finding is", second.store.Findings()[0].Detail, "its 5 records are not the 5 that this machine last saw")
	mustTakeNothing(t, second.store)
}
