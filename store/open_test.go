package store

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/disk"
	"docket/store/merkle"
	"docket/store/sqlite"
	"docket/store/verify"
)

// openFailing opens a store that is expected to fail, and closes it if it does not.
func openFailing(t testing.TB, o Options) error {
	t.Helper()
	s, err := Open(context.Background(), o)
	if err == nil {
		must(t, s.Close())
		t.Fatal("it opens")
	}
	wantNot(t, s != nil, "there is a store beside the error")
	return err
}

func TestAStoreIsMadeForItsOwnerOnly(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "deep", "down")
	path := filepath.Join(folder, "docket.db")
	s := openAt(t, path, noon)
	wantNot(t, s.Path() != path || s.ReadOnly(), "path %s", s.Path())
	meta := need(s.Head(t.Context()))(t)
	wantNot(t, len(meta.Origin) != len(records.OriginPrefix)+32,
		"meta %+v", meta)
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no permission bits")
	}
	for name, want := range map[string]os.FileMode{
		folder: 0o700, filepath.Dir(folder): 0o700, path: 0o600, path + "-wal": 0o600, path + "-shm": 0o600,
	} {
		wantSame(t, name, need(os.Stat(name))(t).Mode().Perm(), want)
	}
}

func TestAnyNameOfAFileIsThatFile(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for _, name := range []string{"a?mode=memory", "b#c", "d%20e", "f g&h=1", "ü.db", "file:x"} {
		openAt(t, filepath.Join(folder, name), noon)
		wantErr(t, name, errOf(os.Stat(filepath.Join(folder, name))), nil)
	}
}

func TestReadingAndWorkOnAnExistingStoreMakeNone(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{{ReadOnly: true}, {Existing: true}} {
		o.Path = filepath.Join(t.TempDir(), "none", "docket.db")
		mustBe(t, openFailing(t, o), ErrNoStore)
		wantErr(t, "the folder", errOf(os.Stat(filepath.Dir(o.Path))), os.ErrNotExist)
		o.Path = filepath.Join(t.TempDir(), "empty.db")
		must(t, os.WriteFile(o.Path, nil, 0o600))
		mustBe(t, openFailing(t, o), ErrNoStore)
		openAt(t, o.Path, noon) // which makes one of it
	}
}

func TestAnOpeningTellsWhetherItMadeTheStore(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "docket.db")
	for _, made := range []bool{true, false} {
		s := need(Open(t.Context(), Options{Path: path}))(t)
		mustNot(t, s.Made() != made, "made %v, want %v", s.Made(), made)
		must(t, s.Close())
	}
}

func TestAStoreOpenedForReadingTakesNothing(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	sub := d.submission("case-1", decision{outcome: terms.UpholdDecision})
	s := openWith(t, Options{Path: d.store.Path(), ReadOnly: true, Now: func() time.Time { return noon }})
	wantSame(t, "rows", len(need(queueOf(t.Context(), s, terms.Appeals, terms.InstantOf(noon), ""))(t)), 1)
	mustBe(t, errOf(s.Append(t.Context(), sub)), ErrReadOnly)
	mustBe(t, errOf(s.Import(t.Context(), []packets.Packet{d.mill.appealPolicy(2)})), ErrReadOnly)
	mustBe(t, s.Skip(t.Context(), reviewerID, terms.AppealCases, packets.Key{ID: "case-1", Number: 1}, "why"), ErrReadOnly)
}

func TestAStoreThatIsClosedSaysSo(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	for range 2 {
		must(t, d.store.Close())
	}
	mustBe(t, errOf(d.store.Head(t.Context())), ErrClosed)
	mustBe(t, errOf(d.store.Import(t.Context(), nil)), ErrClosed)
}

func TestWhatIsNoStoreIsLeftAsItIs(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := func(content string, statements ...string) string {
		file := need(os.CreateTemp(folder, "*.db"))(t)
		must(t, errors.Join(errOf(file.WriteString(content)), file.Close()))
		if len(statements) > 0 {
			onFile(t, file.Name(), statements...)
		}
		return file.Name()
	}
	d := withCase(t)
	d.close()
	store := string(need(os.ReadFile(d.store.Path()))(t))
	for name, c := range map[string]struct {
		path, says string
		kind       error
	}{
		"a short text":                      {file("hello"), "; name another", ErrNotAStore},
		"a long text":                       {file(strings.Repeat("a line of a text file\n", 1000)), "; name another", ErrNotAStore},
		"a database":                        {file("", "CREATE TABLE theirs (a)"), "; name another", ErrNotAStore},
		"one of an unknown program":         {file("", "PRAGMA application_id = 77"), "; name another", ErrNotAStore},
		"one of a newer program":            {file(store, "PRAGMA user_version = 99"), "", ErrNewer},
		"one from before the first release": {file(store, "PRAGMA user_version = 5"), "before the first release", ErrOlder},
	} {
		before := need(os.ReadFile(c.path))(t)
		for _, readOnly := range []bool{false, true} {
			wantErr(t, name, openFailing(t, Options{Path: c.path, ReadOnly: readOnly}), c.kind, c.path, c.says)
		}
		wantSame(t, name, string(need(os.ReadFile(c.path))(t)), string(before))
	}
	others := map[string]error{folder: ErrNotAStore, "": ErrNoAccess, "a\x00b": ErrNoAccess, filepath.Join(file(""), "docket.db"): ErrNoAccess}
	if runtime.GOOS != "windows" { // it has no named pipes in folders
		pipe := filepath.Join(folder, "pipe")
		must(t, exec.Command("mkfifo", pipe).Run())
		others[pipe] = ErrNotAStore
	}
	for path, kind := range others {
		mustBe(t, openFailing(t, Options{Path: path}), kind)
	}
}

