package bundle_test

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"docket/store/bundle"
	"docket/store/verify"
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

// readWhole reads all of a bundle that a check compares with nothing else in it.
func readWhole(t *testing.T, dir string, held []verify.Ref) (err error) {
	asNobody(func() {
		var b *bundle.Bundle
		if b, err = bundle.Open(dir); err != nil {
			return
		}
		_, err = b.Packets(t.Context(), held)
		err = errors.Join(err, b.Entries(t.Context(), 0, func(verify.Entry) error { return nil }), b.Rejections(t.Context(), func(verify.Rejection) error { return nil }),
			b.Cosignatures(t.Context(), func(verify.Cosigned) error { return nil }), b.Close())
	})
	return err
}

// What cannot be read is not taken for something that is not there.
func TestAFileOfABundleThatCannotBeReadIsAnError(t *testing.T) {
	l := lostLog(t)
	dir, held := written(t, l), slices.Collect(maps.Keys(l.Held))
	for up := dir; strings.HasPrefix(up, os.TempDir()+"/"); up = filepath.Dir(up) {
		if err := os.Chmod(up, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := readWhole(t, dir, held); err != nil {
		t.Fatal(err)
	}
	for _, name := range files(t, dir) {
		if name == "MANIFEST" || name == "index.html" || name == "provenance.json" || strings.HasSuffix(name, ".csv") || strings.HasPrefix(name, "tile/") {
			continue // a check compares it with what it follows from
		}
		path := at(dir, name)
		if err := os.Chmod(path, 0); err != nil {
			t.Fatal(err)
		}
		if err := readWhole(t, dir, held); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s: %v", name, err)
		}
		if err := os.Chmod(path, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
