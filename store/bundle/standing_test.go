package bundle_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// noticesOf returns what the page of all decisions says at the top of a record.
func noticesOf(t *testing.T, dir string, id records.RecordID) string {
	t.Helper()
	page := string(need(os.ReadFile(at(dir, "index.html")))(t))
	for _, article := range strings.Split(page, "<article")[1:] {
		if strings.Contains(article, "<td>"+string(id)+"</td>") {
			top, _, _ := strings.Cut(article, "<section>")
			_, notices, _ := strings.Cut(top, "</h2>")
			return strings.TrimSpace(notices)
		}
	}
	t.Fatalf("record %s has no article", id)
	return ""
}

func TestThePageOfABundleSaysWhatBecameOfARecord(t *testing.T) {
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
		if said := noticesOf(t, dir, c.record.Members().RecordID); (c.says == "") != (said == "") || !strings.Contains(said, c.says) {
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
			return l, first, appendBy(l, "second", ref, superseding(first))
		},
		// At a service the log's key signs that a key counts and that it does no longer.
		"by a service": func(t testing.TB) (l *verifytest.Log, first, second records.Enforcement) {
			l, ref, first := oneCase(t)
			second = l.Decide(ref, assigned, superseding(first))
			l.Cut(0)
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
		if said := noticesOf(t, dir, first.Members().RecordID); said != "" {
			t.Errorf("%s, made before: %q", name, said)
		}
		said := noticesOf(t, dir, second.Members().RecordID)
		if !strings.Contains(said, "signed after the key of the reviewer had been revoked") {
			t.Errorf("%s: %q", name, said)
		}
		text := string(need(os.ReadFile(at(dir, "index.html")))(t))
		if strings.Count(text, "had been revoked") != 1 || strings.Contains(text, "no longer in force") {
			t.Errorf("%s: the index does not say so", name)
		}
		provenance := string(need(os.ReadFile(at(dir, "provenance.json")))(t))
		says := fmt.Sprintf(`"_:invalidation%d":{"prov:entity":"record:`, l.At(1)) + string(second.Members().RecordID) + `","docket:reason":"signed_after_revocation"}`
		if !strings.Contains(provenance, says) || strings.Contains(provenance, `"superseded"`) {
			t.Errorf("%s: the provenance does not say so: %s", name, provenance)
		}
	}
}
