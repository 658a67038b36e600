package bundle_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"docket/store/bundle"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// nothingElse makes sure that beside these names the folder holds nothing: no half export.
func nothingElse(t *testing.T, folder string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != len(names) {
		t.Errorf("beside the export there is %v (%v)", entries, err)
	}
}

func TestALaterExportTakesThePlaceOfAnEarlierOneOfTheSameLog(t *testing.T) {
	t.Parallel()
	l := sampleLog(t)
	dir := written(t, l)
	must(t, writing("records/.DS_Store", "x")(dir)) // what a file manager leaves does not keep it
	for size, id := range []string{"case-more", "case-and-more"} {
		more(l, id)
		need(bundle.Write(t.Context(), dir, l, bundle.Options{}))(t)
		if report := checked(t, dir, verify.Options{}); !report.OK() || report.Size != int64(12+2*size) {
			t.Errorf("%+v", report)
		}
		nothingElse(t, filepath.Dir(dir), "bundle")
	}
}

func TestWhatIsNoEarlierExportOfTheLogIsLeftAlone(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(dir string) error{
		"another folder": writing("thesis.tex", ""),
		"a file":         func(dir string) error { return os.WriteFile(dir, nil, 0o644) },
	} {
		dir := filepath.Join(t.TempDir(), "bundle")
		must(t, prepare(dir))
		if _, err := bundle.Write(t.Context(), dir, sampleLog(t), bundle.Options{}); !errors.Is(err, bundle.ErrOccupied) {
			t.Errorf("%s: %v", name, err)
		}
		nothingElse(t, filepath.Dir(dir), "bundle")
	}
}

// An earlier export that was changed in any way is left as it is, and the refusal names what differs.
func TestAnEarlierExportThatDoesNotVerifyIsLeftAlone(t *testing.T) {
	t.Parallel()
	l := sampleLog(t)
	pristine := written(t, l)
	more(l, "case-more")
	for name, c := range map[string]struct {
		change func(string) error
		says   string
	}{
		"a file more":       {writing("packets/thesis.tex", ""), "packets/thesis.tex"},
		"an edited record":  {replacing("records/1.json", "owner-2", "owner-3"), recordOf(pristine, 1)},
		"an edited page":    {replacing("index.html", "Decisions", "Decisiens"), "index.html"},
		"a text removed":    {removing("texts/2.json"), recordOf(pristine, 2)},
		"a packet edited":   {replacing(policyFile, `"frozen"`, `"retired"`), "appeal-policy"},
		"changed line ends": {replacing("allowed_signers", "\n", "\r\n"), "allowed_signers"},
		"a git repository":  {writing(".git/HEAD", "x"), ".git"},
		"no checkpoint":     {removing("checkpoint"), "checkpoint_unusable"},
		"no records":        {removing("records"), "record_missing"},
	} {
		dir := copied(t, pristine)
		must(t, c.change(dir))
		before := files(t, dir)
		_, err := bundle.Write(t.Context(), dir, l, bundle.Options{})
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "name another") {
			t.Errorf("%s: %v", name, err)
		}
		if after := files(t, dir); !slices.Equal(after, before) {
			t.Errorf("%s: there is %v", name, after)
		}
		nothingElse(t, filepath.Dir(dir), "bundle")
	}
}

func TestAnExportThatTheLogDoesNotExtendIsLeftAlone(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*verifytest.Log){
		"rolled back": func(l *verifytest.Log) {
			l.Cut(2)
			l.Rebuild()
		},
		"forked": func(l *verifytest.Log) {
			l.Cut(3)
			l.Rebuild()
			more(l, "case-other")
			more(l, "case-another")
		},
		"signed with another key": func(l *verifytest.Log) {
			l.NewStoreKey("another")
			l.Sign()
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := sampleLog(t)
			dir := written(t, l)
			change(l)
			_, err := bundle.Write(t.Context(), dir, l, bundle.Options{})
			var unsound *bundle.UnsoundError
			if !errors.As(err, &unsound) || unsound.Step == bundle.Rereading || unsound.Report.OK() {
				t.Fatalf("%v", err)
			}
			if report := checked(t, dir, verify.Options{}); !report.OK() || report.Size != 10 {
				t.Errorf("the earlier export: %+v", report)
			}
			nothingElse(t, filepath.Dir(dir), "bundle")
		})
	}
}

func TestALogThatDoesNotVerifyIsNotExported(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		forge func(*verifytest.Log)
		want  verify.Code
	}{
		"a swapped signature":       {func(l *verifytest.Log) { l.Entry(1).Signature = l.Entry(0).Signature }, verify.SignatureInvalid},
		"a record that is gone":     {func(l *verifytest.Log) { l.Entry(1).Document = nil }, verify.RecordMissing},
		"packets that are gone":     {func(l *verifytest.Log) { clear(l.Held) }, verify.PacketMissing},
		"a record that is none":     {func(l *verifytest.Log) { l.Entry(1).Document = []byte("{}") }, verify.RecordAltered},
		"a record under another id": {func(l *verifytest.Log) { l.Entry(1).RecordID = "../x" }, verify.RecordAltered},
	} {
		t.Run(name, func(t *testing.T) {
			l := sampleLog(t)
			c.forge(l)
			dir := filepath.Join(t.TempDir(), "bundle")
			_, err := bundle.Write(t.Context(), dir, l, bundle.Options{})
			var unsound *bundle.UnsoundError
			if !errors.As(err, &unsound) || unsound.Step != bundle.Writing || unsound.Report.Count(c.want) == 0 {
				t.Errorf("%v", err)
			}
			nothingElse(t, filepath.Dir(dir))
		})
	}
}

