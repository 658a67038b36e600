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

// onTmpfs runs the test again in a process with mounts of its own, there on a disk in memory.
func onTmpfs(t *testing.T, size string, test func(t *testing.T, folder string)) {
	t.Helper()
	t.Parallel()
	if folder := os.Getenv(mountVariable); folder != "" {
		mount(t, folder, 0, "size="+size)
		test(t, folder)
		return
	}
	child := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$", "-test.v")
	child.Env = append(os.Environ(), mountVariable+"="+t.TempDir())
	child.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	out, err := child.CombinedOutput()
	if errors.Is(err, syscall.EPERM) {
		t.Skip("only root can mount a disk for this test")
	} else if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Fatalf("%v:\n%s", err, out)
	}
}

func mount(t *testing.T, folder string, flags uintptr, data string) {
	t.Helper()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", flags, data); err != nil {
		t.Fatalf("mount %s: %v", folder, err)
	}
}

// readOnly says that nothing can be written to the disk any more.
func readOnly(t *testing.T, folder string) {
	t.Helper()
	mount(t, folder, syscall.MS_REMOUNT|syscall.MS_RDONLY, "")
}

// each runs commands on the store at a path. Each has to end with the status, and to say one of the
// texts of each line.
func each(s *programtest.Site, db string, status int, says []string, commands ...[]string) {
	s.T.Helper()
	for _, args := range commands {
		got := s.Docket(append([]string{"--db", db}, args...)...)
		bad := got.Status != status || strings.Contains(got.Stderr, "goroutine")
		for _, texts := range says {
			said := func(text string) bool { return strings.Contains(got.Stdout+got.Stderr, text) }
			bad = bad || !slices.ContainsFunc(strings.Split(texts, "|"), said)
		}
		if bad {
			s.T.Errorf("docket %s: exit status %d, %s%s", args[0], got.Status, got.Stdout, got.Stderr)
		}
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
	onTmpfs(t, "8m", func(t *testing.T, folder string) {
		s, db := onDisk(t, folder)
		readOnly(t, folder)
		each(s, db, 0, nil, []string{"queue"}, []string{"show", programtest.SampleCase}, []string{"records"}, []string{"verify"},
			[]string{"export", s.At("out")}, []string{"backup", s.At("copy.db")})
		each(s, db, 3, []string{folder, "read-only|only be read"}, []string{"import", s.At("packets.jsonl")},
			[]string{"export", folder + "/out"}, []string{"backup", folder + "/copy.db"})
		each(s, db, 1, []string{"✗ disk", "only be read"}, []string{"doctor"})
	})
}

// fill leaves no byte on the disk that the folder is on.
func fill(t *testing.T, folder string) (free func()) {
	t.Helper()
	filler := filepath.Join(folder, "filler")
	if err := os.WriteFile(filler, make([]byte, 64<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk is not full: %v", err)
	}
	return func() { must(t, os.Remove(filler)) }
}

func TestAFullDiskIsSaidAndLeavesNothingHalfWritten(t *testing.T) {
	onTmpfs(t, "32m", func(t *testing.T, folder string) {
		s, db := onDisk(t, folder)
		many := s.At("many.jsonl")
		s.Write("many.jsonl", manyCases(5000))
		free := fill(t, folder)
		disk := &programtest.Site{T: t, Folder: folder}
		before := disk.List()
		for _, args := range [][]string{{"import", many}, {"import", "--json", many}, {"export", folder + "/out"}, {"backup", folder + "/copy.db"}} {
			each(s, db, 3, []string{"disk is full", "free some space"}, args)
			disk.Unchanged(before, "docket "+args[0])
		}
		free()
		each(s, db, 0, nil, []string{"verify"}, []string{"import", many}, []string{"export", folder + "/out"})
		if queue := s.Docket("--db", db, "queue", "--json"); strings.Count(queue.Stdout, "\n") != 5001 {
			t.Errorf("%d cases are there", strings.Count(queue.Stdout, "\n"))
		}
	})
}

// An earlier export stays whole and in its place when there is no room for the one that is to replace it.
func TestAnEarlierExportOutlastsAFullDisk(t *testing.T) {
	onTmpfs(t, "4m", func(t *testing.T, folder string) {
		s, _ := onDisk(t, folder)
		out := filepath.Join(folder, "out")
		s.Done("docket", "export", out)
		s.Done("docket-decide", programtest.SampleCase, "uphold_decision")
		free := fill(t, folder)
		each(s, s.DB(), 3, []string{"disk is full"}, []string{"export", out})
		if v, plain := s.Verify(out); v.Status != 0 || v.Records != 1 {
			t.Errorf("%s", plain)
		}
		free()
		s.Done("docket", "export", out)
		if v, plain := s.Verify(out); v.Status != 0 || v.Records != 2 {
			t.Errorf("%s", plain)
		}
	})
}

// A copy with its write-ahead log on a medium that can only be read holds what was acknowledged, although nobody can make the file
// that readers and writers share.
func TestACopyWithItsWriteAheadLogIsReadWhereNothingCanBeWritten(t *testing.T) {
	onTmpfs(t, "8m", func(t *testing.T, folder string) {
		s := programtest.Decided(t)
		db := filepath.Join(folder, "docket.db")
		open, err := store.Open(t.Context(), store.Options{Path: s.DB(), ReadOnly: true})
		must(t, err)
		s.Done("docket-decide", programtest.SampleCase, "request_evidence")
		for _, suffix := range []string{"", "-wal"} {
			must(t, os.WriteFile(db+suffix, []byte(s.Read("docket.db"+suffix)), 0o600))
		}
		must(t, open.Close())
		readOnly(t, folder)
		if got := s.Docket("--db", db, "records", "--json"); got.Status != 0 || strings.Count(got.Stdout, `"sequence":`) != 1 {
			t.Errorf("docket records: exit status %d, %s%s", got.Status, got.Stdout, got.Stderr)
		}
		each(s, db, 0, nil, []string{"verify"}, []string{"queue"}, []string{"backup", s.At("copy.db")})
		each(s, db, 3, []string{"read-only|only be read"}, []string{"import", s.At("packets.jsonl")})
	})
}
