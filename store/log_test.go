package store

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/transparency-dev/formats/log"
	"golang.org/x/crypto/ssh"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/engine"
	"docket/store/verify"
)

func entriesFrom(t testing.TB, s *Store, from int64) (entries []verify.Entry) {
	t.Helper()
	must(t, need(s.Snapshot(t.Context()))(t).Entries(t.Context(), from, func(e verify.Entry) error {
		entries = append(entries, e)
		return nil
	}))
	return entries
}

func TestEntriesAreTheLogInItsOrder(t *testing.T) {
	t.Parallel()
	d, _ := anchoredFixture(t)
	logged := wholeLog(t, d.store)
	entries := entriesFrom(t, d.store, 0)
	mustNot(t, len(entries) != 12 || entries[11].Table != terms.AmendmentEnforcements,
		"%d entries", len(entries))
	var reader packets.Reader
	for i, e := range entries {
		leaf := verify.LeafOf(&e)
		wantNot(t, e.Sequence != int64(i) || string(leaf[:]) != string(e.LeafHash), "entry %d: %+v", i, e)
		if i < 8 {
			packet, err := reader.ReadStored(e.Document)
			wantNot(t, err != nil || e.Kind != records.PacketEntry || packet.Table() != e.Table || packet.Key() != e.Key, "entry %d: %+v, %v", i, e, err)
			continue
		}
		record := logged[e.RecordID]
		if e.Kind != records.RecordEntry || record.Receipt.Sequence != e.Sequence || record.Record.Table() != e.Table ||
			string(record.Record.Document()) != string(e.Document) {
			t.Errorf("entry %d: %+v", i, e)
		}
		wantSame(t, i, string(need(signatureOf(d.store, e.RecordID))(t)), string(e.Signature))
	}
	later := entriesFrom(t, d.store, 7)
	wantNot(t, len(later) != 5 || later[0].Sequence != 7, "from 7: %d", len(later))
	wantSame(t, "from 17", len(entriesFrom(t, d.store, 17)), 0)
}

func TestEntriesStopWithTheErrorOfWhoTakesThem(t *testing.T) {
	t.Parallel()
	d, _ := anchoredFixture(t)
	stop, seen := errors.New("enough"), 0
	err := need(d.store.Snapshot(t.Context()))(t).Entries(t.Context(), 0, func(verify.Entry) error {
		seen++
		return stop
	})
	wantNot(t, err != stop || seen != 1, "%v after %d", err, seen)
}

func TestEntriesAreReadInPortionsAndTheStoreCanBeUsedMeanwhile(t *testing.T) {
	t.Parallel()
	count := 2*entriesAtOnce + 3
	d := logOfMany(t, count)
	seen := int64(0)
	must(t, need(d.store.Snapshot(t.Context()))(t).Entries(t.Context(), 0, func(e verify.Entry) error {
		wantNot(t, e.Sequence != seen, "%d instead of %d", e.Sequence, seen)
		if seen++; seen == 1 {
			d.take(d.mill.appealCase(passing("late", 1)))
			d.record("late", decision{outcome: terms.UpholdDecision})
		}
		return nil
	}))
	wantSame(t, "seen", seen, 1+2*int64(count)) // the policy, the cases and the records
	wantKinds(t, "all of them", proven(t, d.store))

	// Of a log in which nothing is right no more is told than says so.
	snapshot, err := d.forged("UPDATE docket_log SET leafHash = randomblob(32)").Snapshot(t.Context())
	told := 0
	var steps [][2]int64
	if err == nil {
		err = snapshot.VerifyStorage(t.Context(), func(verify.Finding) { told++ }, func(done, total int64) { steps = append(steps, [2]int64{done, total}) })
	}
	wantNot(t, err != nil || told < mostFindings || told >= count, "%d findings, %v", told, err)
	wantList(t, "the steps are", steps, [][2]int64{{entriesAtOnce, 3 + 2*int64(count)}})
}

func TestEntriesShowWhatIsGone(t *testing.T) {
	t.Parallel()
	d, _ := anchoredFixture(t)
	s := d.forged("DELETE FROM trade_challenge_appeal_enforcement_records WHERE sequence = 8",
		"UPDATE docket_log SET signature = '' WHERE position = 9", "DELETE FROM docket_log WHERE position = 10",
		"DELETE FROM trade_appeal_cases WHERE caseId = 'case-5'", "DELETE FROM docket_log WHERE position = 6")
	entries := entriesFrom(t, s, 0)
	mustNot(t, len(entries) != 12, "%d entries", len(entries))
	if e := entries[7]; e.Document != nil || e.Kind != records.PacketEntry || e.Key.ID != "case-5" || e.LeafHash == nil {
		t.Errorf("a packet that is gone: %+v", e)
	}
	if e := entries[6]; e.Kind.Present() || e.LeafHash != nil {
		t.Errorf("a packet without its row of the log: %+v", e)
	}
	if e := entries[8]; e.Document != nil || e.RecordID == "" || e.LeafHash == nil {
		t.Errorf("a record that is gone: %+v", e)
	}
	e := entries[9]
	wantNot(t, e.Signature != nil || e.Document == nil, "a signature that is gone: %+v", e)
	if e := entries[10]; e.RecordID != "" || e.LeafHash != nil || e.Document == nil || e.Table != 0 {
		t.Errorf("a row of the log that is gone: %+v", e)
	}
}

