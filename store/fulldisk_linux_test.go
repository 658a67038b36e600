package store

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
)

// TestADiskThatFillsUpLosesNothing runs again in a process with mounts of its own, on a disk of a few kilobytes.
func TestADiskThatFillsUpLosesNothing(t *testing.T) {
	t.Parallel()
	if folder := os.Getenv(pathVariable); folder != "" {
		onSmallDisk(t, folder)
		return
	}
	child := again(t, t.Name(), t.TempDir())
	child.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	if out, err := child.CombinedOutput(); errors.Is(err, syscall.EPERM) {
		t.Skip("only root can mount a small disk to fill up")
	} else if err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
}

func onSmallDisk(t *testing.T, folder string) {
	must(t, syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=4m"))
	filler := filepath.Join(folder, "filler")
	fill := func() {
		if err := os.WriteFile(filler, make([]byte, 1<<23), 0o600); !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("the disk is not full: %v", err)
		}
	}
	free := func() {
		must(t, os.Remove(filler))
	}
	path := filepath.Join(folder, "docket.db")
	fill()
	mustBe(t, openFailing(t, Options{Path: path}), ErrDiskFull)
	free()
	d := fixtureAt(t, openAt(t, path, noon))
	d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-1", 1)))
	caseFile := d.caseFile(terms.AppealCases, "case-1")
	sub := d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision, note: records.Note{Salt: "s", Text: strings.Repeat("x", 1<<18)}})
	if err := d.store.Appendable(t.Context(), 1<<20); err != nil {
		t.Errorf("on a disk with room: %v", err)
	}
	mustBe(t, d.store.Appendable(t.Context(), 1<<40), ErrDiskFull)
	fill()
	mustBe(t, d.store.Appendable(t.Context(), 1<<20), ErrDiskFull)
	mustBe(t, errOf(d.store.Append(context.Background(), sub)), ErrDiskFull)
	mustBe(t, d.store.Appendable(t.Context(), 1<<20), ErrDiskFull)
	packets := make([]packets.Packet, 100)
	for i := range packets {
		packets[i] = d.mill.appealCase(passing("case-2", int64(i+1)))
	}
	mustBe(t, errOf(d.store.Import(context.Background(), packets)), ErrDiskFull)
	if len(wholeLog(t, d.store)) != 0 || len(d.queue(terms.Appeals, "")) != 1 {
		t.Error("something was written in part")
	}
	free()
	if err := d.store.Appendable(t.Context(), 1<<20); err != nil {
		t.Errorf("on a disk with room again: %v", err)
	}
	need(d.store.Append(context.Background(), sub))(t)
	d.take(packets...)
	wantSame(t, "records in the log", len(wholeLog(t, d.store)), 1)
	// A copy of the open store, with its write-ahead log and without the index of that, is read all the same, also by what would write.
	copied := filepath.Join(folder, "copied.db")
	for _, suffix := range []string{"", "-wal"} {
		if out, err := exec.Command("cp", path+suffix, copied+suffix).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	fill()
	for _, only := range []bool{true, false} {
		s := openWith(t, Options{Path: copied, ReadOnly: only, Now: func() time.Time { return noon }})
		if len(wholeLog(t, s)) != 1 || len(s.Findings()) > 0 || !s.ReadOnly() {
			t.Errorf("a copy on the full disk, only read %v: %d records, %v", only, len(wholeLog(t, s)), s.Findings())
		}
		must(t, s.Close())
	}
	if _, err := os.Stat(copied + "-wal"); err != nil {
		t.Errorf("the write-ahead log of the copy: %v", err)
	}
	free()
	wantSame(t, "records in the copy", len(wholeLog(t, openWith(t, Options{Path: copied, Now: func() time.Time { return noon }}))), 1)
}
