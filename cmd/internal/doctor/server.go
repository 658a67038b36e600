package doctor

import (
	"fmt"
	"strings"
	"time"

	"docket/store/postgres"
)

// serverChecks are the checks of a server, in the order in which they are printed.
var serverChecks = []struct {
	name string
	look func(f *postgres.Facts, now time.Time) Result
}{
	{"server", checkVersion}, {"schema", checkSchema}, {"login", checkLogin}, {"collation",
		checkCollation}, {"connection", checkConnection},
	{"durability", checkDurability}, {"replicas", checkReplicas}, {"archive", checkArchive},
}

// OfServer compares a server with the needs of a service. Its tables are checked with the store.
func OfServer(f *postgres.Facts, now time.Time) (all []Result) {
	for _, check := range serverChecks {
		s := check.look(f, now)
		s.Check = check.name
		all = append(all, s)
	}
	return all
}

func checkVersion(f *postgres.Facts, _ time.Time) Result {
	switch {
	case !f.Supported:
		return Wrong("the server is PostgreSQL %s", f.Version).
			Do("docket needs 15 or newer: upgrade the server")
	case f.Encoding != "UTF8":
		return Wrong("the database is encoded in %s", f.Encoding).
			Do("make one with ENCODING 'UTF8', and `docket serve db copy` a backup to it")
	case f.Replica:
		return Note("PostgreSQL %s, a replica: it is only read", f.Version).
			Do("name the server that takes writes with --db, or all of them: postgres://one,other/name?target_session_attrs=read-write")
	}
	return OK("PostgreSQL %s", f.Version)
}

func checkSchema(f *postgres.Facts, _ time.Time) Result {
	other := Wrong("the schema has version %d, and this docket reads %d", f.Schema, postgres.SchemaVersion)
	switch {
	case f.Schema < 0:
		return Note("%s may not read it", f.Login).
			Do("GRANT docket_auditor TO the login that runs `docket doctor`")
	case f.Schema == 0:
		return Wrong("the schema is not there").
			Do("run `docket serve db init` as a role that may create roles and schemas")
	case f.Schema < postgres.SchemaVersion:
		return other.Do("run `docket serve db init`")
	case f.Schema > postgres.SchemaVersion:
		return other.Do("use the docket that wrote it, or a later one")
	}
	return OK("version %d", f.Schema)
}

func checkLogin(f *postgres.Facts, _ time.Time) Result {
	const cure = "have the service log in as a role that is a member of docket_writer and of no other role"
	switch {
	case f.Superuser:
		return Wrong("%s is a superuser and can remove the triggers that keep the log append-only",
			f.Login).Do(cure)
	case f.Owner:
		return Wrong("%s is a member of docket_owner, who can lift what keeps the log append-only",
			f.Login).Do(cure)
	case f.Writer:
		return OK("%s reads and appends; it cannot lift what keeps the log append-only", f.Login)
	case f.Reader:
		return Note("%s reads, and takes no record", f.Login).
			Do("GRANT docket_writer TO the login of a service that takes records")
	}
	return Wrong("%s has none of the roles", f.Login).
		Do("GRANT docket_writer TO it, or docket_reader to read")
}

// checkCollation looks at the columns: ids stay in byte order after an upgrade of the locales.
func checkCollation(f *postgres.Facts, _ time.Time) Result {
	switch {
	case f.Schema <= 0:
		return Note("not looked at")
	case len(f.Collated) > 0:
		return Wrong("texts are not compared byte by byte in %s", strings.Join(f.Collated, ", ")).
			Do("as docket_owner run ALTER TABLE docket.TABLE ALTER COLUMN COLUMN TYPE text COLLATE \"C\" for each, then `docket verify`")
	}
	return OK("texts are compared byte by byte; that of the database, %s, is not used", f.Collation)
}

func checkConnection(f *postgres.Facts, _ time.Time) Result {
	switch {
	case f.Local:
		return OK("through a socket of this machine")
	case f.Encrypted:
		return OK("encrypted; sslmode=verify-full in the address holds the server to its certificate")
	}
	return Wrong("the connection is not encrypted").
		Do("add sslmode=verify-full to the address, and ssl = on to the server's configuration")
}

