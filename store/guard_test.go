package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/stats"
	"docket/domain/terms"
	"docket/store/engine"
	"docket/store/verify"
)

// filled is a fixture with a row in every table.
func filled(t testing.TB) *fixture {
	t.Helper()
	d := withCase(t)
	d.take(d.mill.amendmentPolicy(1), d.mill.amendment(applied("amd-1", 1)))
	d.record("case-1", decision{outcome: terms.UpholdDecision, note: records.Note{Salt: "s", Text: "n"}})
	caseFile := d.caseFile(terms.AmendmentRecords, "amd-1")
	need(d.store.Append(t.Context(), d.decide(&caseFile.View, decision{})))(t)
	must(t, d.store.Skip(t.Context(), reviewerID, terms.AppealCases, packets.Key{ID: "case-1", Number: 1}, "later"))
	return d
}

// guardedTables are the append-only tables of a store that have a row, with the columns to copy one by.
func (d *fixture) guardedTables() map[string][]string {
	d.t.Helper()
	tables := map[string][]string{}
	for _, table := range tablesOn(d.t, d.store.Path()) {
		if table.rows == 0 || table.name == localTable {
			continue
		}
		var columns []string
		if of, err := terms.Tables.Parse(table.name); table.number != "" && !(err == nil && terms.PacketTables.Has(of)) {
			columns = append(columns, table.number) // a packet has its place by itself
		}
		for _, c := range table.columns {
			columns = append(columns, c.name)
		}
		tables[table.name] = columns
	}
	return tables
}

// guarded are a console's store and a service's: each append-only table has a row in one of them.
func guarded(t testing.TB) []*fixture {
	t.Helper()
	service := serviceWithCase(t)
	fillService(t, service)
	list, there := []*fixture{served(t), service}, map[string]bool{localTable: true}
	for _, d := range list {
		for table := range d.guardedTables() {
			there[table] = true
		}
	}
	for _, o := range schemaObjects() {
		mustNot(t, o.Kind == "table" && !there[o.Name], "%s has no row that could be attacked", o.Name)
	}
	return list
}

// attacks are statements that change or replace what a table holds.
func attacks(table string, columns []string) []string {
	list := strings.Join(columns, ", ")
	copied := fmt.Sprintf("INTO main.%s (%s) SELECT %s FROM main.%s LIMIT 1", table, list, list, table)
	return []string{
		fmt.Sprintf("UPDATE main.%s SET %s = %s", table, columns[0], columns[0]),
		fmt.Sprintf("UPDATE OR REPLACE main.%s SET %s = %s", table, columns[0], columns[0]),
		fmt.Sprintf("DELETE FROM main.%s", table),
		"INSERT OR REPLACE " + copied,
		"REPLACE " + copied,
		"INSERT " + copied,
		fmt.Sprintf("INSERT INTO main.%[1]s (%[2]s) SELECT %[2]s FROM main.%[1]s WHERE true LIMIT 1 "+
			"ON CONFLICT DO UPDATE SET %[3]s = excluded.%[3]s", table, list, columns[0]),
		fmt.Sprintf("INSERT OR REPLACE INTO main.%[1]s (rowid, %[2]s) SELECT rowid, %[2]s FROM main.%[1]s LIMIT 1", table, list),
	}
}

