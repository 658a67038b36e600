package store

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"docket/domain/terms"
	"docket/store/disk"
	"docket/store/merkle"
	"docket/store/verify"
)

func inspected(t testing.TB, o Options) Health {
	t.Helper()
	h := need(Inspect(t.Context(), o))(t)
	return h
}

func TestAHealthyStoreLooksHealthy(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	d.close()
	h := inspected(t, o)
	if !h.Exists || h.OpenError != nil || len(h.Findings) > 0 || !h.FolderWritable {
		t.Errorf("%+v", h)
	}
	if h.LogSize != 4 || h.AnchorSize != 4 || h.Anchor == "" || h.AnchorError != nil || h.Origin == "" {
		t.Errorf("%+v", h)
	}
	at := terms.InstantOf(noon)
	if h.NewestRecord != at || h.NewestPacket != at || h.Now != at {
		t.Errorf("%+v", h)
	}
	if runtime.GOOS == "linux" && (!h.Volume.Known || h.Volume.Free <= 0 || h.Volume.Name == "") {
		t.Errorf("%+v", h.Volume)
	}
	if runtime.GOOS != "windows" && (h.FileMode != disk.FileMode || h.FolderMode != disk.FolderMode) {
		t.Errorf("%o in %o", h.FileMode, h.FolderMode)
	}
	if h.KeyFile == "" || h.KeyError != nil || runtime.GOOS != "windows" && h.KeyMode != disk.FileMode {
		t.Errorf("the key of the log: %s, mode %o, %v", h.KeyFile, h.KeyMode, h.KeyError)
	}
}

func TestTheKeyFileOfTheLogIsLookedAt(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	path := d.store.KeyFile()
	d.close()
	must(t, os.Chmod(path, 0o644))
	if h := inspected(t, o); h.KeyFile != path || h.KeyError != nil || runtime.GOOS != "windows" && h.KeyMode != 0o644 {
		t.Errorf("%s, mode %o, %v", h.KeyFile, h.KeyMode, h.KeyError)
	}
	must(t, os.Remove(path))
	h := inspected(t, o)
	if mustBe(t, h.KeyError, merkle.ErrNoKey); h.KeyFile != path || h.KeyMode != 0 || h.OpenError != nil {
		t.Errorf("without one: %+v", h)
	}
}

func TestWhatIsNotThereIsSaidNotToExist(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "none", "docket.db")
	if h := inspected(t, Options{Path: path}); h.Exists || h.Path != path {
		t.Errorf("%+v", h)
	}
	if _, err := os.Stat(filepath.Dir(path)); !os.IsNotExist(err) {
		t.Error("looking made its folder")
	}
}

func TestACopyWithoutItsWALIsToldByTheAnchor(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	d.close()
	d = fixtureAt(t, openWith(t, o))
	d.record("case-4", decision{outcome: terms.UpholdDecision})
	torn := o
	torn.Path = copied(t, o.Path, "")
	h := inspected(t, torn)
	if h.OpenError != nil || h.LogSize != 4 || h.AnchorSize != 5 {
		t.Errorf("%+v", h)
	}
	wantKinds(t, "the copy", h.Findings, verify.RolledBack)
}

func TestWhatStandsOutInAStoreIsSaid(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	d.close()
	must(t, os.Chmod(o.Path, 0o644))
	o.Now = func() time.Time { return noon.Add(-time.Hour) }
	h := inspected(t, o)
	if !h.Now.Before(h.NewestRecord) {
		t.Errorf("the clock is %v, the newest record of %v", h.Now, h.NewestRecord)
	}
	if runtime.GOOS != "windows" && h.FileMode != 0o644 {
		t.Errorf("mode %o", h.FileMode)
	}
	must(t, os.WriteFile(o.Path, []byte("hello, this is no store at all"), 0o600))
	mustBe(t, inspected(t, o).OpenError, ErrNotAStore)
}
