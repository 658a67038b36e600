package damage_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"docket/cmd/internal/programtest"
	"docket/store"
)

// mountVariable says to a test that it runs again, and in which folder it may mount.
const mountVariable = "DOCKET_TEST_MOUNT"

// withMounts runs the test again in a process with mounts of its own, and tells where it may mount; "" in the process
// that has to do nothing more.
func withMounts(t *testing.T) string {
	t.Helper()
	if folder := os.Getenv(mountVariable); folder != "" {
		return folder
	}
	child := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$", "-test.v")
	child.Env = append(os.Environ(), mountVariable+"="+t.TempDir())
	child.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	out, err := child.CombinedOutput()
	if errors.Is(err, syscall.EPERM) {
		t.Skip("only root can mount a disk for this test")
	} else if err != nil {
		t.Fatalf("%v:\n%s", err, out)
	} else if !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Fatalf("it did not run:\n%s", out)
	}
	return ""
}

func mount(t *testing.T, source, folder, kind string, flags uintptr, data string) {
	t.Helper()
	if err := syscall.Mount(source, folder, kind, flags, data); err != nil {
		t.Fatalf("mount %s: %v", folder, err)
	}
}

// onDisk is a site with one record, whose store with its key file, and nothing else, lies in the folder.
func onDisk(t *testing.T, folder string) (s *programtest.Site, db string) {
	t.Helper()
	s = programtest.Decided(t, "request_evidence")
	s.Done("docket", "export", s.At("earlier"))
	db = filepath.Join(folder, "docket.db")
	must(t, os.WriteFile(db, []byte(s.Read("docket.db")), 0o600))
	for _, key := range s.Keys() {
		must(t, os.WriteFile(filepath.Join(folder, filepath.Base(key)), []byte(s.Read(filepath.Base(key))), 0o600))
	}
	must(t, os.Chmod(folder, 0o700))
	return s, db
}

func TestAStoreOnAMediumThatCanOnlyBeReadIsReadAndNothingElse(t *testing.T) {
	t.Parallel()
	folder := withMounts(t)
	if folder == "" {
		return
	}
	mount(t, "tmpfs", folder, "tmpfs", 0, "size=8m")
	s, db := onDisk(t, folder)
	mount(t, "tmpfs", folder, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, "")
	for _, args := range [][]string{{"queue"}, {"show", programtest.SampleCase}, {"records"}, {"verify"}, {"export", s.At("out")}, {"backup", s.At("copy.db")}} {
		if got := s.Docket(append([]string{"--db", db}, args...)...); got.Status != 0 {
			t.Errorf("docket %s: exit status %d, %s", args[0], got.Status, got.Stderr)
		}
	}
	for _, args := range [][]string{{"import", s.At("packets.jsonl")}, {"export", folder + "/out"}, {"backup", folder + "/copy.db"}} {
		got := s.Docket(append([]string{"--db", db}, args...)...)
		if got.Status != 3 || !strings.Contains(got.Stderr, folder) || !strings.Contains(got.Stderr, "read-only") && !strings.Contains(got.Stderr, "only be read") || strings.Contains(got.Stderr, "goroutine") {
			t.Errorf("docket %s: exit status %d, %s", args[0], got.Status, got.Stderr)
		}
	}
	if got := s.Docket("--db", db, "doctor"); got.Status != 1 || !strings.Contains(got.Stdout, "✗ disk") || !strings.Contains(got.Stdout, "only be read") {
		t.Errorf("docket doctor: exit status %d, %s", got.Status, got.Stdout)
	}
}

