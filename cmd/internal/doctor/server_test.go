package doctor_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/cmd/internal/doctor"
	"docket/store/postgres"
	"docket/store/postgres/postgrestest"
)

// An examined is a database with docket's schema, as the doctor looks at it.
type examined struct {
	*testing.T
	database *postgrestest.Database
}

func newExamined(t *testing.T, d *postgrestest.Database) examined {
	t.Helper()
	db, err := postgres.New(postgres.Options{DSN: d.DSN(postgrestest.Superuser)})
	if err == nil {
		_, _, err = db.Migrate(t.Context())
	}
	must(t, err)
	return examined{t, d}
}

// says holds a check, for the login at the address, to its state, to what it finds and to the next step that it names.
func (e examined) says(dsn, check, state, found, advice string) {
	e.Helper()
	db, err := postgres.New(postgres.Options{DSN: dsn})
	if err != nil {
		e.Fatal(err)
	}
	facts, err := db.Facts(e.Context())
	if err != nil {
		e.Fatal(err)
	}
	for _, s := range doctor.OfServer(&facts, time.Now()) {
		if s.Check == check {
			if s.State != state || !strings.Contains(s.Found, found) || !strings.Contains(s.Advice, advice) || (advice == "") != (s.Advice == "") {
				e.Errorf("%s: %+v, want %s: %q → %q", check, s, state, found, advice)
			}
			return
		}
	}
	e.Errorf("nothing is said of %s", check)
}

// service says it of the login of a service.
func (e examined) service(check, state, found, advice string) {
	e.Helper()
	e.says(e.database.DSN(postgrestest.Writer), check, state, found, advice)
}

func TestAColumnThatIsNotComparedByteByteIsFoundWhateverTheCollationOfTheDatabase(t *testing.T) {
	e := newExamined(t, postgrestest.New(t))
	e.service("collation", doctor.StateOK, "byte by byte; that of the database, C.UTF-8, is not used", "")
	const change = `ALTER TABLE docket.trade_appeal_cases ALTER COLUMN assignee TYPE text COLLATE `
	e.database.Psql(t, postgrestest.Superuser, change+`"POSIX"`)
	e.service("collation", doctor.StateWrong, "not compared byte by byte in trade_appeal_cases.assignee", `ALTER TABLE docket.TABLE ALTER COLUMN COLUMN TYPE text COLLATE "C"`)
	e.database.Psql(t, postgrestest.Owner, change+`"C"`) // the next step
	e.service("collation", doctor.StateOK, "byte by byte", "")

	if _, err := e.database.Server.Psql(postgrestest.Superuser, "postgres", "SELECT 1 / count(*) FROM pg_collation WHERE collprovider = 'i'"); err != nil {
		t.Skip("the server has no collations of ICU")
	}
	german := newExamined(t, e.database.Server.New(t, "--locale-provider=icu", "--icu-locale=de"))
	german.service("collation", doctor.StateOK, "that of the database, de, is not used", "")
}

func TestADatabaseThatIsNotSetUpHasNoColumnsToLookAt(t *testing.T) {
	e := examined{t, postgrestest.New(t)}
	e.service("collation", doctor.StateNote, "not looked at", "")
	e.service("schema", doctor.StateWrong, "the schema is not there", "docket serve db init")
}

