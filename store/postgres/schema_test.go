package postgres

import (
	"context"
	"flag"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"docket/domain/terms"
	"docket/store/engine"
	"docket/store/postgres/postgrestest"
)

var update = flag.Bool("update", false, "write schema.txt")

// made is a database with the schema and without a store.
func made(t *testing.T) *DB {
	t.Helper()
	db := need(New(Options{DSN: postgrestest.New(t).DSN(postgrestest.Superuser)}))(t)
	if _, _, err := db.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return db
}

// opened is one that is open.
func opened(t *testing.T) *DB {
	t.Helper()
	db := made(t)
	must(t, db.Open(t.Context()))
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func TestTheSchemaIsTheOneThatIsWrittenDown(t *testing.T) {
	var lines []string
	must(t, opened(t).View(t.Context(), func(ctx context.Context, tx engine.Tx) (err error) {
		lines, err = describe(ctx, tx)
		return err
	}))
	if *update {
		must(t, os.WriteFile("schema.txt", []byte(strings.Join(lines, "\n")+"\n"), 0o644))
		return
	}
	for i, line := range strings.Split(strings.TrimSuffix(described, "\n"), "\n") {
		if i >= len(lines) || lines[i] != line {
			t.Fatalf("line %d is %q, and schema.txt has %q", i+1, slices.Concat(lines, make([]string, i+1))[i], line)
		}
	}
}

// as runs a statement in a role, in a transaction that is rolled back.
func (d *DB) as(t *testing.T, role, statement string) error {
	t.Helper()
	pool, err := d.open(t.Context(), role, 1)
	must(t, err)
	defer func() { _ = pool.Close() }()
	_, err = pool.ExecContext(t.Context(), "BEGIN; "+statement)
	return err
}

// apply runs a statement in the role of the login, and commits it.
func (d *DB) apply(t *testing.T, statement string) {
	t.Helper()
	must(t, d.alone(t.Context(), func(tx *transaction) error {
		if err := tx.run(t.Context(), statement); err != nil {
			return err
		}
		return tx.Commit()
	}))
}

// The writer has no right to change what is there, and a login that has it meets the triggers, which fire in each mode of a session.
func TestOnlyTheOwnerCouldLiftWhatKeepsTheTables(t *testing.T) {
	db := opened(t)
	var tables []string
	for line := range strings.Lines(described) {
		if words := strings.Fields(line); words[0] == "table" {
			tables = append(tables, words[1])
		}
	}
	local := []string{"docket_local", "docket_head"}
	if len(tables) < 16 {
		t.Fatalf("there are %d tables", len(tables))
	}
	for _, table := range tables {
		column := ""
		for line := range strings.Lines(described) {
			if rest, is := strings.CutPrefix(line, "column "+table+"."); is && column == "" {
				column = strings.Fields(rest)[0]
			}
		}
		changed := "UPDATE docket." + table + " SET " + column + " = " + column
		for _, statement := range []string{"TRUNCATE docket." + table, "DROP TABLE docket." + table, "ALTER TABLE docket." + table + " DISABLE TRIGGER ALL",
			"ALTER TABLE docket." + table + " ADD COLUMN more text", "CREATE INDEX more ON docket." + table + " (" + column + ")"} {
			if code := codeOf(db.as(t, writerRole, statement)); code != "42501" {
				t.Errorf("%s by the writer: %q", statement, code)
			}
		}
		if code := codeOf(db.as(t, ownerRole, "TRUNCATE docket."+table)); code != "23001" {
			t.Errorf("TRUNCATE %s by the owner: %q", table, code)
		}
		if slices.Contains(local, table) {
			continue
		}
		if code := codeOf(db.as(t, writerRole, changed)); code != "42501" {
			t.Errorf("%s by the writer: %q", changed, code)
		}
		if code := codeOf(db.as(t, ownerRole, "SET LOCAL session_replication_role = origin; "+changed)); code != "23001" && code != "42501" {
			t.Errorf("%s by the owner: %q", changed, code)
		}
		if err := db.as(t, "", "SET LOCAL session_replication_role = replica; "+changed); codeOf(err) != "23001" {
			t.Errorf("%s by the superuser: %v", changed, err)
		}
		for _, role := range []string{readerRole, "docket_auditor"} {
			for _, statement := range []string{changed, "DELETE FROM docket." + table, "INSERT INTO docket." + table + " DEFAULT VALUES"} {
				if code := codeOf(db.as(t, role, statement)); code != "42501" {
					t.Errorf("%s by %s: %q", statement, role, code)
				}
			}
			must(t, db.as(t, role, "SELECT * FROM docket."+table))
		}
	}
	for _, statement := range []string{"SET session_replication_role = replica", "INSERT INTO docket.docket_head (id, turn) VALUES (0, 0)", "DELETE FROM docket.docket_head",
		"CREATE TABLE docket.more (a text)", "CREATE FUNCTION docket.more() RETURNS int LANGUAGE sql AS 'SELECT 1'", "INSERT INTO docket.docket_schema (version) VALUES (9)"} {
		if err := db.as(t, writerRole, statement); err == nil {
			t.Errorf("%s by the writer is done", statement)
		}
	}
}

func TestWhatIsOtherThanItWasMadeIsNamed(t *testing.T) {
	for change, due := range map[string]string{
		"ALTER TABLE docket.docket_texts DISABLE TRIGGER erase":                                                  "trigger docket_texts.erase",
		"ALTER TABLE docket.docket_log ENABLE TRIGGER keep":                                                      "trigger docket_log.keep",
		"DROP TRIGGER keep ON docket.docket_meta":                                                                "trigger docket_meta.keep",
		"CREATE OR REPLACE FUNCTION docket.refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'": "function refuse",
		"GRANT UPDATE ON docket.docket_log TO docket_writer":                                                     "table docket_log",
		"GRANT INSERT ON docket.docket_log TO PUBLIC":                                                            "table docket_log",
		"CREATE TABLE docket.more (a text)":                                                                      "An added table",
		"CREATE RULE swallow AS ON INSERT TO docket.docket_log DO INSTEAD NOTHING":                               "An added rule",
		"DROP INDEX docket.trade_appeal_cases_assigned":                                                          "index trade_appeal_cases.trade_appeal_cases_assigned",
		"ALTER TABLE docket.docket_log OWNER TO docket_writer":                                                   "table docket_log",
		"ALTER TABLE docket.docket_cosignatures SET UNLOGGED":                                                    "table docket_cosignatures",
		"ALTER FUNCTION docket.refuse() SET search_path = public":                                                "function refuse",
		"CREATE TABLE public.kid () INHERITS (docket.docket_cosignatures)":                                       "An added child",
		"DROP INDEX docket.trade_appeal_cases_assigned; CREATE INDEX trade_appeal_cases_assigned ON docket.trade_appeal_cases (position) WHERE position > 5": "index trade_appeal_cases.trade_appeal_cases_assigned",
		"GRANT CREATE ON SCHEMA docket TO docket_writer":                                                                            "schema owner",
		"GRANT USAGE ON SCHEMA docket TO PUBLIC":                                                                                    "schema owner",
		"ALTER TABLE docket.docket_checkpoints ALTER size SET DEFAULT 5":                                                            "column docket_checkpoints.size",
		"ALTER TABLE docket.docket_log ENABLE ROW LEVEL SECURITY":                                                                   "table docket_log",
		"CREATE OR REPLACE TRIGGER keep BEFORE UPDATE OF value ON docket.docket_meta FOR EACH ROW EXECUTE FUNCTION docket.refuse()": "trigger docket_meta.keep",
		"ALTER TABLE docket.docket_log ALTER signature DROP NOT NULL":                                                               "column docket_log.signature",
	} {
		db := opened(t)
		db.apply(t, change)
		must(t, db.View(t.Context(), func(ctx context.Context, tx engine.Tx) error {
			altered, err := tx.Structure().Altered(ctx)
			if !slices.Contains(altered, due) {
				t.Errorf("%s: %q", change, altered)
			}
			return err
		}))
	}
}

// asked asks a query of a database and reads its first row.
func (d *DB) ask(t *testing.T, query string, args []any, into ...any) error {
	t.Helper()
	return d.View(t.Context(), func(ctx context.Context, tx engine.Tx) error {
		return tx.Row(ctx, query, args, into...)
	})
}

func TestWhatIsSentComesBack(t *testing.T) {
	db := opened(t)
	texts := []string{"", "NULL", `a "quoted" \ text`, "{a,b}", "two\nlines\tand a tab", "Zürich 東京 🙂", "'; DROP TABLE x; --", `\x00`, "$1", " "}
	for _, text := range texts {
		var one string
		var raw []byte
		var id terms.ID
		var there *string
		must(t, db.ask(t, "SELECT $1::text, $1::text, $1::text, $1::text", []any{text}, &one, &raw, &id, &there))
		if one != text || string(raw) != text || string(id) != text || there == nil || *there != text {
			t.Errorf("%q comes back as %q, %q, %q, %v", text, one, raw, id, there)
		}
	}
	var list []string
	err := db.View(t.Context(), func(ctx context.Context, tx engine.Tx) (err error) {
		list, err = listOf[string](ctx, tx, "SELECT * FROM unnest($1::text[])", texts)
		return err
	})
	if err != nil || !slices.Equal(list, texts) {
		t.Errorf("%q, %v", list, err)
	}
	for _, content := range [][]byte{nil, {}, {0}, []byte("\\x00"), slices.Repeat([]byte{0xff, 0, '"'}, 1<<16)} {
		var one []byte
		if err := db.ask(t, "SELECT $1::bytea", []any{content}, &one); err != nil || !reflect.DeepEqual(one, content) {
			t.Errorf("%d bytes come back as %d, %v", len(content), len(one), err)
		}
	}
	var each [][]byte
	err = db.View(t.Context(), func(ctx context.Context, tx engine.Tx) (err error) {
		each, err = listOf[[]byte](ctx, tx, "SELECT * FROM unnest($1::bytea[])", [][]byte{{}, {0, 1}, []byte(`"\`)})
		return err
	})
	if err != nil || !reflect.DeepEqual(each, [][]byte{{}, {0, 1}, []byte(`"\`)}) {
		t.Errorf("%q, %v", each, err)
	}
	for _, number := range []int64{0, -1, math.MaxInt64, math.MinInt64} {
		var one int64
		var there *int64
		if err := db.ask(t, "SELECT $1::bigint, $1::bigint", []any{number}, &one, &there); err != nil || one != number || there == nil || *there != number {
			t.Errorf("%d comes back as %d, %v, %v", number, one, there, err)
		}
	}
	var small int
	var yes, no bool
	if err := db.ask(t, "SELECT -5, true, false", nil, &small, &yes, &no); err != nil || small != -5 || !yes || no {
		t.Errorf("%d, %v, %v, %v", small, yes, no, err)
	}
	for _, numbers := range [][]int64{nil, {}, {1, -2, math.MaxInt64}} {
		var count int
		var none bool
		if err := db.ask(t, "SELECT coalesce(cardinality($1::bigint[]), 0), $1 IS NULL", []any{numbers}, &count, &none); err != nil || count != len(numbers) || none != (numbers == nil) {
			t.Errorf("%d: %d, %v, %v", numbers, count, none, err)
		}
	}
}

func listOf[T any](ctx context.Context, tx engine.Tx, query string, args ...any) ([]T, error) {
	return engine.List[T](ctx, tx, query, args...)
}

func TestTheAddressSaysHowManyConnectionsRead(t *testing.T) {
	t.Parallel()
	for address, size := range map[string]int{
		"postgres://db/docket":                   mostReaders,
		"postgres://db/docket?pool_max_conns=3":  3,
		"host=db pool_max_conns=20":              20,
		"postgres://db/docket?pool_max_conns=0":  0,
		"postgres://db/docket?pool_max_conns=-1": 0,
		"postgres://db/docket?pool_max_conns=x":  0,
		"postgres://db/docket?pool_max_conns=":   0,
	} {
		db, err := New(Options{DSN: address})
		if (err == nil) != (size > 0) || err == nil && db.readers != size {
			t.Errorf("%s: %v, %v", address, db, err)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// need returns the value of a call that has to succeed.
func need[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		must(t, err)
		return value
	}
}