// schemaAttacks are statements that get at the tables by way of the schema, of temporary objects or of other files.
func schemaAttacks(t testing.TB) []string {
	statements := []string{
		"PRAGMA writable_schema = 1", "PRAGMA recursive_triggers = 0", "PRAGMA journal_mode = OFF", "PRAGMA synchronous = 0",
		"DELETE FROM main.sqlite_schema", "UPDATE main.sqlite_schema SET sql = ''",
		"CREATE TEMP TABLE docket_log (sequence, tableName, recordId, leafHash)", "CREATE TEMP VIEW docket_log AS SELECT 1",
		"CREATE TEMP TRIGGER swallow BEFORE INSERT ON main.docket_log BEGIN SELECT RAISE(IGNORE); END",
		"CREATE TRIGGER swallow BEFORE INSERT ON docket_log BEGIN SELECT RAISE(IGNORE); END",
		"CREATE TABLE another (a)", "CREATE VIEW another AS SELECT 1", "CREATE INDEX another ON docket_log (leafHash)",
		fmt.Sprintf("ATTACH '%s' AS other", filepath.Join(t.TempDir(), "other.db")), "REINDEX", "ANALYZE", "SAVEPOINT s",
		fmt.Sprintf("VACUUM INTO '%s'", filepath.Join(t.TempDir(), "copy.db")),
	}
	for _, o := range schemaObjects() {
		kind, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(o.SQL, "CREATE "), "UNIQUE "), " ")
		statements = append(statements, "DROP "+kind+" "+o.Name)
		if kind == "TABLE" {
			statements = append(statements, "ALTER TABLE "+o.Name+" RENAME TO gone", "ALTER TABLE "+o.Name+" ADD COLUMN more")
		}
	}
	return statements
}

func (d *fixture) mustRefuse(db *sql.DB, statement string) {
	d.t.Helper()
	wantFailure(d.t, statement, errOf(db.ExecContext(context.Background(), statement)))
}

func TestTheProgramsOwnConnectionsCannotChangeWhatIsStored(t *testing.T) {
	t.Parallel()
	for _, d := range guarded(t) {
		before := rowsOfAll(t, d.store)
		statements := schemaAttacks(t)
		for table, columns := range d.guardedTables() {
			statements = append(statements, attacks(table, columns)...)
		}
		writer, reader := d.writer(), d.reader()
		for _, statement := range statements {
			d.mustRefuse(writer, statement)
			d.mustRefuse(reader, statement)
		}
		d.mustRefuse(reader, "INSERT INTO main.docket_local VALUES (0, 'skip', 'r', 't', 'i', 1, 'why', 'now')")
		wantList(t, "changed are", differing(before, rowsOfAll(t, d.store)), nil)
		altered := need(ask(t.Context(), d.store, "look", func(ctx context.Context, tx engine.Tx) ([]string, error) {
			return tx.Structure().Altered(ctx)
		}))(t)
		wantList(t, "altered are", altered, nil)
	}
}

func TestTheTriggersHoldOnConnectionsWithoutAnAuthorizer(t *testing.T) {
	t.Parallel()
	for _, d := range guarded(t) {
		before := rowsOfAll(t, d.store)
		for _, dsn := range []string{"", "?_pragma=recursive_triggers(1)"} {
			db := need(sql.Open("sqlite", "file:"+d.store.Path()+dsn))(t)
			for table, columns := range d.guardedTables() {
				for _, statement := range attacks(table, columns) {
					d.mustRefuse(db, statement)
				}
			}
			must(t, db.Close())
		}
		wantList(t, "changed are", differing(before, rowsOfAll(t, d.store)), nil)
	}
}

func TestTheTriggersHoldForTheSQLiteProgram(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("the sqlite3 program is not installed; on Debian: apt-get install sqlite3")
	}
	d := guarded(t)[0]
	before := rowsOfAll(t, d.store)
	var statements []string
	for table, columns := range d.guardedTables() {
		statements = append(statements, attacks(table, columns)...)
	}
	command := exec.CommandContext(t.Context(), program, d.store.Path())
	command.Stdin = strings.NewReader(strings.Join(statements, ";\n") + ";\n")
	out, _ := command.CombinedOutput() // it goes on after an error, one a statement
	refused := strings.Count(string(out), "append-only") + strings.Count(string(out), "already has") + strings.Count(string(out), "no column named rowid")
	wantNot(t, refused < len(statements), "of %d statements %d were refused for that: %s", len(statements), refused, out)
	wantList(t, "changed are", differing(before, rowsOfAll(t, d.store)), nil)
}

