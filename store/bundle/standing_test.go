package bundle_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/statement"
	"docket/domain/terms"
	"docket/store/bundle"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// stated is the statement of a record in a bundle.
func stated(t *testing.T, dir string, id records.RecordID) statement.Document {
	t.Helper()
	in := need(bundle.Statement(t.Context(), dir, id, verify.Options{}))(t)
	return statement.New(&in)
}

func TestAStatementFromABundleSaysWhatBecameOfTheRecord(t *testing.T) {
	t.Parallel()
	l := verifytest.New(t)
	service := verifytest.NewService("one")
	ref := l.Hold(terms.AppealCases, verifytest.AppealCase("case-1", 1))
	first := l.Decide(ref, assigned, nil)
	l.Append(first)
	second := l.Decide(ref, assigned, func(c *records.Choice) { c.Supersedes = first.Members().RecordID })
	l.Append(second)
	third := l.Decide(ref, assigned, func(c *records.Choice) { c.Supersedes = second.Members().RecordID })
	l.Append(third)
	l.Reject(service, third, second.Members().RecordID)
	other := l.Hold(terms.AppealCases, verifytest.AppealCase("case-2", 1))
	fourth := l.Decide(other, assigned, nil)
	l.Append(fourth)
	fifth := l.Decide(other, assigned, func(c *records.Choice) { c.Supersedes = fourth.Members().RecordID })
	l.Append(fifth)
	elsewhere := records.RecordID("01890000-0000-7000-8000-00000000000a")
	l.Reject(service, fifth, elsewhere)
	dir := written(t, l)
	for name, c := range map[string]struct {
		record records.Enforcement
		says   string // "": it is in force
	}{
		"superseded":                        {first, "Record " + string(second.Members().RecordID) + " has taken its place"},
		"superseded by a rejected one only": {second, ""},
		"rejected":                          {third, "The service rejected the record"},
		"replaced by another console's":     {fourth, "Record " + string(elsewhere) + " has taken its place"},
		"rejected for another console's":    {fifth, "holds record " + string(elsewhere) + " as in force"},
	} {
		d := stated(t, dir, c.record.Members().RecordID)
		if said := strings.Join(d.Notices, "\n"); (c.says == "") != (said == "") || !strings.Contains(said, c.says) {
			t.Errorf("%s: %q", name, said)
		}
	}
}

// revokedLog is a log of two records, the second of which was signed after its key had been revoked.
func revokedLog(t testing.TB) (l *verifytest.Log, first, second records.Enforcement) {
	t.Helper()
	l = verifytest.New(t)
	ref := l.Hold(terms.AppealCases, verifytest.AppealCase("case-1", 1))
	first = l.Decide(ref, assigned, nil)
	l.Append(first)
	seen := l.Seen()
	l.StateKey(records.LogStatement{Kind: records.KeyRevoked, Origin: seen.Origin, Size: seen.Size, Root: seen.Root, At: first.Members().RecordedAt,
		By: verifytest.Assigned, KeyFingerprint: assigned.KeyFingerprint,
		Key: records.KeyChange{PublicKey: signed.AuthorizedKey(verifytest.Key(string(verifytest.Assigned)).PublicKey()), From: seen.Size}}, verifytest.Assigned)
	second = l.Decide(ref, assigned, func(c *records.Choice) { c.Supersedes = first.Members().RecordID })
	l.Append(second)
	return l, first, second
}

func TestARecordSignedAfterTheRevocationOfItsKeyIsNotInForceAndSupersedesNothing(t *testing.T) {
	t.Parallel()
	l, first, second := revokedLog(t)
	dir := written(t, l)
	if d := stated(t, dir, first.Members().RecordID); len(d.Notices) > 0 {
		t.Errorf("made before: %q", d.Notices)
	}
	d := stated(t, dir, second.Members().RecordID)
	if len(d.Notices) != 1 || !strings.Contains(d.Notices[0], "signed after the key of the reviewer had been revoked") {
		t.Errorf("%q", d.Notices)
	}
	text, err := os.ReadFile(at(dir, "index.html"))
	if err != nil || strings.Count(string(text), "had been revoked") != 1 || strings.Contains(string(text), "no longer in force") {
		t.Errorf("%v: the index does not say so", err)
	}
	provenance, err := os.ReadFile(at(dir, "provenance.json"))
	says := `"_:invalidation1":{"prov:entity":"record:` + string(second.Members().RecordID) + `","docket:reason":"signed_after_revocation"}`
	if err != nil || !strings.Contains(string(provenance), says) || strings.Contains(string(provenance), `"superseded"`) {
		t.Errorf("%v: the provenance does not say so: %s", err, provenance)
	}
}

