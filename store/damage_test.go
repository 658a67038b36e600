package store

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"docket/domain/packets"
	"docket/domain/terms"
	"docket/store/verify"
)

// damage closes the store, changes bytes of its file as a failing disk or an editor would, and opens it again.
func (d *fixture) damage(old, changed string) {
	d.t.Helper()
	if len(old) != len(changed) {
		d.t.Fatal("the damage would move what follows")
	}
	path := d.store.Path()
	must(d.t, d.store.Close())
	content := need(os.ReadFile(path))(d.t)
	if !bytes.Contains(content, []byte(old)) {
		d.t.Fatalf("%q is not in the file", old)
	}
	must(d.t, os.WriteFile(path, bytes.ReplaceAll(content, []byte(old), []byte(changed)), 0o600))
	d.store = openAt(d.t, path, noon)
}

// damages are ways to damage the document of case-1, which has the subject item-1.
var damages = map[string][2]string{
	"a document that is no longer JSON": {`{"digests":{"record":"sha256:`, `["digests":{"record":"sha256:`},
	"another value":                     {`"subjectId":"item-1"`, `"subjectId":"item-2"`},
	"another key":                       {`"caseId":"case-1"`, `"caseId":"case-9"`},
}

func TestAPacketThatCannotBeReadIsShownAsThat(t *testing.T) {
	t.Parallel()
	for name, change := range damages {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			d.take(d.mill.appealCase(passing("case-1", 1).with(members{"subjectId": "item-1"})))
			d.damage(change[0], change[1])
			d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-2", 1)))
			rows := d.queue(terms.Appeals, "")
			if row := rows["case-1"]; row.Unreadable == "" || row.Gate != terms.Blocked || row.Revision != 1 {
				t.Errorf("the row is %+v", row)
			}
			if rows["case-2"].Gate != terms.Pass || len(rows) != 2 {
				t.Errorf("the other row is %+v", rows["case-2"])
			}
			mustBe(t, errOf(d.store.CaseFile(t.Context(), terms.AppealCases, "case-1", 0, terms.InstantOf(noon), "")), packets.ErrStoredPacket)
			wantKinds(t, name, d.store.Findings(), verify.PacketAltered)
			mustBe(t, errOf(d.store.Import(t.Context(), []packets.Packet{d.mill.appealCase(passing("case-3", 1))})), ErrTampered)
			importing := openAt(t, d.store.Path(), noon) // which has met nothing yet
			mustBe(t, errOf(importing.Import(t.Context(), []packets.Packet{d.mill.appealCase(passing("case-3", 1)),
				d.mill.appealCase(passing("case-1", 1).with(members{"subjectId": "item-1"}))})), packets.ErrStoredPacket)
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
	if row := d.queue(terms.Appeals, "")["case-1"]; !row.Blockers.Set.Has(terms.AppealPolicyMissing) {
		t.Errorf("held by %v", row.Blockers.List())
	}
	wantKinds(t, "the policy", d.store.Findings(), verify.PacketAltered)
}

func TestARecordThatIsNotWhatWasLoggedSaysSo(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	first := d.record("case-1", decision{outcome: terms.UpholdDecision})
	second := d.record("case-1", decision{outcome: terms.BlockReliance, supersedes: first.RecordID,
		added: []terms.Blocker{terms.ScopeMissing}})
	d.damage(`"outcome":"uphold_decision"`, `"outcome":"uphold_decisiom"`)
	logged, err := d.store.Record(t.Context(), first.RecordID)
	if err != nil || logged.Unreadable != "its bytes are not those that were logged; verify the store" || logged.Receipt != first || logged.SupersededBy != second.RecordID {
		t.Errorf("%+v, %v", logged, err)
	}
	if logged.Record.Document() != nil {
		t.Error("the altered record is there to be used")
	}
	caseFile := d.caseFile(terms.AppealCases, "case-1")
	if len(caseFile.Records) != 2 || caseFile.InForce != second.RecordID {
		t.Errorf("in force is %s of %d", caseFile.InForce, len(caseFile.Records))
	}
}

// copied copies a store's files with a program of its own, since this process must not open them.
func copied(t testing.TB, path string, suffixes ...string) string {
	t.Helper()
	ofFile(t, path)
	target := filepath.Join(t.TempDir(), "copy.db")
	for _, suffix := range suffixes {
		if out, err := exec.CommandContext(t.Context(), "cp", path+suffix, target+suffix).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
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
	slipped := passing("case-2", 1).with(members{"remedyGap": canary + "@example.org"})
	d.take(d.mill.appealPolicy(1), d.mill.packet(terms.AppealCases, passing("case-1", 1), private))
	unredacted, fault := d.mill.reader.Read(text(t, members{"table": "trade_appeal_cases", "record": slipped}))
	if fault != nil {
		t.Fatal(fault)
	}
	d.take(unredacted.Redact())
	d.record("case-1", decision{outcome: terms.UpholdDecision})
	d.queue(terms.Appeals, reviewerID)
	for _, suffix := range []string{"", "-wal", "-shm"} {
		content, err := exec.CommandContext(t.Context(), "cat", d.store.Path()+suffix).Output()
		if err != nil || len(content) == 0 {
			t.Fatalf("%q: %d bytes, %v", suffix, len(content), err)
		}
		if strings.Contains(string(content), "canary") {
			t.Errorf("%q holds it", suffix)
		}
	}
	wantSame(t, "left behind", len(need(os.ReadDir(temporary))(t)), 0)
}

// onRawFile changes bytes of a closed store's file.
func onRawFile(t testing.TB, path, old, changed string) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil || len(old) != len(changed) || !bytes.Contains(content, []byte(old)) {
		t.Fatalf("%q is not in the file, %v", old, err)
	}
	must(t, os.WriteFile(path, bytes.ReplaceAll(content, []byte(old), []byte(changed)), 0o600))
}
