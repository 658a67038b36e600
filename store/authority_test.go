package store

import (
	"context"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/engine"
	"docket/store/merkle"
	"docket/store/verify"

	"golang.org/x/crypto/ssh"
)

// slipped puts a statement about the log as it is into the store's file, as a program that asks nobody would; seed is that of the key of the
// person by. The log's key signs it, too, where its kind asks for that. The store is opened again.
func (d *fixture) slipped(by terms.ID, seed byte, statement records.LogStatement) *Store {
	d.t.Helper()
	key, head := newKey(d.t, seed), need(d.store.Head(d.t.Context()))(d.t)
	statement.Origin, statement.Size, statement.Root = head.Origin, head.Size, head.Root
	statement.By, statement.KeyFingerprint = by, ssh.FingerprintSHA256(key.PublicKey())
	if !statement.At.Present() {
		statement.At = terms.InstantOf(d.clock)
	}
	kept := signed.Statement{Text: statement.Text(), Signature: sign(d.t, key, []byte(statement.Text()), records.LogStatementNamespace)}
	if statement.LogSigns() {
		kept = need(d.store.key.Countersign(kept))(d.t)
	}
	must(d.t, d.store.db.UpdateOnce(d.t.Context(), func(ctx context.Context, tx engine.Tx) error {
		return d.store.state(ctx, tx, kept)
	}))
	d.close()
	d.store = openWith(d.t, d.store.options)
	return d.store
}

// A stranger is a person without a record in the log, or the reviewer's name over a key that is not theirs.
var strangers = map[string]terms.ID{"somebody without a record": "stranger", "a key that is not the reviewer's": reviewerID}

func TestAStatementOfAStrangerStopsTheStore(t *testing.T) {
	t.Parallel()
	for name, by := range strangers {
		d := withCase(t)
		d.record("case-1", decision{outcome: terms.UpholdDecision})
		s := d.slipped(by, 99, records.LogStatement{Kind: records.AnchorAccepted, Found: []string{verify.AnchorMissing.String()}})
		wantKinds(t, name, s.Findings(), verify.StatementNotAuthorized)
		wantKinds(t, name, proven(t, s), verify.StatementNotAuthorized)
		mustBe(t, s.Backup(t.Context(), t.TempDir()+"/backup.db", nil), ErrTampered)
		mustBe(t, errOf(s.Import(t.Context(), []packets.Packet{d.mill.appealCase(passing("case-2", 1))})), ErrTampered)
		mustBe(t, errOf(s.Append(t.Context(), d.submission("case-1", decision{outcome: terms.UpholdDecision}))), ErrTampered)
		h := need(Inspect(t.Context(), s.options))(t)
		wantKinds(t, "inspected", h.Findings, verify.StatementNotAuthorized)
	}
	d := withCase(t)
	d.record("case-1", decision{outcome: terms.UpholdDecision})
	s := d.slipped(reviewerID, 1, records.LogStatement{Kind: records.AnchorAccepted, Found: []string{verify.AnchorMissing.String()}})
	wantKinds(t, "the reviewer", append(s.Findings(), proven(t, s)...))
}

func TestAnErasureOfAStrangerAllowsNothing(t *testing.T) {
	t.Parallel()
	for name, by := range strangers {
		d, _, _ := erasableFixture(t)
		d.slipped(by, 99, records.LogStatement{Kind: records.Erased, Found: textsOfCase1.Words()})
		s := d.forged("DELETE FROM docket_texts WHERE member = 'texts' AND owner = (SELECT position FROM trade_appeal_cases WHERE caseId = 'case-1')")
		wantKinds(t, name, proven(t, s), verify.StatementNotAuthorized, verify.TextMissing)
	}
}

func TestAClockThatAStrangerAcceptedIsNotAccepted(t *testing.T) {
	t.Parallel()
	d, first, setClock := wrongClock(t)
	setClock(noon)
	s := d.slipped("stranger", 99, records.LogStatement{Kind: records.ClockAccepted, Found: []string{first.RecordID.At().String()}})
	wantKinds(t, "found", s.Findings(), verify.StatementNotAuthorized)
	wantNot(t, d.caseFile(terms.AppealCases, "case-1").Waits == "", "recording does not wait")
	h := need(Inspect(t.Context(), s.options))(t)
	wantNot(t, h.ClockAccepted.Present(), "accepted at %s", h.ClockAccepted)
}

