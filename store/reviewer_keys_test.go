package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/engine"
	"docket/store/verify"
)

// The seeds of keys of one reviewer: the first signed in the log, the second is endorsed by it and then revoked.
const (
	firstSeed   = 1
	revokedSeed = 9
	newSeed     = 10
	unknownSeed = 8
)

func TestAStatementAboutAKeyIsRefusedForItsReason(t *testing.T) {
	t.Parallel()
	stated, o := anchoredFixture(t)
	for _, kind := range []records.LogStatementKind{records.KeyEndorsed, records.KeyRevoked} {
		must(t, stated.state(kind, firstSeed, revokedSeed, -1))
	}
	stated.close()
	for _, c := range []struct {
		name      string
		kind      records.LogStatementKind
		by, about byte
		from      func(size int64) int64
		reason    string
	}{
		{"a revocation from beyond the log", records.KeyRevoked, firstSeed, newSeed, func(size int64) int64 { return size + 1 }, "the log has fewer entries than the revocation says"},
		{"a key that does not count endorses", records.KeyEndorsed, unknownSeed, newSeed, nil, "does not count in this log, so it states nothing about other keys"},
		{"a revoked key endorses", records.KeyEndorsed, revokedSeed, newSeed, nil, "was revoked, so it states nothing about other keys"},
		{"a revoked key revokes", records.KeyRevoked, revokedSeed, firstSeed, nil, "was revoked, so it states nothing about other keys"},
		{"a key that counts is endorsed", records.KeyEndorsed, firstSeed, firstSeed, nil, "counts already"},
		{"a key that counts replaces", records.KeyReplaced, firstSeed, firstSeed, nil, "counts already"},
		{"a revoked key is endorsed", records.KeyEndorsed, firstSeed, revokedSeed, nil, "a revoked key never counts again"},
		{"a revoked key is revoked as it was", records.KeyRevoked, firstSeed, revokedSeed, nil, "was revoked before"},
		{"an earlier revocation", records.KeyRevoked, firstSeed, revokedSeed, func(int64) int64 { return 0 }, ""},
		{"a new key is endorsed", records.KeyEndorsed, firstSeed, newSeed, nil, ""},
		{"a new key replaces what was lost", records.KeyReplaced, newSeed, newSeed, nil, ""},
		{"a key revokes itself", records.KeyRevoked, firstSeed, firstSeed, nil, ""},
	} {
		d := fixtureAt(t, openWith(t, copiedStore(t, o)))
		d.clock = stated.clock
		from := int64(-1)
		if c.from != nil {
			head := need(d.store.Head(t.Context()))(t)
			from = c.from(head.Size)
		}
		err := d.state(c.kind, c.by, c.about, from)
		if c.reason == "" {
			wantErr(t, c.name, err, nil)
			continue
		}
		wantText(t, c.name, as[*records.Refusal](t, err).Reason, c.reason)
	}
}

func TestTheKeysOfAReviewerAreListedWithTheirPublicHalves(t *testing.T) {
	t.Parallel()
	d, _ := anchoredFixture(t)
	must(t, d.state(records.KeyEndorsed, firstSeed, newSeed, -1))
	list := need(d.store.KeysOf(t.Context(), reviewerID))(t)
	public := map[string]string{}
	for _, key := range list {
		public[key.Fingerprint] = key.PublicKey
	}
	for _, seed := range []byte{firstSeed, newSeed} {
		key := newKey(t, seed).PublicKey()
		if want := signed.AuthorizedKey(key); public[ssh.FingerprintSHA256(key)] != want {
			t.Errorf("key %d: %q, want %q", seed, public[ssh.FingerprintSHA256(key)], want)
		}
	}
}

