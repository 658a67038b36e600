package store

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"docket/domain/overlap"
)

// firstVersion turns a closed store into one as the first version made it.
func firstVersion(t testing.TB, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	statements := []string{"PRAGMA user_version = 1"}
	for _, o := range schemaObjects() {
		if kind := o.row().kind; o.since() > 1 && kind != "trigger" {
			statements = append(statements, "DROP "+kind+" IF EXISTS "+o.name)
		}
	}
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestAStoreOfTheFirstVersionIsBroughtUpToDateAndKeepsWhatItHolds(t *testing.T) {
	d := filled(t)
	path, before := d.store.Path(), d.contents()
	if err := d.store.Close(); err != nil {
		t.Fatal(err)
	}
	firstVersion(t, path)
	s := openAt(t, path, noon)
	if len(s.Findings()) > 0 || s.ReadOnly() {
		t.Fatal(s.Findings())
	}
	if after := deskAt(t, s).contents(); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
	if _, err := s.AppendReceipt(t.Context(), overlapEntry(t, overlap.CheckOverlap)); err != nil {
		t.Error(err)
	}
	if found, err := inspect(t.Context(), s.read); err != nil || found != stateStore {
		t.Errorf("it is in state %d, %v", found, err)
	}
}

func TestAnOlderStoreThatIsOnlyReadIsLeftAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "docket.db")
	if err := openAt(t, path, noon).Close(); err != nil {
		t.Fatal(err)
	}
	firstVersion(t, path)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	mustBe(t, openFailing(t, Options{Path: path, ReadOnly: true}), ErrOlder)
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Error("it was changed")
	}
}
