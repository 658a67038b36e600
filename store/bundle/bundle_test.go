package bundle_test

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"docket/domain/packets"
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

func more(l *verifytest.Log, id string) {
	l.Append(l.Decide(l.Hold(terms.AppealCases, verifytest.AppealCase(id, 1)), assigned, nil))
}

func written(t testing.TB, l bundle.Source) string {
	t.Helper()
	dir, _ := partOf(t, l, bundle.Options{})
	return dir
}

// partOf exports a part of a log into a new folder.
func partOf(t testing.TB, l bundle.Source, o bundle.Options) (dir string, report verify.Report) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "bundle")
	return dir, need(bundle.Write(t.Context(), dir, l, o))(t)
}

func checked(t testing.TB, dir string, o verify.Options) verify.Report {
	t.Helper()
	return need(bundle.Check(t.Context(), dir, o))(t)
}

func TestABundleReadsBackAsTheLogItWasMadeOfEntryByEntry(t *testing.T) {
	t.Parallel()
	dir := written(t, sampleLog(t))
	var sequences []int64
	report := checked(t, dir, verify.Options{
		Each: func(c verify.Checked) error { sequences = append(sequences, c.Entry.Sequence); return nil },
	})
	if !report.OK() || !slices.Equal(sequences, []int64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) || report.Size != 10 || report.Appeals != 3 || report.Amendments != 1 || report.Superseded != 1 {
		t.Errorf("%v, %+v", sequences, report)
	}
	enough := errors.New("enough")
	report, err := bundle.Check(t.Context(), dir, verify.Options{Each: func(verify.Checked) error { return enough }})
	if !errors.Is(err, enough) || report.Size != 0 {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestABundleOfAnEmptyLogIsWhole(t *testing.T) {
	t.Parallel()
	wantKinds(t, written(t, verifytest.New(t)), verify.Options{})
}

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

// foreign is a record that no log here has.
const foreign = "019ecb6a-4e00-7abc-8def-0123456789ab"

// turnedAway is a sample log of which a service turned two records away: one was judged again, on top of what the service
// named, the other was not.
func turnedAway(t testing.TB) *verifytest.Log {
	t.Helper()
	l := sampleLog(t)
	service := verifytest.NewService("")
	ref := l.Hold(terms.AppealCases, verifytest.AppealCase("case-7", 1))
	first := l.Decide(ref, assigned, nil)
	l.Append(first)
	l.Reject(service, first, foreign)
	l.Append(l.Decide(ref, assigned, func(c *records.Choice) { c.Supersedes = foreign }))
	last := l.Decide(l.Hold(terms.AppealCases, verifytest.AppealCase("case-8", 1)), assigned, nil)
	l.Append(last)
	l.Reject(service, last, "")
	return l
}

func wantKinds(t testing.TB, dir string, o verify.Options, want ...verify.Code) {
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

// acceptedLog is a log of three records, all of which a service took in before a restore there lost the last two; a person accepted that.
func acceptedLog(t testing.TB) *verifytest.Log {
	t.Helper()
	l := verifytest.New(t)
	for _, id := range []string{"case-1", "case-2", "case-3"} {
		more(l, id)
	}
	l.Acknowledge(1, verifytest.Assigned, 0, 1, 2)
	return l
}

// statedLog is a log with statements about it: the first key endorsed a second, which signed a record; a note was erased; then a third key,
// with which nothing is signed yet, was endorsed.
func statedLog(t testing.TB) *verifytest.Log {
	t.Helper()
	l := verifytest.New(t)
	more(l, "case-1")
	l.StateKey(l.About(records.KeyEndorsed, verifytest.Assigned, "second"), verifytest.Assigned)
	appendBy(l, "second", l.Hold(terms.AppealCases, verifytest.AppealCase("case-2", 1)), nil)
	l.Erase(records.Erasure{What: records.ErasableDraft, Table: terms.AppealCases, Key: packets.Key{ID: "case-1", Number: 1}, Reason: records.ErasedMistake}, verifytest.Assigned)
	l.StateKey(l.About(records.KeyEndorsed, verifytest.Assigned, "third"), verifytest.Assigned)
	return l
}

func overwrite(t testing.TB, path string, content []byte) {
	t.Helper()
	must(t, os.WriteFile(path, content, 0o644))
}

// at is the path of a file of a bundle. One of a record may be named by the number of the record, and one of a statement by
// # and the number of the statement.
func at(dir, name string) string {
	folder, base := path.Split(name)
	n, suffix, _ := strings.Cut(base, ".")
	number, err := strconv.Atoi(n)
	if err == nil && slices.Contains([]string{"records/", "texts/", "evidence/receipts/"}, folder) {
		name = folder + recordOf(dir, number) + "." + suffix
	}
	if number, err = strconv.Atoi(strings.TrimPrefix(n, "#")); err == nil && n[0] == '#' {
		name = folder + entryOf(dir, "statement", number)[0] + "." + suffix
	}
	return filepath.Join(dir, filepath.FromSlash(name))
}

// recordOf returns the id of a record by its number; that of no record beyond the last.
func recordOf(dir string, number int) string { return entryOf(dir, "record", number)[2] }

// entryOf returns the line of an entry by its number among those of its kind.
func entryOf(dir, kind string, number int) []string {
	text, err := os.ReadFile(filepath.Join(dir, "entries.csv"))
	for line := range strings.Lines(string(text)) {
		if cells := strings.Split(line, ","); err == nil && len(cells) > 2 && cells[1] == kind {
			if number == 0 {
				return cells
			}
			number--
		}
	}
	return []string{"none", kind, foreign}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// need returns the value of a call that has to succeed.
func need[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		must(t, err)
		return value
	}
}

func crowd(b *testing.B) *verifytest.Log {
	size, err := strconv.Atoi(os.Getenv("DOCKET_BENCH_RECORDS"))
	if err != nil || size < 1 {
		size = 2000
	}
	return verifytest.Crowd(b, size)
}

func BenchmarkWrite(b *testing.B) {
	l := crowd(b)
	for b.Loop() {
		dir := filepath.Join(b.TempDir(), "bundle")
		need(bundle.Write(b.Context(), dir, l, bundle.Options{}))(b)
		must(b, os.RemoveAll(dir))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(l.List)), "ns/entry")
	if kept := os.Getenv("DOCKET_BENCH_BUNDLE"); kept != "" { // for programs that measure something of a bundle
		need(bundle.Write(b.Context(), kept, l, bundle.Options{}))(b)
	}
}

// appendBy appends a record of the assigned reviewer that is signed with the key of a seed, which is listed from then on.
func appendBy(l *verifytest.Log, key string, ref verify.Ref, change func(*records.Choice)) records.Enforcement {
	who := assigned
	who.KeyFingerprint = verifytest.Person(terms.ID(key), who.Role).KeyFingerprint
	record := l.Decide(ref, who, change)
	l.Says.Signers = append(l.Says.Signers, verify.Signer{ID: who.ID, Key: verifytest.Key(key).PublicKey(), Since: record.Members().RecordedAt})
	l.AppendSigned(record.Table(), record.Document(), verifytest.Key(key))
	return record
}
