package store

import (
	"testing"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/verify"

	"golang.org/x/crypto/ssh"
)

func TestAReviewersSecondKeyRecordsNothing(t *testing.T) {
	t.Parallel()
	d, _ := anchoredFixture(t)
	d.key = newKey(t, 9)
	d.reviewer.KeyFingerprint = ssh.FingerprintSHA256(d.key.PublicKey())
	caseFile := d.caseFile(terms.AppealCases, "case-4")
	mustBe(t, errOf(d.store.Append(t.Context(), d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision}))), records.ErrRefused)
	wantSame(t, "records in the log", len(wholeLog(t, d.store)), 4)
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
	wantSame(t, "keys signed", len(need(s.signers(t.Context()))(t)), 2)
}
