package bundle_test

import (
	"os"
	"path/filepath"
	"testing"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// withTheirs is a sample log that knows a record of the service's log on a case of its own, and has superseded it.
func withTheirs(t testing.TB) *verifytest.Log {
	t.Helper()
	l := sampleLog(t)
	ref := l.Hold(terms.AppealCases, verifytest.AppealCase("case-9", 1))
	theirs := l.Decide(ref, verifytest.Person("admin-1", terms.SafetyAdmin), func(c *records.Choice) {
		c.Outcome, c.AddedBlockers = terms.BlockReliance, terms.SetOf(terms.NoticeMissing)
	})
	l.GiveOut(verifytest.NewService(""), theirs.Document(), "admin-1")
	record := l.Decide(ref, assigned, nil)
	l.AppendSigned(record.Table(), l.Forged(record, verifytest.Record{"supersedes": string(theirs.Members().RecordID), "gate": "blocked",
		"carriedBlockers": []string{"notice_missing"}}), verifytest.Key(verifytest.Assigned))
	return l
}

func TestABundleHoldsTheRecordsOfTheServicesLogAndWhatIsDoneToThemIsFound(t *testing.T) {
	t.Parallel()
	l := withTheirs(t)
	options := verify.Options{ServiceKeys: []string{l.Says.ServiceKey}}
	const name = "service-records/0.json"
	for what, c := range map[string]struct {
		do   func(t *testing.T, path string)
		want []verify.Code
	}{
		"nothing": {func(*testing.T, string) {}, nil},
		"it is gone": {func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}, []verify.Code{verify.SupersedesUnknown, verify.CarriedUnknown, verify.FileDiffers}},
		"it is empty": {func(t *testing.T, path string) { overwritten(t, path, "") },
			[]verify.Code{verify.ServiceRecordAltered, verify.SupersedesUnknown, verify.CarriedUnknown, verify.FileDiffers}},
		"one more that is none": {func(t *testing.T, path string) { overwritten(t, filepath.Join(filepath.Dir(path), "2.json"), "{}") },
			[]verify.Code{verify.ServiceRecordAltered, verify.FileDiffers}},
		"a stray file": {func(t *testing.T, path string) { overwritten(t, filepath.Join(filepath.Dir(path), "x"), "{}") },
			[]verify.Code{verify.FileUnexpected}},
	} {
		t.Run(what, func(t *testing.T) {
			dir := written(t, l)
			c.do(t, filepath.Join(dir, filepath.FromSlash(name)))
			wantKinds(t, dir, options, c.want...)
		})
	}
}

func overwritten(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}
