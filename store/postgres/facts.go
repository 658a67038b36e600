package postgres

import (
	"context"
	"regexp"
	"strconv"
	"time"

	"docket/store/engine"
)

// Facts are the state of a server and of a login, as far as the login may see it. The schema is checked with the store.
type Facts struct {
	Version  string // of the server
	number   int    // the same, as 150018
	Replica  bool   // it is a replica and takes no writes
	Schema   int    // version of the schema; 0 for none, -1 where the login may not read it
	Encoding string // of the database
	// Collation is that of the database, by which no text of the store is compared: each column has the collation C. Collated are the columns that have
	// another one, as table.column; no login could change one but the owner of the tables.
	Collation string
	Collated  []string
	Login     string
	// The rights of the login: a superuser or the owner of the tables may remove the triggers that keep them append-only.
	Superuser, Owner, Writer, Reader bool

	SynchronousCommit, Fsync, FullPageWrites string
	Standbys                                 string // synchronous_standby_names
	Replicas                                 []Replica
	Archiving                                bool
	Archived                                 time.Time // when the last segment was archived; zero for never, or where archiving is off
	ArchiveFailed                            bool      // the last try failed
	Encrypted                                bool      // the connection is
	Local                                    bool      // the connection is through a socket
}

// A Replica is a server that streams from this one.
type Replica struct{ Name, State, Sync string }

// oldestServer is the oldest version of the server that docket works with.
const oldestServer = 150000

// Supported reports whether docket works with the server's version.
func (f *Facts) Supported() bool { return f.number >= oldestServer }

// quorum is the number in synchronous_standby_names: FIRST 2 (a, b), ANY 2 (a, b) and 2 (a, b).
var quorum = regexp.MustCompile(`(?i)^\s*(?:(?:FIRST|ANY)\s+)?(\d+)\s*\(`)

// StandbysNeeded returns how many replicas a commit waits for.
func (f *Facts) StandbysNeeded() int {
	if f.Standbys == "" {
		return 0
	}
	if found := quorum.FindStringSubmatch(f.Standbys); found != nil {
		if n, err := strconv.Atoi(found[1]); err == nil {
			return n
		}
	}
	return 1
}

// Facts reads the facts as the login of the address.
func (d *DB) Facts(ctx context.Context) (f Facts, err error) {
	err = d.alone(ctx, func(t *transaction) error {
		var archived int64
		const query = `SELECT current_setting('server_version'), current_setting('server_version_num')::int, pg_is_in_recovery(), pg_encoding_to_char(d.encoding),
  coalesce(to_jsonb(d)->>'datlocale', to_jsonb(d)->>'daticulocale', d.datcollate), current_user,
  r.rolsuper, current_setting('synchronous_commit'), current_setting('fsync'), current_setting('full_page_writes'), current_setting('synchronous_standby_names'),
  current_setting('archive_mode') <> 'off', coalesce(floor(extract(epoch FROM a.last_archived_time))::bigint, 0),
  coalesce(a.last_failed_time > coalesce(a.last_archived_time, '-infinity'), false),
  coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false), inet_server_addr() IS NULL
  FROM pg_database AS d, pg_roles AS r, pg_stat_archiver AS a WHERE d.datname = current_database() AND r.rolname = current_user`
		err := t.Row(ctx, query, nil, &f.Version, &f.number, &f.Replica, &f.Encoding, &f.Collation, &f.Login, &f.Superuser, &f.SynchronousCommit, &f.Fsync, &f.FullPageWrites,
			&f.Standbys, &f.Archiving, &archived, &f.ArchiveFailed, &f.Encrypted, &f.Local)
		if err != nil {
			return err
		}
		if archived != 0 {
			f.Archived = time.Unix(archived, 0)
		}
		for role, is := range map[string]*bool{ownerRole: &f.Owner, writerRole: &f.Writer, readerRole: &f.Reader} {
			const member = "SELECT coalesce((SELECT pg_has_role(current_user, oid, 'MEMBER') FROM pg_roles WHERE rolname = $1), false)"
			if err := t.Row(ctx, member, []any{role}, is); err != nil {
				return err
			}
		}
		there := false
		if err := t.Row(ctx, "SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = 'docket')", nil, &there); err != nil {
			return err
		}
		if f.Schema = -1; f.Reader || !there {
			held, err := look(ctx, t)
			if err != nil {
				return err
			}
			f.Schema = int(held.version)
			if err := t.run(ctx, "RESET ROLE"); err != nil {
				return err
			}
		}
		const collated = `SELECT c.relname || '.' || a.attname FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace
  JOIN pg_collation AS l ON l.oid = a.attcollation WHERE n.nspname = 'docket' AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped AND l.collname <> 'C' ORDER BY 1`
		if f.Collated, err = engine.List[string](ctx, t.Tx, collated); err != nil {
			return err
		}
		const replicas = "SELECT coalesce(application_name, ''), coalesce(state, ''), coalesce(sync_state, '') FROM pg_stat_replication ORDER BY 1, pid"
		f.Replicas, err = engine.List[Replica](ctx, t.Tx, replicas)
		return err
	})
	return f, err
}