func TestAProofOfARecordIsOfItsLeafAndTheHead(t *testing.T) {
	t.Parallel()
	d, _ := anchoredFixture(t)
	list := need(d.store.Records(t.Context(), 0, AllRecords))(t)
	mustNot(t, len(list) < 2, "%d records", len(list))
	head := need(d.store.Head(t.Context()))(t)
	for _, logged := range list {
		proof := need(d.store.Inclusion(t.Context(), logged.Record.Members().RecordID))(t)
		path := make(tlog.RecordProof, len(proof.Path))
		for i, hash := range proof.Path {
			path[i] = signed.ToTree(hash)
		}
		leaf := signed.LeafHash(records.RecordEntry, logged.Receipt.At, logged.Record.Document())
		must(t, tlog.CheckRecord(path, head.Size, signed.ToTree(head.Root), logged.Receipt.Sequence, leaf))
		wantNot(t, proof.Sequence != logged.Receipt.Sequence || proof.TreeSize != head.Size ||
			proof.Root != head.Root || proof.LeafHash != signed.FromTree(leaf), "%+v", proof)
	}
	wantErr(t, "a record that is not there", errOf(d.store.Inclusion(t.Context(), records.NewRecordID(terms.InstantOf(d.clock), [10]byte{1}))), ErrNotFound)
}

func (d *fixture) state(kind records.LogStatementKind, by, about byte, from int64) error {
	d.t.Helper()
	signer := newKey(d.t, by)
	reviewer := records.Reviewer{ID: reviewerID, Role: d.reviewer.Role, KeyFingerprint: ssh.FingerprintSHA256(signer.PublicKey())}
	due, err := d.store.KeyStatementDue(d.t.Context(), kind, reviewer, signed.AuthorizedKey(newKey(d.t, about).PublicKey()), from)
	if err != nil {
		return err
	}
	return d.store.KeepKeyStatement(d.t.Context(), signed.Statement{Text: due.Text(), Signature: sign(d.t, signer, []byte(due.Text()), records.LogStatementNamespace)})
}

func (d *fixture) use(seed byte) {
	d.key = newKey(d.t, seed)
	d.reviewer.KeyFingerprint = ssh.FingerprintSHA256(d.key.PublicKey())
}

func (d *fixture) decideAgain(id terms.ID) error {
	return errOf(d.store.Append(d.t.Context(), d.submission(id, decision{outcome: terms.UpholdDecision, supersedes: d.caseFile(terms.AppealCases, id).InForce})))
}

func TestARevokedKeyRecordsNothingAndWhatItSignedSinceIsJudgedAgain(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	d.use(9)
	mustBe(t, d.decideAgain("case-4"), ErrKeyUnknown)
	d.use(1)
	mustBe(t, d.state(records.KeyEndorsed, 8, 9, -1), records.ErrRefused) // 8 counts for nobody
	must(t, d.state(records.KeyEndorsed, 1, 9, -1))
	mustBe(t, d.state(records.KeyEndorsed, 1, 9, -1), records.ErrRefused)
	list := need(d.store.Records(t.Context(), 0, AllRecords))(t)
	at := slices.IndexFunc(list, func(l records.LoggedRecord) bool { return l.Record.Members().Area == terms.Appeals })
	decided, from := list[at].Record.Members(), list[at].Receipt.Sequence
	must(t, d.state(records.KeyRevoked, 9, 1, from))
	mustBe(t, d.decideAgain("case-4"), ErrKeyRevoked)
	caseFile := d.caseFile(terms.RecordTable(decided.Area), decided.Key.ID)
	if void := caseFile.Rejected(); caseFile.InForce.Present() || void == nil || !void.Revoked || caseFile.Decided() {
		t.Errorf("in force %q, to be judged again %v", caseFile.InForce, void)
	}
	row := d.queue(terms.Appeals, reviewerID)[decided.Key.ID]
	wantNot(t, row.Decided || !row.Rejected, "the queue says %+v", row)
	d.use(9)
	must(t, d.decideAgain(decided.Key.ID))
	report := need(d.store.Verify(t.Context(), verify.Options{}))(t)
	wantNot(t, !report.Sound() || len(report.NotInForce) != at+1 || report.NotInForce[0] != from,
		"%+v", report.Findings)
	d.close()
	s := openWith(t, o)
	wantKinds(t, "after a revocation", s.Findings())
	wantNot(t, s.ReadOnly(), "recording stopped")
}