func TestTheLogHasNoGaps(t *testing.T) {
	t.Parallel()
	d := filled(t)
	writer := d.writer()
	for _, statement := range []string{
		"INSERT INTO main.docket_log VALUES (7, 'record', 't', 'r', 7, 'a', zeroblob(32), '', '')",
		"INSERT INTO main.docket_log_hashes VALUES (9, zeroblob(32))",
		"INSERT INTO main.docket_log VALUES (2, 'record', 't', 'r', 7, 'a', zeroblob(31), '', '')",
		"INSERT INTO main.docket_log (kind, tableName, subject, number, at, leafHash, body, signature) VALUES ('record', 't', 'r', 7, 'a', zeroblob(32), '', '')",
		"INSERT INTO main.docket_texts VALUES (7, 'note', 'salt', 'note')",
		"INSERT INTO main.docket_texts VALUES (7, 'texts', '', '{}')",
		"INSERT INTO main.docket_checkpoints VALUES (9, 'note')",
	} {
		d.mustRefuse(writer, statement)
	}
}

// errFound stands for findings, which are no error of their own.
var errFound = errors.New("there are findings")

// A question is asked of a store that has the records of the ids.
type question struct {
	*Store
	ctx context.Context
	ids []records.RecordID
}

// readings are what an open store can be asked, each with an answer that can be compared.
var readings = map[string]func(question) (any, error){
	"Checkpoint":  func(q question) (any, error) { return q.Checkpoint(q.ctx) },
	"Consistency": func(q question) (any, error) { return q.Consistency(q.ctx, 2, 4) },
	"Inclusion":   func(q question) (any, error) { return q.Inclusion(q.ctx, q.ids[1]) },
	"Records":     func(q question) (any, error) { return q.Records(q.ctx, 0, 10) },
	"RecordPage":  func(q question) (any, error) { return q.RecordPage(q.ctx, 3, 2) },
	"Record":      func(q question) (any, error) { return q.Record(q.ctx, q.ids[2]) },
	"PacketSalt":  func(q question) (any, error) { return q.PacketSalt(q.ctx, q.ids[2]) },
	"Signers":     func(q question) (any, error) { return ask(q.ctx, q.Store, "read the signers", signersOf) },
	"Head":        func(q question) (any, error) { return q.Head(q.ctx) },
	"Verifier":    func(q question) (any, error) { return q.Verifier(q.ctx) },
	"Service":     func(q question) (any, error) { return q.Service(q.ctx) },
	"HandInTally": func(q question) (any, error) { return q.HandInTally(q.ctx) },
	"NotHandedIn": func(q question) (any, error) { return q.NotHandedIn(q.ctx, -1, 10) },
	"Find":        func(q question) (any, error) { return q.Find(q.ctx, "case-1") },
	"CaseFile": func(q question) (any, error) {
		file, err := q.CaseFile(q.ctx, terms.AppealCases, "case-1", 0, terms.InstantOf(noon), reviewerID)
		return fmt.Sprintf("%s %v %v %v %v %v %v", file.View.Document(), file.Revisions, file.Records, file.Elsewhere, file.InForce, file.Skipped, file.Related), err
	},
	"QueueTop": func(q question) (any, error) {
		return q.QueueTop(q.ctx, terms.Appeals, terms.InstantOf(noon), reviewerID, 5)
	},
	"QueueRows": func(q question) (any, error) {
		return q.QueueRows(q.ctx, terms.Appeals, []terms.ID{"case-1", "case-4"}, terms.InstantOf(noon), reviewerID)
	},
	"Verify": func(q question) (any, error) {
		report, err := q.Verify(q.ctx, verify.Options{})
		if err == nil && !report.OK() {
			err = errFound
		}
		return report.Root, err
	},
	"VerifyStorage": func(q question) (any, error) {
		report, err := q.Verify(q.ctx, verify.Options{Depth: verify.Storage})
		return report.OK(), err
	},
	"VerifyHead": func(q question) (any, error) {
		report, err := q.Verify(q.ctx, verify.Options{Depth: verify.HeadOnly})
		return report.OK(), err
	},
	"RevisionState": func(q question) (any, error) {
		return q.RevisionState(q.ctx, terms.Appeals, packets.Key{ID: "case-1", Number: 1})
	},
	"Queue": func(q question) (any, error) {
		_, mark, err := q.Queue(q.ctx, terms.Appeals, terms.InstantOf(noon), reviewerID, func(_, _ int64) {})
		return mark, err
	},
	"PublishedCheckpoint": func(q question) (any, error) { return q.PublishedCheckpoint(q.ctx) },
	"Tile":                func(q question) (any, error) { return q.Tile(q.ctx, tlog.Tile{H: 8, W: 2}) },
	"TileEntries":         func(q question) (any, error) { return q.TileEntries(q.ctx, tlog.Tile{H: 8, L: -1, W: 2}) },
	"Page": func(q question) (any, error) {
		page, err := q.Page(q.ctx, Permissions{ID: reviewerID, Role: terms.NeutralReviewer}, "", 10)
		return len(page.Packets), err
	},
	"StatsPage": func(q question) (any, error) {
		page, err := q.StatsPage(q.ctx, stats.Period{}, "", 10)
		return len(page), err
	},
	"KeysOf":         func(q question) (any, error) { return q.KeysOf(q.ctx, reviewerID) },
	"KnownOfService": func(q question) (any, error) { return q.KnownOfService(q.ctx) },
	"LogStatements":  func(q question) (any, error) { return q.LogStatements(q.ctx) },
	"Accepted":       func(q question) (any, error) { return q.Accepted(q.ctx) },
	"Export": func(q question) (any, error) {
		v, err := q.Snapshot(q.ctx)
		if err != nil {
			return nil, err
		}
		entries := ""
		each := func(e verify.Entry) error { entries += fmt.Sprintf("%+v\n", e); return nil }
		err = errors.Join(v.Entries(q.ctx, 0, each), v.Rejections(q.ctx, func(verify.Rejection) error { return nil }),
			v.Cosignatures(q.ctx, func(verify.Cosigned) error { return nil }))
		return entries, err
	},
	"VerifyRecord": func(q question) (any, error) {
		found, err := q.VerifyRecords(q.ctx, 2, 3)
		if err == nil && len(found) > 0 {
			err = errFound
		}
		return nil, err
	},
}

