package bundle_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"docket/domain/records"
	"docket/domain/statement"
	"docket/domain/terms"
	"docket/store/bundle"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

func stated(t *testing.T, dir string, id records.RecordID) statement.Document {
	t.Helper()
	in := need(bundle.Statement(t.Context(), dir, id, verify.Options{}))(t)
	return statement.New(&in)
}

func TestAStatementFromABundleSaysWhatBecameOfTheRecord(t *testing.T) {
	t.Parallel()
	l, ref, first := oneCase(t)
	service := verifytest.NewService("one")
	second := l.Decide(ref, assigned, superseding(first))
	l.Append(second)
	third := l.Decide(ref, assigned, superseding(second))
	l.Append(third)
	l.Reject(service, third, second.Members().RecordID)
	other := l.Hold(terms.AppealCases, verifytest.AppealCase("case-2", 1))
	fourth := l.Decide(other, assigned, nil)
	l.Append(fourth)
	fifth := l.Decide(other, assigned, superseding(fourth))
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

func superseding(record records.Enforcement) func(*records.Choice) {
	return func(c *records.Choice) { c.Supersedes = record.Members().RecordID }
}

func oneCase(t testing.TB) (l *verifytest.Log, ref verify.Ref, first records.Enforcement) {
	t.Helper()
	l = verifytest.New(t)
	ref = l.Hold(terms.AppealCases, verifytest.AppealCase("case-1", 1))
	first = l.Decide(ref, assigned, nil)
	l.Append(first)
	return l, ref, first
}

// revokedLog is a log of two records, the second of which was signed after its key had been revoked.
func revokedLog(t testing.TB) (l *verifytest.Log, first, second records.Enforcement) {
	t.Helper()
	l, ref, first := oneCase(t)
	l.StateKey(l.About(records.KeyRevoked, verifytest.Assigned, verifytest.Assigned), verifytest.Assigned)
	second = l.Decide(ref, assigned, superseding(first))
	l.Append(second)
	return l, first, second
}

func TestARecordSignedAfterTheRevocationOfItsKeyIsNotInForceAndSupersedesNothing(t *testing.T) {
	t.Parallel()
	for name, made := range map[string]func(testing.TB) (l *verifytest.Log, first, second records.Enforcement){
		"by the key itself": revokedLog,
		// The first key of a reviewer counts because it signed the first record, and so does what it states about another key.
		"by the first key": func(t testing.TB) (l *verifytest.Log, first, second records.Enforcement) {
			l, ref, first := oneCase(t)
			for _, kind := range []records.LogStatementKind{records.KeyEndorsed, records.KeyRevoked} {
				l.StateKey(l.About(kind, verifytest.Assigned, "second"), verifytest.Assigned)
			}
			return l, first, l.AppendBy("second", ref, superseding(first))
		},
		// At a service the log's key signs that a key counts and that it does no longer.
		"by a service": func(t testing.TB) (l *verifytest.Log, first, second records.Enforcement) {
			l, ref, first := oneCase(t)
			second = l.Decide(ref, assigned, superseding(first))
			l.List = nil
			l.Rebuild()
			l.Says.Origin = records.ServiceOriginPrefix + strings.Repeat("0", 32)
			l.NewStoreKey("service")
			l.StateKey(l.About(records.KeyRegistered, verifytest.Assigned, verifytest.Assigned), "")
			l.Append(first)
			l.StateKey(l.About(records.KeyRevoked, verifytest.Assigned, verifytest.Assigned), "")
			l.Append(second)
			return l, first, second
		},
	} {
		l, first, second := made(t)
		dir := written(t, l)
		if d := stated(t, dir, first.Members().RecordID); len(d.Notices) > 0 {
			t.Errorf("%s, made before: %q", name, d.Notices)
		}
		d := stated(t, dir, second.Members().RecordID)
		if len(d.Notices) != 1 || !strings.Contains(d.Notices[0], "signed after the key of the reviewer had been revoked") {
			t.Errorf("%s: %q", name, d.Notices)
		}
		text := string(need(os.ReadFile(at(dir, "index.html")))(t))
		if strings.Count(text, "had been revoked") != 1 || strings.Contains(text, "no longer in force") {
			t.Errorf("%s: the index does not say so", name)
		}
		provenance := string(need(os.ReadFile(at(dir, "provenance.json")))(t))
		says := `"_:invalidation1":{"prov:entity":"record:` + string(second.Members().RecordID) + `","docket:reason":"signed_after_revocation"}`
		if !strings.Contains(provenance, says) || strings.Contains(provenance, `"superseded"`) {
			t.Errorf("%s: the provenance does not say so: %s", name, provenance)
		}
	}
}

func TestAStatementFromABundleNamesTheKeyOfItsCheckpoint(t *testing.T) {
	l := sampleLog(t)
	in, err := bundle.Statement(t.Context(), written(t, l), idOf(t, l.List[1].Document), verify.Options{})
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
	third := idOf(t, l.List[3].Document)
	damaged, sound := stated(t, dir, idOf(t, l.List[1].Document)), stated(t, dir, third)
	if len(damaged.Notices) == 0 || !strings.HasPrefix(damaged.Notices[0], "This record does not check out: ") {
		t.Errorf("%q", damaged.Notices)
	}
	if len(sound.Notices) > 0 {
		t.Errorf("%q", sound.Notices)
	}
	must(t, removing("checkpoint")(dir))
	if sound = stated(t, dir, third); len(sound.Notices) == 0 {
		t.Error("a log without a checkpoint has nothing to say against its records")
	}
}
