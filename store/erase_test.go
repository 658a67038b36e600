package store

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/engine"
	"docket/store/verify"
)

// The canaries stand in what is erased: each in the middle of words that no other text has.
const (
	noteCanary      = "zyqnotecanary"
	statementCanary = "zyqstatementcanary"
	textCanary      = "zyqtextcanary"
	draftCanary     = "zyqdraftcanary"
	skipCanary      = "zyqskipcanary"
)

// erasableFixture is a fixture that wrote all that can be erased.
func erasableFixture(t *testing.T) (d *fixture, path string, record records.Receipt) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "docket.db")
	d, record = erasableFixtureAt(t, Options{Path: path, Now: func() time.Time { return noon.Add(time.Second) }})
	return d, path, record
}

// afterErasures are the options of an anchored store whose clock is after the erasures of erasableFixtureAt.
func afterErasures(t testing.TB) Options {
	o := anchoredOptions(t)
	o.Now = func() time.Time { return noon.Add(time.Second) }
	return o
}

// reopened is the store at a path, a minute later.
func reopened(t testing.TB, path string) *Store {
	t.Helper()
	return openWith(t, Options{Path: path, Existing: true, Now: func() time.Time { return noon.Add(time.Minute) }})
}

func erasableFixtureAt(t *testing.T, o Options) (d *fixture, record records.Receipt) {
	t.Helper()
	d = fixtureAt(t, openWith(t, o))
	evidence := members{"items": []string{"ev-1"}, "statement": "Some " + textCanary + " words."}
	d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-1", 1).With(members{"evidenceScope": evidence})), d.mill.appealCase(passing("case-2", 1)))
	record = d.record("case-1", decision{outcome: terms.UpholdDecision, note: records.Note{Salt: "notesaltnotesaltnotesalt", Text: "A " + noteCanary + "."},
		statement: records.Statement{Salt: "statementsaltstatementsalt", Text: "The " + statementCanary + " says so."}})
	d.record("case-2", decision{outcome: terms.UpholdDecision})
	draft := begun
	draft.Note = "a " + draftCanary
	must(t, d.store.SaveDraft(t.Context(), reviewerID, terms.AppealCases, packets.Key{ID: "case-1", Number: 1}, draft))
	must(t, d.store.Skip(t.Context(), reviewerID, terms.AppealCases, packets.Key{ID: "case-1", Number: 1}, "a "+skipCanary))
	return d, record
}

// erasuresOf are all that a fixture can erase of what erasableFixture wrote.
func erasuresOf(record records.RecordID) []records.Erasure {
	key := packets.Key{ID: "case-1", Number: 1}
	return []records.Erasure{
		{What: records.ErasableNote, Record: record, Reason: records.ErasedMistake},
		{What: records.ErasableStatement, Record: record, Reason: records.ErasedOnRequest},
		{What: records.ErasableTexts, Table: terms.AppealCases, Key: key, Reason: records.ErasedPrivateDetail},
		{What: records.ErasableDraft, Table: terms.AppealCases, Key: key, Reason: records.ErasedMistake},
		{What: records.ErasableSkip, Table: terms.AppealCases, Key: key, Reason: records.ErasedMistake},
	}
}

func (d *fixture) statedErasure(e records.Erasure) signed.Statement {
	d.t.Helper()
	plan := need(d.store.PlanErasure(d.t.Context(), e, d.reviewer))(d.t)
	plan.Due.At, plan.Due.By, plan.Due.KeyFingerprint = terms.InstantOf(d.clock), d.reviewer.ID, d.reviewer.KeyFingerprint
	return d.signed(plan.Due)
}

func (d *fixture) signed(statement records.LogStatement) signed.Statement {
	d.t.Helper()
	return signed.Statement{Text: statement.Text(), Signature: sign(d.t, d.key, []byte(statement.Text()), records.LogStatementNamespace)}
}

