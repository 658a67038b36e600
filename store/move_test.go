package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/domain/records"
	"docket/store/engine"
	"docket/store/postgres"
	"docket/store/postgres/postgrestest"
	"docket/store/verify"
)

// inDatabase are the options of a service's store in a new database. Its key file and anchors are in the folder.
func inDatabase(t testing.TB, folder string) Options {
	t.Helper()
	d := postgrestest.New(t)
	migrated := database(t, d, postgrestest.Superuser, false)
	_, _, err := migrated.Migrate(t.Context())
	must(t, err)
	db := database(t, d, postgrestest.Writer, false)
	return Options{Path: db.Name(), Database: db, KeyFolder: filepath.Join(folder, "store"), AnchorFolder: filepath.Join(folder, "anchors"), Service: true,
		Now: func() time.Time { return noon }}
}

func database(t testing.TB, d *postgrestest.Database, role string, readOnly bool) *postgres.DB {
	t.Helper()
	return need(postgres.New(postgres.Options{DSN: d.DSN(role), ReadOnly: readOnly, Busy: 10 * time.Second}))(t)
}

// rowsOfAll are all rows of a store as they are stored.
func rowsOfAll(t testing.TB, s *Store) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	must(t, s.reading(t.Context(), "read all rows", func(ctx context.Context, tx engine.Tx) error {
		for i := range engine.StoredTables {
			table := &engine.StoredTables[i]
			err := tx.Rows().Each(ctx, table, func(values []any) error {
				all[table.Name] = append(all[table.Name], fmt.Sprintf("%q", values))
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	}))
	return all
}

// differing are the tables whose rows are not the same.
func differing(one, other map[string][]string) (names []string) {
	for i := range engine.StoredTables {
		if name := engine.StoredTables[i].Name; !reflect.DeepEqual(one[name], other[name]) {
			names = append(names, name)
		}
	}
	return names
}

// moved is a service's store with rows in every table of a service, and the options of the database that it is moved to.
func moved(t *testing.T) (d *fixture, to Options) {
	t.Helper()
	d = serviceWithCase(t)
	ofFile(t, d.store.path)
	fillService(t, d)
	to = inDatabase(t, t.TempDir())
	to.AnchorFolder = d.store.options.AnchorFolder
	return d, to
}

func quiet(BackupStage, int64, int64) {}

func TestAStoreIsMovedToADatabaseRowByRowAndTakesNothingAgain(t *testing.T) {
	t.Parallel()
	d, to := moved(t)
	d.take(d.mill.appealCase(passing("case-2", 1)))
	late := d.judged("case-2", decision{})
	before := rowsOfAll(t, d.store)
	head := need(d.store.MoveTo(t.Context(), to, quiet))(t)
	held := need(d.store.Head(t.Context()))(t)
	mustNot(t, held != head || head.Size == 0, "%+v", held)
	mustBe(t, errOf(d.submit(late)), ErrMoved)
	mustBe(t, d.store.AddToken(t.Context(), aToken("tok-late", 9)), ErrMoved)
	path, anchors := d.store.path, d.store.options.AnchorFolder
	must(t, d.store.Close())
	again := openWith(t, Options{Path: path, AnchorFolder: anchors, Service: true})
	wantNot(t, !again.ReadOnly(), "a store that was moved is opened for writing")
	mustBe(t, again.Obstacle(), ErrMoved)
	mustBe(t, again.AddToken(t.Context(), aToken("tok-late", 9)), ErrMoved)
	wantKinds(t, "a check", proven(t, again))
	to.Existing = true
	there := openWith(t, to)
	wantNot(t, there.ReadOnly(), "%v %v", there.Findings(), there.Obstacle())
	after := rowsOfAll(t, there)
	if names := differing(before, after); !reflect.DeepEqual(names, []string{"docket_meta", movesTable}) { // the version of the schema, and the mark
		t.Errorf("they differ in %v", names)
	}
	wantKinds(t, "a check", proven(t, there))
	on := fixtureAt(t, there)
	on.handIn(on.judged("case-2", decision{}))
	now := need(there.Head(t.Context()))(t)
	wantNot(t, now.Size != head.Size+1 || now.Origin != head.Origin, "%+v", now)
}

// A person who removes the mark from the file does not make the file one that is written: the anchor covers the mark.
func TestAMarkOfAMoveThatIsRemovedFromTheFileIsFound(t *testing.T) {
	t.Parallel()
	d, to := moved(t)
	need(d.store.MoveTo(t.Context(), to, quiet))(t)
	o := Options{Path: d.store.path, AnchorFolder: d.store.options.AnchorFolder, Service: true, Now: func() time.Time { return noon }}
	d.close()
	for what, edit := range map[string]string{
		"removed":                  "DELETE FROM docket_service_moves WHERE position = 1",
		"of another log":           "UPDATE docket_service_moves SET origin = 'docket/service/other' WHERE position = 1",
		"removed with all of them": "DELETE FROM docket_service_moves",
	} {
		edited := o
		edited.Path = copied(t, o.Path, "")
		edited.KeyFolder = filepath.Dir(o.Path)
		forge(t, edited.Path, edit)
		s := openWith(t, edited)
		if found := codesOf(s.Findings()); !slices.Equal(found, []verify.Code{verify.RowsRolledBack}) || !s.ReadOnly() {
			t.Errorf("%s: found %v", what, found)
		}
		wantFailure(t, what, s.AddToken(t.Context(), aToken("tok-late", 9)))
		if _, err := s.AnchorToAccept(t.Context()); what != "of another log" && !errors.Is(err, records.ErrRefused) {
			t.Errorf("%s: it can be accepted: %v", what, err)
		}
		health, err := Inspect(t.Context(), edited)
		if err = errors.Join(err, health.OpenError); err != nil || !slices.Equal(codesOf(health.Findings), []verify.Code{verify.RowsRolledBack}) {
			t.Errorf("%s: the doctor finds %v, %v", what, health.Findings, err)
		}
		wantList(t, what, codesOf(proven(t, s)), []verify.Code{verify.RowsRolledBack})
	}
	to.Existing = true
	there := openWith(t, to)
	wantNot(t, there.ReadOnly(), "%v %v", there.Findings(), there.Obstacle())
}

// A backup of the database is a file with the mark: it is read and restored, and never goes on beside the database.
func TestABackupOfADatabaseThatAStoreWasMovedToTakesNothing(t *testing.T) {
	t.Parallel()
	d, to := moved(t)
	need(d.store.MoveTo(t.Context(), to, quiet))(t)
	to.Existing = true
	there := openWith(t, to)
	target := filepath.Join(t.TempDir(), "backup.db")
	must(t, there.Backup(t.Context(), target, nil))
	s := openWith(t, Options{Path: target, Service: true, KeyFolder: to.KeyFolder, AnchorFolder: to.AnchorFolder, Now: func() time.Time { return noon }})
	wantKinds(t, "afterwards", s.Findings())
	mustBe(t, s.Obstacle(), ErrMoved)
	mustBe(t, s.AddToken(t.Context(), aToken("tok-late", 9)), ErrMoved)
}

func TestAMoveThatWasInterruptedBeforeItsMarkIsFinishedByTheNext(t *testing.T) {
	t.Parallel()
	d, to := moved(t)
	ctx, cancel := context.WithCancel(t.Context())
	mustBe(t, errOf(d.store.MoveTo(ctx, to, func(stage BackupStage, _, _ int64) {
		if stage == Verifying {
			cancel()
		}
	})), context.Canceled)
	mustBe(t, d.store.Obstacle(), nil)
	need(d.store.MoveTo(t.Context(), to, quiet))(t)
	mustBe(t, d.store.AddToken(t.Context(), aToken("tok-late", 9)), ErrMoved)
}

func TestAStoreIsNotMovedToADatabaseThatHoldsSomethingElse(t *testing.T) {
	t.Parallel()
	d, to := moved(t)
	other := openWith(t, Options{Path: to.Path, Database: to.Database, KeyFolder: t.TempDir(), AnchorFolder: t.TempDir(), Service: true})
	must(t, other.Close())
	if _, err := d.store.MoveTo(t.Context(), to, quiet); err == nil {
		t.Fatal("it is moved onto another store")
	}
	err := d.store.AddToken(t.Context(), aToken("tok-late", 9))
	wantNot(t, err != nil, "a store that was not moved takes nothing: %v", err)
}

func TestABackupOfADatabaseIsAFileWithEveryRow(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	d := fixtureAt(t, openWith(t, inDatabase(t, folder)))
	d.register()
	d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-1", 1)))
	fillService(t, d)
	target := filepath.Join(folder, "backup.db")
	must(t, d.store.Backup(t.Context(), target, nil))
	copied := openWith(t, Options{Path: target, ReadOnly: true})
	names := differing(rowsOfAll(t, d.store), rowsOfAll(t, copied))
	wantNot(t, !reflect.DeepEqual(names, []string{"docket_meta"}), "they differ in %v", names)
	wantKinds(t, "a check", proven(t, copied))
}

func TestACopyOfTheRowsTakesEveryTableOfADatabase(t *testing.T) {
	t.Parallel()
	d := postgrestest.New(t)
	_, _, err := database(t, d, postgrestest.Superuser, false).Migrate(t.Context())
	must(t, err)
	there := strings.Fields(d.Psql(t, postgrestest.Superuser, "SELECT tablename FROM pg_tables WHERE schemaname = 'docket' AND tablename NOT IN ('docket_head', 'docket_schema')"))
	var copied []string
	for _, table := range engine.StoredTables {
		copied = append(copied, table.Name)
	}
	slices.Sort(there)
	slices.Sort(copied)
	wantList(t, "the database has, and a copy takes", there, copied)
}
