package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
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
	must(t, d.store.Skip(t.Context(), reviewerID, terms.AppealCases, []packets.Key{{ID: "case-1", Number: 1}}, "later"))
	return d
}

// guardedTables are the append-only tables with a column to change and the columns to copy a row by.
func guardedTables() map[string][]string {
	tables := map[string][]string{
		metaTable: {"name", "value"}, logTable: {"sequence", "tableName", "recordId", "leafHash"}, hashesTable: {"position", "hash"},
		signaturesTable: {"sequence", "signature"}, notesTable: {"sequence", "salt", "note"}, checkpointsTable: {"size", "note"},
		signersTable: {"reviewerId", "fingerprint", "publicKey", "since"}, boundTable: {"key", "boundAt"},
		acceptancesTable: {"sequence", "origin", "treeSize", "receipt", "proof", "checkpoint", "keptAt"},
		shownTable:       {"position", "kind", "checkpoint", "key", "keptAt"},
		rejectionsTable:  {"position", "sequence", "inForce", "signed", "changes", "keptAt"},
		serviceRecordsTable: {"position", "tableName", "id", "revision", "recordId", "supersedes", "record", "signature", "origin", "sequence", "proof", "checkpoint",
			"afterRecords", "afterRejections", "keptAt"},
		cosignaturesTable: {"position", "checkpoint", "cosignature", "key", "keptAt"},
	}
	for _, table := range terms.Tables.All() {
		tables[table.String()] = []string{"document"}
		if terms.PacketTables.Has(table) {
			tables[table.String()] = []string{"document", "importedAt"}
		} else {
			tables[table.String()] = []string{"sequence", "document"}
		}
	}
	return tables
}

// guarded is a store with a row in every table.
func guarded(t testing.TB) *fixture {
	t.Helper()
	d := served(t)
	for table := range guardedTables() {
		var filled bool
		if err := d.reader().QueryRowContext(t.Context(), "SELECT EXISTS (SELECT 1 FROM main."+table+")").Scan(&filled); err != nil || !filled {
			t.Fatalf("%s has no row that could be attacked: %v", table, err)
		}
	}
	return d
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

// contents writes every row of every table, to see that nothing changed.
func (d *fixture) contents() string {
	d.t.Helper()
	var all strings.Builder
	for table, columns := range guardedTables() {
		query := "SELECT count(*), coalesce(group_concat(" + strings.Join(columns, " || '|' || ") + "), '') FROM main." + table
		rows := need(d.reader().QueryContext(context.Background(), query))(d.t)
		for rows.Next() {
			var count int
			var joined string
			must(d.t, rows.Scan(&count, &joined))
			fmt.Fprintln(&all, table, count, terms.HashOf([]byte(joined)))
		}
		must(d.t, rows.Close())
	}
	lines := strings.Split(all.String(), "\n")
	return strings.Join(sorted(lines), "\n")
}

func TestTheProgramsOwnConnectionsCannotChangeWhatIsStored(t *testing.T) {
	t.Parallel()
	d := guarded(t)
	before := d.contents()
	for table, columns := range guardedTables() {
		for _, statement := range attacks(table, columns) {
			d.mustRefuse(d.writer(), statement)
			d.mustRefuse(d.reader(), statement)
		}
	}
	for _, statement := range schemaAttacks(t) {
		d.mustRefuse(d.writer(), statement)
		d.mustRefuse(d.reader(), statement)
	}
	d.mustRefuse(d.reader(), "INSERT INTO main.docket_skips VALUES ('r', 't', 'i', 1, 'why', 'now')")
	wantSame(t, "what is stored", d.contents(), before)
	var altered []string
	err := d.store.db.View(t.Context(), func(ctx context.Context, tx engine.Tx) (err error) {
		altered, err = tx.Structure().Altered(ctx)
		return err
	})
	wantNot(t, err != nil || len(altered) > 0, "%v %v", altered, err)
}

func TestTheTriggersHoldOnConnectionsWithoutAnAuthorizer(t *testing.T) {
	t.Parallel()
	d := guarded(t)
	before := d.contents()
	for _, dsn := range []string{"", "?_pragma=recursive_triggers(1)"} {
		db := need(sql.Open("sqlite", "file:"+d.store.Path()+dsn))(t)
		for table, columns := range guardedTables() {
			for _, statement := range attacks(table, columns) {
				d.mustRefuse(db, statement)
			}
		}
		must(t, db.Close())
	}
	wantSame(t, "what is stored", d.contents(), before)
}

func TestTheTriggersHoldForTheSQLiteProgram(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("the sqlite3 program is not installed; on Debian: apt-get install sqlite3")
	}
	d := guarded(t)
	before := d.contents()
	for table, columns := range guardedTables() {
		for _, statement := range attacks(table, columns) {
			if out, err := exec.CommandContext(t.Context(), program, "-bail", d.store.Path(), statement).CombinedOutput(); err == nil {
				t.Errorf("done: %s %s", statement, out)
			} else if !strings.Contains(string(out), "append-only") && !strings.Contains(string(out), "already has") {
				t.Errorf("%s fails for another reason: %s", statement, out)
			}
		}
	}
	wantSame(t, "what is stored", d.contents(), before)
}

func TestTheLogHasNoGaps(t *testing.T) {
	t.Parallel()
	d := filled(t)
	for _, statement := range []string{
		"INSERT INTO main.docket_log VALUES (7, 't', 'r', zeroblob(32))",
		"INSERT INTO main.docket_log_hashes VALUES (9, zeroblob(32))",
		"INSERT INTO main.docket_log VALUES (2, 't', 'r', zeroblob(31))",
		"INSERT INTO main.docket_log (tableName, recordId, leafHash) VALUES ('t', 'r', zeroblob(32))",
		"INSERT INTO main.docket_signatures VALUES (7, 'signature')",
		"INSERT INTO main.docket_signatures (signature) VALUES ('signature')",
		"INSERT INTO main.docket_notes VALUES (7, 'salt', 'note')",
		"INSERT INTO main.docket_checkpoints VALUES (9, 'note')",
	} {
		d.mustRefuse(d.writer(), statement)
	}
}

func sorted(lines []string) []string {
	slices.Sort(lines)
	return lines
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
	"Head":        func(q question) (any, error) { return q.Head(q.ctx) },
	"Checkpoint":  func(q question) (any, error) { return q.Checkpoint(q.ctx) },
	"Consistency": func(q question) (any, error) { return q.Consistency(q.ctx, 2, 4) },
	"Inclusion":   func(q question) (any, error) { return q.Inclusion(q.ctx, q.ids[1]) },
	"Records":     func(q question) (any, error) { return q.Records(q.ctx, 0, 10) },
	"RecordPage":  func(q question) (any, error) { return q.RecordPage(q.ctx, 3, 2) },
	"Record":      func(q question) (any, error) { return q.Record(q.ctx, q.ids[2]) },
	"PacketSalt":  func(q question) (any, error) { return q.PacketSalt(q.ctx, q.ids[2]) },
	"Signers":     func(q question) (any, error) { return ask(q.ctx, q.Store, "read the signers", signersOf) },
	"Meta":        func(q question) (any, error) { return q.Meta(q.ctx) },
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
