package store

import (
	"bytes"
	"database/sql"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/terms"
	"docket/store/disk"
	"docket/store/sqlite"
	"docket/store/verify"
)

// damage closes the store, changes bytes of its file as a failing disk or an editor would, and opens it again.
func (d *fixture) damage(old, changed string) {
	d.t.Helper()
	path := d.store.Path()
	d.close()
	onRawFile(d.t, path, old, changed)
	d.store = openAt(d.t, path, noon)
}

// forged closes the store, edits its file as forge does, and opens it again.
func (d *fixture) forged(edits ...string) *Store {
	d.t.Helper()
	o := d.store.options
	d.close()
	forge(d.t, o.Path, edits...)
	d.store = openWith(d.t, o)
	return d.store
}

func onRawFile(t testing.TB, path, old, changed string) {
	t.Helper()
	content := need(os.ReadFile(path))(t)
	mustNot(t, len(old) != len(changed) || !bytes.Contains(content, []byte(old)),
		"%q is not in the file, or the damage would move what follows", old)
	must(t, os.WriteFile(path, bytes.ReplaceAll(content, []byte(old), []byte(changed)), 0o600))
}

// damages are ways to damage the document of case-1, which has the subject item-1.
var damages = map[string][2]string{
	"a document that is no longer JSON": {`"subjectId":"item-1"`, `'subjectId":"item-1"`},
	"another value":                     {`"subjectId":"item-1"`, `"subjectId":"item-2"`},
	"another key":                       {`"caseId":"case-1"`, `"caseId":"case-9"`},
}

func TestAPacketThatCannotBeReadIsShownAsThat(t *testing.T) {
	t.Parallel()
	for name, change := range damages {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			d.take(d.mill.appealCase(passing("case-1", 1).With(members{"subjectId": "item-1"})))
			d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-2", 1)))
			d.damage(change[0], change[1])
			rows := d.queue(terms.Appeals, "")
			if row := rows["case-1"]; row.Unreadable == "" || row.Gate != terms.Blocked || row.Revision != 1 {
				t.Errorf("the row is %+v", row)
			}
			wantNot(t, rows["case-2"].Gate != terms.Pass || len(rows) != 2,
				"the other row is %+v", rows["case-2"])
			mustBe(t, errOf(d.store.CaseFile(t.Context(), terms.AppealCases, "case-1", 0, terms.InstantOf(noon), "")), packets.ErrStoredPacket)
			wantKinds(t, name, d.store.Findings(), verify.PacketAltered)
			mustBe(t, errOf(d.store.Import(t.Context(), []packets.Packet{d.mill.appealCase(passing("case-3", 1))})), ErrTampered)
			importing := openAt(t, d.store.Path(), noon) // which has met nothing yet
			mustBe(t, errOf(importing.Import(t.Context(), []packets.Packet{d.mill.appealCase(passing("case-3", 1)),
				d.mill.appealCase(passing("case-1", 1).With(members{"subjectId": "item-1"}))})), packets.ErrStoredPacket)
			if rows = d.queue(terms.Appeals, ""); len(rows) != 2 {
				t.Errorf("%d rows: a packet was taken in beside the one that cannot be read", len(rows))
			}
		})
	}
}

func TestAPolicyThatCannotBeReadCountsAsMissing(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	const policy = `"policyId":"pol-appeal","policyVersion":1,"status":"fro`
	d.damage(policy+`zen"`, policy+`sen"`)
	row := d.queue(terms.Appeals, "")["case-1"]
	wantNot(t, !row.Blockers.Set.Has(terms.AppealPolicyMissing), "held by %v", row.Blockers.List())
	wantKinds(t, "the policy", d.store.Findings(), verify.PacketAltered)
}

func TestARecordThatIsNotWhatWasLoggedSaysSo(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	first := d.record("case-1", decision{outcome: terms.UpholdDecision})
	second := d.record("case-1", decision{outcome: terms.BlockReliance, supersedes: first.RecordID,
		added: []terms.Blocker{terms.ScopeMissing}})
	d.damage(`"outcome":"uphold_decision"`, `"outcome":"uphold_decisiom"`)
	logged := need(d.store.Record(t.Context(), first.RecordID))(t)
	wantNot(t, logged.Unreadable != "its bytes are not those that were logged; verify the store" || logged.Receipt != first, "%+v", logged)
	wantNot(t, logged.Record.Document() != nil, "the altered record is there to be used")
	caseFile := d.caseFile(terms.AppealCases, "case-1")
	wantNot(t, len(caseFile.Records) != 2 || caseFile.InForce != second.RecordID,
		"in force is %s of %d", caseFile.InForce, len(caseFile.Records))
}

func TestAnIndexThatDoesNotLeadToARecordIsDamage(t *testing.T) {
	t.Parallel()
	d, _ := anchoredFixture(t)
	d.close()
	db := raw(t, d.store.Path())
	pageOf := func(index string) (place int64) {
		must(t, db.QueryRow("SELECT (rootpage - 1) * 4096 FROM sqlite_schema WHERE name = ?",
			terms.AppealEnforcements.String()+index).Scan(&place))
		return place
	}
	key, other := pageOf("_key"), pageOf("_supersedes")
	must(t, db.Close())
	content := need(os.ReadFile(d.store.Path()))(t)
	copy(content[key:key+4096], content[other:])
	must(t, os.WriteFile(d.store.Path(), content, 0o600))
	s := openWith(t, d.store.options)
	wantErr(t, "the records", errOf(s.Records(t.Context(), 0, AllRecords)), ErrDamaged, "the records on case-")
	wantKinds(t, "after that", s.Findings(), verify.StructureDamaged)
}

