package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"

	"docket/domain/packets"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/engine"

	"golang.org/x/crypto/ssh"
)

// serviceTables are the tables of a service.
func serviceTables() (tables []schemaObject) {
	for _, o := range schemaObjects() {
		if o.Kind == "table" && (strings.HasPrefix(o.Name, "docket_service_") || o.Name == statementsTable) && o.Name != receivedTable {
			tables = append(tables, o)
		}
	}
	return tables
}

// fillService puts a row into each of them, and a record into the log.
func fillService(t testing.TB, d *fixture) {
	t.Helper()
	other := newKey(t, 77).PublicKey()
	_, err := d.store.AddKey(t.Context(), reviewerID, signed.AuthorizedKey(other))
	if err = errors.Join(err, d.store.AddToken(t.Context(), aToken("tok-1", 1)), d.store.RevokeToken(t.Context(), "tok-1"),
		d.store.RevokeKey(t.Context(), reviewerID, ssh.FingerprintSHA256(other))); err != nil {
		t.Fatal(err)
	}
	markMoved(t, d.store)
	d.handIn(d.judged("case-1", decision{}))
	d.take(givenAway(d)...)
}

// markMoved marks a store as one whose log before this one was moved to a database.
func markMoved(t testing.TB, s *Store) {
	t.Helper()
	must(t, s.writing(t.Context(), "mark the store as moved", func(ctx context.Context, tx engine.Tx) error {
		return tx.Service().AddMove(ctx, "docket/service/before", terms.InstantOf(noon))
	}))
}

// givenAway are revisions that give case-1 to another reviewer, and an amendment to another owner.
func givenAway(d *fixture) []packets.Packet {
	return []packets.Packet{d.mill.appealCase(passing("case-1", 2).with(members{"neutralReview": review("rev-other")})), d.mill.amendmentPolicy(1),
		d.mill.amendment(applied("amd-given", 1)), d.mill.amendment(applied("amd-given", 2).with(members{"ownerId": "owner-other"}))}
}

// serviceRows writes all rows of the tables of a service, of which each has to have one.
func (d *fixture) serviceRows() string {
	d.t.Helper()
	var all strings.Builder
	for _, table := range serviceTables() {
		query := fmt.Sprintf("SELECT count(*), group_concat(%s, '|') FROM main.%s", strings.Join(d.columns(table.Name), " || '|' || "), table.Name)
		var count int
		var joined string
		if err := d.reader().QueryRow(query).Scan(&count, &joined); err != nil || count == 0 {
			d.t.Fatal(table.Name, count, err)
		}
		fmt.Fprintln(&all, table.Name, count, terms.HashOf([]byte(joined)))
	}
	return all.String()
}

// withoutAuthorizer runs a statement as another program would.
func withoutAuthorizer(t testing.TB, path, statement string) error {
	t.Helper()
	ofFile(t, path)
	db, err := sql.Open("sqlite", "file:"+path)
	must(t, err)
	defer db.Close()
	_, err = db.Exec(statement)
	return err
}

// tamperWith runs statements with the triggers of a table away, and puts them back.
func tamperWith(t testing.TB, path, table string, statements ...string) {
	t.Helper()
	var drop, restore []string
	for _, o := range schemaObjects() {
		if o.Kind == "trigger" && o.Table == table {
			drop, restore = append(drop, "DROP TRIGGER "+o.Name), append(restore, o.SQL)
		}
	}
	if len(drop) == 0 {
		t.Fatalf("%s has no triggers", table)
	}
	for _, statement := range append(append(drop, statements...), restore...) {
		if err := withoutAuthorizer(t, path, statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}