func TestWhatMakesACommitDurableIsLookedAtForTheLogin(t *testing.T) {
	server := postgrestest.Start(t, "fsync=on")
	e := newExamined(t, server.New(t))
	const right = "fsync, full_page_writes and synchronous_commit are on"
	e.service("durability", doctor.StateOK, right, "")

	for _, scope := range []string{"ROLE " + postgrestest.Writer, "DATABASE " + e.database.Name} {
		e.database.Psql(t, postgrestest.Superuser, "ALTER "+scope+" SET synchronous_commit = off")
		e.service("durability", doctor.StateNote, "synchronous_commit is off for docket_writer; connections that take records turn it on", "turn it on for the server, the database and the login")
		e.database.Psql(t, postgrestest.Superuser, "ALTER "+scope+" RESET synchronous_commit")
	}
	server.Configure(t, "synchronous_commit=remote_write")
	e.service("durability", doctor.StateNote, "synchronous_commit is remote_write", "turn it on")
	server.Configure(t, "synchronous_commit=remote_apply")
	e.service("durability", doctor.StateOK, right, "")

	const step = "turn it on in the server's configuration, reload it with SELECT pg_reload_conf()"
	server.Configure(t, "fsync=off")
	e.service("durability", doctor.StateWrong, "fsync is off: a crash of the machine loses records that were acknowledged", step)
	server.Configure(t, "full_page_writes=off")
	e.service("durability", doctor.StateWrong, "fsync is off, full_page_writes is off: ", step)
	server.Configure(t, "fsync=on")
	e.service("durability", doctor.StateWrong, "full_page_writes is off: ", step)
	server.Configure(t, "full_page_writes=on") // no restart is needed
	e.service("durability", doctor.StateOK, right, "")
}

func TestWhetherReplicasConfirmWhatIsCommittedIsSaid(t *testing.T) {
	server := postgrestest.Start(t)
	e := newExamined(t, server.New(t))
	t.Cleanup(func() { server.Configure(t, "synchronous_standby_names=") }) // or the database would not be dropped
	monitor, writer := e.database.DSN(postgrestest.Superuser), e.database.DSN(postgrestest.Writer)
	e.says(writer, "replicas", doctor.StateNote, "none: a loss of the server's disk", "set up a replica")
	server.Configure(t, "synchronous_standby_names=replica")
	for _, login := range []string{monitor, writer} {
		e.says(login, "replicas", doctor.StateWrong, "asks for a replica and none streams: no record is acknowledged", "start the replica, or take its name out of synchronous_standby_names")
	}

	server.Configure(t, "synchronous_standby_names=")
	replica := server.Replica(t) // the next step
	for _, login := range []string{monitor, writer} {
		e.says(login, "replicas", doctor.StateNote, "1, asynchronous: a failover may lose the last records", "name one in synchronous_standby_names")
	}
	server.Synchronous(t)
	e.says(monitor, "replicas", doctor.StateOK, "1, 1 of them synchronous", "")
	e.says(writer, "replicas", doctor.StateNote, "1 connected; this login cannot see", "GRANT pg_monitor TO")
	e.says(replica.DSN(postgrestest.Superuser, e.database.Name), "replicas", doctor.StateOK, "this one is a replica", "")
	e.database.Psql(t, postgrestest.Superuser, "GRANT pg_monitor TO "+postgrestest.Writer) // the next step
	e.says(writer, "replicas", doctor.StateOK, "1, 1 of them synchronous", "")

	for names, due := range map[string][3]string{
		"*":                        {doctor.StateOK, "1, 1 of them synchronous"},
		"ANY 1 (other, replica)":   {doctor.StateOK, "1, 1 of them synchronous"},
		"other":                    {doctor.StateWrong, "asks for 1, and of the 1 that stream 0 are named there", "start the replica"},
		"FIRST 2 (replica, other)": {doctor.StateWrong, "asks for 2, and of the 1 that stream 1 are named there", "start the replica"},
		"2 (replica, other)":       {doctor.StateWrong, "asks for 2", "start the replica"},
		"":                         {doctor.StateNote, "1, asynchronous: a failover may lose the last records", "name one in synchronous_standby_names"},
	} {
		server.Configure(t, "synchronous_standby_names="+names)
		synchronous := "0"
		if strings.HasPrefix(due[1], "1, 1") || strings.Contains(due[1], "asks for 2") {
			synchronous = "1"
		}
		server.Await(t, "SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')", synchronous)
		e.says(writer, "replicas", due[0], due[1], due[2])
	}
}

