package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"database/sql/driver"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"docket/domain/json"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/sqlite"
)

// The tables that these tests edit.
const (
	textsTable      = "docket_texts"
	localTable      = "docket_local"
	rejectionsTable = "docket_handin_rejections"

	tokensTable   = "docket_tokens"
	receivedTable = "docket_service_received"

	formersTable = "docket_service_formers"
)

// A schemaObject is a table, index or trigger, as SQLite keeps it.
type schemaObject struct{ Kind, Name, Table, SQL string }

// schemaObjects are those of schema.sql, in the order in which they are created.
var schemaObjects = sync.OnceValue(func() (objects []schemaObject) {
	must := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	text, err := os.ReadFile(filepath.Join("sqlite", "schema.sql"))
	must(err)
	db, err := sql.Open("sqlite", ":memory:")
	must(err)
	defer func() { must(db.Close()) }()
	db.SetMaxOpenConns(1)
	_, err = db.Exec(string(text))
	must(err)
	rows, err := db.Query("SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
	must(err)
	defer func() { must(rows.Close()) }()
	for rows.Next() {
		var o schemaObject
		must(rows.Scan(&o.Kind, &o.Name, &o.Table, &o.SQL))
		objects = append(objects, o)
	}
	must(rows.Err())
	return objects
})

// keyMembers are the members that name a document of a table.
func keyMembers(table terms.Table) (id, number string) {
	if info, ok := packets.Info(table); ok {
		return info.IDMember, info.NumberMember
	}
	if terms.AreaOf(table) == terms.Appeals {
		return "caseId", "caseRevision"
	}
	return "amendmentId", "amendmentRevision"
}

// reader reads the fixture's store as the store does, with its guards.
func (d *fixture) reader() *sql.DB { return d.connected(sqlite.Reading) }

func (d *fixture) writer() *sql.DB { return d.connected(sqlite.Writing) }

func (d *fixture) connected(p sqlite.Purpose) *sql.DB {
	d.t.Helper()
	ofFile(d.t, d.store.Path())
	db := sql.OpenDB(sqlite.Connect(p, d.store.Path(), 10*time.Second))
	db.SetMaxOpenConns(1)
	d.t.Cleanup(func() {
		err := db.Close()
		wantNot(d.t, err != nil, "%v", err)
	})
	return db
}

// A notedQuery is a query with its arguments.
type notedQuery struct {
	text string
	args []driver.NamedValue
}

// A notingConn notes the queries that go through it.
type notingConn struct {
	sqlite.Conn
	queries *[]notedQuery
}

func (c notingConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	*c.queries = append(*c.queries, notedQuery{query, args})
	return c.Conn.QueryContext(ctx, query, args)
}

// noting is the store of the fixture, opened once more to be read. Its queries are noted.
func (d *fixture) noting() (*Store, *[]notedQuery) {
	d.t.Helper()
	ofFile(d.t, d.store.Path())
	var queries []notedQuery
	return openWith(d.t, Options{Path: d.store.Path(), ReadOnly: true, Now: d.store.now, connector: connecting(func(_ sqlite.Purpose, conn sqlite.Conn) (driver.Conn, error) {
		return notingConn{conn, &queries}, nil
	})}), &queries
}

// plansOf is how SQLite answers the queries with part in them, of which there must be one.
func (d *fixture) plansOf(queries []notedQuery, part string) (plans []string) {
	d.t.Helper()
	for _, query := range queries {
		if strings.Contains(query.text, part) {
			plans = append(plans, d.planOf(query))
		}
	}
	mustNot(d.t, plans == nil, "no query has %q in it", part)
	return plans
}

// planOf is how SQLite answers a query of the fixture's store.
func (d *fixture) planOf(query notedQuery) string {
	d.t.Helper()
	args := make([]any, len(query.args))
	for i := range args {
		args[i] = query.args[i].Value
	}
	rows := need(d.reader().Query("EXPLAIN QUERY PLAN "+query.text, args...))(d.t)
	defer func() { _ = rows.Close() }()
	var plan strings.Builder
	for rows.Next() {
		var id, parent, unused int
		var detail string
		must(d.t, rows.Scan(&id, &parent, &unused, &detail))
		fmt.Fprintln(&plan, detail)
	}
	must(d.t, rows.Err())
	return plan.String()
}

// The statements of schema.sql are what existing stores hold. Of a schema that was released not one byte changes.
func TestTheSchemaIsTheOneOfItsVersion(t *testing.T) {
	t.Parallel()
	const version, digest = 13, "ba0c71c2a6114592618782a5805e5fa94ef4809e02cd42a84006fe3e3bdc7c21"
	sum := sha256.New()
	for _, o := range schemaObjects() {
		fmt.Fprintf(sum, "%s;\n", o.SQL)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); sqlite.SchemaVersion != version || got != digest {
		t.Errorf("schema.sql changed: raise sqlite.SchemaVersion, and write down version %d with %s here", sqlite.SchemaVersion, got)
	}
}

// column is a row of PRAGMA table_xinfo.
type column struct {
	name, kind string
	key        bool // it may not be null
	derived    bool // it is generated
}

func columnsOf(t testing.TB, db *sql.DB, table string) (columns []column) {
	t.Helper()
	rows := need(db.Query("SELECT name, type, \"notnull\", hidden FROM pragma_table_xinfo(?)", table))(t)
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var c column
		var hidden int
		must(t, rows.Scan(&c.name, &c.kind, &c.key, &hidden))
		c.derived = hidden == 2
		columns = append(columns, c)
	}
	must(t, rows.Err())
	return columns
}