// copied copies a store's files with a program of its own, since this process must not open them.
func copied(t testing.TB, path string, suffixes ...string) string {
	t.Helper()
	ofFile(t, path)
	target := filepath.Join(t.TempDir(), "copy.db")
	for _, suffix := range suffixes {
		out, err := exec.CommandContext(t.Context(), "cp", path+suffix, target+suffix).CombinedOutput()
		mustNot(t, err != nil, "%v: %s", err, out)
	}
	return target
}

func TestACopyOfTheFileAndItsLogHoldsWhatWasAcknowledged(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	receipt := d.record("case-1", decision{outcome: terms.UpholdDecision})
	records := wholeLog(t, openAt(t, copied(t, d.store.Path(), "", "-wal"), noon))
	wantSame(t, "the copy has", records[receipt.RecordID].Receipt, receipt)
}

func TestNoByteOfAPrivateMemberIsInAnyFile(t *testing.T) {
	const canary = "canary-7f3a9c51e2"
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	d := newFixture(t)
	private := members{"private_narrative": canary, canary: canary, "contact_data": members{"mail": []any{canary, canary}}}
	slipped := passing("case-2", 1).With(members{"remedyGap": canary + "@example.org"})
	d.take(d.mill.appealPolicy(1), d.mill.packet(terms.AppealCases, passing("case-1", 1), private))
	unredacted, fault := d.mill.reader.Read(text(t, members{"table": "trade_appeal_cases", "record": slipped}))
	mustNot(t, fault != nil, "%v", fault)
	d.take(unredacted.Redact())
	d.record("case-1", decision{outcome: terms.UpholdDecision})
	d.queue(terms.Appeals, reviewerID)
	for _, suffix := range []string{"", "-wal", "-shm"} {
		content := need(exec.CommandContext(t.Context(), "cat", d.store.Path()+suffix).Output())(t)
		mustNot(t, len(content) == 0, "%q: %d bytes", suffix, len(content))
		wantNot(t, strings.Contains(string(content), "canary"), "%q holds it", suffix)
	}
	wantSame(t, "left behind", len(need(os.ReadDir(temporary))(t)), 0)
}

func TestAPacketThatIsNoJSONIsAFinding(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	d.close()
	onRawFile(t, o.Path, `{"digests":{"record":"sha256:`, `["digests":{"record":"sha256:`)
	wantKinds(t, "no JSON", proven(t, openWith(t, o)), verify.PacketAltered, verify.StructureDamaged, verify.RootDiffers, verify.DerivedDiffers, verify.HeadNotPrefix, verify.Forked)
	err := openWith(t, o).Backup(t.Context(), filepath.Join(t.TempDir(), "copy.db"), nil)
	wantSame(t, "the backup's problem", as[*Problem](t, err).Kind, ErrTampered)
	wantNot(t, strings.Contains(err.Error(), "SQL logic"), "the backup says %v", err)
}

func TestAnImportGoesOnFromTheEndOfTheLog(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	d.close()
	again := fixtureAt(t, openWith(t, o))
	again.take(again.mill.appealCase(passing("case-8", 1)))
	wantSame(t, "results[0]", again.importing(again.mill.appealCase(passing("case-8", 1)))[0], Unchanged)
	wantKinds(t, "after another import", append(proven(t, again.store), again.store.Findings()...))
	wantSame(t, "entries", need(again.store.Head(t.Context()))(t).Size, int64(13))
}

// A part of what a store holds, as any program reads it.
type part string

const (
	logged     part = "the records, their order, signatures, signers, notes, checkpoints and key"
	schema     part = "the tables and triggers"
	packetPart part = "the packets"
)

func partQueries() map[part][]string {
	queries := map[part][]string{
		logged: {"SELECT * FROM docket_log ORDER BY position", "SELECT * FROM docket_log_hashes ORDER BY position",
			"SELECT * FROM docket_signers ORDER BY position",
			"SELECT * FROM docket_texts WHERE member <> 'texts' ORDER BY owner, member", "SELECT * FROM docket_checkpoints ORDER BY size",
			"SELECT * FROM docket_meta ORDER BY rowid"},
		schema: {"SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid", "PRAGMA user_version", "PRAGMA application_id"},
	}
	for _, table := range terms.Tables.All() {
		if terms.PacketTables.Has(table) {
			queries[packetPart] = append(queries[packetPart], fmt.Sprintf("SELECT rowid, document FROM %s NOT INDEXED ORDER BY rowid", table))
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
	flips, changes := 0, 0
	for at := 0; at < len(content); at += every {
		flipped := bytes.Clone(content)
		flipped[at] ^= 1 << (at % 8)
		must(t, os.WriteFile(path, flipped, disk.FileMode))
		found, after := isFound(t, path), contentsOf(t, path)
		for p := range before {
			wantNot(t, after[p] != before[p] && !found,
				"byte %d: a change of %s is not found", at, p)
		}
		if flips++; !maps.Equal(after, before) {
			changes++
		}
	}
	t.Logf("%d bytes flipped, of which %d changed what is kept", flips, changes)
}
