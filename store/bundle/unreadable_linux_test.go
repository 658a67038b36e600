package bundle_test

import (
	"errors"
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

	"docket/domain/signed"
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
		if err := os.Chmod(up, 0o755); err != nil {
			t.Fatal(err)
		}
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
		err = errors.Join(err, b.Entries(t.Context(), 0, func(verify.Entry) error { return nil }), b.Rejections(t.Context(), func(verify.Rejection) error { return nil }),
			b.ServiceRecords(t.Context(), func(signed.ServiceRecord) error { return nil }), b.Cosignatures(t.Context(), func(verify.Cosigned) error { return nil }), b.Close())
	})
	return err
}

// What cannot be read is not taken for something that is not there.
func TestAFileOfABundleThatCannotBeReadIsAnError(t *testing.T) {
	t.Parallel()
	for name, l := range map[string]*verifytest.Log{"after a restore": lostLog(t), "with most parts": whole(t)} {
		dir, held := written(t, l), slices.Collect(maps.Keys(l.Held))
		letIn(t, dir)
		if err := readWhole(t, dir, held); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, file := range files(t, dir) {
			path := at(dir, file)
			if err := os.Chmod(path, 0); err != nil {
				t.Fatal(err)
			}
			err := readWhole(t, dir, held)
			if file == "MANIFEST" || file == "index.html" || file == "provenance.json" || strings.HasSuffix(file, ".csv") || strings.HasPrefix(file, "tile/") {
				asNobody(func() { _, err = bundle.Check(t.Context(), dir, verify.Options{Workers: 1}) }) // which compares it with what it follows from
			}
			if !errors.Is(err, fs.ErrPermission) {
				t.Errorf("%s, %s: %v", name, file, err)
			}
			if err := os.Chmod(path, 0o644); err != nil {
				t.Fatal(err)
			}
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
			if err := os.Chmod(at(dir, folder), mode); err != nil {
				t.Fatal(err)
			}
			var err error
			asNobody(func() { _, err = bundle.Check(t.Context(), dir, verify.Options{Workers: 1}) })
			if !errors.Is(err, fs.ErrPermission) {
				t.Errorf("%s, %v: %v", folder, mode, err)
			}
		}
		if err := os.Chmod(at(dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if len(tried) < 8 {
		t.Errorf("only %d folders", len(tried))
	}
}

// open counts the descriptors of this process.
func open(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
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
		stated(t, dir, l.Rejected[0].RecordID)
		_, _ = bundle.Open(t.TempDir())
	}
	if after := open(t); after > before {
		t.Errorf("%d descriptors are open, and before it was %d", after, before)
	}
}
