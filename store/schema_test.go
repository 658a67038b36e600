package store

import (
	"bytes"
	"database/sql"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"docket/domain"
)

var update = flag.Bool("update", false, "write the schema's golden file")

func TestTheSchemaIsTheOneOfItsVersion(t *testing.T) {
	var written bytes.Buffer
	fmt.Fprintf(&written, "-- The schema of a store, version %d. Written by `go test ./store -run Schema -update`.\n", schemaVersion)
	for _, o := range schemaObjects() {
		fmt.Fprintf(&written, "\n%s;\n", o.sql)
	}
	const golden = "testdata/schema.sql"
	if *update {
		if err := os.WriteFile(golden, written.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(written.Bytes(), want) {
		t.Errorf("the schema changed: if stores of this version are in use, raise schemaVersion; then run this test with -update")
	}
}

func TestEveryMemberHasItsColumnAndNoColumnCanDisagree(t *testing.T) {
	d := filled(t)
	for _, table := range domain.Tables.All() {
		shape := domain.EnforcementShape(domain.AreaOf(table))
		if info, ok := domain.Info(table); ok {
			shape = info.Shape
		}
		var row int
		for _, m := range shape.Members {
			at := "$." + m.Name
			if domain.PacketTables.Has(table) {
				at = "$.record." + m.Name
			}
			query := fmt.Sprintf("SELECT count(*) FROM main.%s WHERE %s IS json_extract(document, '%s')", table, quote(m.Name), at)
			if err := d.store.read.QueryRow(query).Scan(&row); err != nil || row == 0 {
				t.Errorf("%s.%s: %d rows, %v", table, m.Name, row, err)
			}
			if _, err := d.store.write.Exec(fmt.Sprintf("INSERT INTO main.%s (document, %s) VALUES ('{}', 'x')", table, quote(m.Name))); err == nil {
				t.Errorf("%s.%s takes a value", table, m.Name)
			}
		}
	}
}

func TestTheTablesAreStrictAndHaveNothingElseToChange(t *testing.T) {
	d := filled(t)
	for _, table := range domain.Tables.Texts() {
		definition := ""
		if err := d.store.read.QueryRow("SELECT sql FROM main.sqlite_schema WHERE name = ?", table).Scan(&definition); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(definition, ") STRICT") {
			t.Errorf("%s is not strict", table)
		}
		real := strings.Count(definition, "\n") - 1 - strings.Count(definition, "GENERATED ALWAYS")
		if real != 2 { // the document, and when it came in or where it stands in the log
			t.Errorf("%s has %d columns that are not generated", table, real)
		}
	}
}

func TestADocumentThatIsNoRecordIsNotTaken(t *testing.T) {
	d := filled(t)
	for _, document := range []string{"", "not JSON", "{}", `{"record":{}}`, "[]"} {
		for _, table := range domain.Tables.All() {
			columns, values := "document", "?1"
			if domain.PacketTables.Has(table) {
				columns, values = "document, importedAt", "?1, 'now'"
			}
			statement := fmt.Sprintf("INSERT INTO main.%s (%s) VALUES (%s)", table, columns, values)
			if _, err := d.store.write.Exec(statement, document); err == nil {
				t.Errorf("%s takes %q", table, document)
			}
		}
	}
}

func TestAQueryThatNeedsAllOfATableUsesItsIndex(t *testing.T) {
	d := filled(t)
	rows, err := d.store.read.Query("EXPLAIN QUERY PLAN "+latestAfter(domain.AppealCases), "", "", "", 1)
	if err != nil {
		t.Fatal(err)
	}
	plan := planOf(t, rows)
	if !strings.Contains(plan, "USING INDEX trade_appeal_cases_key") || strings.Contains(plan, "TEMP B-TREE") {
		t.Errorf("the plan is\n%s", plan)
	}
}

func planOf(t testing.TB, rows *sql.Rows) string {
	t.Helper()
	var plan strings.Builder
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&plan, detail)
	}
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
	return plan.String()
}
