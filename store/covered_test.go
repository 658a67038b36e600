package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/engine"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// coveredStores are stores that are closed, by name: each covered table has rows in one of them at least.
func coveredStores(t testing.TB) map[string]Options {
	t.Helper()
	stores := map[string]Options{}
	console := func(name string, fill func(*fixture)) {
		d, o := anchoredFixture(t)
		fill(d)
		d.close()
		stores[name] = o
	}
	console("a console's", func(d *fixture) {
		must(t, d.state(records.KeyEndorsed, 1, 9, -1))
		d.elsewhere(d.answered(), "case-2", decision{})
		d.cosigned(verifytest.NewWitness(t, "example.org/witness"), d.checkpoint(), noon)
	})
	console("another console's", func(d *fixture) {
		l := verifytest.New(t)
		l.Says.Origin = firstService
		l.NewStoreKey("service")
		must(t, d.bind(l.Says.VerifierKeys[0]))
	})
	d := serviceWithCase(t)
	d.handIn(d.judged("case-1", decision{}))
	for i, id := range []string{"token-1", "token-2"} {
		must(t, d.store.AddToken(t.Context(), aToken(id, byte(i))))
	}
	must(t, d.store.RevokeToken(t.Context(), "token-1"))
	markMoved(t, d.store)
	d.take(givenAway(d)...)
	d.close()
	stores["a service's"] = d.store.options
	return stores
}

func rowsIn(t testing.TB, s *Store) map[string]int64 {
	t.Helper()
	rows := map[string]int64{}
	err := s.reading(t.Context(), "count", func(ctx context.Context, tx engine.Tx) error {
		tables, err := tx.Covered().Tables(ctx)
		for _, table := range tables {
			rows[table.Name] = table.Rows
		}
		return err
	})
	mustNot(t, err != nil || len(rows) != len(coveredTables), "%v %v", rows, err)
	return rows
}

// coveredTables are the tables that the anchor's head of the tables covers, with a column of each that can be edited.
var coveredTables = []struct{ name, column string }{
	{"docket_handin_service", "boundAt"}, {"docket_handin_checkpoints", "keptAt"}, {tokensTable, "principal"}, {movesTable, "movedAt"},
	{"docket_cosignatures", "cosignature"}, {"docket_handin_acceptances", "origin"}, {rejectionsTable, "inForce"}, {"docket_handin_records", "signature"},
}

func TestWhatIsAddedBesideTheLogIsInTheAnchorWhenItIsAdded(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for name, o := range coveredStores(t) {
		held := need(os.ReadFile(filepath.Join(o.AnchorFolder, first(t, o.AnchorFolder), "checkpoint")))(t)
		s := openWith(t, o)
		for table, rows := range rowsIn(t, s) {
			if line := fmt.Sprintf("\n%s %d ", table, rows); !strings.Contains(string(held), line) {
				t.Errorf("%s: the anchor does not cover the %d rows of %s", name, rows, table)
			}
			seen[table] = seen[table] || rows > 0
		}
	}
	for _, table := range coveredTables {
		wantNot(t, !seen[table.name], "no store has a row in %s", table.name)
	}
}

func first(t testing.TB, folder string) string {
	t.Helper()
	list := need(os.ReadDir(folder))(t)
	mustNot(t, len(list) == 0, "%v", len(list))
	return list[0].Name()
}

func TestEveryAppendOnlyTableIsCovered(t *testing.T) {
	t.Parallel()
	other := map[string]string{"docket_meta": "an opening", "docket_signers": "the records"}
	for _, table := range []string{"docket_log", "docket_log_hashes", "docket_checkpoints", textsTable,
		terms.AppealEnforcements.String(), terms.AmendmentEnforcements.String()} {
		other[table] = "the log, or the heads of the packets"
	}
	for _, table := range terms.PacketTables.Terms() {
		other[table.String()] = "the heads of the packets"
	}
	other[formersTable], other[receivedTable] = "the packets", "the records"
	other[localTable] = "nothing: it is local"
	for _, o := range schemaObjects() {
		covered := slices.ContainsFunc(coveredTables, func(c struct{ name, column string }) bool { return c.name == o.Name })
		wantNot(t, o.Kind == "table" && (other[o.Name] != "") == covered,
			"%s is covered by %q, and by the head of the tables: %v", o.Name, other[o.Name], covered)
	}
}

// The statements that nothing depends on are deleted together, with all that belongs to them: the newest ones, and all of them.
func TestStatementsThatAreDeletedTogetherAreFound(t *testing.T) {
	t.Parallel()
	for _, left := range []int64{0, 1} {
		d, o := anchoredFixture(t)
		size := need(d.store.Head(t.Context()))(t).Size + left
		for _, seed := range []byte{7, 8, 9} {
			must(t, d.state(records.KeyEndorsed, 1, seed, -1))
		}
		d.close()
		setBack(t, o.Path, size)
		unanchored := o
		unanchored.AnchorFolder = ""
		wantKinds(t, "without the anchor nothing tells", openWith(t, unanchored).Findings())
		s := openWith(t, o)
		wantKinds(t, "held to the anchor", s.Findings(), verify.RolledBack)
		mustTakeNothing(t, s)
		wantErr(t, "nobody accepts that", errOf(s.AnchorToAccept(t.Context())), records.ErrRefused)
	}
}

