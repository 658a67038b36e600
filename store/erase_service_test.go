package store

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/merkle"
	"docket/store/verify"
)

// textsOfCase1 is the erasure of the texts of the first revision of case-1.
var textsOfCase1 = records.Erasure{What: records.ErasableTexts, Table: terms.AppealCases, Key: packets.Key{ID: "case-1", Number: 1}, Reason: records.ErasedPrivateDetail, Rest: terms.HashOf(nil)}

// erasingService is a service with an operator, who is the fixture's reviewer, and with case-1, whose text holds a canary.
func erasingService(t *testing.T) (d *fixture, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "service.db")
	d = fixtureAt(t, openWith(t, Options{Path: path, Service: true, Now: func() time.Time { return noon }}))
	d.register()
	d.nameOperator()
	evidence := members{"items": []string{"ev-1"}, "statement": "Some " + textCanary + " words."}
	d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-1", 1).With(members{"evidenceScope": evidence})), d.mill.appealCase(passing("case-2", 1)))
	return d, path
}

func consoleOf(t *testing.T, service *fixture) *fixture {
	t.Helper()
	d := fixtureAt(t, openWith(t, Options{Path: filepath.Join(t.TempDir(), "docket.db"), Now: func() time.Time { return noon.Add(time.Second) }}))
	must(t, d.bind(need(service.store.Verifier(t.Context()))(t)))
	statements := need(service.store.ServiceStatements(t.Context()))(t)
	need(d.store.KeepOperators(t.Context(), statements))(t)
	return d
}

// pages are the packets and erasures after a cursor.
func pages(t *testing.T, service *fixture, after string) Page {
	t.Helper()
	page := need(service.store.Page(t.Context(), assignedRights, after, 9))(t)
	mustNot(t, page.More, "more %v", page.More)
	return page
}

func (p *Page) read(t *testing.T) (list []packets.Packet) {
	t.Helper()
	var reader packets.Reader
	for _, document := range p.Packets {
		packet := need(reader.ReadStored(document))(t)
		list = append(list, packet)
	}
	return list
}

func TestAServiceLeavesNoErasedByteAndOnlyItsOperatorErases(t *testing.T) {
	t.Parallel()
	service, path := erasingService(t)
	other := service.reviewer
	other.KeyFingerprint = "SHA256:other"
	wantErr(t, "another key", errOf(service.store.PlanErasure(t.Context(), textsOfCase1, other)), records.ErrRefused)
	before := filepath.Join(t.TempDir(), "before.db")
	must(t, service.store.Backup(t.Context(), before, nil))
	mustNot(t, !bytes.Contains(rawBytes(t, before), []byte(textCanary)), "the text was not written")
	service.erase(textsOfCase1)
	must(t, service.store.Scrub(t.Context()))
	after := filepath.Join(t.TempDir(), "after.db")
	must(t, service.store.Backup(t.Context(), after, nil))
	for _, file := range []string{path, after} {
		wantNot(t, bytes.Contains(rawBytes(t, file), []byte(textCanary)),
			"it is left in %s or beside it", filepath.Base(file))
	}
	wantKinds(t, "afterwards", proven(t, service.store))
}

func TestAConsoleTakesWhatTheServiceErasedAsErased(t *testing.T) {
	t.Parallel()
	service, _ := erasingService(t)
	service.erase(textsOfCase1)
	page := pages(t, service, "")
	mustNot(t, len(page.Erasures) != 1, "%d erasures", len(page.Erasures))
	console := consoleOf(t, service)
	list := page.read(t)
	wantSame(t, "without the statement", console.importing(list...)[1], Conflict)
	for range 2 {
		must(t, console.store.KeepErasures(t.Context(), page.Erasures))
	}
	got := console.importing(list...)
	wantNot(t, got[1] != Imported || got[2] != Unchanged, "with the statement: %v", got)
	shown := console.caseFile(terms.AppealCases, "case-1")
	wantText(t, "it is shown as", string(shown.View.Document()), "[erased on 2026-03-01, private detail]")
	wantFailure(t, "a pass may be recorded", records.MayRecord(&shown.View, console.reviewer, 0))
	console.record("case-1", decision{outcome: terms.BlockReliance, added: []terms.Blocker{terms.ScopeMissing}})
	left := need(console.store.ErasedElsewhere(t.Context()))(t)
	wantNot(t, len(left) > 0, "%v is said to be here", left)
	plan := need(console.store.PlanErasure(t.Context(), textsOfCase1, console.reviewer))(t)
	wantNot(t, plan.Before == nil, "it could be erased once more: %+v", plan)
	wantKinds(t, "afterwards", proven(t, console.store))
}

