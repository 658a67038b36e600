package store

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"docket/domain/terms"
	"docket/store/verify"
)

var update = flag.Bool("update", false, "write the list of forgeries, and what is found in edited stores")

// forgeryList lists the forgeries, and what each is found as.
var forgeryList = filepath.Join("testdata", "forgeries.txt")

// forgeryClasses says to which class a forgery belongs, by the table whose rows it changes first.
var forgeryClasses = map[string]string{
	metaTable: "the store's own facts", logTable: "the log", hashesTable: "the log", checkpointsTable: "checkpoints",
	terms.AppealEnforcements.String(): "records", terms.AmendmentEnforcements.String(): "records", signaturesTable: "signatures",
	signersTable: "keys", notesTable: "notes", saltsTable: "salts", reasonsTable: "statements of reasons", statementsTable: "statements about the log",
	packetHeadsTable: "packets", terms.AppealCases.String(): "packets", terms.AppealPolicies.String(): "packets",
	terms.AmendmentRecords.String(): "packets", terms.AmendmentPolicies.String(): "packets", textsTable: "packets",
	tokensTable: "rows of another kind of store", pullTable: "rows of another kind of store",
	rejectionsTable: "rejections", serviceRecordsTable: "records of the service's log", acceptancesTable: "receipts", boundTable: "the service's key", shownTable: "the service's checkpoints", cosignaturesTable: "cosignatures",
	revokedTable: "keys", revocationsTable: "tokens", movesTable: "the move to a database", receivedTable: "receipts", otherAssigneesTable: "packets",
	otherOwnersTable: "packets",
}

var editedTable = regexp.MustCompile(`^(?:UPDATE|DELETE FROM|INSERT INTO) ([a-z_]+)`)

// classOf is the class of a forgery.
func classOf(t testing.TB, edits []string) string {
	t.Helper()
	found := editedTable.FindStringSubmatch(edits[0])
	if found == nil || forgeryClasses[found[1]] == "" {
		t.Fatalf("no class is known for %q", edits[0])
	}
	return forgeryClasses[found[1]]
}

// words lists codes as the list shows them.
func words(list []verify.Finding) string {
	var all []string
	for _, kind := range codesOf(list) {
		all = append(all, "`"+kind.String()+"`")
	}
	return strings.Join(all, " ")
}

// Every class of forgery is found by a check of the store, named by its findings, and takes the store's writing away; the list
// says by which findings.
func TestTheListOfForgeriesSaysWhatIsFound(t *testing.T) {
	t.Parallel()
	rows, tried := map[string][]string{}, len(editedStores)+len(editedAnswers)
	add := func(name string, edits []string, opening, all []verify.Finding) {
		class, opens := classOf(t, edits), "no"
		if len(opening) > 0 {
			opens = words(opening)
		}
		rows[class] = append(rows[class], fmt.Sprintf("| %s | %s | %s | %s |\n", class, name, words(all), opens))
	}
	d, o := anchoredFixture(t)
	d.close()
	for _, c := range editedStores {
		forged := o
		forged.Path = copied(t, o.Path, "")
		forge(t, forged.Path, c.edits...)
		s := openWith(t, forged)
		opening := s.Findings()
		all := proven(t, s)
		if len(all) == 0 || !s.ReadOnly() {
			t.Errorf("%s: %v, read-only %v", c.name, all, s.ReadOnly())
		}
		add(c.name, c.edits, opening, all)
	}
	answers := served(t)
	path := answers.store.Path()
	answers.close()
	for _, c := range editedAnswers {
		forged := copied(t, path, "")
		forge(t, forged, c.edits...)
		s := openAt(t, forged, noon)
		opening := s.Findings()
		all := proven(t, s)
		if len(all) == 0 || !s.ReadOnly() {
			t.Errorf("%s: %v, read-only %v", c.name, all, s.ReadOnly())
		}
		add(c.name, c.edits, opening, all)
	}
	stores := coveredStores(t)
	for _, name := range slices.Sorted(maps.Keys(stores)) {
		o := stores[name]
		s := openWith(t, o)
		rows := rowsIn(t, s)
		must(t, s.Close())
		for _, covered := range coveredTables {
			table := covered.name
			if rows[table] == 0 {
				continue
			}
			edits := []string{fmt.Sprintf("DELETE FROM %s WHERE rowid = (SELECT max(rowid) FROM %[1]s)", table)}
			forged := copiedStore(t, o)
			forge(t, forged.Path, edits...)
			s := openWith(t, forged)
			opening := s.Findings()
			all := proven(t, s)
			if len(all) == 0 || !s.ReadOnly() {
				t.Errorf("%s of %s: %v, read-only %v", table, name, all, s.ReadOnly())
			}
			tried++
			add(fmt.Sprintf("the newest row of `%s` deleted in %s store", table, name), edits, opening, all)
		}
	}
	var table strings.Builder
	table.WriteString("| class | what was forged | found by `docket verify` as | found at opening as |\n|---|---|---|---|\n")
	for _, class := range slices.Sorted(maps.Keys(rows)) {
		for _, row := range rows[class] {
			table.WriteString(row)
		}
	}
	if *update {
		must(t, os.WriteFile(forgeryList, []byte(table.String()), 0o644))
	}
	if listed, err := os.ReadFile(forgeryList); err != nil {
		t.Fatal(err)
	} else if string(listed) != table.String() {
		t.Errorf("%s is not what was found; go test ./store -run ListOfForgeries -update writes it", forgeryList)
	}
	t.Logf("%d forgeries tried, all found", tried)
}
