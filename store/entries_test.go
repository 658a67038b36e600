package store

import (
	"errors"
	"fmt"
	"testing"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/verify"

	"golang.org/x/crypto/ssh"
	"golang.org/x/mod/sumdb/tlog"
)

func entriesFrom(t testing.TB, s *Store, from int64) (entries []verify.Entry) {
	t.Helper()
	must(t, s.Entries(t.Context(), from, func(e verify.Entry) error {
		entries = append(entries, e)
		return nil
	}))
	return entries
}

func TestEntriesAreTheLogInItsOrder(t *testing.T) {
	t.Parallel()
	d, _ := anchoredFixture(t)
	records := wholeLog(t, d.store)
	entries := entriesFrom(t, d.store, 0)
	if len(entries) != 4 || entries[3].Table != terms.AmendmentEnforcements {
		t.Fatalf("%d entries", len(entries))
	}
	for i, e := range entries {
		record := records[e.RecordID]
		leaf := tlog.RecordHash(e.Document)
		if e.Sequence != int64(i) || record.Receipt.Sequence != e.Sequence || record.Record.Table() != e.Table ||
			string(record.Record.Document()) != string(e.Document) || string(leaf[:]) != string(e.LeafHash) {
			t.Errorf("entry %d: %+v", i, e)
		}
		wantSame(t, i, string(need(d.store.signature(t.Context(), e.RecordID))(t)), string(e.Signature))
	}
	if later := entriesFrom(t, d.store, 2); len(later) != 2 || later[0].Sequence != 2 {
		t.Errorf("from 2: %d", len(later))
	}
	wantSame(t, "from 9", len(entriesFrom(t, d.store, 9)), 0)
}

func TestEntriesStopWithTheErrorOfWhoTakesThem(t *testing.T) {
	t.Parallel()
	d, _ := anchoredFixture(t)
	stop, seen := errors.New("enough"), 0
	err := d.store.Entries(t.Context(), 0, func(verify.Entry) error {
		seen++
		return stop
	})
	if err != stop || seen != 1 {
		t.Errorf("%v after %d", err, seen)
	}
}

func TestEntriesAreReadInPortionsAndTheStoreCanBeUsedMeanwhile(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	d.take(d.mill.appealPolicy(1))
	count := 2*entriesAtOnce + 3
	for i := range count {
		id := fmt.Sprintf("case-%d", i)
		d.take(d.mill.appealCase(passing(id, 1)))
		d.record(terms.ID(id), decision{outcome: terms.UpholdDecision})
	}
	seen := int64(0)
	must(t, d.store.Entries(t.Context(), 0, func(e verify.Entry) error {
		if e.Sequence != seen {
			t.Errorf("%d instead of %d", e.Sequence, seen)
		}
		if seen++; seen == 1 {
			d.take(d.mill.appealCase(passing("late", 1)))
			d.record("late", decision{outcome: terms.UpholdDecision})
		}
		return nil
	}))
	wantSame(t, "seen", seen, int64(count))
	wantKinds(t, "all of them", proven(t, d.store))

	// Of a log in which nothing is right no more is told than says so.
	path := d.store.Path()
	d.close()
	forge(t, path, "UPDATE docket_log SET leafHash = randomblob(32)")
	snapshot, err := openAt(t, path, noon).Snapshot(t.Context())
	told := 0
	var steps [][2]int64
	if err == nil {
		err = snapshot.VerifyStorage(t.Context(), func(verify.Finding) { told++ }, func(done, total int64) { steps = append(steps, [2]int64{done, total}) })
	}
	if err != nil || told < mostFindings || told >= count {
		t.Errorf("%d findings, %v", told, err)
	}
	wantList(t, "the steps are", steps, [][2]int64{{entriesAtOnce, int64(count) + 1}})
}

func TestEntriesShowWhatIsGone(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	d.close()
	forge(t, o.Path, "DELETE FROM trade_challenge_appeal_enforcement_records WHERE sequence = 0",
		"DELETE FROM docket_signatures WHERE sequence = 1", "DELETE FROM docket_log WHERE sequence = 2")
	entries := entriesFrom(t, openWith(t, o), 0)
	if len(entries) != 4 {
		t.Fatalf("%d entries", len(entries))
	}
	if e := entries[0]; e.Document != nil || e.RecordID == "" || e.LeafHash == nil {
		t.Errorf("a record that is gone: %+v", e)
	}
	if e := entries[1]; e.Signature != nil || e.Document == nil {
		t.Errorf("a signature that is gone: %+v", e)
	}
	if e := entries[2]; e.RecordID != "" || e.LeafHash != nil || e.Document == nil || e.Table != 0 {
		t.Errorf("a row of the log that is gone: %+v", e)
	}
}

