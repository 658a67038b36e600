package store

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/merkle"
	"docket/store/verify"
)

// restoredErasures is a fixture that erased all that it can, lost its disk and is restored from a backup from before.
func restoredErasures(t *testing.T) (d *fixture, o Options, backup string, record records.Receipt) {
	t.Helper()
	folder := t.TempDir()
	o = Options{Path: filepath.Join(folder, "store", "docket.db"), AnchorFolder: filepath.Join(folder, "anchors"),
		Now: func() time.Time { return noon.Add(time.Second) }}
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
		if !bytes.Contains(rawBytes(t, backup), []byte(canary)) {
			t.Fatalf("%s is not in the backup", canary)
		}
	}
	for turn := range 2 { // the second restore of the same backup finds what the first one stated, too
		if turn > 0 {
			d.lost(true)
		}
		d.restored(backup, o)
		for _, canary := range canaries {
			if bytes.Contains(rawBytes(t, o.Path), []byte(canary)) {
				t.Errorf("restore %d: %s is back", turn, canary)
			}
		}
		report, err := d.store.Verify(t.Context(), verify.Options{})
		if err != nil || !report.OK() {
			t.Fatalf("restore %d: %v, %v", turn, report.Findings, err)
		}
		stated := 0
		for i := range report.Accepted {
			if report.Accepted[i].Kind == records.Erased {
				stated++
			}
		}
		wantSame(t, turn, stated, len(canaries))
	}
}

// exported is what an export of the fixture's store would say of its log.
func (d *fixture) exported() RestoreExport {
	d.t.Helper()
	report, err := d.store.Verify(d.t.Context(), verify.Options{})
	if err != nil || !report.Sound() {
		d.t.Fatal(report.Findings, err)
	}
	return RestoreExport{Name: "kept", Lineage: report.Lineage, Accepted: report.Accepted}
}

// Without what this machine kept, an export says what was erased: in the log of the backup, and in one that went on from it.
func TestARestoreTakesErasuresFromAnExport(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	o := Options{Path: filepath.Join(folder, "store", "docket.db"), AnchorFolder: filepath.Join(folder, "anchors"), Now: func() time.Time { return noon.Add(time.Second) }}
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
		if found := proven(t, d.store); len(found) > 0 {
			t.Errorf("%v", found)
		}
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
	if len(r.Erasures) != len(canaries) {
		t.Fatalf("%d erasures", len(r.Erasures))
	}
	for _, again := range r.Erasures {
		if !again.Held {
			t.Errorf("%v is not held", again.Was.Found)
		}
	}
	one := []signed.Statement{d.stated(r.Erasures[0].Due, nil)}
	other := d.stated(r.Erasures[0].Due, func(s *records.LogStatement) { s.Found[len(s.Found)-1] = records.ErasedTimeLimit.String() })
	for name, list := range map[string][]signed.Statement{"none": nil, "one": one, "another": {other, other, other, other, other}} {
		wantErr(t, name, r.Make(t.Context(), d.stated(r.Statement, nil), list...), records.ErrRefused)
		wantErr(t, name, errOf(os.Stat(o.Path)), os.ErrNotExist)
	}
}

// A kept erasure that cannot be read, or that the log did not sign, is not left out in silence.
func TestARestoreIsRefusedOverAKeptErasureThatIsNone(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func([]byte) []byte{
		"garbage":      func([]byte) []byte { return []byte("{") },
		"another word": func(b []byte) []byte { return bytes.Replace(b, []byte("private_detail"), []byte("by_mistake"), 1) },
	} {
		_, o, backup, _ := restoredErasures(t)
		files, err := filepath.Glob(filepath.Join(o.AnchorFolder, "*", "erasures", "*"))
		if err != nil || len(files) != len(canaries) {
			t.Fatalf("%d files, %v", len(files), err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err == nil {
				err = os.WriteFile(file, change(text), 0o600)
			}
			must(t, err)
		}
		wantErr(t, name, errOf(PrepareRestore(t.Context(), RestoreOptions{Source: backup, Target: o.Path, AnchorFolder: o.AnchorFolder, Reason: records.StoreLost})), records.ErrRefused)
	}
}

// What was erased and is not in the backup does not come back by another way: neither with a packet that is imported again, nor with a
// record that is handed in again.
func TestWhatARestoreLostComesBackWithoutWhatWasErased(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	o := Options{Path: filepath.Join(folder, "service.db"), AnchorFolder: filepath.Join(folder, "anchors"), Service: true, Now: func() time.Time { return noon }}
	d := fixtureAt(t, openWith(t, o))
	d.register()
	due := need(d.store.OperatorToName(t.Context()))(t)
	must(t, d.store.NameOperator(t.Context(), d.stated(due, nil)))
	d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-2", 1)))
	backup := d.backup()
	evidence := members{"items": []string{"ev-1"}, "statement": "Some " + textCanary + " words."}
	late := d.mill.appealCase(passing("case-1", 1).with(members{"evidenceScope": evidence}))
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
	if taken := d.handIn(reasoned); taken.again {
		t.Error("the record was not lost")
	}
	for _, canary := range []string{textCanary, statementCanary} {
		if bytes.Contains(rawBytes(t, o.Path), []byte(canary)) {
			t.Errorf("%s is back", canary)
		}
	}
	// Nobody can read any more what this one passed.
	mustBe(t, d.refusing(passed), ErrSetback)
	wantKinds(t, "afterwards", proven(t, d.store))
}

func TestAnErasureThatCannotBeKeptOutsideTheStoreIsTold(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	o := Options{Path: filepath.Join(folder, "docket.db"), AnchorFolder: filepath.Join(folder, "anchors"), Now: func() time.Time { return noon.Add(time.Second) }}
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
