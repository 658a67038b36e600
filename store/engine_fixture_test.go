package store

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"docket/store/postgres"
	"docket/store/postgres/postgrestest"
)

// engineVariable names the engine of the services' stores in a run of the tests: postgres, or SQLite where it is not set.
const engineVariable = "DOCKET_TEST_ENGINE"

// onPostgres reports whether services' stores are on PostgreSQL in this run.
func onPostgres() bool { return os.Getenv(engineVariable) == "postgres" }

// ofFile skips the rest of a test that is about the file of a store, in a run that has the store in a database in its place.
func ofFile(t testing.TB, path string) {
	t.Helper()
	if _, held := databases.Load(path); held || isDatabase(path) {
		t.Skip(aboutFile)
	}
}

// isDatabase reports whether the path is what messages call a database.
func isDatabase(path string) bool { return strings.HasPrefix(path, "postgres://") }

const aboutFile = "it is about the file of a store"

// databases are those that stand in the place of files, by path.
var databases sync.Map

// onEngine returns the options for a service's store on the engine of this run. A path stands for a database, its folder holds the log's key.
func onEngine(t testing.TB, o Options) Options {
	t.Helper()
	if o.Database == nil && (isDatabase(o.Path) || onPostgres() && o.Service && o.connector != nil) {
		t.Skip(aboutFile)
	}
	if !onPostgres() || !o.Service || o.Database != nil {
		return o
	}
	held, there := databases.Load(o.Path)
	if !there {
		held = postgrestest.New(t)
		databases.Store(o.Path, held)
		t.Cleanup(func() { databases.Delete(o.Path) })
	}
	db := need(postgres.New(postgres.Options{DSN: held.(*postgrestest.Database).DSN(postgrestest.Superuser), ReadOnly: o.ReadOnly, Busy: o.BusyTimeout}))(t)
	o.KeyFolder, o.Path, o.Database = filepath.Dir(o.Path), db.Name(), db
	return o
}