// What a console has stays until somebody erases it there, and every check says so until then.
func TestAConsoleIsToldWhatTheServiceErasedAndErasesItItself(t *testing.T) {
	t.Parallel()
	service, _ := erasingService(t)
	first := pages(t, service, "")
	console := consoleOf(t, service)
	console.importing(first.read(t)...)
	passed := console.record("case-1", decision{outcome: terms.UpholdDecision})
	service.erase(textsOfCase1)
	next := pages(t, service, first.Cursor)
	mustNot(t, len(next.Erasures) != 1 || len(next.Packets) != 0,
		"%d erasures, %d packets", len(next.Erasures), len(next.Packets))
	wantSame(t, "an erasure comes twice", len(pages(t, service, next.Cursor).Erasures), 0)
	must(t, console.store.KeepErasures(t.Context(), next.Erasures))
	wantKinds(t, "before it is erased here", proven(t, console.store))
	left := need(console.store.ErasedElsewhere(t.Context()))(t)
	mustNot(t, len(left) != 1, "%v", left)
	if shown := console.caseFile(terms.AppealCases, "case-1"); !strings.Contains(string(shown.View.Document()), textCanary) {
		t.Error("the text went by itself")
	}
	console.erase(textsOfCase1)
	left = need(console.store.ErasedElsewhere(t.Context()))(t)
	wantNot(t, len(left) > 0, "after it was erased here: %v", left)
	console.record("case-1", decision{outcome: terms.BlockReliance, added: []terms.Blocker{terms.ScopeMissing}, supersedes: passed.RecordID})
	wantKinds(t, "afterwards", proven(t, console.store))
}

// The statement of the service excuses texts that never came, and nothing that the console had.
func TestTheStatementOfTheServiceHidesNoDeletionAtTheConsole(t *testing.T) {
	t.Parallel()
	service, _ := erasingService(t)
	first := pages(t, service, "")
	console := consoleOf(t, service)
	console.importing(first.read(t)...)
	console.record("case-1", decision{outcome: terms.UpholdDecision})
	service.erase(textsOfCase1)
	must(t, console.store.KeepErasures(t.Context(), pages(t, service, "").Erasures))
	s := console.forged("DELETE FROM docket_texts WHERE member IN ('texts', 'packetDigest')")
	wantKinds(t, "a deletion at the console", proven(t, s), verify.ChoiceNotPermitted, verify.TextMissing)
}

func TestAStatementThatTheServiceDidNotSignErasesNothing(t *testing.T) {
	t.Parallel()
	service, _ := erasingService(t)
	service.erase(textsOfCase1)
	page := pages(t, service, "")
	console := consoleOf(t, service)
	own := signed.Statement{Text: page.Erasures[0].Text, Signature: page.Erasures[0].Signature, LogSignature: []byte("— x AAAA\n")}
	bare := own
	bare.LogSignature = nil
	other, _ := erasingService(t)
	other.erase(textsOfCase1)
	for name, statement := range map[string]signed.Statement{"forged": own, "unsigned": bare, "of another service": pages(t, other, "").Erasures[0]} {
		wantErr(t, name, console.store.KeepErasures(t.Context(), []signed.Statement{statement}), records.ErrLogStatement)
	}
	reader := newKey(t, 9)
	need(service.store.AddKey(t.Context(), reviewerID, signed.AuthorizedKey(reader.PublicKey())))(t)
	registered := need(service.store.Registrations(t.Context(), reviewerID))(t)
	wantErr(t, "another kind", console.store.KeepErasures(t.Context(), registered), records.ErrLogStatement)

	wantSame(t, "got[1]", console.importing(page.read(t)...)[1], Conflict)
}

func TestAnErasureComesToThoseWhoMaySeeTheCase(t *testing.T) {
	t.Parallel()
	service, _ := erasingService(t)
	service.erase(textsOfCase1)
	other := Permissions{ID: "rev-other", Role: terms.NeutralReviewer}
	page, err := service.store.Page(t.Context(), other, "", 9)
	mustNot(t, err != nil || len(page.Erasures) != 0 || len(page.Packets) != 1,
		"%d erasures, %d packets, %v", len(page.Erasures), len(page.Packets), err)
	service.take(service.mill.appealCase(passing("case-1", 2).With(members{"neutralReview": review("rev-other")})))
	page, err = service.store.Page(t.Context(), other, page.Cursor, 9)
	wantNot(t, err != nil || len(page.Erasures) != 1 || len(page.Packets) != 2,
		"%d erasures, %d packets, %v", len(page.Erasures), len(page.Packets), err)
	alone := need(service.store.Packet(t.Context(), other, "case-1"))(t)
	wantSame(t, "erasures", len(alone.Erasures), 1)
}

