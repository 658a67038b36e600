package store

import (
	"database/sql"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/sqlite"
	"docket/store/verify"
)

// A storedColumn is a column that is stored: neither derived from another nor the number of the row.
type storedColumn struct{ name, kind string }

// tableOn is what a file says of a table.
type tableOn struct {
	name    string
	number  string // the column that numbers the rows; "" for none
	columns []storedColumn
	rows    int64
}

// tablesOn lists the tables of a closed store.
func tablesOn(t testing.TB, path string) (list []tableOn) {
	t.Helper()
	db := need(sql.Open("sqlite", sqlite.Probing.DSN(path, time.Second)))(t)
	defer func() { _ = db.Close() }()
	for _, o := range schemaObjects() {
		if o.Kind != "table" {
			continue
		}
		table := tableOn{name: o.Name}
		must(t, db.QueryRow("SELECT count(*) FROM "+o.Name).Scan(&table.rows))
		for _, c := range columnsOf(t, db, o.Name) {
			switch {
			case strings.Contains(o.SQL, "\n  "+c.name+" INTEGER PRIMARY KEY"):
				table.number = c.name
			case !c.derived:
				table.columns = append(table.columns, storedColumn{c.name, c.kind})
			}
		}
		list = append(list, table)
	}
	return list
}

// other is a different value for a column, as an expression.
func (c storedColumn) other() string {
	switch {
	case c.name == "document":
		return "json_replace(document, '$.record.policyId', 'other', '$.record.caseId', 'other', '$.record.amendmentId', 'other', '$.recordId', 'other')"
	case c.name == "owners":
		return `'["other"]'`
	case c.kind == "INTEGER":
		return c.name + " + 1000"
	case c.kind == "BLOB":
		return "randomblob(length(" + c.name + "))"
	}
	return c.name + " || 'x'"
}

// first is a value for a column of the first row of a table, as an expression.
func (c storedColumn) first() string {
	switch {
	case c.name == "document":
		return `'{"recordId":"x","caseId":"x","caseRevision":1,"amendmentId":"x","amendmentRevision":1,` +
			`"record":{"policyId":"x","policyVersion":1,"caseId":"x","amendmentId":"x","revision":1}}'`
	case c.name == "owners":
		return "'[]'"
	case c.kind == "INTEGER":
		return "1"
	case c.kind == "BLOB":
		return "zeroblob(32)"
	}
	return "'x'"
}