func TestTheArchiveOfTheWriteAheadLogIsLookedAt(t *testing.T) {
	server := postgrestest.Start(t)
	e := newExamined(t, server.New(t))
	e.service("archive", doctor.StateNote, "archive_mode is off", "docket backup --keep N FOLDER")
	server.Stop(t)
	server.Launch(t, "archive_mode=on")
	e.service("archive", doctor.StateNote, "nothing was archived yet", "archive_command")
	archive := func(command string) {
		t.Helper()
		server.Configure(t, "archive_command="+command)
		e.database.Psql(t, postgrestest.Superuser, "SELECT pg_logical_emit_message(false, 'test', 'more')")
		e.database.Psql(t, postgrestest.Superuser, "SELECT pg_switch_wal()")
	}
	archive("false")
	server.Await(t, "SELECT failed_count > 0 FROM pg_stat_archiver", "t")
	e.service("archive", doctor.StateWrong, "could not be archived", "put archive_command right")
	archive("true")
	server.Await(t, "SELECT last_archived_time > last_failed_time FROM pg_stat_archiver", "t")
	e.service("archive", doctor.StateOK, "was last archived at", "")
}

func TestALoginThatCouldLiftWhatKeepsTheLogIsWrong(t *testing.T) {
	e := newExamined(t, postgrestest.New(t))
	const step = "member of docket_writer and of no other role"
	e.database.Psql(t, postgrestest.Superuser, "DROP ROLE IF EXISTS nobody; CREATE ROLE nobody LOGIN")
	e.says(e.database.DSN("nobody"), "schema", doctor.StateNote, "nobody may not read it", "GRANT docket_auditor TO")
	for role, due := range map[string][3]string{
		postgrestest.Superuser: {doctor.StateWrong, "postgres is a superuser", step},
		postgrestest.Owner:     {doctor.StateWrong, "docket_owner is a member of docket_owner", step},
		postgrestest.Writer:    {doctor.StateOK, "docket_writer reads and appends"},
		postgrestest.Auditor:   {doctor.StateNote, "docket_auditor reads, and takes no record", "GRANT docket_writer TO"},
		"nobody":               {doctor.StateWrong, "nobody has none of the roles", "GRANT docket_writer TO it, or docket_reader to read"},
	} {
		e.says(e.database.DSN(role), "login", due[0], due[1], due[2])
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestTheAgeOfTheLastBackupIsThatOfWhatChangedLast(t *testing.T) {
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	folder := t.TempDir()
	made := func(name string, age time.Duration) string {
		path := filepath.Join(folder, name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must(t, os.WriteFile(path, nil, 0o600))
		must(t, os.Chtimes(path, now, now.Add(-age)))
		return path
	}
	made("fresh/old", 90*time.Hour)
	made("fresh/new", 47*time.Hour)
	made("stale/one.db", 49*time.Hour)
	made("stale/one.db-shm", time.Hour) // somebody has verified it
	must(t, os.Mkdir(filepath.Join(folder, "empty"), 0o700))
	for path, due := range map[string][2]string{
		"":                                      {doctor.StateNote, "name no backups"},
		filepath.Join(folder, "fresh"):          {doctor.StateOK, "was made at 2026-11-21T13:00:00Z"},
		filepath.Join(folder, "stale"):          {doctor.StateWrong, "was made at 2026-11-21T11:00:00Z, longer ago"},
		made("stamp", time.Hour):                {doctor.StateOK, "was made at 2026-11-23T11:00:00Z"},
		filepath.Join(folder, "empty"):          {doctor.StateWrong, "no backup is at"},
		filepath.Join(folder, "none"):           {doctor.StateWrong, "no backup is at"},
		filepath.Join(folder, "stamp", "below"): {doctor.StateWrong, "cannot be looked at"},
	} {
		found := doctor.OfBackups(path, 48*time.Hour, now)
		if found.State != due[0] || !strings.Contains(found.Found, due[1]) || found.State != doctor.StateOK && found.Advice == "" {
			t.Errorf("%q: %+v", path, found)
		}
	}
}
