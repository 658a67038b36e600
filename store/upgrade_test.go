package store

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"docket/domain"
	"docket/domain/overlap"
)

// firstVersion turns a closed store into one as the first version made it.
func firstVersion(t testing.TB, path string) { earlierVersion(t, path, 1) }

// earlierVersion turns a closed store into one as that version made it.
func earlierVersion(t testing.TB, path string, version int64) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	statements := []string{fmt.Sprintf("PRAGMA user_version = %d", version)}
	for _, o := range schemaObjects() {
		if kind := o.row().kind; o.since() > version && kind != "trigger" {
			statements = append(statements, "DROP "+kind+" IF EXISTS "+o.name)
		}
	}
	for _, o := range formerTriggers() {
		if version < 4 {
			statements = append(statements, "DROP TRIGGER "+o.name, o.sql)
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

func TestAStoreOfAnyEarlierVersionKeepsDraftsOnceItIsUpToDate(t *testing.T) {
	for version := int64(1); version < schemaVersion; version++ {
		d, o := anchoredDesk(t)
		d.close()
		earlierVersion(t, o.Path, version)
		d.store = openWith(t, o)
		if d.store.ReadOnly() || !d.store.Anchored() {
			t.Fatalf("version %d: %v", version, d.store.Findings())
		}
		wantKinds(t, "the whole log", proven(t, d.store))
		d.keep(domain.Key{ID: "case-5", Number: 1}, begun)
		if got := d.dossier(domain.AppealCases, "case-5").Draft.Draft; got != begun {
			t.Errorf("version %d: kept %+v", version, got)
		}
	}
}

func TestATriggerThatWasEditedBeforeTheUpgradeIsStillFound(t *testing.T) {
	d := filled(t)
	path := d.store.Path()
	if err := d.store.Close(); err != nil {
		t.Fatal(err)
	}
	earlierVersion(t, path, 3)
	edited := formerTriggers()[0]
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{"DROP TRIGGER " + edited.name,
		"CREATE TRIGGER " + edited.name + " BEFORE INSERT ON trade_appeal_cases BEGIN SELECT 1; END"} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	wantKinds(t, "an edited trigger", openAt(t, path, noon).Findings(), SchemaAltered)
}

func TestWhoeverOpensAnEarlierStoreFirstBringsItUpToDate(t *testing.T) {
	d, o := anchoredDesk(t)
	d.close()
	earlierVersion(t, o.Path, 1)
	done := make(chan error)
	for range 4 {
		go func() {
			s, err := Open(t.Context(), o)
			if err == nil {
				err = s.Close()
			}
			done <- err
		}()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if s := openWith(t, o); s.ReadOnly() {
		t.Errorf("findings %v", s.Findings())
	}
}
