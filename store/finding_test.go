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

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"
)

// anchoredFixture is a fixture whose store is anchored in a folder of its own, with three records on three cases and one
// on an amendment.
func anchoredFixture(t testing.TB) (*fixture, Options) {
	t.Helper()
	o := anchoredOptions(t)
	d := fixtureAt(t, openWith(t, o))
	d.take(d.mill.appealPolicy(1), d.mill.amendmentPolicy(1), d.mill.amendment(applied("amd-1", 1)))
	d.takeCases("case-1", "case-2", "case-3", "case-4", "case-5")
	for _, id := range []terms.ID{"case-1", "case-2", "case-3"} {
		d.record(id, decision{outcome: terms.UpholdDecision, note: records.Note{Salt: "s", Text: "note on " + string(id)}})
	}
	caseFile := d.caseFile(terms.AmendmentRecords, "amd-1")
	need(d.store.Append(t.Context(), d.decide(&caseFile.View, decision{})))(t)
	return d, o
}

func (d *fixture) close() {
	d.t.Helper()
	must(d.t, d.store.Close())
}

// forge edits a closed store as somebody with the file and the sqlite3 program would: the triggers of the tables that are named are out
// of the way while it is done, and back afterwards.
func forge(t testing.TB, path string, statements ...string) {
	t.Helper()
	all, back, edits := []string{"PRAGMA foreign_keys = 0"}, []string(nil), strings.Join(statements, ";")
	for _, o := range schemaObjects() {
		if o.Kind == "trigger" && strings.Contains(edits, o.Table) {
			all, back = append(all, "DROP TRIGGER "+o.Name), append(back, o.SQL)
		}
	}
	onFile(t, path, slices.Concat(all, statements, back)...)
}