// The first key of a reviewer counts because it signed the first record, and so does what it states about another key.
func TestARecordSignedAfterTheFirstKeyRevokedTheSecondSupersedesNothing(t *testing.T) {
	t.Parallel()
	l := verifytest.New(t)
	ref := l.Hold(terms.AppealCases, verifytest.AppealCase("case-1", 1))
	first := l.Decide(ref, assigned, nil)
	l.Append(first)
	key := verifytest.Key("second")
	for _, kind := range []records.LogStatementKind{records.KeyEndorsed, records.KeyRevoked} {
		seen := l.Seen()
		about := records.LogStatement{Kind: kind, Origin: seen.Origin, Size: seen.Size, Root: seen.Root, At: first.Members().RecordedAt,
			By: verifytest.Assigned, KeyFingerprint: assigned.KeyFingerprint, Key: records.KeyChange{PublicKey: signed.AuthorizedKey(key.PublicKey())}}
		if kind == records.KeyRevoked {
			about.Key.From, about.Key.Previous = seen.Size, terms.HashOf([]byte(l.Says.Statements[0].Text))
		}
		l.StateKey(about, verifytest.Assigned)
	}
	second := assigned
	second.KeyFingerprint = ssh.FingerprintSHA256(key.PublicKey())
	record := l.Decide(ref, second, func(c *records.Choice) { c.Supersedes = first.Members().RecordID })
	l.Says.Signers = append(l.Says.Signers, verify.Signer{ID: verifytest.Assigned, Key: key.PublicKey(), Since: record.Members().RecordedAt})
	l.AppendSigned(record.Table(), record.Document(), key)
	dir := written(t, l)
	if d := stated(t, dir, first.Members().RecordID); len(d.Notices) > 0 {
		t.Errorf("made before: %q", d.Notices)
	}
	if d := stated(t, dir, record.Members().RecordID); len(d.Notices) != 1 || !strings.Contains(d.Notices[0], "signed after the key of the reviewer had been revoked") {
		t.Errorf("%q", d.Notices)
	}
}

// At a service the log's key signs that a key counts and that it does no longer.
func TestARecordSignedAfterTheServiceRevokedItsKeySupersedesNothing(t *testing.T) {
	t.Parallel()
	l := verifytest.New(t)
	ref := l.Hold(terms.AppealCases, verifytest.AppealCase("case-1", 1))
	first := l.Decide(ref, assigned, nil)
	l.Append(first)
	second := l.Decide(ref, assigned, func(c *records.Choice) { c.Supersedes = first.Members().RecordID })
	l.List = nil
	l.Rebuild()
	l.Says.Origin = records.ServiceOriginPrefix + strings.Repeat("0", 32)
	l.NewStoreKey("service")
	state := func(kind records.LogStatementKind) {
		seen := l.Seen()
		s := records.LogStatement{Kind: kind, Origin: seen.Origin, Size: seen.Size, Root: seen.Root, At: first.Members().RecordedAt,
			By: verifytest.Assigned, KeyFingerprint: assigned.KeyFingerprint,
			Key: records.KeyChange{PublicKey: signed.AuthorizedKey(verifytest.Key(string(verifytest.Assigned)).PublicKey())}}
		if kind == records.KeyRevoked {
			s.Key.From, s.Key.Previous = seen.Size, terms.HashOf([]byte(l.Says.Statements[0].Text))
		}
		l.StateKey(s, "")
	}
	state(records.KeyRegistered)
	l.Append(first)
	state(records.KeyRevoked)
	l.Append(second)
	dir := written(t, l)
	if d := stated(t, dir, first.Members().RecordID); len(d.Notices) > 0 {
		t.Errorf("made before: %q", d.Notices)
	}
	if d := stated(t, dir, second.Members().RecordID); len(d.Notices) != 1 || !strings.Contains(d.Notices[0], "signed after the key of the reviewer had been revoked") {
		t.Errorf("%q", d.Notices)
	}
}

func TestAStatementFromABundleNamesTheKeyOfItsCheckpoint(t *testing.T) {
	l := sampleLog(t)
	in, err := bundle.Statement(t.Context(), written(t, l), records.RecordID(strings.SplitAfterN(string(l.List[1].Document), `"recordId":"`, 2)[1][:36]), verify.Options{})
	place := in.Place
	if err != nil || place.VerifierKey != l.Says.VerifierKeys[0] || place.Origin != l.Says.Origin || place.Receipt.Sequence != 1 || place.Receipt.TreeSize != 2 {
		t.Errorf("%+v, %v", place, err)
	}
}

func TestAStatementOfNoRecordOfTheBundleIsNone(t *testing.T) {
	t.Parallel()
	_, err := bundle.Statement(t.Context(), written(t, sampleLog(t)), "01890000-0000-7000-8000-00000000000a", verify.Options{})
	if !errors.Is(err, bundle.ErrNoRecord) {
		t.Error(err)
	}
}

// The findings of another record are not the matter of the parties of this one; those of the log are everybody's.
func TestAStatementFromADamagedBundleSaysSoFirst(t *testing.T) {
	t.Parallel()
	l := sampleLog(t)
	dir := written(t, l)
	must(t, copying("records/0.json.sig", "records/1.json.sig")(dir))
	var ids []records.RecordID
	for i := range l.List {
		text := string(l.List[i].Document)
		_, rest, _ := strings.Cut(text, `"recordId":"`)
		ids = append(ids, records.RecordID(rest[:36]))
	}
	damaged, sound := stated(t, dir, ids[1]), stated(t, dir, ids[3])
	if len(damaged.Notices) == 0 || !strings.HasPrefix(damaged.Notices[0], "This record does not check out: ") {
		t.Errorf("%q", damaged.Notices)
	}
	if len(sound.Notices) > 0 {
		t.Errorf("%q", sound.Notices)
	}
	must(t, removing("checkpoint")(dir))
	if sound = stated(t, dir, ids[3]); len(sound.Notices) == 0 {
		t.Error("a log without a checkpoint has nothing to say against its records")
	}
}
