package serve_test

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the drivers with which a dump is read
	"golang.org/x/crypto/ssh"
	_ "modernc.org/sqlite"

	"docket/cmd/internal/serve"
	"docket/domain/packets"
	"docket/domain/terms"
	"docket/store"
	"docket/store/postgres"
	"docket/store/postgres/postgrestest"
)

// A serviceStore is a store of a service.
type serviceStore struct {
	store    *store.Store
	path     string                 // of its file; of a database one in the folder of the key and the anchor, at which nothing is
	database *postgrestest.Database // nil for a file
}

// engineVariable names the engine of the stores in a run of the tests: postgres, or SQLite where it is not set.
const engineVariable = "DOCKET_TEST_ENGINE"

// onPostgres reports whether the stores of this run are on PostgreSQL.
func onPostgres() bool { return os.Getenv(engineVariable) == "postgres" }

func newServiceStore(t testing.TB) *serviceStore {
	t.Helper()
	var database *postgrestest.Database
	if onPostgres() {
		database = postgrestest.New(t)
	}
	return newDatabaseStore(t, database)
}

// open opens the store; of a database it makes the schema.
func (w *serviceStore) open(t testing.TB, with ...func(*store.Options)) {
	t.Helper()
	if w.database == nil {
		w.store = openStore(t, store.Options{Path: w.path, Service: true, Now: Clock, AnchorFolder: filepath.Join(filepath.Dir(w.path), "anchors")})
		return
	}
	login, err := postgres.New(postgres.Options{DSN: w.database.DSN(postgrestest.Superuser)})
	must(t, err)
	_, _, err = login.Migrate(t.Context())
	must(t, err)
	w.store = openDatabase(t, w.database.DSN(postgrestest.Writer), filepath.Dir(w.path), with...)
}

// openDatabase opens the store in a database, whose schema is made, with the key and the anchors in the folder.
func openDatabase(t testing.TB, dsn, folder string, with ...func(*store.Options)) *store.Store {
	t.Helper()
	db, err := postgres.New(postgres.Options{DSN: dsn, Busy: 10 * time.Second})
	must(t, err)
	o := store.Options{Path: db.Name(), Database: db, KeyFolder: folder, Service: true, Now: Clock, AnchorFolder: filepath.Join(folder, "anchors")}
	for _, change := range with {
		change(&o)
	}
	return openStore(t, o)
}

func openStore(t testing.TB, o store.Options) *store.Store {
	t.Helper()
	opened, err := store.Open(t.Context(), o)
	must(t, err)
	t.Cleanup(func() { must(t, opened.Close()) })
	return opened
}

// Hold takes the packet of a sealed text in.
func (w *serviceStore) Hold(t testing.TB, text []byte) {
	t.Helper()
	var reader packets.Reader
	unredacted, fault := reader.Read(text)
	if fault != nil {
		t.Fatal(fault)
	}
	results, err := w.store.Import(context.Background(), []packets.Packet{unredacted.Redact()})
	if err != nil || len(results) != 1 {
		t.Fatal(err, results)
	}
}

func (w *serviceStore) Token(t testing.TB, token string, who person) {
	t.Helper()
	err := w.store.AddToken(context.Background(), store.Token{ID: strings.ReplaceAll(who.Token, " ", "-"), Digest: serve.TokenDigest(token),
		Principal: who.ID, Role: who.Role, Owners: who.Owners, Expires: terms.InstantOf(Noon.Add(time.Hour))})
	must(t, err)
}

func (w *serviceStore) Key(t testing.TB, principal terms.ID, key ssh.PublicKey) {
	t.Helper()
	_, err := w.store.AddKey(context.Background(), principal, string(ssh.MarshalAuthorizedKey(key)))
	must(t, err)
}

// beside opens a connection to the store that is not the service's, and only reads.
func (w *serviceStore) beside(t testing.TB) *sql.DB {
	t.Helper()
	driver, dsn := "sqlite", (&url.URL{Scheme: "file", Path: w.path,
		RawQuery: "mode=ro&_busy_timeout=10000"}).String()
	if w.database != nil {
		driver, dsn = "pgx", w.database.DSN(postgrestest.Superuser)
	}
	db, err := sql.Open(driver, dsn)
	must(t, err)
	db.SetMaxOpenConns(1)
	return db
}

// writes returns a function that reports whether anything was committed to the store since it was last called.
func (w *serviceStore) writes(t testing.TB) func() bool {
	t.Helper()
	db := w.beside(t)
	t.Cleanup(func() { _ = db.Close() })
	var before string
	version := "PRAGMA data_version"
	if w.database != nil { // each row with the transaction that made it
		var parts []string
		for _, table := range tablesOf(t, db) {
			parts = append(parts, "SELECT '"+table+"' AS name, count(*) AS rows, md5(coalesce(string_agg(r::text || r.xmin, '' ORDER BY r::text), '')) AS held FROM docket."+table+" AS r")
		}
		version = strings.Join(parts, " UNION ALL ")
	}
	wrote := func() bool {
		now := fmt.Sprint(rowsOf(t, db, version))
		defer func() { before = now }()
		return now != before
	}
	wrote()
	return wrote
}

// files are the names and contents of the files beside the store: the log's key and the anchor.
func (w *serviceStore) files(t testing.TB) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(filepath.Dir(w.path), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(path, w.path) { // the store itself is dumped, and has a -wal and a -shm
			return err
		}
		text, err := os.ReadFile(path)
		files[path] = string(text)
		return err
	})
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	return files
}

// Dump is all rows of all tables, and the schema, read by a connection of its own.
func (w *serviceStore) Dump(t testing.TB) map[string][]string {
	t.Helper()
	db := w.beside(t)
	defer func() { _ = db.Close() }()
	if w.database != nil {
		dump := map[string][]string{"triggers": rowsOf(t, db, "SELECT tgrelid::regclass::text, tgname, tgenabled::text FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2")}
		for _, table := range tablesOf(t, db) {
			dump[table] = rowsOf(t, db, "SELECT * FROM docket."+table+" AS r ORDER BY 1, r::text")
		}
		return dump
	}
	dump := map[string][]string{"sqlite_schema": rowsOf(t, db, "SELECT * FROM sqlite_schema ORDER BY rowid")}
	for withoutRowID, order := range []string{" ORDER BY rowid", ""} {
		const tables = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%%' AND wr = %d"
		for _, table := range rowsOf(t, db, fmt.Sprintf(tables, withoutRowID)) {
			table = strings.Trim(table, "[]")
			dump[table] = rowsOf(t, db, fmt.Sprintf("SELECT * FROM %q%s", table, order))
		}
	}
	if len(dump) < 10 {
		t.Fatalf("only %d tables", len(dump))
	}
	return dump
}

// tablesOf are the tables of a database of PostgreSQL.
func tablesOf(t testing.TB, db *sql.DB) (tables []string) {
	t.Helper()
	for _, row := range rowsOf(t, db, "SELECT tablename FROM pg_tables WHERE schemaname = 'docket' ORDER BY 1") {
		tables = append(tables, strings.Trim(row, "[]"))
	}
	if len(tables) < 16 {
		t.Fatalf("only %d tables", len(tables))
	}
	return tables
}

// rowsOf is what a query yields, a row a text.
func rowsOf(t testing.TB, db *sql.DB, query string) (texts []string) {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatal(query, err)
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	must(t, err)
	for rows.Next() {
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(any)
		}
		must(t, rows.Scan(values...))
		for i := range values {
			values[i] = *values[i].(*any)
		}
		texts = append(texts, fmt.Sprint(values))
	}
	must(t, rows.Err())
	return texts
}
