package serve_test

import (
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"docket/cmd/internal/api"
)

// diskVariable says to a test that it runs again, and in which folder it may mount a small disk.
const diskVariable = "DOCKET_TEST_SMALL_DISK"

// TestAServiceOnAFullDiskIsNotReadyAndGoesOnReading runs again in a process with mounts of its own, on a disk of a few megabytes.
func TestAServiceOnAFullDiskIsNotReadyAndGoesOnReading(t *testing.T) {
	if onPostgres() {
		t.Skip("the disk of a database is its server's")
	}
	if folder := os.Getenv(diskVariable); folder != "" {
		onSmallDisk(t, folder)
		return
	}
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	child.Env = append(os.Environ(), diskVariable+"="+t.TempDir())
	child.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	out, err := child.CombinedOutput()
	switch {
	case errors.Is(err, syscall.EPERM):
		t.Skip("only root can mount a small disk to fill up")
	case err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()):
		t.Fatalf("%v:\n%s", err, out)
	}
}

func onSmallDisk(t *testing.T, folder string) {
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=8m"); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", folder) // the store of the harness lies there
	limits := unlimited
	limits.FreeSpace = 1 << 20
	w := newHarness(t, newServiceStore(t), within(limits))
	if filepath.Dir(filepath.Dir(filepath.Dir(w.path))) != folder {
		t.Fatalf("the store is %s", w.path)
	}
	if !w.ready(t) {
		t.Fatalf("it is not ready at first: %s", w.log.String())
	}
	filler := filepath.Join(folder, "filler")
	if err := os.WriteFile(filler, make([]byte, 1<<24), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk is not full: %v", err)
	}
	w.pass(time.Second)
	if w.ready(t) {
		t.Error("on a full disk it is ready")
	}
	record := w.Decide(w.Case, Reviewer, nil)
	w.handIn(t, record, Reviewer).is(t, api.Unavailable)
	w.holds(t, 0)
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	w.pass(time.Second)
	if w.ready(t) {
		t.Error("a second after an append failed it is ready")
	}
	w.pass(time.Minute)
	if !w.ready(t) {
		t.Errorf("with room again it is not ready: %s", w.log.String())
	}
	if answered := w.handIn(t, record, Reviewer); answered.status != http.StatusCreated {
		t.Errorf("with room again: %d %s", answered.status, answered.body)
	}
}
