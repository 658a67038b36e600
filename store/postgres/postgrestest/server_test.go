package postgrestest_test

import (
	"os"
	"strings"
	"testing"

	"docket/store/postgres/postgrestest"
)

func TestEachTestHasAnEmptyDatabaseOfItsOwnThatIsTheOwners(t *testing.T) {
	t.Parallel()
	one, other := postgrestest.New(t), postgrestest.New(t)
	if one.Name == other.Name {
		t.Fatal("two tests share a database")
	}
	one.Psql(t, postgrestest.Owner, "CREATE SCHEMA docket; CREATE TABLE docket.kept (id int)")
	if found := other.Psql(t, postgrestest.Superuser, "SELECT count(*) FROM pg_tables WHERE schemaname = 'docket'"); found != "0\n" {
		t.Errorf("a new database has %s tables", found)
	}
	if _, err := other.Server.Psql(postgrestest.Writer, one.Name, "SELECT * FROM docket.kept"); err == nil || !strings.Contains(err.Error(), "permission denied") {
		t.Errorf("the writer reads what nobody granted: %v", err)
	}
}

func TestAServerThatIsKilledComesBackWithWhatWasCommitted(t *testing.T) {
	t.Parallel()
	s := postgrestest.Start(t)
	d := s.New(t)
	d.Psql(t, postgrestest.Owner, "CREATE SCHEMA docket; CREATE TABLE docket.kept (id int); INSERT INTO docket.kept VALUES (7)")
	s.Kill(t)
	if _, err := s.Psql(postgrestest.Owner, d.Name, "SELECT 1"); err == nil {
		t.Fatal("a server that was killed answers")
	}
	s.Launch(t)
	if kept := d.Psql(t, postgrestest.Owner, "SELECT id FROM docket.kept"); kept != "7\n" {
		t.Errorf("kept: %q", kept)
	}
	s.Stop(t)
	s.Launch(t)
	if kept := d.Psql(t, postgrestest.Owner, "SELECT id FROM docket.kept"); kept != "7\n" {
		t.Errorf("kept: %q", kept)
	}
}

func TestAServerIsRemovedWithItsTest(t *testing.T) {
	t.Parallel()
	folder := ""
	t.Run("one", func(t *testing.T) { folder = postgrestest.Start(t).Folder })
	if folder == "" {
		t.Skip(postgrestest.Reason())
	}
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", folder, err)
	}
}