func codesOf(list []verify.Finding) []verify.Code {
	var codes []verify.Code
	for _, f := range list {
		codes = append(codes, f.Code)
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

func wantKinds(t testing.TB, what any, list []verify.Finding, want ...verify.Code) {
	t.Helper()
	slices.Sort(want)
	got := codesOf(list)
	wantNot(t, !slices.Equal(got, want), "%v: found %v, want %v", what, list, want)
}

func proven(t testing.TB, s *Store) []verify.Finding {
	t.Helper()
	return need(s.Verify(t.Context(), verify.Options{}))(t).Findings
}

func wantWriting(t testing.TB, s *Store) {
	t.Helper()
	wantNot(t, s.ReadOnly() || !s.Anchored(),
		"anchored %v, found %v, %v", s.Anchored(), s.Findings(), s.Obstacle())
}

// mustTakeNothing fails unless the store can be read and refuses to be written.
func mustTakeNothing(t testing.TB, s *Store) {
	t.Helper()
	wantNot(t, !s.ReadOnly(), "it is not read-only")
	_, err := queueOf(t.Context(), s, terms.Appeals, terms.InstantOf(noon), reviewerID)
	wantNot(t, err != nil, "the queue cannot be read: %v", err)
	again := fixtureAt(t, s)
	mustBe(t, errOf(s.Append(t.Context(), again.submission("case-5", decision{outcome: terms.UpholdDecision}))), ErrTampered)
	mustBe(t, errOf(s.Import(t.Context(), []packets.Packet{again.mill.appealCase(passing("case-9", 1))})), ErrTampered)
	mustBe(t, s.Skip(t.Context(), reviewerID, terms.AppealCases, packets.Key{ID: "case-5", Number: 1}, "why"), ErrTampered)
}

func TestAHealthyStoreHasNoFindings(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	wantKinds(t, "while open", proven(t, d.store))
	d.close()
	again := openWith(t, o)
	wantWriting(t, again)
	var steps [][2]int64
	report, err := again.Verify(t.Context(), verify.Options{Progress: func(done, total int64) { steps = append(steps, [2]int64{done, total}) }})
	if all := [2]int64{12, 12}; err != nil || !report.OK() || !slices.Equal(steps, [][2]int64{all, all}) { // the records, and what lies beside them
		t.Errorf("found %v, %v; progress %v", report.Findings, err, steps)
	}
	fixtureAt(t, again).record("case-4", decision{outcome: terms.UpholdDecision})
}

// A forgery is edits of a closed store with the sqlite3 program.
type forgery struct {
	name  string
	edits []string
}

var editedStores = []forgery{
	{"a record edited", []string{"UPDATE trade_challenge_appeal_enforcement_records SET document = " +
		"replace(document, 'uphold_decision', 'uphold_decisiom') WHERE sequence = 9"}},
	{"a record edited with its row of the log", []string{
		"UPDATE docket_log SET leafHash = randomblob(32) WHERE position = 9",
		"UPDATE trade_challenge_appeal_enforcement_records SET document = replace(document, 'uphold', 'upholt') WHERE sequence = 9",
	}},
	{"a row of the log edited", []string{"UPDATE docket_log SET leafHash = randomblob(32) WHERE position = 9"}},
	{"a record filed under another id", []string{"UPDATE docket_log SET subject = '" + strings.Repeat("x", 36) + "' WHERE position = 1"}},
	{"a record filed in another table", []string{"UPDATE docket_log SET tableName = 'trade_agreement_amendment_enforcement_records' WHERE position = 9"}},
	{"two records swapped", []string{
		"UPDATE trade_challenge_appeal_enforcement_records SET sequence = 99 WHERE sequence = 8",
		"UPDATE trade_challenge_appeal_enforcement_records SET sequence = 8 WHERE sequence = 9",
		"UPDATE trade_challenge_appeal_enforcement_records SET sequence = 9 WHERE sequence = 99",
	}},
	{"a record deleted", []string{"DELETE FROM trade_challenge_appeal_enforcement_records WHERE sequence = 9"}},
	{"the last record deleted", []string{"DELETE FROM trade_agreement_amendment_enforcement_records"}},
	{"a row of the log deleted", []string{"DELETE FROM docket_log WHERE position = 9"}},
	{"the last row of the log deleted", []string{"DELETE FROM docket_log WHERE position = 11"}},
	{"a record added", []string{"INSERT INTO trade_challenge_appeal_enforcement_records (sequence, document) SELECT 19, " +
		"replace(document, '-7', '-8') FROM trade_challenge_appeal_enforcement_records WHERE sequence = 8"}},
	{"a record added in the place of another", []string{"INSERT INTO trade_challenge_appeal_enforcement_records (sequence, document) SELECT 11, " +
		"replace(document, '-7', '-8') FROM trade_challenge_appeal_enforcement_records WHERE sequence = 8"}},
	{"a hash of the tree edited", []string{"UPDATE docket_log_hashes SET hash = randomblob(32) WHERE position = 1"}},
	{"the top of the tree edited", []string{"UPDATE docket_log_hashes SET hash = randomblob(32) WHERE position = 21"}},
	{"the top of the tree deleted", []string{"DELETE FROM docket_log_hashes WHERE position = 21"}},
	{"a signature swapped", []string{"UPDATE docket_log SET signature = (SELECT signature FROM docket_log WHERE position = 8) WHERE position = 9"}},
	{"a signature deleted", []string{"UPDATE docket_log SET signature = '' WHERE position = 9"}},
	{"a signer deleted", []string{"DELETE FROM docket_signers"}},
	{"a signer's key replaced", []string{"UPDATE docket_signers SET publicKey = 'ssh-ed25519 AAAA'"}},
	{"a comment behind a signer's key", []string{"UPDATE docket_signers SET publicKey = publicKey || ' somebody'"}},
	{"a second line behind a signer's key", []string{"UPDATE docket_signers SET publicKey = publicKey || x'0a' || publicKey"}},
	{"a signer's fingerprint edited", []string{"UPDATE docket_signers SET fingerprint = 'SHA256:x'"}},
	{"a signer's time that is none", []string{"UPDATE docket_signers SET since = 'x'"}},
	{"a signer's time edited", []string{"UPDATE docket_signers SET since = '2020-03-01T12:00:00Z'"}},
	{"a note edited", []string{"UPDATE docket_texts SET text = 'other' WHERE owner = 9 AND member = 'note'"}},
	{"a note deleted", []string{"DELETE FROM docket_texts WHERE owner = 9 AND member = 'note'"}},
	{"a note beyond the log", []string{"INSERT INTO docket_texts VALUES (77, 'note', 's', 'n')"}},
	{"a checkpoint edited", []string{"UPDATE docket_checkpoints SET note = note || 'x' WHERE size = 10"}},
	{"a checkpoint deleted", []string{"DELETE FROM docket_checkpoints WHERE size = 10"}},
	{"the first checkpoint deleted", []string{"DELETE FROM docket_checkpoints WHERE size = 0"}},
	{"the newest checkpoint deleted", []string{"DELETE FROM docket_checkpoints WHERE size = 12"}},
	{"the newest checkpoint edited", []string{"UPDATE docket_checkpoints SET note = replace(note, x'0a' || '12' || x'0a', x'0a' || '13' || x'0a') WHERE size = 12"}},
	{"the newest checkpoint of another origin", []string{"UPDATE docket_checkpoints SET note = 'docket/zz' || substr(note, 10) WHERE size = 12"}},
	{"all checkpoints deleted", []string{"DELETE FROM docket_checkpoints"}},
	{"a deleted tail", []string{
		"DELETE FROM trade_agreement_amendment_enforcement_records WHERE sequence >= 10",
		"DELETE FROM trade_challenge_appeal_enforcement_records WHERE sequence >= 10", "DELETE FROM docket_log WHERE position >= 10",
		"DELETE FROM docket_texts WHERE owner >= 10 AND member = 'note'",
		"DELETE FROM docket_log_hashes WHERE position >= 18", "DELETE FROM docket_checkpoints WHERE size > 10",
	}},
	{"the key deleted", []string{"DELETE FROM docket_meta WHERE name = 'verifierKey'"}},
	{"the key edited", []string{"UPDATE docket_meta SET value = 'PUBLIC' WHERE name = 'verifierKey'"}},
	{"the origin edited", []string{"UPDATE docket_meta SET value = 'docket/ffff' WHERE name = 'origin'"}},
	{"a fact that docket did not write", []string{"INSERT INTO docket_meta VALUES ('more', 'x')"}},
	{"the number of the schema edited", []string{"UPDATE docket_meta SET value = '0' WHERE name = 'schemaVersion'"}},
	{"a packet that nobody judged edited", []string{"UPDATE trade_appeal_cases SET document = replace(document, 'item-', 'itex-') WHERE caseId = 'case-5'"}},
	{"a packet that nobody judged removed", []string{"DELETE FROM trade_appeal_cases WHERE caseId = 'case-5'"}},
	{"the time edited at which a packet came in", []string{"UPDATE docket_log SET at = '2026-03-01T11:00:00.000Z' WHERE subject = 'case-5 1'"}},
	{"the row of a packet in the log deleted", []string{"DELETE FROM docket_log WHERE subject = 'case-5 1'"}},
	{"a packet filed under another id", []string{"UPDATE docket_log SET subject = 'case-6 1' WHERE subject = 'case-5 1'"}},
	{"a packet filed as a record", []string{"UPDATE docket_log SET kind = 'record' WHERE subject = 'case-5 1'"}},
	{"a packet that was judged edited", []string{"UPDATE trade_appeal_cases SET document = replace(document, 'item-', 'itex-') WHERE caseId = 'case-1'"}},
	{"a salt edited", []string{"UPDATE docket_texts SET salt = 'othersaltothersaltothersalt' WHERE owner = 9 AND member = 'packetDigest'"}},
	{"a salt removed", []string{"DELETE FROM docket_texts WHERE owner = 9 AND member = 'packetDigest'"}},
	{"a key listed for a reviewer who never signed", []string{"INSERT INTO docket_signers (reviewerId, fingerprint, publicKey, since) SELECT 'rev-other', fingerprint, publicKey, since FROM docket_signers"}},
	{"a token in a console's store", []string{"INSERT INTO docket_tokens VALUES (0, 'given', 't', zeroblob(32), 'p', 'neutral_reviewer', '[]', " +
		"'2026-03-01T12:00:00Z', '2027-03-01T12:00:00Z')"}},
	{"a place to pull from without a service", []string{"INSERT INTO docket_local VALUES (0, 'pull', '', '', '', 0, 'x', '2026-03-01T12:00:00Z')"}},
	{"a packet removed with its row of the log", []string{"DELETE FROM trade_appeal_cases WHERE caseId = 'case-5'",
		"DELETE FROM docket_log WHERE subject = 'case-5 1'"}},
	{"a packet before the first", []string{"INSERT INTO trade_appeal_cases (position, document) SELECT -9223372036854775808, replace(document, 'case-5', 'case-77') " +
		"FROM trade_appeal_cases WHERE caseId = 'case-5'"}},
	{"texts of no packet", []string{"INSERT INTO docket_texts SELECT 77, member, salt, text FROM docket_texts WHERE member = 'texts' LIMIT 1"}},
	{"a text of no member", []string{"INSERT INTO docket_texts VALUES (1, 'other', 's', 't')"}},
	{"a text beside a salt", []string{"UPDATE docket_texts SET text = 't' WHERE owner = 9 AND member = 'packetDigest'"}},
	{"a salt beside the texts of a packet", []string{"UPDATE docket_texts SET salt = 's' WHERE owner = 3 AND member = 'texts'"}},
	{"a rejection before the first", []string{"INSERT INTO docket_handin_rejections VALUES (-7, 0, '', 'x', '', '2026-03-01T12:00:00Z')"}},
	{"a row of the log before the first", []string{"INSERT INTO docket_log SELECT -2, kind, tableName, 'x', -2, at, leafHash, body, signature FROM docket_log WHERE position = 9"}},
	{"another number of a record", []string{"UPDATE docket_log SET number = 77 WHERE position = 9"}},
	{"a hash before the first", []string{"INSERT INTO docket_log_hashes VALUES (-3, zeroblob(32))"}},
	{"a checkpoint of more records than there are", []string{"INSERT INTO docket_checkpoints SELECT 13, note FROM docket_checkpoints WHERE size = 12"}},
	{"a checkpoint of many more records", []string{"INSERT INTO docket_checkpoints VALUES (99, 'no checkpoint')"}},
	{"a checkpoint of fewer than no records", []string{"INSERT INTO docket_checkpoints SELECT -5, note FROM docket_checkpoints WHERE size = 10"}},
	{"a forged number", []string{"INSERT INTO docket_texts VALUES (9000000000000000000, 'note', 's', 'n')"}},
	{"a packet that nobody judged edited to no UTF-8", []string{"UPDATE trade_appeal_cases SET document = CAST(replace(CAST(document AS BLOB), CAST('case-5' AS BLOB), x'636173652dff') AS TEXT) WHERE caseId = 'case-5'"}},
	{"a packet filed in another table", []string{"INSERT INTO trade_agreement_amendment_records (position, document) SELECT position, replace(document, 'caseId', 'amendmentId') FROM trade_appeal_cases WHERE caseId = 'case-5'"}},
}

// copiedStore copies the files of a closed store, its anchor included, into a folder of their own.
func copiedStore(t testing.TB, o Options) Options {
	t.Helper()
	ofFile(t, o.Path)
	original, folder := filepath.Dir(filepath.Dir(o.Path)), filepath.Join(t.TempDir(), "copy")
	must(t, os.CopyFS(folder, os.DirFS(original)))
	o.Path, o.AnchorFolder = folder+strings.TrimPrefix(o.Path, original), folder+strings.TrimPrefix(o.AnchorFolder, original)
	return o
}

// drawn matches what differs each time: the ids of records and the name of the log.
var drawn = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|docket/[0-9a-f]{16}`)

func TestARowOfTheLogThatIsNoneIsDamageToWhoeverListsRecords(t *testing.T) {
	t.Parallel()
	for id, edit := range map[string]string{
		"before": "INSERT INTO docket_log SELECT -2, kind, tableName, 'before', 99, at, leafHash, body, signature FROM docket_log WHERE position = 9",
		"table":  "UPDATE docket_log SET tableName = 'docket_log', subject = 'table' WHERE position = 9",
		"hash":   "UPDATE docket_log SET leafHash = substr(leafHash, 17), subject = 'hash' WHERE position = 9",
	} {
		d, _ := anchoredFixture(t)
		s := d.forged("PRAGMA ignore_check_constraints = 1", edit)
		wantErr(t, id, errOf(s.Records(t.Context(), 0, AllRecords)), ErrDamaged, " of the log")
		wantErr(t, id, errOf(s.Record(t.Context(), records.RecordID(id))), ErrDamaged)
	}
	d, _ := anchoredFixture(t)
	s := d.forged("DELETE FROM docket_log WHERE number = 0")
	rest := need(s.Records(t.Context(), 0, AllRecords))(t)
	if list := s.Findings(); len(rest) == 0 || !slices.ContainsFunc(list, func(f verify.Finding) bool { return f.Code == verify.RecordMissing }) {
		t.Errorf("a row that is gone: %d records, %v", len(rest), list)
	}
}

var update = flag.Bool("update", false, "write the list of forgeries, and what is found in edited stores")

// forgeryClasses says to which class a forgery belongs, by the table whose rows it changes first.
var forgeryClasses = map[string]string{
	"docket_meta": "the store's own facts", "docket_log": "the log", "docket_log_hashes": "the log", "docket_checkpoints": "checkpoints",
	terms.AppealEnforcements.String(): "records", terms.AmendmentEnforcements.String(): "records",
	"docket_signers": "keys", textsTable: "texts, notes and salts",
	terms.AppealCases.String(): "packets", terms.AppealPolicies.String(): "packets",
	terms.AmendmentRecords.String(): "packets", terms.AmendmentPolicies.String(): "packets",
	tokensTable: "rows of another kind of store", localTable: "rows of another kind of store",
	rejectionsTable: "rejections", "docket_handin_records": "records of the service's log", "docket_handin_acceptances": "receipts", "docket_handin_service": "the service's key", "docket_handin_checkpoints": "the service's checkpoints", "docket_cosignatures": "cosignatures",
	movesTable: "the move to a database", receivedTable: "receipts", formersTable: "packets",
}

var editedTable = regexp.MustCompile(`^(?:UPDATE|DELETE FROM|INSERT INTO) ([a-z_]+)`)

func classOf(t testing.TB, edits []string) string {
	t.Helper()
	found := editedTable.FindStringSubmatch(edits[0])
	mustNot(t, found == nil || forgeryClasses[found[1]] == "", "no class is known for %q", edits[0])
	return forgeryClasses[found[1]]
}

func words(list []verify.Finding) string {
	var all []string
	for _, kind := range codesOf(list) {
		all = append(all, "`"+kind.String()+"`")
	}
	return strings.Join(all, " ")
}

// packetForgeries are those that take a sealed packet: nobody has judged it yet, and it is no less covered than the others.
func packetForgeries(t testing.TB) []forgery {
	quoted := func(p packets.Packet) string { return "'" + strings.ReplaceAll(string(p.Document()), "'", "''") + "'" }
	resealed := (&mill{t: t}).appealCase(passing("case-5", 1).With(members{"subjectId": "item-9"}))
	added := (&mill{t: t}).appealCase(passing("case-7", 1))
	return []forgery{
		{"a packet that nobody judged edited with all of its hashes", []string{"UPDATE trade_appeal_cases SET document = " + quoted(resealed) + " WHERE caseId = 'case-5'"}},
		{"a packet added", []string{"INSERT INTO trade_appeal_cases (position, document) VALUES (12, " + quoted(added) + ")"}},
		{"a packet added before all others", []string{"INSERT INTO trade_appeal_cases (position, document) VALUES (-9223372036854775808, " + quoted(added) + ")"}},
	}
}

// newestRows are forgeries of a covered store: the newest row of each covered table is deleted.
func newestRows(t testing.TB, name string, o Options) (list []forgery) {
	s := openWith(t, o)
	rows := rowsIn(t, s)
	must(t, s.Close())
	for _, table := range coveredTables {
		if rows[table.name] > 0 {
			list = append(list, forgery{fmt.Sprintf("the newest row of `%s` deleted in %s store", table.name, name),
				[]string{fmt.Sprintf("DELETE FROM %s WHERE rowid = (SELECT max(rowid) FROM %[1]s)", table.name)}})
		}
	}
	const newest = " WHERE position = (SELECT max(position) FROM docket_log WHERE kind = 'statement')"
	list = append(list, forgery{"the newest statement deleted in " + name + " store", []string{"DELETE FROM docket_log" + newest}},
		forgery{"the newest statement edited in " + name + " store", []string{"UPDATE docket_log SET body = replace(body, 'SHA256:', 'SHA256:A')" + newest}},
		forgery{"the newest statement without signatures in " + name + " store", []string{"UPDATE docket_log SET signature = ''" + newest}},
		forgery{"the newest statement said to be a packet in " + name + " store", []string{"UPDATE docket_log SET kind = 'packet'" + newest}},
		forgery{"the newest statement once more in " + name + " store", []string{"INSERT INTO docket_log SELECT (SELECT max(position) + 1 FROM docket_log), " +
			"kind, tableName, subject, number, at, leafHash, body, signature FROM docket_log" + newest}})
	if s.options.Service {
		list = append(list, forgery{"the row deleted of where a record came from", []string{"DELETE FROM " + receivedTable}},
			forgery{"a record said to come from another log", []string{"UPDATE " + receivedTable + " SET origin = 'docket/other'"}},
			forgery{"a record said to come later in its console's log", []string{"UPDATE " + receivedTable + " SET size = size + 1"}})
	}
	return list
}

// Every forgery is found by a check of the store, and takes the store's writing away. The list says by which findings, at opening and by a
// check of all, and findings.txt what they tell.
func TestTheListOfForgeriesSaysWhatIsFound(t *testing.T) {
	t.Parallel()
	rows, told, tried := map[string][]string{}, strings.Builder{}, 0
	try := func(o Options, list []forgery) {
		for _, f := range list {
			forged := o
			if forged.Path = copied(t, o.Path, ""); o.AnchorFolder != "" {
				forged = copiedStore(t, o)
			}
			forge(t, forged.Path, f.edits...)
			s := openWith(t, forged)
			class, opens := classOf(t, f.edits), "no"
			if opening := s.Findings(); len(opening) > 0 {
				opens = words(opening)
			}
			all := proven(t, s)
			if len(all) == 0 || !s.ReadOnly() || (s.KeyFile() == "") != slices.Contains(codesOf(all), verify.KeyUnusable) {
				t.Errorf("%s: %v, read-only %v, the key's file is %q", f.name, all, s.ReadOnly(), s.KeyFile())
			}
			if o.AnchorFolder != "" {
				wantErr(t, f.name, openWith(t, forged).Backup(t.Context(), filepath.Join(t.TempDir(), "copy.db"), nil), ErrTampered)
			}
			var lines []string
			for _, f := range s.Findings() {
				if !strings.HasPrefix(f.Detail, "an earlier one of those") { // which one is kept depends on when the disk was done
					lines = append(lines, "  "+drawn.ReplaceAllString(f.String(), "…")+"\n")
				}
				wantNot(t, !strings.HasSuffix(f.Sentence(), ".") || !strings.HasSuffix(f.Code.Cure(), ".") ||
					strings.Contains(f.String(), "%!"), "it does not read well: %s %s", f, f.Code.Cure())
			}
			slices.Sort(lines)
			told.WriteString(f.name + "\n" + strings.Join(lines, ""))
			rows[class] = append(rows[class], fmt.Sprintf("| %s | %s | %s | %s |\n", class, f.name, words(all), opens))
			tried++
		}
	}
	d, o := anchoredFixture(t)
	d.close()
	try(o, append(editedStores, packetForgeries(t)...))
	answers := served(t)
	wantKinds(t, "as it was", proven(t, answers.store))
	answers.close()
	try(Options{Path: answers.store.Path(), Now: o.Now}, editedAnswers)
	cosigned := cosignedTwice(t)
	cosigned.close()
	try(Options{Path: cosigned.store.Path(), Now: o.Now}, forgedCosignatures)
	try(restoredStore(t), forgedRestores)
	stores := coveredStores(t)
	for _, name := range slices.Sorted(maps.Keys(stores)) {
		try(stores[name], newestRows(t, name, stores[name]))
	}
	table := "| class | what was forged | found by `docket verify` as | found at opening as |\n|---|---|---|---|\n"
	for _, class := range slices.Sorted(maps.Keys(rows)) {
		table += strings.Join(rows[class], "")
	}
	for file, text := range map[string]string{"forgeries.txt": table, "findings.txt": told.String()} {
		file = filepath.Join("testdata", file)
		if *update {
			must(t, os.WriteFile(file, []byte(text), 0o644))
		}
		wantNot(t, string(need(os.ReadFile(file))(t)) != text,
			"%s is not what was found; go test ./store -run ListOfForgeries -update writes it", file)
	}
	t.Logf("%d forgeries tried, all found", tried)
}
