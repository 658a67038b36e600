package postgres

import (
	"context"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"docket/store/engine"
	"docket/store/postgres/postgrestest"
)

var update = flag.Bool("update", false, "write schema.txt")

// made is a database with the schema and without a store.
func made(t *testing.T) *DB {
	t.Helper()
	db, err := New(Options{DSN: postgrestest.New(t).DSN(postgrestest.Superuser)})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := db.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return db
}

// opened is one that is open.
func opened(t *testing.T) *DB {
	t.Helper()
	db := made(t)
	if err := db.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func TestTheSchemaIsTheOneThatIsWrittenDown(t *testing.T) {
	var lines []string
	err := opened(t).View(t.Context(), func(ctx context.Context, tx engine.Tx) (err error) {
		lines, err = describe(ctx, tx)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("schema.txt", []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for i, line := range strings.Split(strings.TrimSuffix(described, "\n"), "\n") {
		if i >= len(lines) || lines[i] != line {
			t.Fatalf("line %d is %q, and schema.txt has %q", i+1, slices.Concat(lines, make([]string, i+1))[i], line)
		}
	}
}