// restoredErasures is a fixture that erased all that it can, lost its disk and is restored from a backup from before.
func restoredErasures(t *testing.T) (d *fixture, o Options, backup string, record records.Receipt) {
	t.Helper()
	o = afterErasures(t)
	d, record = erasableFixtureAt(t, o)
	backup = d.backup()
	for _, e := range erasuresOf(record.RecordID) {
		d.erase(e)
	}
	d.lost(true)
	return d, o, backup, record
}

func TestARestoreAppliesWhatWasErasedAgain(t *testing.T) {
	t.Parallel()
	d, o, backup, _ := restoredErasures(t)
	for _, canary := range canaries {
		mustNot(t, !bytes.Contains(rawBytes(t, backup), []byte(canary)),
			"%s is not in the backup", canary)
	}
	for turn := range 2 { // the second restore of the same backup finds what the first one stated, too
		if turn > 0 {
			d.lost(true)
		}
		d.restored(backup, o)
		for _, canary := range canaries {
			wantNot(t, bytes.Contains(rawBytes(t, o.Path), []byte(canary)),
				"restore %d: %s is back", turn, canary)
		}
		report := need(d.store.Verify(t.Context(), verify.Options{}))(t)
		mustNot(t, !report.OK(), "restore %d: %v", turn, report.Findings)
		wantSame(t, turn, statedErasures(&report), len(canaries))
	}
}

// exported is what an export of the fixture's store would say of its log.
func (d *fixture) exported() RestoreExport {
	d.t.Helper()
	report := need(d.store.Verify(d.t.Context(), verify.Options{}))(d.t)
	mustNot(d.t, !report.Sound(), "%v", report.Findings)
	return RestoreExport{Name: "kept", Lineage: report.Lineage, Accepted: report.Accepted}
}

// Without what this machine kept, an export says what was erased: in the log of the backup, and in one that went on from it.
func TestARestoreTakesErasuresFromAnExport(t *testing.T) {
	t.Parallel()
	o := afterErasures(t)
	d, record := erasableFixtureAt(t, o)
	backup := d.backup()
	list := erasuresOf(record.RecordID)
	d.erase(list[0])
	first := d.exported()
	d.lost(false) // the key of the log is at hand, and vouches for the restore
	d.restored(backup, o)
	for _, e := range list[1:] {
		d.erase(e)
	}
	second := d.exported()
	forget := func() {
		t.Helper()
		d.lost(true)
		must(t, os.RemoveAll(o.AnchorFolder))
	}
	count := func(exports ...RestoreExport) (back int) {
		t.Helper()
		d.restored(backup, o, exports...)
		for _, canary := range canaries {
			if bytes.Contains(rawBytes(t, o.Path), []byte(canary)) {
				back++
			}
		}
		found := proven(t, d.store)
		wantNot(t, len(found) > 0, "%v", found)
		forget()
		return back
	}
	forget()
	for name, c := range map[string]struct {
		exports []RestoreExport
		back    int
	}{
		"none":      {nil, len(canaries)},
		"the first": {[]RestoreExport{first}, len(canaries) - 1},
		"the later": {[]RestoreExport{second}, 0},
		"both":      {[]RestoreExport{second, first}, 0},
	} {
		wantSame(t, name, count(c.exports...), c.back)
	}
	unproven := second
	unproven.Lineage = slices.Clone(second.Lineage)
	unproven.Lineage[0].SignedByLog = false
	other := RestoreExport{Name: "other", Lineage: verify.Lineage{{Origin: "docket/0000000000000000", Key: first.Lineage[0].Key}}}
	anotherKey := RestoreExport{Name: "key", Lineage: verify.Lineage{{Origin: first.Lineage[0].Origin, Key: second.Lineage[1].Key}}}
	for _, export := range []RestoreExport{unproven, other, anotherKey, {}} {
		wantErr(t, export.Name, errOf(PrepareRestore(t.Context(), RestoreOptions{Source: backup, Target: o.Path, AnchorFolder: o.AnchorFolder, Reason: records.StoreLost, Exports: []RestoreExport{export}})), records.ErrRefused)
	}
}

