package store

import (
	"context"
	"database/sql"
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
	meta, err := s.Meta(t.Context())
	if err != nil || len(meta.Origin) != len(records.OriginPrefix)+32 || meta.createdAt.Time() != noon {
		t.Errorf("meta %+v, %v", meta, err)
	}
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no permission bits")
	}
	for name, want := range map[string]os.FileMode{
		folder: 0o700, filepath.Dir(folder): 0o700, path: 0o600, path + "-wal": 0o600, path + "-shm": 0o600,
	} {
		info := need(os.Stat(name))(t)
		wantSame(t, name, info.Mode().Perm(), want)
	}
}

func TestTwoStoresHaveDifferentOrigins(t *testing.T) {
	t.Parallel()
	origins := map[string]bool{}
	for range 2 {
		meta := need(newFixture(t).store.Meta(t.Context()))(t)
		origins[meta.Origin] = true
	}
	wantSame(t, "they share one", len(origins), 2)
}

func TestAnyNameOfAFileIsThatFile(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for _, name := range []string{"a?mode=memory", "b#c", "d%20e", "f g&h=1", "ü.db", "file:x"} {
		openAt(t, filepath.Join(folder, name), noon)
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestAnEmptyFileBecomesAStore(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "docket.db")
	must(t, os.WriteFile(path, nil, 0o600))
	mustBe(t, openFailing(t, Options{Path: path, ReadOnly: true}), ErrNoStore)
	openAt(t, path, noon)
}

func TestAPathThatCannotBeIsRefused(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	for _, path := range []string{"", "a\x00b", filepath.Join(file, "docket.db")} {
		mustBe(t, openFailing(t, Options{Path: path}), ErrNoAccess)
	}
}

func TestReadingAndWorkOnAnExistingStoreMakeNone(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{{ReadOnly: true}, {Existing: true}} {
		o.Path = filepath.Join(t.TempDir(), "none", "docket.db")
		mustBe(t, openFailing(t, o), ErrNoStore)
		if _, err := os.Stat(filepath.Dir(o.Path)); !os.IsNotExist(err) {
			t.Errorf("the folder is there: %v", err)
		}
		o.Path = filepath.Join(t.TempDir(), "empty.db")
		must(t, os.WriteFile(o.Path, nil, 0o600))
		mustBe(t, openFailing(t, o), ErrNoStore)
	}
}

func TestAnOpeningTellsWhetherItMadeTheStore(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "docket.db")
	for _, made := range []bool{true, false} {
		s, err := Open(t.Context(), Options{Path: path})
		mustNot(t, err != nil || s.Made() != made, "made %v, want %v, %v", s.Made(), made, err)
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
	mustBe(t, s.Skip(t.Context(), reviewerID, terms.AppealCases, []packets.Key{{ID: "case-1", Number: 1}}, "why"), ErrReadOnly)
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
	file := func(name, content string) string {
		path := filepath.Join(folder, name)
		must(t, os.WriteFile(path, []byte(content), 0o600))
		return path
	}
	for name, path := range map[string]string{
		"a short text":              file("short.txt", "hello"),
		"a long text":               file("long.txt", strings.Repeat("a line of a text file\n", 1000)),
		"a database":                foreignDatabase(t, folder, "CREATE TABLE theirs (a)"),
		"one of an unknown program": foreignDatabase(t, folder, "PRAGMA application_id = 77"),
	} {
		t.Run(name, func(t *testing.T) {
			before := need(os.ReadFile(path))(t)
			for _, readOnly := range []bool{false, true} {
				err := openFailing(t, Options{Path: path, ReadOnly: readOnly})
				mustBe(t, err, ErrNotAStore)
				wantText(t, "the error does not say where and what to do", err.Error(), path, "; name another")
			}
			wantSame(t, "the file changed", string(need(os.ReadFile(path))(t)), string(before))
		})
	}
}

func foreignDatabase(t testing.TB, folder, statement string) string {
	t.Helper()
	file := need(os.CreateTemp(folder, "*.db"))(t)
	must(t, file.Close())
	onFile(t, file.Name(), statement)
	return file.Name()
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
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	must(t, db.Close())
}

func TestAFolderOrAPipeIsNoStore(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	mustBe(t, openFailing(t, Options{Path: folder}), ErrNotAStore)
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no named pipes in folders")
	}
	pipe := filepath.Join(folder, "pipe")
	if out, err := exec.Command("mkfifo", pipe).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	mustBe(t, openFailing(t, Options{Path: pipe}), ErrNotAStore)
}

func TestANewerStoreIsLeftToANewerProgram(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	path := d.store.Path()
	must(t, d.store.Close())
	onFile(t, path, "PRAGMA user_version = 99")
	mustBe(t, openFailing(t, Options{Path: path}), ErrNewer)
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
		{"ALTER TABLE docket_skips ADD COLUMN more TEXT", true},
		{"DROP INDEX trade_appeal_cases_key", false},
		{"DROP TABLE docket_notes", false},
		{"ALTER TABLE docket_notes RENAME COLUMN salt TO pepper", false},
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
	if h.LogSize != 4 || h.AnchorSize != 4 || h.Anchor == "" || h.AnchorError != nil || h.Origin == "" {
		t.Errorf("%+v", h)
	}
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
	h := inspected(t, Options{Path: path})
	wantNot(t, h.Exists || h.Path != path, "%+v", h)
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
	wantNot(t, h.OpenError != nil || h.LogSize != 4 || h.AnchorSize != 5, "%+v", h)
	wantKinds(t, "the copy", h.Findings, verify.RolledBack)
}

func TestWhatStandsOutInAStoreIsSaid(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	d.close()
	must(t, os.Chmod(o.Path, 0o644))
	o.Now = func() time.Time { return noon.Add(-time.Hour) }
	h := inspected(t, o)
	wantNot(t, !h.Now.Before(h.NewestRecord),
		"the clock is %v, the newest record of %v", h.Now, h.NewestRecord)
	wantNot(t, runtime.GOOS != "windows" && h.FileMode != 0o644, "mode %o", h.FileMode)
	must(t, os.WriteFile(o.Path, []byte("hello, this is no store at all"), 0o600))
	mustBe(t, inspected(t, o).OpenError, ErrNotAStore)
}