func TestAForgedNumberMakesNobodyCountToIt(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	d.close()
	const far = "9000000000000000000"
	forge(t, o.Path, "INSERT INTO docket_signatures VALUES ("+far+", 'x')", "INSERT INTO docket_log VALUES ("+far+
		", 't', 'r', randomblob(32))")
	s := openWith(t, o)
	if entries := entriesFrom(t, s, 0); len(entries) > 20 {
		t.Errorf("%d entries", len(entries))
	}
	if len(proven(t, s)) == 0 {
		t.Error("nothing is found")
	}
}

func TestASnapshotStaysWhatItWas(t *testing.T) {
	t.Parallel()
	d, _ := anchoredFixture(t)
	before, err := d.store.Snapshot(t.Context())
	must(t, err)
	checkpoint := need(d.store.Checkpoint(t.Context()))(t)
	head, _ := d.store.Head(t.Context())
	d.take(d.mill.appealCase(passing("case-1", 2)), d.mill.appealCase(passing("case-6", 1)))
	d.record("case-4", decision{outcome: terms.UpholdDecision})
	root := need(before.StoredRoot(t.Context(), before.size))(t)
	if before.size != 4 || string(before.checkpoint) != string(checkpoint) || root != head.Root || len(before.signers) != 1 {
		t.Errorf("%+v", before)
	}
	count := 0
	must(t, before.Entries(t.Context(), 0, func(verify.Entry) error { count++; return nil }))
	wantSame(t, "entries", count, 4)
	_, _, err = before.packet(t.Context(), terms.AppealCases, "case-6", 1)
	mustBe(t, err, ErrNotFound)
	document, importedAt, err := before.packet(t.Context(), terms.AppealCases, "case-1", 1)
	if err != nil || importedAt != terms.InstantOf(noon).String() {
		t.Fatalf("%q, %v", importedAt, err)
	}
	packet, err := (&packets.Reader{}).ReadStored(document)
	if err != nil || packet.Key() != (packets.Key{ID: "case-1", Number: 1}) {
		t.Errorf("%v, %v", packet.Key(), err)
	}
	if now, _, err := d.store.PacketDocument(t.Context(), terms.AppealCases, "case-6", 1); err != nil || len(now) == 0 {
		t.Errorf("now: %v", err)
	}
	for _, table := range []terms.Table{0, terms.AppealEnforcements} {
		_, _, err = before.packet(t.Context(), table, "case-1", 1)
		mustBe(t, err, ErrNotFound)
	}
}

func TestASignerIsKeptFromTheFirstRecordOn(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	wantSame(t, "before", len(need(d.store.signers(t.Context()))(t)), 0)
	d.take(d.mill.appealCase(passing("case-2", 1)), d.mill.appealCase(passing("case-3", 1)))
	first := d.key
	d.record("case-1", decision{outcome: terms.UpholdDecision})
	d.record("case-2", decision{outcome: terms.UpholdDecision})
	d.key = newKey(t, 2)
	d.reviewer = records.Reviewer{ID: "admin-2", Role: terms.SafetyAdmin, KeyFingerprint: ssh.FingerprintSHA256(d.key.PublicKey())}
	d.record("case-3", decision{outcome: terms.BlockReliance, added: []terms.Blocker{terms.ScopeMissing}})
	signers, err := d.store.signers(t.Context())
	if err != nil || len(signers) != 2 {
		t.Fatalf("%v, %v", signers, err)
	}
	for i, key := range []ssh.Signer{first, d.key} {
		want := signer{reviewer: []terms.ID{reviewerID, "admin-2"}[i], fingerprint: ssh.FingerprintSHA256(key.PublicKey()),
			publicKey: signed.AuthorizedKey(key.PublicKey()), since: terms.InstantOf(noon)}
		wantSame(t, "signers[i]", signers[i], want)
	}
}
