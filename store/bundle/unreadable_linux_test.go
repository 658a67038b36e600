package bundle_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"

	"docket/store/bundle"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// asNobody runs do as a user who may open no more than everybody: root could read what has no permissions at all.
func asNobody(do func()) {
	if os.Geteuid() == 0 {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		_ = syscall.Setfsuid(65534)
		defer func() { _ = syscall.Setfsuid(0) }()
	}
	do()
}

// letIn lets everybody into a folder of a test, through the folders above it.
func letIn(t *testing.T, dir string) {
	t.Helper()
	for up := dir; strings.HasPrefix(up, os.TempDir()+"/"); up = filepath.Dir(up) {
		must(t, os.Chmod(up, 0o755))
	}
}

// readWhole reads all of a bundle that a check compares with nothing else in it.
func readWhole(t *testing.T, dir string, held []verify.Ref) (err error) {
	asNobody(func() {
		var b *bundle.Bundle
		if b, err = bundle.Open(dir); err != nil {
			return
		}
		_, err = b.Packets(t.Context(), held)
		for _, failed := range readings(t.Context(), b, func() error { return nil }) {
			err = errors.Join(err, failed)
		}
		err = errors.Join(err, b.Close())
	})
	return err
}

// What cannot be read is not taken for something that is not there.
func TestAFileOfABundleThatCannotBeReadIsAnError(t *testing.T) {
	t.Parallel()
	for name, l := range map[string]*verifytest.Log{"after a restore": acceptedLog(t), "with most parts": whole(t), "with statements": statedLog(t)} {
		dir, held := written(t, l), slices.Collect(maps.Keys(l.Held))
		letIn(t, dir)
		if err := readWhole(t, dir, held); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, file := range files(t, dir) {
			path := at(dir, file)
			must(t, os.Chmod(path, 0))
			err := readWhole(t, dir, held)
			var report verify.Report
			var failed error
			asNobody(func() {
				report, failed = bundle.Check(t.Context(), dir, verify.Options{Workers: 1})
			})
			if compared := []string{"MANIFEST", "index.html", "provenance.json", "reliance.csv", "SUMMARY.md", ".gitattributes", "appeals.csv", "amendments.csv", "tile"}; slices.Contains(compared, strings.Split(file, "/")[0]) {
				err = failed // a check alone compares it with what it follows from
			}
			if !errors.Is(err, fs.ErrPermission) {
				t.Errorf("%s, %s: %v", name, file, err)
			}
			// What is read on other threads root reads.
			if strings.HasPrefix(file, "texts/") || strings.HasPrefix(file, "evidence/") ||
				strings.HasPrefix(file, "records/") && strings.HasSuffix(file, ".sig") {
				failed, report = err, verify.Report{}
			}
			if !errors.Is(failed, fs.ErrPermission) || report.Size != 0 {
				t.Errorf("%s, %s: a check: %v", name, file, failed)
			}
			must(t, os.Chmod(path, 0o644))
		}
	}
}

// A folder that cannot be listed is not taken for an empty one.
func TestAFolderOfABundleThatCannotBeReadIsAnError(t *testing.T) {
	t.Parallel()
	dir := written(t, whole(t))
	letIn(t, dir)
	tried := map[string]bool{}
	for _, file := range files(t, dir) {
		folder := filepath.Dir(file)
		if tried[folder] || folder == "." {
			continue
		}
		tried[folder] = true
		for _, mode := range []fs.FileMode{0, 0o111} { // 0o111: what is in it can be opened by its name
			must(t, os.Chmod(at(dir, folder), mode))
			var err error
			asNobody(func() { _, err = bundle.Check(t.Context(), dir, verify.Options{Workers: 1}) })
			if !errors.Is(err, fs.ErrPermission) {
				t.Errorf("%s, %v: %v", folder, mode, err)
			}
		}
		must(t, os.Chmod(at(dir, folder), 0o755))
	}
	if len(tried) < 8 {
		t.Errorf("only %d folders", len(tried))
	}
}

func open(t *testing.T) int {
	t.Helper()
	entries := need(os.ReadDir("/proc/self/fd"))(t)
	return len(entries)
}

