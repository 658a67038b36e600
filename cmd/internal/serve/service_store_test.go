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

	"golang.org/x/crypto/ssh"
	_ "modernc.org/sqlite" // the driver with which a dump is read

	"docket/cmd/internal/serve"
	"docket/domain/packets"
	"docket/domain/terms"
	"docket/store"
)

// A serviceStore is a store of a service.
type serviceStore struct {
	store *store.Store
	path  string
}

func newServiceStore(t testing.TB) *serviceStore {
	t.Helper()
	folder := t.TempDir()
	w := &serviceStore{path: filepath.Join(folder, "service.db")}
	var err error
	w.store, err = store.Open(t.Context(), store.Options{Path: w.path, Service: true, Now: Clock,
		AnchorFolder: filepath.Join(folder, "anchors")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.store.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// Hold implements *serviceStore.
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

// Token implements *serviceStore.
func (w *serviceStore) Token(t testing.TB, token string, who person) {
	t.Helper()
	err := w.store.AddToken(context.Background(), store.Token{ID: strings.ReplaceAll(who.Token, " ", "-"), Digest: serve.TokenDigest(token),
		Principal: who.ID, Role: who.Role, Owners: who.Owners, Expires: terms.InstantOf(Noon.Add(time.Hour))})
	if err != nil {
		t.Fatal(err)
	}
}

// Key implements *serviceStore.
func (w *serviceStore) Key(t testing.TB, principal terms.ID, key ssh.PublicKey) {
	t.Helper()
	if _, err := w.store.AddKey(context.Background(), principal, string(ssh.MarshalAuthorizedKey(key))); err != nil {
		t.Fatal(err)
	}
}

// beside opens a connection to the store that is not the service's, and only reads.
func (w *serviceStore) beside(t testing.TB) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: w.path, RawQuery: "mode=ro&_busy_timeout=10000"}).String())
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	return db
}

// writes returns a function that reports whether anything was committed to the store since it was last called.
func (w *serviceStore) writes(t testing.TB) func() bool {
	t.Helper()
	db := w.beside(t)
	t.Cleanup(func() { _ = db.Close() })
	var before string
	wrote := func() bool {
		now := fmt.Sprint(rowsOf(t, db, "PRAGMA data_version"))
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

// Dump implements *serviceStore: all rows of all tables, and the schema, read by a connection of its own.
func (w *serviceStore) Dump(t testing.TB) map[string][]string {
	t.Helper()
	db := w.beside(t)
	defer func() { _ = db.Close() }()
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

// rowsOf is what a query yields, a row a text.
func rowsOf(t testing.TB, db *sql.DB, query string) (texts []string) {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatal(query, err)
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(any)
		}
		if err := rows.Scan(values...); err != nil {
			t.Fatal(err)
		}
		for i := range values {
			values[i] = *values[i].(*any)
		}
		texts = append(texts, fmt.Sprint(values))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return texts
}