func TestRecordingWaitsAfterAStatementOfLaterToo(t *testing.T) {
	t.Parallel()
	for later, waits := range map[time.Duration]bool{records.OrderLeeway: false, records.OrderLeeway + time.Second: true} {
		d := withCase(t)
		d.record("case-1", decision{outcome: terms.UpholdDecision})
		d.slipped(reviewerID, 1, records.LogStatement{Kind: records.AnchorAccepted, Found: []string{verify.AnchorMissing.String()}, At: terms.InstantOf(noon.Add(later))})
		said := d.caseFile(terms.AppealCases, "case-1").Waits
		wantNot(t, (said != "") != waits, "after one of %s later: %q", later, said)
	}
}

// erasureBy is a statement that texts were erased, by a person with the key of a seed; the log's key signs it, too.
func (d *fixture) erasureBy(by terms.ID, seed byte) (records.LogStatement, signed.Statement) {
	d.t.Helper()
	head, key := need(d.store.Head(d.t.Context()))(d.t), newKey(d.t, seed)
	s := records.LogStatement{Kind: records.Erased, Origin: head.Origin, Size: head.Size, Root: head.Root, At: terms.InstantOf(noon.Add(time.Second)),
		By: by, KeyFingerprint: ssh.FingerprintSHA256(key.PublicKey()), Found: textsOfCase1.Words()}
	kept := signed.Statement{Text: s.Text(), Signature: sign(d.t, key, []byte(s.Text()), records.LogStatementNamespace)}
	return s, need(d.store.key.Countersign(kept))(d.t)
}

func TestARestoreErasesAgainOnlyWhatSomebodyErasedWhoMay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		by   terms.ID
		seed byte
		may  bool
	}{
		"the reviewer": {reviewerID, 1, true}, "somebody without a record": {"stranger", 99, false}, "a key that is not the reviewer's": {reviewerID, 99, false},
	} {
		o := afterErasures(t)
		d, _ := erasableFixtureAt(t, o)
		backup := d.backup()
		was, kept := d.erasureBy(c.by, c.seed)
		// As if before all records: so anybody could who has the key of the log, and no reviewer's.
		early := was
		early.Size, early.Root = 0, terms.HashOf(nil)
		prepare := func(what string, applied bool, exports ...RestoreExport) {
			t.Helper()
			r := need(PrepareRestore(t.Context(), RestoreOptions{Source: backup, Target: o.Path + ".restored", AnchorFolder: o.AnchorFolder,
				Reason: records.StoreLost, Exports: exports}))(t)
			wantNot(t, (len(r.Erasures) == 1) != applied || (len(r.Refused) == 1) == applied, "%s, %s: %d erasures, %d refused", name, what, len(r.Erasures), len(r.Refused))
			must(t, r.Close())
		}
		export := func(whole bool, stated ...records.LogStatement) RestoreExport {
			return RestoreExport{Name: "export", Whole: whole, Accepted: stated, Lineage: verify.Lineage{{Origin: was.Origin, Key: d.store.key.Encoded}}}
		}
		prepare("in an export of a part", c.may, export(false, was))
		prepare("in an export of a part, as if before all records", c.may, export(false, early))
		prepare("in an export that was checked whole", true, export(true, was))
		endorsed := records.LogStatement{Kind: records.KeyEndorsed, Origin: was.Origin, Size: was.Size, Root: was.Root, At: was.At, By: reviewerID,
			KeyFingerprint: ssh.FingerprintSHA256(newKey(t, 98).PublicKey()), Key: records.KeyChange{PublicKey: signed.AuthorizedKey(newKey(t, 99).PublicKey())}}
		prepare("in an export of a part, with an endorsement of its own", c.may, export(false, endorsed, was))
		must(t, merkle.KeepErasure(o.AnchorFolder, was.Origin, kept))
		prepare("beside the anchor", c.may)
	}
}

func TestAStoreSaysWhoAcceptedItsLog(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	d.record("case-1", decision{outcome: terms.UpholdDecision})
	wantSame(t, "before", len(need(d.store.Accepted(t.Context()))(t)), 0)
	found := []string{verify.AnchorMissing.String()}
	d.slipped(reviewerID, 1, records.LogStatement{Kind: records.AnchorAccepted, Found: found})
	s := d.slipped("stranger", 99, records.LogStatement{Kind: records.AnchorAccepted, Found: found})
	accepted := need(s.Accepted(t.Context()))(t)
	mustNot(t, len(accepted) != 1 || accepted[0].By != reviewerID, "%v", accepted)
	h := need(Inspect(t.Context(), s.options))(t)
	wantNot(t, len(h.Accepted) != 1, "inspected: %v", h.Accepted)
}