func TestNothingStaysOpen(t *testing.T) {
	l := whole(t)
	dir := written(t, l)
	for range 2 { // the first one runs the finalizers, which close what earlier tests left open
		runtime.GC()
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	before := open(t)
	for range 3 {
		checked(t, dir, verify.Options{})
		written(t, l)
		_, _ = bundle.Open(t.TempDir())
	}
	if after := open(t); after > before {
		t.Errorf("%d descriptors are open, and before it was %d", after, before)
	}
}

// A socket and a FIFO in the place of a file or a folder are found, and nothing waits for them.
func TestASocketAndAFIFOInAPlaceAreFound(t *testing.T) {
	t.Parallel()
	l := whole(t)
	dir := written(t, l)
	for name, kind := range map[string]uint32{"a socket": syscall.S_IFSOCK, "a FIFO": syscall.S_IFIFO} {
		for _, place := range []string{"checkpoint", "records", "records/0.json", "evidence/rejections", "evidence", "evidence/cosignatures/0.txt", "packets", policyFile, "index.html",
			fmt.Sprint("tile/0/000.p/", len(l.List)), "MANIFEST"} {
			path, away := at(dir, place), dir+".away"
			must(t, errors.Join(os.Rename(path, away), syscall.Mknod(path, kind|0o600, 0)))
			if report, err := bundle.Check(t.Context(), dir, verify.Options{Workers: 1}); err != nil || report.Count(verify.FileUnexpected) == 0 {
				t.Errorf("%s in the place of %s: %v, %v", name, place, err, report.Findings)
			}
			must(t, errors.Join(os.Remove(path), os.Rename(away, path)))
		}
	}
}

// What is no file is not opened: a FIFO that nobody may open is found, as one that everybody may.
func TestAFIFOThatMayNotBeOpenedIsFound(t *testing.T) {
	t.Parallel()
	dir := written(t, whole(t))
	letIn(t, dir)
	must(t, errors.Join(os.Remove(at(dir, "checkpoint")), syscall.Mknod(at(dir, "checkpoint"), syscall.S_IFIFO, 0)))
	asNobody(func() {
		if report, err := bundle.Check(t.Context(), dir, verify.Options{Workers: 1}); err != nil || report.Count(verify.FileUnexpected) == 0 {
			t.Errorf("found %v, %v", report.Findings, err)
		}
	})
}

// A folder that cannot be opened or listed is not taken for one without a bundle, or for an empty one.
func TestAFolderThatCannotBeOpenedIsNoEmptyPlaceForAnExport(t *testing.T) {
	t.Parallel()
	l, dir := sampleLog(t), filepath.Join(t.TempDir(), "bundle")
	must(t, os.Mkdir(dir, 0))
	letIn(t, filepath.Dir(dir))
	asNobody(func() {
		if _, err := bundle.Write(t.Context(), dir, l, bundle.Options{}); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "look at the folder") {
			t.Errorf("an export: %v", err)
		}
		if _, err := bundle.Check(t.Context(), dir, verify.Options{}); !errors.Is(err, fs.ErrPermission) || errors.Is(err, bundle.ErrNoBundle) {
			t.Errorf("a check: %v", err)
		}
	})
}

// An export is done once its name is durable: where the folder above cannot be synced, it is an error.
func TestAnExportWhoseNameCannotBeMadeDurableIsAnError(t *testing.T) {
	t.Parallel()
	l, above := sampleLog(t), filepath.Join(t.TempDir(), "above")
	letIn(t, filepath.Dir(above))
	must(t, os.Mkdir(above, 0o700))
	t.Cleanup(func() { _ = os.Chmod(above, 0o700) })
	if os.Geteuid() == 0 {
		must(t, os.Chown(above, 65534, -1))
	}
	for range 2 { // a new one, and one in the place of an earlier one
		must(t, os.Chmod(above, 0o300))
		asNobody(func() {
			if _, err := bundle.Write(t.Context(), filepath.Join(above, "bundle"), l, bundle.Options{Workers: 1}); !errors.Is(err, fs.ErrPermission) ||
				!strings.Contains(err.Error(), "make the export durable") {
				t.Errorf("%v", err)
			}
		})
	}
}

// A full tile is made while the records come.
func TestAFullTileThatCannotBeReadOrWrittenIsAnError(t *testing.T) {
	t.Parallel()
	l := verifytest.Crowd(t, 256)
	dir := written(t, l)
	letIn(t, dir)
	for _, tile := range []string{"tile/entries/000", "tile/0/000"} {
		must(t, os.Chmod(at(dir, tile), 0))
		var err error
		asNobody(func() { _, err = bundle.Check(t.Context(), dir, verify.Options{Workers: 1}) })
		if !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s cannot be read: %v", tile, err)
		}
		must(t, os.Chmod(at(dir, tile), 0o644))
		beside := t.TempDir()
		if _, err := bundle.Write(t.Context(), filepath.Join(beside, "bundle"), occupied(l, beside, tile), bundle.Options{Workers: 1}); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s cannot be written: %v", tile, err)
		}
	}
}

// An earlier export that cannot be read is not taken for another folder, nor replaced.
func TestAnEarlierExportThatCannotBeReadIsAnErrorAndLeftAlone(t *testing.T) {
	t.Parallel()
	l := sampleLog(t)
	dir := written(t, l)
	letIn(t, dir)
	for name, mode := range map[string]fs.FileMode{"checkpoint": 0o644, "packets": 0o755} {
		must(t, os.Chmod(at(dir, name), 0))
		asNobody(func() {
			if _, err := bundle.Write(t.Context(), dir, l, bundle.Options{}); !errors.Is(err, fs.ErrPermission) || errors.Is(err, bundle.ErrOccupied) || !strings.HasPrefix(err.Error(), dir+": ") {
				t.Errorf("%s: %v", name, err)
			}
		})
		must(t, os.Chmod(at(dir, name), mode))
	}
	wantKinds(t, dir, verify.Options{})
}