// fill leaves no byte on the disk that the folder is on.
func fill(t *testing.T, folder string) (free func()) {
	t.Helper()
	filler := filepath.Join(folder, "filler")
	if err := os.WriteFile(filler, make([]byte, 64<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk is not full: %v", err)
	}
	return func() {
		must(t, os.Remove(filler))
	}
}

func TestAFullDiskIsSaidAndLeavesNothingHalfWritten(t *testing.T) {
	t.Parallel()
	folder := withMounts(t)
	if folder == "" {
		return
	}
	mount(t, "tmpfs", folder, "tmpfs", 0, "size=24m")
	s, db := onDisk(t, folder)
	many := s.At("many.jsonl")
	s.Write("many.jsonl", manyCases(5000))
	free := fill(t, folder)
	names := func() []string {
		entries, err := os.ReadDir(folder)
		must(t, err)
		var list []string
		for _, entry := range entries {
			if !programtest.BesideStore(entry.Name()) {
				list = append(list, entry.Name())
			}
		}
		return list
	}
	before := names()
	for _, args := range [][]string{{"import", many}, {"import", "--json", many}, {"export", folder + "/out"}, {"backup", folder + "/copy.db"}} {
		got := s.Docket(append([]string{"--db", db}, args...)...)
		if got.Status != 3 || !strings.Contains(got.Stderr, "disk is full") || !strings.Contains(got.Stderr, "free some space") || strings.Contains(got.Stderr, "goroutine") {
			t.Errorf("docket %s: exit status %d, %s", args[0], got.Status, got.Stderr)
		}
		if now := names(); !slices.Equal(now, before) {
			t.Errorf("docket %s leaves %v", args[0], now)
		}
	}
	free()
	if got := s.Docket("--db", db, "verify"); got.Status != 0 {
		t.Errorf("afterwards: %s", got.Stdout)
	}
	for _, args := range [][]string{{"import", many}, {"export", folder + "/out"}} {
		if got := s.Docket(append([]string{"--db", db}, args...)...); got.Status != 0 {
			t.Errorf("docket %s with room again: exit status %d, %s", args[0], got.Status, got.Stderr)
		}
	}
	if queue := s.Docket("--db", db, "queue", "--json"); strings.Count(queue.Stdout, "\n") != 5001 {
		t.Errorf("%d cases are there", strings.Count(queue.Stdout, "\n"))
	}
}

// An earlier export stays whole and in its place when there is no room for the one that is to replace it.
func TestAnEarlierExportOutlastsAFullDisk(t *testing.T) {
	t.Parallel()
	folder := withMounts(t)
	if folder == "" {
		return
	}
	mount(t, "tmpfs", folder, "tmpfs", 0, "size=4m")
	s, _ := onDisk(t, folder)
	out := filepath.Join(folder, "out")
	s.Done("docket", "export", out)
	s.Done("docket-decide", programtest.SampleCase, "uphold_decision")
	free := fill(t, folder)
	if got := s.Docket("export", out); got.Status != 3 || !strings.Contains(got.Stderr, "disk is full") {
		t.Errorf("exit status %d, %s", got.Status, got.Stderr)
	}
	if v, plain := s.Verify(out); v.Status != 0 || v.Records != 1 {
		t.Errorf("%s", plain)
	}
	free()
	s.Done("docket", "export", out)
	if v, plain := s.Verify(out); v.Status != 0 || v.Records != 2 {
		t.Errorf("%s", plain)
	}
}

// A copy with its write-ahead log on a medium that can only be read holds what was acknowledged, although nobody can make the file
// that readers and writers share.
func TestACopyWithItsWriteAheadLogIsReadWhereNothingCanBeWritten(t *testing.T) {
	t.Parallel()
	folder := withMounts(t)
	if folder == "" {
		return
	}
	mount(t, "tmpfs", folder, "tmpfs", 0, "size=8m")
	s := programtest.NewSite(t)
	db := filepath.Join(folder, "docket.db")
	open, err := store.Open(t.Context(), store.Options{Path: s.DB(), ReadOnly: true})
	must(t, err)
	s.Done("docket-decide", programtest.SampleCase, "request_evidence")
	for _, suffix := range []string{"", "-wal"} {
		must(t, os.WriteFile(db+suffix, []byte(s.Read("docket.db"+suffix)), 0o600))
	}
	must(t, open.Close())
	mount(t, "tmpfs", folder, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, "")
	if got := s.Docket("--db", db, "records", "--json"); got.Status != 0 || strings.Count(got.Stdout, `"sequence":`) != 1 {
		t.Errorf("docket records: exit status %d, %s%s", got.Status, got.Stdout, got.Stderr)
	}
	for _, args := range [][]string{{"verify"}, {"queue"}, {"backup", s.At("copy.db")}} {
		if got := s.Docket(append([]string{"--db", db}, args...)...); got.Status != 0 {
			t.Errorf("docket %s: exit status %d, %s", args[0], got.Status, got.Stderr)
		}
	}
	if got := s.Docket("--db", db, "import", s.At("packets.jsonl")); got.Status != 3 || !strings.Contains(got.Stderr, "read-only") && !strings.Contains(got.Stderr, "only be read") {
		t.Errorf("docket import: exit status %d, %s", got.Status, got.Stderr)
	}
}