func (d *fixture) erase(e records.Erasure) {
	d.t.Helper()
	must(d.t, d.store.Erase(d.t.Context(), d.statedErasure(e)))
}

func rawBytes(t testing.TB, path string) []byte {
	t.Helper()
	ofFile(t, path)
	var all []byte
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		content, err := os.ReadFile(name)
		mustNot(t, err != nil && !errors.Is(err, os.ErrNotExist), "%v", err)
		all = append(all, content...)
	}
	return all
}

var canaries = []string{noteCanary, statementCanary, textCanary, draftCanary, skipCanary}

func TestNoErasedByteIsLeftAndTheLogVerifies(t *testing.T) {
	t.Parallel()
	d, path, record := erasableFixture(t)
	for _, canary := range canaries {
		mustNot(t, !bytes.Contains(rawBytes(t, path), []byte(canary)), "%s was not written", canary)
	}
	for _, e := range erasuresOf(record.RecordID) {
		d.erase(e)
	}
	must(t, d.store.Scrub(t.Context()))
	copied := filepath.Join(t.TempDir(), "copy.db")
	must(t, d.store.Backup(t.Context(), copied, nil))
	for _, canary := range append(canaries, "notesaltnotesalt", "statementsaltstatementsalt") {
		wantNot(t, bytes.Contains(rawBytes(t, path), []byte(canary)),
			"%s is left in the file or beside it", canary)
		wantNot(t, bytes.Contains(rawBytes(t, copied), []byte(canary)),
			"%s is left in a backup", canary)
	}
	report := need(d.store.Verify(t.Context(), verify.Options{}))(t)
	mustNot(t, !report.OK(), "%v", report.Findings)
	wantSame(t, "erasures are listed", statedErasures(&report), len(canaries))
	wantKinds(t, "the backup", proven(t, reopened(t, copied)))
	caseFile := d.caseFile(terms.AppealCases, "case-1")
	wantText(t, "it is shown as", string(caseFile.View.Document()), "[erased on 2026-03-01, private detail]")
	wantErr(t, "the note", errOf(noteOf(d.store, record.RecordID)), engine.ErrNoRow)
}

func TestARevisionWithoutItsTextsTakesBlockedRecordsOnly(t *testing.T) {
	t.Parallel()
	d, _, record := erasableFixture(t)
	before := d.submission("case-1", decision{outcome: terms.UpholdDecision, supersedes: record.RecordID})
	d.erase(erasuresOf(record.RecordID)[2])
	wantErr(t, "a pass is recorded", errOf(d.store.Append(t.Context(), before)), records.ErrRefused, "erased")
	now := d.caseFile(terms.AppealCases, "case-1")
	wantFailure(t, "a pass may be recorded", records.MayRecord(&now.View, d.reviewer, 0))
	blocked := d.decide(&now.View, decision{outcome: terms.BlockReliance, added: []terms.Blocker{terms.ScopeMissing}, supersedes: record.RecordID})
	wantErr(t, "a blocked record is refused", errOf(d.store.Append(t.Context(), blocked)), nil)
	wantKinds(t, "afterwards", proven(t, d.store))
}

// erasedRows select the rows that a statement can erase.
var erasedRows = map[records.Erasable]string{records.ErasableNote: "owner = 3 AND member = 'note'", records.ErasableStatement: "owner = 3 AND member = 'statement'",
	records.ErasableTexts: "owner = 1 AND member = 'texts'"}