func TestARestoreSaysWhatItErasesAgainAndWantsEachSigned(t *testing.T) {
	t.Parallel()
	d, o, backup, _ := restoredErasures(t)
	prepare := func() *Restore {
		t.Helper()
		r := need(PrepareRestore(t.Context(), RestoreOptions{Source: backup, Target: o.Path, AnchorFolder: o.AnchorFolder, Reason: records.StoreLost}))(t)
		t.Cleanup(func() { _ = r.Close() })
		return r
	}
	r := prepare()
	mustNot(t, len(r.Erasures) != len(canaries), "%d erasures", len(r.Erasures))
	for _, again := range r.Erasures {
		wantNot(t, !again.Held, "%v is not held", again.Was.Found)
	}
	one := []signed.Statement{d.stated(r.Erasures[0].Due, nil)}
	other := d.stated(r.Erasures[0].Due, func(s *records.LogStatement) { s.Found[len(s.Found)-1] = records.ErasedTimeLimit.String() })
	for name, list := range map[string][]signed.Statement{"none": nil, "one": one, "another": {other, other, other, other, other}} {
		wantErr(t, name, r.Make(t.Context(), d.stated(r.Statement, nil), list...), records.ErrRefused)
		wantErr(t, name, errOf(os.Stat(o.Path)), os.ErrNotExist)
	}
}

func TestARestoreIsRefusedOverAKeptErasureThatIsNone(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func([]byte) []byte{
		"garbage":      func([]byte) []byte { return []byte("{") },
		"another word": func(b []byte) []byte { return bytes.Replace(b, []byte("private_detail"), []byte("by_mistake"), 1) },
	} {
		_, o, backup, _ := restoredErasures(t)
		files := need(filepath.Glob(filepath.Join(o.AnchorFolder, "*", "erasures", "*")))(t)
		mustNot(t, len(files) != len(canaries), "%d files", len(files))
		for _, file := range files {
			must(t, os.WriteFile(file, change(need(os.ReadFile(file))(t)), 0o600))
		}
		wantErr(t, name, errOf(PrepareRestore(t.Context(), RestoreOptions{Source: backup, Target: o.Path, AnchorFolder: o.AnchorFolder, Reason: records.StoreLost})), records.ErrRefused)
	}
}

// What was erased and is not in the backup does not come back by another way: neither with a packet that is imported again, nor with a
// record that is handed in again.
func TestWhatARestoreLostComesBackWithoutWhatWasErased(t *testing.T) {
	t.Parallel()
	d := serviceFixture(t)
	o := d.store.options
	d.register()
	d.nameOperator()
	d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-2", 1)))
	backup := d.backup()
	evidence := members{"items": []string{"ev-1"}, "statement": "Some " + textCanary + " words."}
	late := d.mill.appealCase(passing("case-1", 1).With(members{"evidenceScope": evidence}))
	d.take(late)
	passed := d.judged("case-1", decision{})
	passed.Acknowledged = d.acknowledged(passed)
	reasoned := d.judged("case-2", decision{statement: records.Statement{Salt: "statementsaltstatementsalt", Text: "The " + statementCanary + " says so."}})
	reasoned.Acknowledged = d.acknowledged(reasoned)
	id := reasoned.Record.Members().RecordID
	d.erase(records.Erasure{What: records.ErasableStatement, Record: id, Reason: records.ErasedOnRequest})
	d.erase(records.Erasure{What: records.ErasableTexts, Table: terms.AppealCases, Key: packets.Key{ID: "case-1", Number: 1}, Reason: records.ErasedByOrder})
	d.lost(true)
	d.restored(backup, o)
	d.take(late)
	taken := d.handIn(reasoned)
	wantNot(t, taken.Again, "the record was not lost")
	for _, canary := range []string{textCanary, statementCanary} {
		wantNot(t, bytes.Contains(rawBytes(t, o.Path), []byte(canary)), "%s is back", canary)
	}
	// Nobody can read any more what this one passed.
	mustBe(t, d.refusing(passed), ErrSetback)
	wantKinds(t, "afterwards", proven(t, d.store))
}

func TestAnErasureThatCannotBeKeptOutsideTheStoreIsTold(t *testing.T) {
	t.Parallel()
	o := afterErasures(t)
	d, record := erasableFixtureAt(t, o)
	head := need(d.store.Head(t.Context()))(t)
	place := filepath.Join(o.AnchorFolder, merkle.FileName(head.Origin), "erasures")
	must(t, os.WriteFile(place, nil, 0o600))
	list := erasuresOf(record.RecordID)
	wantFailure(t, "it is not told", d.store.Erase(t.Context(), d.statedErasure(list[0])))
	must(t, os.Remove(place))
	d.erase(list[1]) // the next one keeps both
	wantSame(t, "are kept", len(need(merkle.ReadErasures(o.AnchorFolder, head.Origin))(t)), 2)
}
