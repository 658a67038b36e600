package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"docket/domain"
)

// TestADiskThatFillsUpLosesNothing runs again in a process with mounts of its own, on a disk of a few kilobytes.
func TestADiskThatFillsUpLosesNothing(t *testing.T) {
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
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=2m"); err != nil {
		t.Fatal(err)
	}
	filler := filepath.Join(folder, "filler")
	fill := func() {
		if err := os.WriteFile(filler, make([]byte, 1<<22), 0o600); !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("the disk is not full: %v", err)
		}
	}
	free := func() {
		if err := os.Remove(filler); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(folder, "docket.db")
	fill()
	mustBe(t, openFailing(t, Options{Path: path}), ErrDiskFull)
	free()
	d := deskAt(t, openAt(t, path, noon))
	d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-1", 1)))
	dossier := d.dossier(domain.AppealCases, "case-1")
	sub := d.decide(&dossier.View, decision{outcome: domain.UpholdDecision, note: domain.Note{Salt: "s", Text: string(make([]byte, 1<<18))}})
	fill()
	_, err := d.store.Append(context.Background(), sub)
	mustBe(t, err, ErrDiskFull)
	packets := make([]domain.Packet, 100)
	for i := range packets {
		packets[i] = d.mill.appealCase(passing("case-2", int64(i+1)))
	}
	_, err = d.store.Import(context.Background(), packets)
	mustBe(t, err, ErrDiskFull)
	if len(wholeLog(t, d.store)) != 0 || len(d.queue(domain.Appeals, "")) != 1 {
		t.Error("something was written in part")
	}
	free()
	if _, err := d.store.Append(context.Background(), sub); err != nil {
		t.Error(err)
	}
	d.take(packets...)
	if len(wholeLog(t, d.store)) != 1 {
		t.Error("the record is not in the log")
	}
}