func TestAnExportThatIsRefusedSaysAtWhichStepAndWhatToDo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		step       bundle.Step
		found      verify.Code
		word, says string
	}{
		{bundle.Writing, verify.SignatureInvalid, "writing entries", "not exported: the log does not verify (findings: 1); run `docket verify`"},
		{bundle.Writing, verify.RolledBack, "writing entries", "not exported: the log does not extend the export that is there, or the earlier checkpoint; name another one, and run `docket verify`"},
		{bundle.Writing, verify.Forked, "writing entries", "not exported: the log does not extend the export that is there, or the earlier checkpoint; name another one, and run `docket verify`"},
		{bundle.Writing, verify.EarlierUnusable, "writing entries", "not exported: the log does not extend the export that is there, or the earlier checkpoint; name another one, and run `docket verify`"},
		{bundle.Looking, verify.FileDiffers, "checking the earlier export", "not exported: the export that is there does not verify (findings: 1, the first: entry 0: file_differs: " +
			verify.FileDiffers.Meaning() + "); move it away, or name another folder"},
		{bundle.Rereading, verify.Forked, "reading it back", "not exported: what was written does not read back as it should (findings: 1); check the disk"},
	} {
		var report verify.Report
		report.Add(verify.Finding{Code: c.found}, &verify.Options{})
		unsound := bundle.UnsoundError{Step: c.step, Report: report}
		if unsound.Error() != c.says || c.step.String() != c.word {
			t.Errorf("%s: %s", c.step, unsound.Error())
		}
	}
}

func TestAnEmptyFolderIsTaken(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	need(bundle.Write(t.Context(), dir, sampleLog(t), bundle.Options{}))(t)
	wantKinds(t, dir, verify.Options{})
}

func TestAnExportThatIsCancelledLeavesNothing(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	dir := filepath.Join(t.TempDir(), "bundle")
	_, err := bundle.Write(ctx, dir, sampleLog(t), bundle.Options{Progress: func(step bundle.Step, _, _ int64) {
		if step == bundle.Rereading {
			cancel()
		}
	}})
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if err != nil {
		nothingElse(t, filepath.Dir(dir))
	}
	cancel()
	if _, err := bundle.Write(ctx, dir+"2", sampleLog(t), bundle.Options{}); !errors.Is(err, context.Canceled) {
		t.Fatalf("%v", err)
	}
}

func TestAFolderWithoutABundleIsNoBundle(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	for _, dir := range []string{t.TempDir(), filepath.Join(t.TempDir(), "nowhere"), file} {
		if _, err := bundle.Check(t.Context(), dir, verify.Options{}); !errors.Is(err, bundle.ErrNoBundle) {
			t.Errorf("%v", err)
		}
	}
}

func TestAnExportCanBeReadByEverybodyAndWrittenByItsOwner(t *testing.T) {
	t.Parallel()
	dir := written(t, sampleLog(t))
	must(t, filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if want := map[bool]os.FileMode{true: 0o755, false: 0o644}[entry.IsDir()]; info.Mode().Perm() != want {
			t.Errorf("%s: %v", path, info.Mode())
		}
		return nil
	}))
}

func TestAnExportSaysHowFarItIs(t *testing.T) {
	t.Parallel()
	steps := map[bundle.Step]int64{}
	l := sampleLog(t)
	_, err := bundle.Write(t.Context(), filepath.Join(t.TempDir(), "bundle"), l, bundle.Options{Progress: func(step bundle.Step, done, total int64) {
		if total != 10 || done < 0 || done > 10 {
			t.Errorf("step %d: %d of %d", step, done, total)
		}
		steps[step] = max(steps[step], done)
	}})
	if err != nil || steps[bundle.Writing] != 10 || steps[bundle.Rereading] != 10 {
		t.Errorf("%v, %v", steps, err)
	}
}

func TestAFolderThatCannotBeMadeIsAnError(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{filepath.Join(t.TempDir(), "nowhere", "bundle"), filepath.Join(t.TempDir(), "a\x00b")} {
		report, err := bundle.Write(t.Context(), dir, sampleLog(t), bundle.Options{})
		if err == nil || report.Size != 0 {
			t.Errorf("%q: %+v", dir, report)
		}
	}
}

func TestAnExportFromAFolderThatIsGoneIsAnError(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a folder in use cannot be removed")
	}
	l, gone := sampleLog(t), filepath.Join(t.TempDir(), "gone")
	must(t, os.Mkdir(gone, 0o700))
	t.Chdir(gone)
	must(t, os.Remove(gone))
	t.Setenv("PWD", "")
	if _, err := bundle.Write(t.Context(), "bundle", l, bundle.Options{}); err == nil || !strings.Contains(err.Error(), "find the folder") {
		t.Errorf("%v", err)
	}
}
