package postgres

import (
	"context"
	_ "embed"
	"strings"
	"time"

	"docket/store/engine"
)

// Facts are the state of a server and of a login, as far as the login may see it.
type Facts struct {
	Version   string // of the server
	Supported bool   // docket works with the version
	Replica   bool   // it is a replica and takes no writes
	Schema    int    // version of the schema; 0 for none, -1 where the login may not read it
	Encoding  string // of the database
	// Collation is that of the database, by which no text of the store is compared: each column has
	// the collation C. Collated are the columns with another one, as table.column, which only the
	// owner could have made.
	Collation string
	Collated  []string
	Login     string
	// The rights of the login: a superuser or the owner of the tables may remove the triggers that
	// keep them append-only.
	Superuser, Owner, Writer, Reader bool

	SynchronousCommit, Fsync, FullPageWrites string
	Standbys                                 string // synchronous_standby_names
	StandbysNeeded                           int    // how many replicas a commit waits for
	Replicas                                 []Replica
	Archiving                                bool
	Archived                                 time.Time // the last segment; zero: never, or off
	ArchiveFailed                            bool      // the last try failed
	Encrypted                                bool      // the connection is
	Local                                    bool      // the connection is through a socket
}

// A Replica is a server that streams from this one.
type Replica struct{ Name, State, Sync string }

//go:embed facts.sql
var asking string

// Facts reads the facts as the login of the address.
func (d *DB) Facts(ctx context.Context) (f Facts, err error) {
	err = d.alone(ctx, func(t *transaction) error {
		var archived int64
		var collated string
		var there bool
		err := t.Row(ctx, asking, nil, &f.Version, &f.Supported, &f.Replica, &f.Encoding, &f.Collation,
			&f.Login, &f.Superuser, &f.Owner, &f.Writer, &f.Reader,
			&f.SynchronousCommit, &f.Fsync, &f.FullPageWrites, &f.Standbys, &f.StandbysNeeded, &f.Archiving,
			&archived, &f.ArchiveFailed, &f.Encrypted, &f.Local, &collated, &there)
		if err != nil {
			return err
		}
		f.Collated = strings.Fields(collated)
		if archived != 0 {
			f.Archived = time.Unix(archived, 0)
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
		const replicas = "SELECT coalesce(application_name, ''), coalesce(state, ''), coalesce(sync_state, '') FROM pg_stat_replication ORDER BY 1, pid"
		f.Replicas, err = engine.List[Replica](ctx, t.Tx, replicas)
		return err
	})
	return f, err
}
