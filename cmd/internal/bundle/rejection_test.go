package bundle_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docket/cmd/internal/audit"
	"docket/cmd/internal/audit/audittest"
	"docket/cmd/internal/bundle"
	"docket/domain"
)

// foreign is a record that no log here has.
const foreign = "019ecb6a-4e00-7abc-8def-0123456789ab"

// turnedAway is a sample log of which a service turned two records away: one was judged again, on top of what the service
// named, the other was not.
func turnedAway(t testing.TB) (l *audittest.Log, judged, waiting domain.RecordID) {
	t.Helper()
	l = sampleLog(t)
	service := audittest.NewService("")
	ref := l.Hold(domain.AppealCases, audittest.AppealCase("case-7", 1))
	first := l.Decide(ref, assigned, nil)
	l.Append(first)
	l.Reject(service, first, foreign)
	l.Append(l.Decide(ref, assigned, func(c *domain.Choice) { c.Supersedes = foreign }))
	last := l.Decide(l.Hold(domain.AppealCases, audittest.AppealCase("case-8", 1)), assigned, nil)
	l.Append(last)
	l.Reject(service, last, "")
	return l, first.Members().RecordID, last.Members().RecordID
}

func wantKinds(t *testing.T, dir string, o audit.Options, want ...audit.Kind) {
	t.Helper()
	report := checked(t, dir, o)
	var kinds []audit.Kind
	for _, finding := range report.Findings {
		t.Log(finding)
		kinds = append(kinds, finding.Kind)
	}
	slices.Sort(kinds)
	slices.Sort(want)
	if kinds = slices.Compact(kinds); !slices.Equal(kinds, want) {
		t.Errorf("found %v, want %v", kinds, want)
	}
}

func TestABundleShowsWhatTheServiceTurnedAway(t *testing.T) {
	l, judged, waiting := turnedAway(t)
	dir := written(t, l)
	wantKinds(t, dir, audit.Options{ServiceKey: l.Says.ServiceKey})
	for i, id := range []domain.RecordID{judged, waiting} {
		kept, err := os.ReadFile(filepath.Join(dir, "rejections", string(id)))
		if err != nil || string(kept) != string(l.Rejected[i].Signed) {
			t.Errorf("%q, %v", kept, err)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "SUMMARY.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{l.Says.ServiceKey, "turned away: 2", "`rejections/RECORD`"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the summary does not say %q", want)
		}
	}
}

func TestABundleOfALogWithoutAServiceSpeaksOfNone(t *testing.T) {
	dir := written(t, sampleLog(t))
	text, err := os.ReadFile(filepath.Join(dir, "SUMMARY.md"))
	if err != nil || strings.Contains(string(text), "service") {
		t.Errorf("it does: %v", err)
	}
	for _, name := range files(t, dir) {
		if name == "service" || strings.HasPrefix(name, "rejections") {
			t.Errorf("there is %s", name)
		}
	}
}