func checkDurability(f *postgres.Facts, _ time.Time) Result {
	var off []string
	for _, setting := range []struct{ name, value string }{{"fsync", f.Fsync}, {"full_page_writes", f.FullPageWrites}} {
		if setting.value != "on" {
			off = append(off, fmt.Sprintf("%s is %s", setting.name, setting.value))
		}
	}
	if len(off) > 0 {
		return Wrong("%s: a crash of the machine loses records that were acknowledged",
			strings.Join(off, ", ")).
			Do("turn it on in the server's configuration, reload it with SELECT pg_reload_conf(), and run `sync` on its machine")
	}
	if f.SynchronousCommit != "on" && f.SynchronousCommit != "remote_apply" {
		return Note("synchronous_commit is %s for %s; connections that take records turn it on",
			f.SynchronousCommit, f.Login).
			Do("turn it on for the server, the database and the login, so that other programs wait for their commits, too")
	}
	return OK("fsync, full_page_writes and synchronous_commit are on")
}

func checkReplicas(f *postgres.Facts, _ time.Time) Result {
	const start = "start the replica, or take its name out of synchronous_standby_names and reload the server"
	var streaming, synchronous, hidden int
	for _, r := range f.Replicas {
		switch {
		case r.State == "" && f.Standbys != "": // the server tells it to members of pg_monitor only
			hidden++
		case r.State == "":
			streaming++
		case r.State == "streaming": // and no copy that is being made
			streaming++
			if r.Sync == "sync" || r.Sync == "quorum" {
				synchronous++
			}
		}
	}
	switch {
	case f.Replica:
		return OK("this one is a replica")
	case hidden > 0:
		return Note("%d connected; this login cannot see whether one of them keeps up", len(f.Replicas)).
			Do("GRANT pg_monitor TO the login that runs `docket doctor`")
	case f.Standbys != "" && streaming == 0:
		return Wrong("synchronous_standby_names asks for a replica and none streams: no record is acknowledged").
			Do(start)
	case f.Standbys != "" && synchronous < f.StandbysNeeded:
		return Wrong("synchronous_standby_names asks for %d, and of the %d that stream %d are named there: no record is acknowledged",
			f.StandbysNeeded, streaming, synchronous).Do(start)
	case streaming == 0:
		return Note("none: a loss of the server's disk loses what was recorded since the last backup").
			Do("set up a replica, synchronous so that a failover loses nothing that was acknowledged")
	case f.Standbys == "":
		return Note("%d, asynchronous: a failover may lose the last records, which consoles and "+
			"witnesses then see", streaming).
			Do("name one in synchronous_standby_names, so that a failover loses nothing that was acknowledged")
	}
	return OK("%d, %d of them synchronous: a failover to such a one loses nothing that was acknowledged", streaming, synchronous)
}

// oldArchive is when it is reported: a server with records archives by its archive_timeout.
const oldArchive = 24 * time.Hour

func checkArchive(f *postgres.Facts, now time.Time) Result {
	const advice = "turn archive_mode on with a tool such as pgBackRest, or run `docket backup --keep N FOLDER` on a schedule; try a restore"
	switch {
	case f.Replica:
		return OK("that of the server from which this one streams counts")
	case !f.Archiving:
		return Note("archive_mode is off: there is no recovery to a point in time").Do(advice)
	case f.ArchiveFailed:
		return Wrong("the last segment of the write-ahead log could not be archived").
			Do("see the server's log, and put archive_command right")
	case f.Archived.IsZero():
		return Note("archive_mode is on, and nothing was archived yet").
			Do("make sure that archive_command is set; SELECT pg_switch_wal() tries it")
	case now.Sub(f.Archived) > oldArchive:
		return Note("nothing was archived since %s", f.Archived.UTC().Format(time.RFC3339)).
			Do("set archive_timeout, so that what was recorded is archived soon")
	}
	return OK("the write-ahead log was last archived at %s", f.Archived.UTC().Format(time.RFC3339))
}
