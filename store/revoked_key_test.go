package store

import (
	"slices"
	"strings"
	"testing"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/verify"

	"golang.org/x/crypto/ssh"
)

// state has the key of a seed state something about another one, and keeps it.
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

// use goes on with the key of a seed.
func (d *fixture) use(seed byte) {
	d.key = newKey(d.t, seed)
	d.reviewer.KeyFingerprint = ssh.FingerprintSHA256(d.key.PublicKey())
}

// decideAgain tries to record a decision on a case.
func (d *fixture) decideAgain(id terms.ID) error {
	caseFile := d.caseFile(terms.AppealCases, id)
	_, err := d.store.Append(d.t.Context(), d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision, supersedes: caseFile.InForce}))
	return err
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
	if row := d.queue(terms.Appeals, reviewerID)[decided.Key.ID]; row.Decided || !row.Rejected {
		t.Errorf("the queue says %+v", row)
	}
	d.use(9)
	must(t, d.decideAgain(decided.Key.ID))
	report, err := d.store.Verify(t.Context(), verify.Options{})
	if err != nil || !report.Sound() || len(report.NotInForce) != at+1 || report.NotInForce[0] != from {
		t.Errorf("%+v, %v", report.Findings, err)
	}
	d.close()
	s := openWith(t, o)
	wantKinds(t, "after a revocation", s.Findings())
	if s.ReadOnly() {
		t.Error("recording stopped")
	}
	for _, c := range []struct{ name, edit string }{
		{"with another row of a revoked key", "UPDATE docket_revoked_keys SET received = received + 1"},
		{"with one more", "UPDATE docket_revoked_keys SET received = received - 1; INSERT INTO docket_revoked_keys SELECT 'rev-other', fingerprint, fromSequence, madeSize, received FROM docket_revoked_keys"},
		{"without the rows of the revoked keys", "DELETE FROM docket_revoked_keys"},
	} {
		forge(t, o.Path, strings.Split(c.edit, "; ")...)
		wantKinds(t, c.name, openWith(t, o).Findings(), verify.SignerAltered)
	}
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

func TestARecordThatComesInAfterTheRevocationIsRejected(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	sub := d.judged("case-1", decision{})
	sub.Note = records.Note{}
	must(t, d.store.RevokeKey(t.Context(), reviewerID, d.reviewer.KeyFingerprint))
	mustBe(t, d.refusing(sub), ErrKeyRevoked)
}