// editsOf are edits of the first and the last row of a table, by what they do. An added row is a copy of one with other values, before
// the first, after the last and beyond it.
func (table tableOn) editsOf() map[string]string {
	var names, values []string
	for _, c := range table.columns {
		names = append(names, c.name)
		values = append(values, c.other())
	}
	if table.rows == 0 {
		for i, c := range table.columns {
			values[i] = c.first()
		}
		if table.number != "" {
			names, values = append(names, table.number), append(values, "0")
		}
		return map[string]string{"a first row added": fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", table.name, strings.Join(names, ", "), strings.Join(values, ", "))}
	}
	edits := map[string]string{"all rows deleted": "DELETE FROM " + table.name}
	if table.number == "" {
		for _, c := range table.columns {
			edits[c.name+" changed"] = fmt.Sprintf("UPDATE %s SET %s = %s", table.name, c.name, c.other())
		}
		return edits
	}
	for which, pick := range map[string]string{"first": "min", "last": "max"} {
		row := fmt.Sprintf(" WHERE %[1]s = (SELECT %[2]s(%[1]s) FROM %[3]s)", table.number, pick, table.name)
		edits["the "+which+" row deleted"] = "DELETE FROM " + table.name + row
		for _, c := range table.columns {
			edits[c.name+" of the "+which+" row changed"] = fmt.Sprintf("UPDATE %s SET %s = %s%s", table.name, c.name, c.other(), row)
		}
	}
	for where, number := range map[string]string{"before the first": "-7", "after the last": "max(%s) + 1", "beyond the last": "max(%s) + 5"} {
		number = strings.ReplaceAll(number, "%s", table.number)
		edits["a row added "+where] = fmt.Sprintf("INSERT INTO %[1]s (%[2]s, %[3]s) SELECT (SELECT %[4]s FROM %[1]s), %[5]s FROM %[1]s WHERE %[2]s = (SELECT max(%[2]s) FROM %[1]s)",
			table.name, table.number, strings.Join(names, ", "), number, strings.Join(values, ", "))
	}
	return edits
}

// everyTable are closed stores: each table has rows in one of them at least.
func everyTable(t *testing.T) map[string]Options {
	t.Helper()
	stores := coveredStores(t)
	folder := t.TempDir()
	o := Options{Path: filepath.Join(folder, "store", "docket.db"), AnchorFolder: filepath.Join(folder, "state", "anchors"),
		Now: func() time.Time { return noon.Add(time.Second) }}
	d, _ := erasableFixtureAt(t, o)
	must(t, d.state(records.KeyEndorsed, 1, 9, -1))
	must(t, d.state(records.KeyRevoked, 9, 1, 2))
	must(t, d.store.BindService(t.Context(), newService(t, "").key))
	must(t, d.store.SavePull(t.Context(), "cursor", true))
	given := []verify.Ref{{Table: terms.AppealCases, Key: packets.Key{ID: "case-1", Number: 2}}}
	if kept, err := d.store.KeepReassigned(t.Context(), given, false); err != nil || len(kept) != 1 {
		t.Fatal(kept, err)
	}
	d.close()
	stores["a console's with a revoked key"] = o
	return stores
}

// ofThisMachine are the tables of local state, which nothing covers.
var ofThisMachine = []string{skipsTable, draftsTable, pullTable, reassignedTable}

// asIfKilled reports whether an edit looks like a row whose writer was killed before the anchor covered it, which nothing finds.
func asIfKilled(table, what string) bool {
	return slices.Contains([]string{tokensTable, revocationsTable, movesTable}, table) && what == "a row added after the last"
}

// Each table of each store is edited past its triggers: columns, rows that go, rows that come. A check of the store finds it. One of so many
// edits is tried, with DOCKET_LONG=1 every one.
func TestEveryEditOfATableIsFoundButThoseOfLocalState(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	stores := everyTable(t)
	portions, rowPortions := sampled(1, 32, 32), sampled(1, 12, 32) // of the columns, and of the rows that go or come
	chosen := rand.IntN(portions * rowPortions)
	t.Logf("one of %d columns is changed, one of %d rows goes or comes, from %d on", portions, rowPortions, chosen)
	t.Run("of", func(t *testing.T) {
		for _, name := range slices.Sorted(maps.Keys(stores)) {
			for _, table := range tablesOn(t, stores[name].Path) {
				seen[table.name] = seen[table.name] || table.rows > 0
				if slices.Contains(ofThisMachine, table.name) {
					continue
				}
				t.Run(table.name+" of "+name, func(t *testing.T) {
					t.Parallel()
					edits := table.editsOf()
					for i, what := range slices.Sorted(maps.Keys(edits)) {
						one := rowPortions
						if strings.HasSuffix(what, "changed") {
							one = portions
						}
						if (i+chosen)%one == 0 {
							edited(t, stores[name], table.name, what, edits[what])
						}
					}
				})
			}
		}
	})
	for _, o := range schemaObjects() {
		if o.Kind == "table" && !seen[o.Name] {
			t.Errorf("no store has a row in %s", o.Name)
		}
	}
}

// edited makes an edit on a copy of a store, and holds a check to finding it.
func edited(t *testing.T, pristine Options, table, what, edit string) {
	t.Helper()
	o := copiedStore(t, pristine)
	forge(t, o.Path, "PRAGMA ignore_check_constraints = 1", edit)
	s := openWith(t, o)
	if list := proven(t, s); (len(list) == 0) != asIfKilled(table, what) {
		t.Errorf("%s: found %v", what, codesOf(list))
	}
	must(t, s.Close())
}