func TestADeletionWithoutAStatementIsFoundAndCanBeStated(t *testing.T) {
	t.Parallel()
	for what, want := range map[records.Erasable]verify.Code{records.ErasableNote: verify.NoteAltered, records.ErasableStatement: verify.TextMissing,
		records.ErasableTexts: verify.TextMissing} {
		t.Run(what.String(), func(t *testing.T) {
			d, path, record := erasableFixture(t)
			where := textsTable + " WHERE " + erasedRows[what]
			_, err := d.writer().Exec("DELETE FROM main." + where)
			mustNot(t, err == nil, "the trigger lets a row go")
			found := proven(t, d.forged("DELETE FROM "+where))
			mustNot(t, len(found) == 0 || !strings.Contains(found[0].Code.Cure(), "docket erase"),
				"%v", found)
			for _, f := range found {
				wantSame(t, "f.Code", f.Code, want)
			}
			d.close()
			d.store = reopened(t, path)
			for _, e := range erasuresOf(record.RecordID)[:3] {
				if e.What == what {
					d.erase(e)
				}
			}
			wantKinds(t, "after it was stated", proven(t, d.store))
		})
	}
}

func TestAForgedErasureIsFound(t *testing.T) {
	t.Parallel()
	d, path, record := erasableFixture(t)
	e := erasuresOf(record.RecordID)[0]
	forged := d.statedErasure(e)
	must(t, d.store.db.UpdateOnce(t.Context(), func(ctx context.Context, tx engine.Tx) error { return d.store.state(ctx, tx, forged) }))
	d.close()
	onFile(t, path, "DELETE FROM docket_texts WHERE "+erasedRows[records.ErasableNote])
	s := reopened(t, path)
	wantKinds(t, "a statement that the log did not sign", proven(t, s), verify.LogStatementAltered, verify.NoteAltered)
}

func TestAnotherKeyErasesNothing(t *testing.T) {
	t.Parallel()
	d, _, record := erasableFixture(t)
	e := erasuresOf(record.RecordID)[0]
	other := d.reviewer
	other.KeyFingerprint = "SHA256:other"
	mustBe(t, errOf(d.store.PlanErasure(t.Context(), e, other)), records.ErrRefused)
	for _, missing := range []records.Erasure{
		{What: records.ErasableNote, Record: newRecordID(noon), Reason: records.ErasedMistake},
		{What: records.ErasableTexts, Table: terms.AppealCases, Key: packets.Key{ID: "case-9", Number: 1}, Reason: records.ErasedMistake},
		{What: records.ErasableDraft, Table: terms.AppealCases, Key: packets.Key{ID: "case-2", Number: 1}, Reason: records.ErasedMistake},
	} {
		wantErr(t, missing, errOf(d.store.PlanErasure(t.Context(), missing, d.reviewer)), ErrNotFound)
	}
	stale := d.statedErasure(e)
	d.record("case-2", decision{outcome: terms.UpholdDecision, supersedes: d.caseFile(terms.AppealCases, "case-2").InForce})
	wantErr(t, "a statement of an earlier log", d.store.Erase(t.Context(), stale), records.ErrRefused)
}

// After a backup from before was put back with its statements, what they name is erased again.
func TestKeptStatementsEraseAgain(t *testing.T) {
	t.Parallel()
	d, path, record := erasableFixture(t)
	e := erasuresOf(record.RecordID)[2]
	var side, salt string
	must(t, d.reader().QueryRow("SELECT text FROM main.docket_texts WHERE "+erasedRows[records.ErasableTexts]).Scan(&side))
	must(t, d.reader().QueryRow("SELECT salt FROM main.docket_texts WHERE owner = 3 AND member = 'packetDigest'").Scan(&salt))
	d.erase(e)
	d.forged("INSERT INTO docket_texts VALUES (1, 'texts', '', '" + side + "'), (3, 'packetDigest', '" + salt + "', '')")
	count, err := d.store.EraseAgain(t.Context())
	mustNot(t, count != 1 || err != nil, "%d, %v", count, err)
	must(t, d.store.Scrub(t.Context()))
	wantNot(t, bytes.Contains(rawBytes(t, path), []byte(textCanary)), "the text is back")
	wantKinds(t, "afterwards", proven(t, d.store))
}

func statedErasures(report *verify.Report) (count int) {
	for i := range report.Accepted {
		if report.Accepted[i].Kind == records.Erased {
			count++
		}
	}
	return count
}
