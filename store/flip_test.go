package store

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/domain/terms"
	"docket/store/disk"
	"docket/store/sqlite"
	"docket/store/verify"
)

// A part of what a store holds, as any program reads it.
type part string

const (
	logged     part = "the records, their order, signatures, signers, notes, checkpoints and key"
	schema     part = "the tables and triggers"
	packetPart part = "the packets"
	local      part = "what is this machine's own: skips and drafts"
)

// partQueries read every row of each part.
func partQueries() map[part][]string {
	queries := map[part][]string{
		logged: {"SELECT * FROM docket_log ORDER BY sequence", "SELECT * FROM docket_log_hashes ORDER BY position",
			"SELECT * FROM docket_signatures ORDER BY sequence", "SELECT * FROM docket_signers ORDER BY position",
			"SELECT * FROM docket_notes ORDER BY sequence", "SELECT * FROM docket_checkpoints ORDER BY size",
			"SELECT * FROM docket_meta ORDER BY rowid", "SELECT * FROM docket_packet_heads ORDER BY position"},
		schema: {"SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid", "PRAGMA user_version", "PRAGMA application_id"},
		local:  {"SELECT * FROM docket_skips", "SELECT * FROM docket_drafts"},
	}
	for _, table := range terms.Tables.All() {
		if terms.PacketTables.Has(table) {
			queries[packetPart] = append(queries[packetPart], fmt.Sprintf("SELECT rowid, document, importedAt FROM %s NOT INDEXED ORDER BY rowid", table))
			continue
		}
		queries[logged] = append(queries[logged], fmt.Sprintf("SELECT sequence, document FROM %s NOT INDEXED ORDER BY sequence", table))
	}
	return queries
}

// contentsOf reads the parts of a file as it is, without any of the store's code. A part that cannot be read says why.
func contentsOf(t testing.TB, path string) map[part]string {
	t.Helper()
	db := need(sql.Open("sqlite", sqlite.Unwritten.DSN(path, time.Second)))(t)
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	contents := map[part]string{}
	for p, queries := range partQueries() {
		var all strings.Builder
		for _, query := range queries {
			fmt.Fprintln(&all, rowsOf(db, query))
		}
		contents[p] = all.String()
	}
	return contents
}

func rowsOf(db *sql.DB, query string) string {
	var all strings.Builder
	rows, err := db.Query(query)
	if err != nil {
		return "unreadable"
	}
	defer func() { _ = rows.Close() }()
	columns, _ := rows.Columns()
	values := make([]any, len(columns))
	into := make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if rows.Scan(into...) != nil {
			return "unreadable"
		}
		fmt.Fprintf(&all, "%q\n", values)
	}
	if rows.Err() != nil {
		return "unreadable"
	}
	return all.String()
}

// isFound reports whether opening, verifying or reading a packet says that something is wrong.
func isFound(t testing.TB, path string) bool {
	t.Helper()
	s, err := Open(t.Context(), Options{Path: path, ReadOnly: true, alone: true, Now: func() time.Time { return noon }})
	if err != nil {
		return true
	}
	defer func() { _ = s.Close() }() // of a damaged file
	report, err := s.Verify(t.Context(), verify.Options{})
	return err != nil || !report.OK() || len(s.Findings()) > 0
}

func TestEveryFlippedByteThatChangesARecordIsFound(t *testing.T) {
	t.Parallel()
	every := sampled(499, 4999, 9973)
	d := filled(t)
	d.close()
	content := need(os.ReadFile(d.store.Path()))(t)
	path := filepath.Join(t.TempDir(), "flipped.db")
	before := contentsOf(t, d.store.Path())
	outcomes := map[string]int{}
	for at := 0; at < len(content); at += every {
		flipped := bytes.Clone(content)
		flipped[at] ^= 1 << (at % 8)
		must(t, os.WriteFile(path, flipped, disk.FileMode))
		found, after := isFound(t, path), contentsOf(t, path)
		for _, p := range []part{schema, logged, packetPart} {
			if after[p] != before[p] && !found {
				t.Errorf("byte %d: a change of %s is not found", at, p)
			}
		}
		outcomes[outcomeOf(found, before, after)]++
	}
	for outcome, count := range outcomes {
		t.Logf("%6d flips: %s", count, outcome)
	}
}

func outcomeOf(found bool, before, after map[part]string) string {
	changed := "nothing that is kept (free space, padding, how SQLite lays things out)"
	for _, p := range []part{local, packetPart, schema, logged} {
		if after[p] != before[p] {
			changed = string(p)
		}
	}
	if found {
		return "found; changed " + changed
	}
	return "passed; changed " + changed
}