// Somebody drops a table of a store that is open. Each reading then has the answer that it had, or an error: what is missing
// is not taken for nothing.
func TestATableThatIsGoneIsAnErrorAndNeverAnotherAnswer(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	var ids []records.RecordID
	for _, entry := range wholeLog(t, d.store) {
		ids = append(ids, entry.Receipt.RecordID)
	}
	d.close()
	failed, answers := map[string]int{}, map[string]string{}
	o.ReadOnly = true
	whole := openWith(t, o)
	for name, read := range readings {
		answer, err := read(question{whole, t.Context(), ids})
		answers[name] = fmt.Sprintf("%+v %v", answer, err)
	}
	must(t, whole.Close())
	for _, table := range schemaObjects() {
		if table.Kind != "table" {
			continue
		}
		copied := copiedStore(t, o)
		s := openWith(t, copied)
		onFile(t, copied.Path, "PRAGMA foreign_keys = 0", "DROP TABLE "+table.Name)
		for name, read := range readings {
			answer, err := read(question{s, t.Context(), ids})
			if got := fmt.Sprintf("%+v %v", answer, err); got != answers[name] && err == nil {
				t.Errorf("without %s %s answers\n%s\nand with it\n%s", table.Name, name, got, answers[name])
			} else if err != nil {
				failed[name]++
			}
		}
	}
	for name := range readings {
		wantNot(t, failed[name] == 0, "%s needs no table", name)
	}
}
