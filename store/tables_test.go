package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"docket/domain/packets"
	"docket/domain/terms"
	"docket/store/sqlite"
)

// The tables that these tests edit.
const (
	metaTable         = "docket_meta"
	logTable          = "docket_log"
	hashesTable       = "docket_log_hashes"
	signaturesTable   = "docket_signatures"
	signersTable      = "docket_signers"
	checkpointsTable  = "docket_checkpoints"
	notesTable        = "docket_notes"
	saltsTable        = "docket_packet_salts"
	textsTable        = "docket_packet_texts"
	reasonsTable      = "docket_statements"
	statementsTable   = "docket_log_statements"
	cosignaturesTable = "docket_cosignatures"
	packetHeadsTable  = "docket_packet_heads"
	revokedTable      = "docket_revoked_keys"
	skipsTable        = "docket_skips"
	draftsTable       = "docket_drafts"
	pullTable         = "docket_handin_pull"
	reassignedTable   = "docket_handin_reassigned"
	boundTable        = "docket_handin_service"
	shownTable        = "docket_handin_checkpoints"
	acceptancesTable  = "docket_handin_acceptances"
	rejectionsTable   = "docket_handin_rejections"

	serviceRecordsTable = "docket_handin_records"

	tokensTable      = "docket_service_tokens"
	revocationsTable = "docket_service_revocations"
	receivedTable    = "docket_service_received"

	otherAssigneesTable = "docket_service_other_assignees"
	otherOwnersTable    = "docket_service_other_owners"
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

// writer writes to it likewise.
func (d *fixture) writer() *sql.DB { return d.connected(sqlite.Writing) }

func (d *fixture) connected(p sqlite.Purpose) *sql.DB {
	d.t.Helper()
	ofFile(d.t, d.store.Path())
	db := sql.OpenDB(sqlite.Connect(p, d.store.Path(), 10*time.Second))
	db.SetMaxOpenConns(1)
	db.SetMaxIdleConns(0) // what is open beside the store changes what closing it does
	d.t.Cleanup(func() {
		if err := db.Close(); err != nil {
			d.t.Error(err)
		}
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

// A notingConnector makes connections that note their queries.
type notingConnector struct {
	driver.Connector
	queries *[]notedQuery
}

func (c notingConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return notingConn{conn.(sqlite.Conn), c.queries}, nil
}

// noting is the store of the fixture, opened once more to be read. Its queries are noted.
func (d *fixture) noting() (*Store, *[]notedQuery) {
	d.t.Helper()
	ofFile(d.t, d.store.Path())
	var queries []notedQuery
	return openWith(d.t, Options{Path: d.store.Path(), ReadOnly: true, Now: d.store.now, connector: func(p sqlite.Purpose, path string, busy time.Duration) driver.Connector {
		return notingConnector{sqlite.Connect(p, path, busy), &queries}
	}}), &queries
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