// The domain says which members a document has. Each table of documents has a derived column for each of them, in their order, and
// the document and where it stands: in the log.
func TestTheColumnsAreTheMembersOfTheDocuments(t *testing.T) {
	t.Parallel()
	db := raw(t, withCase(t).store.Path())
	for _, table := range terms.Tables.All() {
		form, local := records.EnforcementShape(terms.AreaOf(table)), column{"sequence", "INTEGER", false, false}
		if info, ok := packets.Info(table); ok {
			form, local = info.Shape, column{"position", "INTEGER", false, false}
		}
		id, number := keyMembers(table)
		want := []column{{"document", "TEXT", true, false}, local}
		if terms.PacketTables.Has(table) {
			want = []column{local, {"document", "TEXT", true, false}}
		}
		for _, m := range form.Members {
			kind := "TEXT"
			if m.Form.Kind == json.FormVersion || m.Form.Kind == json.FormFlag {
				kind = "INTEGER"
			}
			key := m.Name == id || m.Name == number || m.Name == "recordId" && !terms.PacketTables.Has(table)
			want = append(want, column{m.Name, kind, key, true})
		}
		wantList(t, table, columnsOf(t, db, table.String()), want)
	}
}

func TestEveryTableIsAppendOnlyButForLocalState(t *testing.T) {
	t.Parallel()
	triggers := map[string][]string{}
	for _, o := range schemaObjects() {
		switch o.Kind {
		case "table":
			triggers[o.Name] = append([]string{}, triggers[o.Name]...)
			wantNot(t, !strings.Contains(o.SQL, ") STRICT"), "%s is not strict", o.Name)
		case "trigger":
			triggers[o.Table] = append(triggers[o.Table], o.Name)
		}
	}
	local := map[string]bool{localTable: true}
	for table, names := range triggers {
		want := []string{table + "_no_update", table + "_no_delete", table + "_no_replace"}
		if local[table] {
			want = nil
		}
		wantList(t, table, names, want)
	}
	for _, table := range terms.Tables.Texts() {
		wantNot(t, triggers[table] == nil, "there is no table %s", table)
	}
}

func TestEveryMemberHasItsColumnAndNoColumnCanDisagree(t *testing.T) {
	t.Parallel()
	d := filled(t)
	reader, writer := d.reader(), d.writer()
	for _, table := range terms.Tables.All() {
		shape := records.EnforcementShape(terms.AreaOf(table))
		if info, ok := packets.Info(table); ok {
			shape = info.Shape
		}
		var row int
		for _, m := range shape.Members {
			at := "$." + m.Name
			if terms.PacketTables.Has(table) {
				at = "$.record." + m.Name
			}
			query := fmt.Sprintf("SELECT count(*) FROM main.%s WHERE %s IS json_extract(document, '%s')", table, fmt.Sprintf("%q", m.Name), at)
			err := reader.QueryRow(query).Scan(&row)
			wantNot(t, err != nil || row == 0, "%s.%s: %d rows, %v", table, m.Name, row, err)
			_, err = writer.Exec(fmt.Sprintf("INSERT INTO main.%s (document, %s) VALUES ('{}', 'x')", table, fmt.Sprintf("%q", m.Name)))
			wantNot(t, err == nil, "%s.%s takes a value", table, m.Name)
		}
	}
}

func TestADocumentThatIsNoRecordIsNotTaken(t *testing.T) {
	t.Parallel()
	d := filled(t)
	writer := d.writer()
	for _, document := range []string{"", "not JSON", "{}", `{"record":{}}`, "[]"} {
		for _, table := range terms.Tables.All() {
			statement := fmt.Sprintf("INSERT INTO main.%s (document) VALUES (?1)", table)
			_, err := writer.Exec(statement, document)
			wantNot(t, err == nil, "%s takes %q", table, document)
		}
	}
}

func TestAQueryThatNeedsAllOfATableUsesItsIndex(t *testing.T) {
	t.Parallel()
	d := filled(t)
	read, queries := d.noting()
	*queries = nil
	_, _, err := read.Queue(t.Context(), terms.Appeals, terms.InstantOf(noon), "", nil)
	must(t, err)
	for _, plan := range d.plansOf(*queries, "SELECT latest.id") {
		wantNot(t, !strings.Contains(plan, "USING INDEX trade_appeal_cases_key") ||
			strings.Contains(plan, "TEMP B-TREE"), "the plan is\n%s", plan)
	}
}