func TestALostKeyIsReplacedInAStoreThatFindsTheNewOne(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	d.close()
	d.use(9)
	o.Reviewer = d.reviewer
	d.store = openWith(t, o)
	wantKinds(t, "with another key than the first", d.store.Findings(), verify.KeyNotEndorsed)
	must(t, d.state(records.KeyReplaced, 9, 9, -1))
	d.close()
	d.store = openWith(t, o)
	wantKinds(t, "with the replacement", d.store.Findings())
	must(t, d.decideAgain("case-4"))
	d.close()
	d.use(1)
	o.Reviewer = d.reviewer
	wantKinds(t, "on the machine whose key was not lost", openWith(t, o).Findings(), verify.KeyNotEndorsed)
}

// With the file and the log's key somebody adds a record in the reviewer's name, signed by a key of their own that they list.
func TestARecordInAReviewersNameByAnotherKeyIsFound(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	o.Reviewer = d.reviewer
	d.close()
	wantKinds(t, "their own key", openWith(t, o).Findings())
	o.Reviewer.KeyFingerprint = ssh.FingerprintSHA256(newKey(t, 9).PublicKey())
	s := openWith(t, o)
	wantKinds(t, "on the machine of the reviewer, whose key differs", s.Findings(), verify.KeyNotEndorsed)
	mustTakeNothing(t, s)
	o.Reviewer = records.Reviewer{}
	key := newKey(t, 9)
	forge(t, o.Path, "INSERT INTO docket_signers (reviewerId, fingerprint, publicKey, since) VALUES ('"+string(reviewerID)+"', '"+
		ssh.FingerprintSHA256(key.PublicKey())+"', '"+signed.AuthorizedKey(key.PublicKey())+"', '2026-03-01T12:00:00Z')")
	s = openWith(t, o)
	wantKinds(t, "a second key that is listed", s.Findings(), verify.KeyNotEndorsed)
	mustTakeNothing(t, s)
}

// At a service a reviewer may come with another key, which is registered: what both signed holds.
func TestASecondKeyOfAReviewerIsNoFindingAtAService(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	d.take(d.mill.appealCase(passing("case-2", 1)))
	o := d.store.options
	for n, id := range []terms.ID{"case-1", "case-2"} {
		d.key = newKey(t, byte(8+n))
		d.reviewer.KeyFingerprint = ssh.FingerprintSHA256(d.key.PublicKey())
		need(d.store.AddKey(t.Context(), reviewerID, signed.AuthorizedKey(d.key.PublicKey())))(t)
		d.handIn(d.judged(id, decision{}))
		must(t, d.store.RevokeKey(t.Context(), reviewerID, d.reviewer.KeyFingerprint))
	}
	d.close()
	s := openWith(t, o)
	wantKinds(t, "two keys of one reviewer", s.Findings())
	wantSame(t, "keys signed", len(need(ask(t.Context(), s, "read the signers", signersOf))(t)), 2)
}

func (d *fixture) somebody(id terms.ID, seed byte) *fixture {
	d.t.Helper()
	other := *d
	other.key = newKey(d.t, seed)
	other.reviewer = records.Reviewer{ID: id, Role: terms.NeutralReviewer, KeyFingerprint: ssh.FingerprintSHA256(other.key.PublicKey())}
	return &other
}

