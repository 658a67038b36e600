package bundle_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/bundle"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// foreign is a record that no log here has.
const foreign = "019ecb6a-4e00-7abc-8def-0123456789ab"

// turnedAway is a sample log of which a service turned two records away: one was judged again, on top of what the service
// named, the other was not.
func turnedAway(t testing.TB) (l *verifytest.Log, judged, waiting records.RecordID) {
	t.Helper()
	l = sampleLog(t)
	service := verifytest.NewService("")
	ref := l.Hold(terms.AppealCases, verifytest.AppealCase("case-7", 1))
	first := l.Decide(ref, assigned, nil)
	l.Append(first)
	l.Reject(service, first, foreign)
	l.Append(l.Decide(ref, assigned, func(c *records.Choice) { c.Supersedes = foreign }))
	last := l.Decide(l.Hold(terms.AppealCases, verifytest.AppealCase("case-8", 1)), assigned, nil)
	l.Append(last)
	l.Reject(service, last, "")
	return l, first.Members().RecordID, last.Members().RecordID
}

func wantKinds(t *testing.T, dir string, o verify.Options, want ...verify.Code) {
	t.Helper()
	report := checked(t, dir, o)
	var codes []verify.Code
	for _, finding := range report.Findings {
		t.Log(finding)
		codes = append(codes, finding.Code)
	}
	slices.Sort(codes)
	slices.Sort(want)
	if codes = slices.Compact(codes); !slices.Equal(codes, want) {
		t.Errorf("found %v, want %v", codes, want)
	}
}

func TestABundleShowsWhatTheServiceTurnedAway(t *testing.T) {
	t.Parallel()
	l, judged, waiting := turnedAway(t)
	dir := written(t, l)
	wantKinds(t, dir, verify.Options{ServiceKeys: []string{l.Says.ServiceKey}})
	for i, id := range []records.RecordID{judged, waiting} {
		kept, err := os.ReadFile(filepath.Join(dir, "rejections", string(id)))
		if err != nil || string(kept) != string(l.Rejected[i].Signed) {
			t.Errorf("%q, %v", kept, err)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "SUMMARY.md"))
	if err != nil {
		t.Fatal(err)
	}
	digest := sha256.New()
	for i, id := range []records.RecordID{judged, waiting} {
		sum := sha256.Sum256(l.Rejected[i].Signed)
		_, _ = fmt.Fprintf(digest, "%s\n%s", id, sum[:])
	}
	for _, want := range []string{l.Says.ServiceKey, "turned away: 2", "`rejections/RECORD`", fmt.Sprintf("digest over the rejections: sha256:%x", digest.Sum(nil))} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the summary does not say %q", want)
		}
	}
}

func TestABundleOfALogWithoutAServiceSpeaksOfNone(t *testing.T) {
	t.Parallel()
	dir := written(t, sampleLog(t))
	text, err := os.ReadFile(filepath.Join(dir, "SUMMARY.md"))
	if err != nil || strings.Contains(string(text), "key of the service") || strings.Contains(string(text), "that the service") {
		t.Errorf("it does: %v", err)
	}
	for _, name := range files(t, dir) {
		if name == "service" || strings.HasPrefix(name, "rejections") {
			t.Errorf("there is %s", name)
		}
	}
}

// forgedRejections are a bundle with rejections, and what a forger does to them.
func forgedRejections(t *testing.T) (string, []changedBundle) {
	const service, folder, class, key = "service", "rejections/", "rejections", "the service's key"
	l, judged, waiting := turnedAway(t)
	other := verifytest.NewService("another")
	first := folder + string(judged)
	return written(t, l), []changedBundle{
		{class, "a rejection removed, with a record on top of it", removing(folder + string(judged)),
			[]verify.Code{verify.SupersedesUnknown, verify.FileDiffers}},
		{class, "a rejection removed, with no record on top of it", removing(folder + string(waiting)),
			[]verify.Code{verify.FileDiffers}},
		{class, "a rejection that is edited", writing(first, strings.Replace(string(l.Rejected[0].Signed), foreign, "-", 1)), []verify.Code{verify.RejectionUnsigned, verify.SupersedesUnknown, verify.FileDiffers}},
		{class, "a rejection signed with another key", writing(first, string(other.Sign(verifytest.Rejection(recordOf(t, l, judged), foreign)))), []verify.Code{verify.RejectionUnsigned, verify.SupersedesUnknown, verify.FileDiffers}},
		{class, "a rejection of another record", writing(first, string(l.Rejected[1].Signed)), []verify.Code{verify.RejectionStray, verify.SupersedesUnknown, verify.FileDiffers}},
		{class, "a rejection of no record", writing(folder+foreign, string(l.Rejected[1].Signed)), []verify.Code{verify.RejectionStray}},
		{class, "a rejection in a file of another name", writing(folder+"notes.txt", "x"), []verify.Code{verify.FileUnexpected}},
		{key, "the key removed", removing(service),
			[]verify.Code{verify.RejectionUnsigned, verify.SupersedesUnknown, verify.FileDiffers}},
		{key, "the key in two lines", writing(service, l.Says.ServiceKey+"\n\n"), []verify.Code{verify.ServiceKeyUnusable, verify.RejectionUnsigned, verify.SupersedesUnknown, verify.FileDiffers}},
		{key, "an empty key", writing(service, ""),
			[]verify.Code{verify.ServiceKeyUnusable, verify.RejectionUnsigned, verify.SupersedesUnknown, verify.FileDiffers}},
		{key, "another key", writing(service, other.Key+"\n"), []verify.Code{verify.RejectionUnsigned, verify.SupersedesUnknown, verify.FileDiffers}},
	}
}

func recordOf(t *testing.T, l *verifytest.Log, id records.RecordID) records.Enforcement {
	t.Helper()
	var reader packets.Reader
	for _, entry := range l.List {
		record, err := records.ReadEnforcement(&reader, terms.AreaOf(entry.Table), entry.Document)
		if err == nil && record.Members().RecordID == id {
			return record
		}
	}
	t.Fatal("no such record")
	return records.Enforcement{}
}

func TestAServiceThatWasMadeUpIsFoundByItsKey(t *testing.T) {
	t.Parallel()
	l, _, _ := turnedAway(t)
	wantKinds(t, written(t, l), verify.Options{ServiceKeys: []string{verifytest.NewService("another").Key}},
		verify.ServiceKeyUnusable, verify.RejectionUnsigned, verify.SupersedesUnknown, verify.FileDiffers)
}

func TestALogWithAForgedRejectionIsNotExported(t *testing.T) {
	t.Parallel()
	l, _, _ := turnedAway(t)
	l.Rejected[0].Signed = verifytest.NewService("another").Sign(verifytest.Rejection(recordOf(t, l, l.Rejected[0].RecordID), foreign))
	if _, err := bundle.Write(t.Context(), filepath.Join(t.TempDir(), "bundle"), l, bundle.Options{}); err == nil {
		t.Error("it is")
	}
}

func TestAnExportWithRejectionsReplacesAnEarlierOne(t *testing.T) {
	t.Parallel()
	l, _, _ := turnedAway(t)
	dir := written(t, l)
	more(l, "case-9")
	if _, err := bundle.Write(t.Context(), dir, l, bundle.Options{}); err != nil {
		t.Fatal(err)
	}
	wantKinds(t, dir, verify.Options{})
}
