package serve_test

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
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

// Dump implements *serviceStore: all rows of all tables but SQLite's own, read by a connection of its own.
func (w *serviceStore) Dump(t testing.TB) map[string][]string {
	t.Helper()
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: w.path, RawQuery: "mode=ro&_busy_timeout=10000"}).String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	dump := map[string][]string{}
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