func TestForgedRejectionsInABundleAreFound(t *testing.T) {
	const service, folder, summary = "service", "rejections", "SUMMARY.md"
	l, judged, waiting := turnedAway(t)
	other := audittest.NewService("another")
	remove := func(t *testing.T, path string) {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name  string
		forge func(t *testing.T, dir string)
		want  []audit.Kind
	}{
		{"removed, with a record on top of it", func(t *testing.T, dir string) { remove(t, filepath.Join(dir, folder, string(judged))) },
			[]audit.Kind{audit.SupersedesUnknown, audit.FileDiffers}},
		{"removed, with no record on top of it", func(t *testing.T, dir string) { remove(t, filepath.Join(dir, folder, string(waiting))) },
			[]audit.Kind{audit.FileDiffers}},
		{"edited", func(t *testing.T, dir string) {
			edited := strings.Replace(string(l.Rejected[0].Signed), foreign, "-", 1)
			overwrite(t, filepath.Join(dir, folder, string(judged)), []byte(edited))
		}, []audit.Kind{audit.RejectionUnsigned, audit.SupersedesUnknown, audit.FileDiffers}},
		{"signed with another key", func(t *testing.T, dir string) {
			forged := other.Sign(audittest.Rejection(recordOf(t, l, judged), foreign))
			overwrite(t, filepath.Join(dir, folder, string(judged)), forged)
		}, []audit.Kind{audit.RejectionUnsigned, audit.SupersedesUnknown, audit.FileDiffers}},
		{"of another record", func(t *testing.T, dir string) {
			overwrite(t, filepath.Join(dir, folder, string(judged)), l.Rejected[1].Signed)
		}, []audit.Kind{audit.RejectionStray, audit.SupersedesUnknown, audit.FileDiffers}},
		{"of no record", func(t *testing.T, dir string) {
			overwrite(t, filepath.Join(dir, folder, foreign), l.Rejected[1].Signed)
		}, []audit.Kind{audit.RejectionStray}},
		{"in a file of another name", func(t *testing.T, dir string) {
			overwrite(t, filepath.Join(dir, folder, "notes.txt"), []byte("x"))
		}, []audit.Kind{audit.FileUnexpected}},
		{"the key removed", func(t *testing.T, dir string) { remove(t, filepath.Join(dir, service)) },
			[]audit.Kind{audit.RejectionUnsigned, audit.SupersedesUnknown, audit.FileDiffers}},
		{"the key in two lines", func(t *testing.T, dir string) {
			overwrite(t, filepath.Join(dir, service), []byte(l.Says.ServiceKey+"\n\n"))
		}, []audit.Kind{audit.ServiceKeyUnusable, audit.RejectionUnsigned, audit.SupersedesUnknown, audit.FileDiffers}},
		{"an empty key", func(t *testing.T, dir string) { overwrite(t, filepath.Join(dir, service), nil) },
			[]audit.Kind{audit.ServiceKeyUnusable, audit.RejectionUnsigned, audit.SupersedesUnknown, audit.FileDiffers}},
		{"another key", func(t *testing.T, dir string) {
			overwrite(t, filepath.Join(dir, service), []byte(other.Key+"\n"))
		}, []audit.Kind{audit.RejectionUnsigned, audit.SupersedesUnknown, audit.FileDiffers}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := written(t, l)
			c.forge(t, dir)
			wantKinds(t, dir, audit.Options{}, c.want...)
		})
	}
}

func recordOf(t *testing.T, l *audittest.Log, id domain.RecordID) domain.Enforcement {
	t.Helper()
	var reader domain.Reader
	for _, entry := range l.List {
		record, err := domain.ReadEnforcement(&reader, domain.AreaOf(entry.Table), entry.Document)
		if err == nil && record.Members().RecordID == id {
			return record
		}
	}
	t.Fatal("no such record")
	return domain.Enforcement{}
}

func TestAServiceThatWasMadeUpIsFoundByItsKey(t *testing.T) {
	l, _, _ := turnedAway(t)
	wantKinds(t, written(t, l), audit.Options{ServiceKey: audittest.NewService("another").Key},
		audit.ServiceKeyUnusable, audit.RejectionUnsigned, audit.SupersedesUnknown, audit.FileDiffers)
}

func TestALogWithAForgedRejectionIsNotExported(t *testing.T) {
	l, _, _ := turnedAway(t)
	l.Rejected[0].Signed = audittest.NewService("another").Sign(audittest.Rejection(recordOf(t, l, l.Rejected[0].RecordID), foreign))
	if _, err := bundle.Write(t.Context(), filepath.Join(t.TempDir(), "bundle"), l, bundle.Options{}); err == nil {
		t.Error("it is")
	}
}

func TestAnExportWithRejectionsReplacesAnEarlierOne(t *testing.T) {
	l, _, _ := turnedAway(t)
	dir := written(t, l)
	more(l, "case-9")
	if _, err := bundle.Write(t.Context(), dir, l, bundle.Options{}); err != nil {
		t.Fatal(err)
	}
	wantKinds(t, dir, audit.Options{})
}