func TestWhoHasNoRecordInALogStatesNothingAboutIt(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	stranger := d.somebody("nobody-99", 9)
	mine := need(d.store.Records(t.Context(), math.MaxInt64, 1))(t)
	mustNot(t, len(mine) != 1, "%v", len(mine))
	of := mine[0].Record.Members()
	for _, e := range []records.Erasure{{What: records.ErasableStatement, Record: of.RecordID, Reason: records.ErasedMistake},
		{What: records.ErasableNote, Record: of.RecordID, Reason: records.ErasedMistake},
		{What: records.ErasableTexts, Table: terms.RecordTable(of.Area), Key: of.Key, Reason: records.ErasedMistake}} {
		wantErr(t, e, errOf(d.store.PlanErasure(t.Context(), e, stranger.reviewer)), records.ErrRefused)
	}
	backup := d.backup()
	d.at(noon.Add(-time.Hour))
	due := need(d.store.ClockToAccept(t.Context()))(t)
	due.By, due.KeyFingerprint = stranger.reviewer.ID, stranger.reviewer.KeyFingerprint
	wantErr(t, "a clock", d.store.AcceptClock(t.Context(), stranger.signed(due)), records.ErrRefused)
	r := need(PrepareRestore(t.Context(), RestoreOptions{Source: backup, Target: filepath.Join(t.TempDir(), "again.db"), AnchorFolder: o.AnchorFolder, Reason: records.StoreLost}))(t)
	wantErr(t, "a restore", errors.Join(r.Make(t.Context(), stranger.stated(r.Statement, nil)), r.Close()), records.ErrRefused)
}

// readOf is what the reads of a store give of a case and the record on it.
func (d *fixture) readOf(record records.RecordID) string {
	d.t.Helper()
	ctx, file := d.t.Context(), d.caseFile(terms.AppealCases, "case-1")
	read := string(file.View.Document())
	statement, _ := d.store.Statement(ctx, record) // what is erased is not found
	note, _ := noteOf(d.store, record)
	queued, _, err := d.store.Queue(ctx, terms.Appeals, terms.InstantOf(noon), reviewerID, nil)
	must(d.t, err)
	var held [][]byte
	must(d.t, d.store.reading(ctx, "read", func(ctx context.Context, tx engine.Tx) (err error) {
		held, err = tx.Packets().Documents(ctx, terms.AppealCases, []packets.Key{{ID: "case-1", Number: 1}}, math.MaxInt64)
		if err != nil {
			return err
		}
		return tx.Records().EntriesAt(ctx, []int64{0}, func(e *engine.Entry) error {
			read += e.Statement.Text + e.Note.Text
			return nil
		})
	}))
	return read + statement.Text + note.Text + fmt.Sprintf("%s %+v", held, queued)
}

// What was erased and is put back beside the statement of its erasure, and a row that holds a case back without a service, are found.
func TestWhatIsThereAgainAfterItsErasureIsFound(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		erased int // which of erasuresOf and of the canaries
		member string
		codes  []verify.Code
	}{
		"a note":      {0, "note", []verify.Code{verify.NoteAltered}},
		"a statement": {1, "statement", []verify.Code{verify.TextAltered}},
		"texts":       {2, "texts", []verify.Code{verify.PacketAltered}},
		"a salt":      {2, "packetDigest", []verify.Code{verify.TextAltered, verify.JudgmentDiffers}},
	} {
		d, _, record := erasableFixture(t)
		before := d.backup()
		d.erase(erasuresOf(record.RecordID)[c.erased])
		d.forged("ATTACH '"+before+"' AS before", "INSERT INTO main.docket_texts SELECT * FROM before.docket_texts WHERE member = '"+c.member+"' EXCEPT SELECT * FROM main.docket_texts")
		for i, canary := range canaries[:3] {
			wantSame(t, name+": read of "+canary, strings.Contains(d.readOf(record.RecordID), canary), i != c.erased)
		}
		_, err := d.store.PacketSalt(t.Context(), record.RecordID)
		wantSame(t, name+": the salt is read", err == nil, c.erased != 2)
		wantKinds(t, name, proven(t, d.store), c.codes...)
	}
	s := filled(t).forged("INSERT INTO docket_local VALUES (7, 'reassigned', '', 'trade_appeal_cases', 'case-1', 9, '', '2026-03-01T12:00:00Z')")
	wantKinds(t, "a case held back", proven(t, s), verify.RowUnexpected)
}