// setBack takes the last entries away, as if they had never been there.
func setBack(t testing.TB, path string, size int64) {
	t.Helper()
	forge(t, path, fmt.Sprintf("DELETE FROM docket_log WHERE position >= %d", size), fmt.Sprintf("DELETE FROM docket_checkpoints WHERE size > %d", size),
		fmt.Sprintf("DELETE FROM docket_log_hashes WHERE position >= %d", tlog.StoredHashIndex(0, size)))
}

// withoutCosignature is a closed store that lost a row beside its log.
func withoutCosignature(t *testing.T) Options {
	t.Helper()
	d, o := anchoredFixture(t)
	d.cosigned(verifytest.NewWitness(t, "example.org/witness"), d.checkpoint(), noon)
	d.close()
	forge(t, o.Path, "DELETE FROM docket_cosignatures")
	return o
}

func TestAPersonMayAcceptALogThatLostRowsBesideIt(t *testing.T) {
	t.Parallel()
	o := withoutCosignature(t)
	d := fixtureAt(t, openWith(t, o))
	wantKinds(t, "held to the anchor", d.store.Findings(), verify.RowsRolledBack)
	due := need(d.store.AnchorToAccept(t.Context()))(t)
	mustNot(t, !slices.Equal(due.Found, []string{"rows_rolled_back"}), "%v", due.Found)
	must(t, d.store.AcceptAnchor(t.Context(), d.stated(due, nil)))
	d.close()
	d = fixtureAt(t, openWith(t, o))
	wantKinds(t, "after it was accepted", append(d.store.Findings(), proven(t, d.store)...))
	wantSame(t, "statements", len(need(d.store.LogStatements(t.Context()))(t)), 1)
	must(t, d.decideAgain("case-4"))
}

func TestTheLogOfAServiceIsAcceptedByItsOperator(t *testing.T) {
	t.Parallel()
	operator := func(d *fixture) { d.nameOperator() }
	another := func(d *fixture) { operator(d); d.reviewer.ID, d.key = "stranger", newKey(d.t, 99) }
	for name, c := range map[string]struct {
		as  func(*fixture)
		may bool
	}{
		"the operator": {operator, true}, "somebody, where none is named": {func(*fixture) {}, true}, "somebody else": {another, false},
		"the operator's name over another key": {func(d *fixture) { operator(d); d.key = newKey(d.t, 99) }, false},
	} {
		d := serviceWithCase(t)
		d.handIn(d.judged("case-1", decision{}))
		c.as(d)
		key, reviewer, o, anchor := d.key, d.reviewer, d.store.options, d.store.anchor.Path
		d.close()
		must(t, os.Remove(anchor))
		d = fixtureAt(t, openWith(t, o))
		d.key, d.reviewer = key, reviewer
		err := d.store.AcceptAnchor(t.Context(), d.stated(need(d.store.AnchorToAccept(t.Context()))(t), nil))
		wantNot(t, (err == nil) != c.may || !c.may && !errors.Is(err, records.ErrRefused), "%s: %v", name, err)
		d.close()
		left := openWith(t, o).Findings()
		wantNot(t, (len(left) == 0) != c.may, "%s: %v is left", name, left)
	}
}

// An anchor that knows less than the store is one whose writer was killed; one that knows more, or of another log, is found.
func TestAReplacedAnchorIsFoundUnlessItIsAnOlderOneOfTheSameLog(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	anchor := d.store.anchor.Path
	older := need(os.ReadFile(anchor))(t)
	must(t, d.state(records.KeyEndorsed, 1, 9, -1))
	d.close()
	newer := need(os.ReadFile(anchor))(t)
	put := func(content []byte) []verify.Finding {
		must(t, os.WriteFile(anchor, content, 0o600))
		s := openWith(t, o)
		list := s.Findings()
		must(t, s.Close())
		return list
	}
	wantKinds(t, "with an older anchor", put(older))
	const covered = "\ndocket_cosignatures "
	wantKinds(t, "with an edited anchor", put([]byte(strings.ReplaceAll(string(older), covered+"0 ", covered+"1 "))), verify.AnchorUnreadable)
	parts := strings.SplitAfter(string(newer[:4096]), "\ndocket-tables/v1\n")
	wantKinds(t, "without its head of the tables", put([]byte(strings.TrimSuffix(parts[0], "docket-tables/v1\n"))), verify.AnchorUnreadable)
	another, other := anchoredFixture(t)
	foreign := need(os.ReadFile(another.store.anchor.Path))(t)
	another.close()
	wantKinds(t, "with the anchor of another log", put(foreign), verify.CheckpointUnusable)
	put(newer)
	wantKinds(t, "on a machine that never saw it", openWith(t, Options{Path: o.Path, AnchorFolder: other.AnchorFolder, Now: o.Now}).Findings(), verify.AnchorMissing)
	setBack(t, o.Path, need(openWith(t, o).Head(t.Context()))(t).Size-1)
	wantKinds(t, "with its own anchor", put(newer), verify.RolledBack)
}