func TestAForgedNumberMakesNobodyCountToIt(t *testing.T) {
	t.Parallel()
	d, _ := anchoredFixture(t)
	const far = "9000000000000000000"
	s := d.forged("INSERT INTO docket_texts VALUES ("+far+", 'note', 's', 'n')", "INSERT INTO docket_log VALUES ("+far+
		", 'record', 't', 'r', 9, 'a', randomblob(32), '', '')")
	entries := entriesFrom(t, s, 0)
	wantNot(t, len(entries) > 40, "%d entries", len(entries))
	wantNot(t, len(proven(t, s)) == 0, "nothing is found")
}

func TestASnapshotStaysWhatItWas(t *testing.T) {
	t.Parallel()
	d, _ := anchoredFixture(t)
	before := need(d.store.Snapshot(t.Context()))(t)
	checkpoint := need(d.store.Checkpoint(t.Context()))(t)
	head, _ := d.store.Head(t.Context())
	d.take(d.mill.appealCase(passing("case-1", 2)), d.mill.appealCase(passing("case-6", 1)))
	d.record("case-4", decision{outcome: terms.UpholdDecision})
	root := need(before.StoredRoot(t.Context(), before.size))(t)
	wantNot(t, before.size != 12 || string(before.checkpoint) != string(checkpoint) ||
		root != head.Root || len(before.signers) != 1, "%+v", before)
	count := 0
	must(t, before.Entries(t.Context(), 0, func(verify.Entry) error { count++; return nil }))
	wantSame(t, "entries", count, 12)
	ref := func(table terms.Table, id terms.ID) verify.Ref {
		return verify.Ref{Table: table, Key: packets.Key{ID: id, Number: 1}}
	}
	names := []verify.Ref{ref(terms.AppealCases, "case-6"), ref(0, "case-1"), ref(terms.AppealEnforcements, "case-1"), ref(terms.AppealCases, "case-1")}
	documents := need(before.Packets(t.Context(), names))(t)
	for i, document := range documents[:3] {
		wantNot(t, document != nil, "%v is there", names[i])
	}
	packet := need((&packets.Reader{}).ReadStored(documents[3]))(t)
	wantNot(t, packet.Key() != (packets.Key{ID: "case-1", Number: 1}), "%v", packet.Key())
	now := need(need(d.store.Snapshot(t.Context()))(t).Packets(t.Context(), names[:1]))(t)
	wantNot(t, now[0] == nil, "it is not there now")
}

func TestASignerIsKeptFromTheFirstRecordOn(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	wantSame(t, "before", len(need(ask(t.Context(), d.store, "read the signers", signersOf))(t)), 0)
	d.take(d.mill.appealCase(passing("case-2", 1)), d.mill.appealCase(passing("case-3", 1)))
	first := d.key
	d.record("case-1", decision{outcome: terms.UpholdDecision})
	d.record("case-2", decision{outcome: terms.UpholdDecision})
	d.key = newKey(t, 2)
	d.reviewer = records.Reviewer{ID: "admin-2", Role: terms.SafetyAdmin, KeyFingerprint: ssh.FingerprintSHA256(d.key.PublicKey())}
	d.record("case-3", decision{outcome: terms.BlockReliance, added: []terms.Blocker{terms.ScopeMissing}})
	signers := need(ask(t.Context(), d.store, "read the signers", signersOf))(t)
	mustNot(t, len(signers) != 2, "%v", signers)
	for i, key := range []ssh.Signer{first, d.key} {
		want := engine.Signer{Reviewer: []terms.ID{reviewerID, "admin-2"}[i], Fingerprint: ssh.FingerprintSHA256(key.PublicKey()),
			PublicKey: signed.AuthorizedKey(key.PublicKey()), Since: terms.InstantOf(noon).String()}
		wantSame(t, "signers[i]", signers[i], want)
	}
}

func TestACheckpointIsWhatOtherProgramsRead(t *testing.T) {
	t.Parallel()
	d, _ := anchoredFixture(t)
	checkpoint := need(d.store.Checkpoint(t.Context()))(t)
	encoded := need(d.store.Verifier(t.Context()))(t)
	verifier := need(note.NewVerifier(encoded))(t)
	head := need(d.store.Head(t.Context()))(t)
	wantNot(t, strings.ContainsAny(head.Origin, " +\n") || verifier.Name() != head.Origin,
		"origin %q, key of %q", head.Origin, verifier.Name())
	parsed, rest, _, err := log.ParseCheckpoint(checkpoint, head.Origin, verifier)
	mustNot(t, err != nil || len(rest) > 0 || parsed.Size != 12, "%+v, %q, %v", parsed, rest, err)
	root := signed.ToTree(head.Root)
	wantNot(t, !bytes.Equal(parsed.Hash, root[:]), "it is not of the log's root")
}

