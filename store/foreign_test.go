package store

import (
	"database/sql"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"docket/store/sqlite"
	"docket/store/verify"
)

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
				if !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "; name another") {
					t.Errorf("the error does not say where and what to do: %v", err)
				}
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

// onFile runs statements as some other program would.
func onFile(t testing.TB, path string, statements ...string) {
	t.Helper()
	ofFile(t, path)
	if _, err := sqlite.New(sqlite.Options{}); err != nil { // chooses the locks, before any file is locked
		t.Fatal(err)
	}
	db := need(sql.Open("sqlite", sqlite.Probing.DSN(path, time.Second)))(t)
	db.SetMaxOpenConns(1)
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
