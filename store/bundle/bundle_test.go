package bundle_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/bundle"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

var assigned = verifytest.Person(verifytest.Assigned, terms.NeutralReviewer)

// sampleLog is a small log of all sorts: both areas, a stale case, a record that supersedes another, ids that not every
// file system can hold.
func sampleLog(t testing.TB) *verifytest.Log {
	t.Helper()
	l := verifytest.New(t)
	awkward := l.Hold(terms.AppealCases, verifytest.AppealCase("CASE:1.", 1))
	first := l.Decide(awkward, assigned, nil)
	l.Append(first)
	l.Append(l.Decide(l.Hold(terms.AmendmentRecords, verifytest.Amendment("nul.x", 1)), assigned, nil))
	l.Append(l.Decide(awkward, assigned, func(c *records.Choice) {
		c.Supersedes = first.Members().RecordID
		c.AddedBlockers = terms.SetOf(terms.NoticeMissing)
	}))
	stale := l.Hold(terms.AppealCases, verifytest.AppealCase("case-2", 3))
	l.Hold(terms.AppealCases, verifytest.AppealCase("case-2", 20260101))
	l.Append(l.Decide(stale, assigned, nil))
	return l
}

// more appends a record to the log.
func more(l *verifytest.Log, id string) {
	l.Append(l.Decide(l.Hold(terms.AppealCases, verifytest.AppealCase(id, 1)), assigned, nil))
}

// written is the log's bundle in a new folder.
func written(t testing.TB, l bundle.Source) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "bundle")
	if _, err := bundle.Write(t.Context(), dir, l, bundle.Options{}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// checked is what a check of a bundle finds.
func checked(t testing.TB, dir string, o verify.Options) verify.Report {
	t.Helper()
	report, err := bundle.Check(t.Context(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestABundleReadsBackAsTheLogItWasMadeOf(t *testing.T) {
	t.Parallel()
	report := checked(t, written(t, sampleLog(t)), verify.Options{})
	for _, finding := range report.Findings {
		t.Error(finding)
	}
	if report.Size != 4 || report.Appeals != 3 || report.Amendments != 1 || report.Superseded != 1 {
		t.Errorf("%+v", report)
	}
}

func TestACheckOfABundleTellsOfEachRecordAndOfTheEnd(t *testing.T) {
	t.Parallel()
	dir := written(t, sampleLog(t))
	var sequences []int64
	ended, enough := 0, errors.New("enough")
	report := checked(t, dir, verify.Options{
		Each: func(c verify.Checked) error { sequences = append(sequences, c.Entry.Sequence); return nil },
		End:  func(func(verify.Ref) bool) error { ended++; return nil },
	})
	if !report.OK() || !slices.Equal(sequences, []int64{0, 1, 2, 3}) || ended != 1 {
		t.Errorf("%v, %d times ended", sequences, ended)
	}
	for name, o := range map[string]verify.Options{
		"each":    {Each: func(verify.Checked) error { return enough }},
		"the end": {End: func(func(verify.Ref) bool) error { return enough }},
	} {
		if report, err := bundle.Check(t.Context(), dir, o); !errors.Is(err, enough) || report.Size != 0 {
			t.Errorf("%s: %+v, %v", name, report, err)
		}
	}
}

func TestABundleOfAnEmptyLogIsWhole(t *testing.T) {
	t.Parallel()
	report := checked(t, written(t, verifytest.New(t)), verify.Options{})
	for _, finding := range report.Findings {
		t.Error(finding)
	}
}

// files lists the files below a folder, relative to it.
func files(t testing.TB, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			name, relErr := filepath.Rel(dir, path)
			names, err = append(names, filepath.ToSlash(name)), relErr
		}
		return err
	})
	if err != nil || len(names) == 0 {
		t.Fatalf("no files: %v", err)
	}
	return names
}