func TestAStoreWhoseRowsGoWhileItIsOpenTakesNoMore(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	d.cosigned(verifytest.NewWitness(t, "example.org/witness"), d.checkpoint(), noon)
	forge(t, o.Path, "DELETE FROM docket_cosignatures")
	wantFailure(t, "it took a draft", d.store.SaveDraft(t.Context(), reviewerID, terms.AppealCases, packets.Key{ID: "case-4", Number: 1}, records.Draft{}))
	wantKinds(t, "the open store", d.store.Findings(), verify.RowsRolledBack)
	wantSame(t, "the finding is", d.store.Findings()[0].Detail, "since this program opened the store")
}

// eraseWithoutEnd keeps drafts and erases them, each with a statement, until somebody kills this process.
func eraseWithoutEnd(t *testing.T, o Options) {
	d := fixtureAt(t, openWith(t, o))
	wantKinds(t, "found at opening", d.store.Findings())
	acknowledge(t, "begun")
	key := packets.Key{ID: "case-1", Number: 1}
	for {
		must(t, d.store.SaveDraft(t.Context(), reviewerID, terms.AppealCases, key, records.Draft{}))
		d.clock = noon.Add(time.Duration(time.Now().UnixNano() % int64(time.Second))) // each statement has a time of its own
		d.erase(records.Erasure{What: records.ErasableDraft, Table: terms.AppealCases, Key: key, Reason: records.ErasedMistake})
		acknowledge(t, "stated")
	}
}

func TestAKillWhileStatementsAreAddedIsNoFinding(t *testing.T) {
	t.Parallel()
	if folder := os.Getenv(pathVariable); folder != "" {
		eraseWithoutEnd(t, faultOptions(folder))
		return
	}
	kills := sampled(100, 12, 6)
	folder := t.TempDir()
	begun := fixtureAt(t, openWith(t, faultOptions(folder)))
	begun.take(begun.mill.appealPolicy(1), begun.mill.appealCase(passing("case-1", 1)))
	begun.close()
	random := rand.New(rand.NewPCG(1, 2))
	acknowledged := 0
	for range kills {
		for _, words := range startWriter(t, folder).kill(t, 1+random.IntN(8), time.Duration(random.IntN(3000))*time.Microsecond) {
			if slices.Equal(words, []string{"stated"}) {
				acknowledged++
			}
		}
	}
	s := openWith(t, faultOptions(folder))
	wantKinds(t, "afterwards", append(s.Findings(), proven(t, s)...))
	statements, err := s.LogStatements(t.Context())
	wantNot(t, err != nil || len(statements) < acknowledged || acknowledged == 0,
		"%d statements of %d that were acknowledged, %v", len(statements), acknowledged, err)
	wantSame(t, "the anchor covers of the log", need(s.anchor.Read(t.Context()))(t).Size, need(s.Head(t.Context()))(t).Size)
	t.Logf("%d kills: %d statements acknowledged, %d kept", kills, acknowledged, len(statements))
}

// A storedColumn is a column that is stored: neither derived from another nor the number of the row.
type storedColumn struct{ name, kind string }

// tableOn is what a file says of a table.
type tableOn struct {
	name    string
	number  string // the column that numbers the rows; "" for none
	columns []storedColumn
	rows    int64
}

func tablesOn(t testing.TB, path string) (list []tableOn) {
	t.Helper()
	db := raw(t, path)
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

func everyTable(t *testing.T) map[string]Options {
	t.Helper()
	stores := coveredStores(t)
	o := afterErasures(t)
	d, _ := erasableFixtureAt(t, o)
	must(t, d.state(records.KeyEndorsed, 1, 9, -1))
	must(t, d.bind(newService(t, "").key))
	must(t, d.state(records.KeyRevoked, 9, 1, 2))
	must(t, d.store.SavePull(t.Context(), "cursor", true))
	given := []verify.Ref{{Table: terms.AppealCases, Key: packets.Key{ID: "case-1", Number: 2}}}
	kept := need(d.store.KeepReassigned(t.Context(), given, false))(t)
	mustNot(t, len(kept) != 1, "%v", kept)
	d.close()
	stores["a console's with a revoked key"] = o
	return stores
}

// asIfKilled reports whether an edit looks like a row whose writer was killed before the anchor covered it, which nothing finds.
func asIfKilled(table, what string) bool {
	return slices.Contains([]string{tokensTable, movesTable}, table) && what == "a row added after the last"
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
				if table.name == localTable { // which nothing covers
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
		for _, o := range schemaObjects() {
			wantNot(t, o.Kind == "table" && !seen[o.Name], "no store has a row in %s", o.Name)
		}
	})
}

func edited(t *testing.T, pristine Options, table, what, edit string) {
	t.Helper()
	o := copiedStore(t, pristine)
	forge(t, o.Path, "PRAGMA ignore_check_constraints = 1", edit)
	s := openWith(t, o)
	list := proven(t, s)
	wantNot(t, (len(list) == 0) != asIfKilled(table, what), "%s: found %v", what, codesOf(list))
	must(t, s.Close())
}