func TestALogProvesThatItBeganAsItWas(t *testing.T) {
	t.Parallel()
	d, _ := bound(t)
	heads := []records.LogHead{}
	note := func() {
		head := need(d.store.Head(t.Context()))(t)
		heads = append(heads, head)
	}
	note()
	for _, id := range []terms.ID{"case-1", "case-2", "case-3", "case-4"} {
		d.decided(id, "")
		note()
	}
	for i, from := range heads {
		for _, to := range heads[i:] {
			proof := need(d.store.Consistency(t.Context(), from.Size, to.Size))(t)
			mustNot(t, proof == nil, "%v %v", from, to)
			if from == to {
				wantNot(t, len(proof) > 0, "%d to %d: %v", from.Size, to.Size, proof)
				continue
			}
			var hashes tlog.TreeProof
			for _, hash := range proof {
				hashes = append(hashes, signed.ToTree(hash))
			}
			err := tlog.CheckTree(hashes, to.Size, signed.ToTree(to.Root), from.Size, signed.ToTree(from.Root))
			wantNot(t, err != nil, "%d to %d: %v", from.Size, to.Size, err)
		}
	}
	for _, sizes := range [][2]int64{{-1, 2}, {3, 2}, {2, 100}} {
		mustBe(t, errOf(d.store.Consistency(t.Context(), sizes[0], sizes[1])), ErrNotFound)
	}
}

func TestTheTileOfEntriesHoldsTheLoggedRecords(t *testing.T) {
	t.Parallel()
	d := logOfMany(t, 3)
	tile := tlog.Tile{H: 8, L: -1, N: 0, W: 7}
	entries := need(d.store.TileEntries(t.Context(), tile))(t)
	mustNot(t, len(entries) != 7, "%d entries", len(entries))
	list := need(d.store.Records(t.Context(), 0, 3))(t)
	for i, entry := range entries {
		want := ""
		if i < 4 {
			var document []byte
			must(t, d.reader().QueryRow("SELECT document FROM "+entry.Table.String()+" WHERE position = ?", i).Scan(&document))
			want = "packet\n" + entry.At + "\n" + string(records.PacketBody(entry.Table, entry.Key, document))
		} else {
			want = "record\n" + list[6-i].Receipt.At + "\n" + string(list[6-i].Record.Document())
		}
		wantSame(t, i, string(entry.Leaf()), want)
	}
	tile.W = 8
	if documents, err := d.store.TileEntries(t.Context(), tile); !errors.Is(err, ErrNotFound) || documents != nil {
		t.Errorf("of a tile that is not full yet %d entries, %v", len(documents), err)
	}
	forge(t, d.store.Path(), "UPDATE trade_challenge_appeal_enforcement_records SET document = replace(document, '\"rulesVersion\":\"t', '\"rulesVersion\":\"T') WHERE sequence = 5")
	tile.W = 7
	if documents, err := d.store.TileEntries(t.Context(), tile); !errors.Is(err, ErrDamaged) || documents != nil || !strings.Contains(err.Error(), "entry 5 is not the one that was logged") {
		t.Errorf("of an edited record %d entries, %v", len(documents), err)
	}
}

// Of a log with findings nothing is given out.
func TestALogWithFindingsGivesOutNeitherCheckpointNorTile(t *testing.T) {
	t.Parallel()
	d := logOfMany(t, 2)
	d.store.findings.add(found(verify.RolledBack, "for the test"))
	for name, read := range map[string]func() ([]byte, error){
		"the checkpoint": func() ([]byte, error) { return d.store.PublishedCheckpoint(t.Context()) },
		"a tile":         func() ([]byte, error) { return d.store.Tile(t.Context(), tlog.Tile{H: 8, W: 2}) },
		"the entries": func() ([]byte, error) {
			list, err := d.store.TileEntries(t.Context(), tlog.Tile{H: 8, L: -1, W: 2})
			return make([]byte, len(list)), err
		},
	} {
		if got, err := read(); !errors.Is(err, ErrTampered) || len(got) > 0 {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
}

// A forged checkpoint of records that are not there makes the store unready before a record meets it.
func TestNothingCanBeAppendedAfterACheckpointOfMoreRecords(t *testing.T) {
	t.Parallel()
	d := filled(t)
	wantErr(t, "before", d.store.Appendable(t.Context(), 0), nil)
	forge(t, d.store.Path(), "INSERT INTO docket_checkpoints SELECT size + 1, note FROM docket_checkpoints ORDER BY size DESC LIMIT 1")
	mustBe(t, d.store.Appendable(t.Context(), 0), ErrTampered)
	wantKinds(t, "then", d.store.Findings(), verify.CheckpointUnusable)
}