// raw opens the file of a store as some other program would.
func raw(t testing.TB, path string) *sql.DB {
	t.Helper()
	ofFile(t, path)
	need(sqlite.New(sqlite.Options{}))(t) // chooses the locks, before any file is locked
	db := need(sql.Open("sqlite", sqlite.Probing.DSN(path, time.Second)))(t)
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// onFile runs statements as some other program would.
func onFile(t testing.TB, path string, statements ...string) {
	t.Helper()
	db := raw(t, path)
	for _, statement := range append([]string{"PRAGMA synchronous = OFF"}, statements...) { // nothing fails here
		_, err := db.Exec(statement)
		mustNot(t, err != nil, "%s: %v", statement, err)
	}
	must(t, db.Close())
}

func TestAStoreWithAnAlteredSchemaIsReadIfItCanBe(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		statement string
		readable  bool
	}{
		{"DROP TRIGGER docket_log_no_delete", true},
		{"CREATE TABLE more (a)", true},
		{"CREATE TRIGGER more AFTER INSERT ON docket_log BEGIN SELECT 1; END", true},
		{"ALTER TABLE docket_local ADD COLUMN more TEXT", true},
		{"DROP INDEX trade_appeal_cases_key", false},
		{"DROP TABLE docket_texts", false},
		{"ALTER TABLE docket_texts RENAME COLUMN salt TO pepper", false},
	} {
		t.Run(c.statement, func(t *testing.T) {
			d, o := anchoredFixture(t)
			d.close()
			onFile(t, o.Path, c.statement)
			if !c.readable {
				mustBe(t, openFailing(t, o), ErrAltered)
				return
			}
			s := openWith(t, o)
			wantKinds(t, "at opening", s.Findings(), verify.SchemaAltered)
			mustTakeNothing(t, s)
		})
	}
}

func inspected(t testing.TB, o Options) Health {
	t.Helper()
	return need(Inspect(t.Context(), o))(t)
}

func TestAHealthyStoreLooksHealthy(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	d.close()
	h := inspected(t, o)
	wantNot(t, !h.Exists || h.OpenError != nil || len(h.Findings) > 0 || !h.FolderWritable,
		"%+v", h)
	wantNot(t, h.LogSize != 12 || h.AnchorSize != 12 || h.Anchor == "" || h.AnchorError != nil ||
		h.Origin == "", "%+v", h)
	at := terms.InstantOf(noon)
	wantNot(t, h.NewestRecord != at || h.NewestPacket != at || h.Now != at, "%+v", h)
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

func TestWhatIsNotThereIsSaidNotToExist(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "none", "docket.db")
	h := inspected(t, Options{Path: path})
	wantNot(t, h.Exists || h.Path != path, "%+v", h)
	_, err := os.Stat(filepath.Dir(path))
	wantNot(t, !os.IsNotExist(err), "looking made its folder")
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
	wantNot(t, h.OpenError != nil || h.LogSize != 12 || h.AnchorSize != 13, "%+v", h)
	wantKinds(t, "the copy", h.Findings, verify.RolledBack)
}

func TestWhatStandsOutInAStoreIsSaid(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	key := d.store.KeyFile()
	d.close()
	for _, path := range []string{o.Path, key} {
		must(t, os.Chmod(path, 0o644))
	}
	o.Now = func() time.Time { return noon.Add(-time.Hour) }
	h := inspected(t, o)
	wantNot(t, !h.Now.Before(h.NewestRecord), "the clock is %v, the newest record of %v", h.Now, h.NewestRecord)
	if runtime.GOOS != "windows" {
		wantSame(t, "modes", [2]os.FileMode{h.FileMode, h.KeyMode}, [2]os.FileMode{0o644, 0o644})
	}
	wantNot(t, h.KeyFile != key || h.KeyError != nil, "%s, %v", h.KeyFile, h.KeyError)
	must(t, os.Remove(key))
	h = inspected(t, o)
	mustBe(t, h.KeyError, merkle.ErrNoKey)
	wantNot(t, h.KeyFile != key || h.KeyMode != 0 || h.OpenError != nil, "without one: %+v", h)
	must(t, os.WriteFile(o.Path, []byte("hello, this is no store at all"), 0o600))
	mustBe(t, inspected(t, o).OpenError, ErrNotAStore)
}
