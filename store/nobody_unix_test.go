//go:build unix

package store

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/terms"
	"docket/store/disk"
)

// TestAStoreThatMayOnlyBeReadCanBeRead runs again as a user who owns nothing, because root may write anywhere.
func TestAStoreThatMayOnlyBeReadCanBeRead(t *testing.T) {
	t.Parallel()
	if path := os.Getenv(pathVariable); path != "" {
		mayOnlyRead(t, path)
		return
	}
	folder := need(os.MkdirTemp("", "docket-read-only-"))(t)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	mode := func(name string, mode os.FileMode) {
		t.Helper()
		must(t, os.Chmod(name, mode))
	}
	mode(folder, 0o755)
	path := filepath.Join(folder, "docket.db")
	d := fixtureAt(t, openAt(t, path, noon))
	d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-1", 1)))
	must(t, d.store.Close())
	mode(path, 0o444)
	for name, folderMode := range map[string]os.FileMode{"in a folder that cannot be written": 0o555, "in one that can": 0o777} {
		t.Run(name, func(t *testing.T) {
			mode(folder, folderMode)
			defer mode(folder, 0o755)
			asNobody(t, "TestAStoreThatMayOnlyBeReadCanBeRead", folder, path)
		})
	}
}

func mayOnlyRead(t *testing.T, path string) {
	for _, readOnly := range []bool{true, false} {
		s := openWith(t, Options{Path: path, ReadOnly: readOnly, Now: func() time.Time { return noon }})
		wantSame(t, "rows", len(need(queueOf(t.Context(), s, terms.Appeals, terms.InstantOf(noon), ""))(t)), 1)
		mustBe(t, errOf(s.Import(t.Context(), []packets.Packet{(&mill{t: t}).appealCase(passing("case-9", 1))})), ErrReadOnly)
		if !readOnly {
			mustBe(t, s.Obstacle(), ErrReadOnly)
		}
	}
	if !disk.FolderWritable(path) {
		mustBe(t, openFailing(t, Options{Path: filepath.Join(filepath.Dir(path), "other.db")}), ErrReadOnly)
	}
}

// asNobody runs the test again from a copy of this program that everybody may run.
func asNobody(t *testing.T, name, folder, path string) {
	t.Helper()
	program := need(os.ReadFile(os.Args[0]))(t)
	shared := need(os.MkdirTemp("", "docket-program-"))(t)
	t.Cleanup(func() { _ = os.RemoveAll(shared) })
	copied := filepath.Join(shared, "store.test")
	must(t, os.WriteFile(copied, program, 0o600))
	for _, open := range []string{shared, copied} {
		must(t, os.Chmod(open, 0o755))
	}
	command := again(t, name, path)
	command.Path, command.Dir = copied, folder
	if os.Getuid() == 0 {
		const nobody = 65534
		command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
}
