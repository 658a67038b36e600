package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"docket/domain/terms"
	"docket/store/disk"
	"docket/store/merkle"
)

// lone fails if there is anything in the folder besides the named files.
func lone(t testing.TB, folder string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != len(names) {
		t.Errorf("in the folder: %v, %v", entries, err)
		return
	}
	for i, name := range names {
		if entries[i].Name() != name {
			t.Errorf("in the folder: %v", entries)
		}
	}
}

func TestABackupIsTheStoreInOneFile(t *testing.T) {
	d, o := anchoredFixture(t)
	folder := t.TempDir()
	path := filepath.Join(folder, "backup.db")
	stages := map[BackupStage]int64{}
	err := d.store.Backup(t.Context(), path, func(stage BackupStage, done, total int64) {
		if done > total || done < stages[stage] {
			t.Errorf("progress from %d to %d of %d", stages[stage], done, total)
		}
		stages[stage] = done
	})
	if err != nil {
		t.Fatal(err)
	}
	lone(t, folder, "backup.db")
	if stages[Copying] == 0 || stages[Verifying] != 4 {
		t.Errorf("progress %v", stages)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != disk.FileMode {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	keyless := o
	keyless.Path = path
	s := openWith(t, keyless)
	if err := s.Obstacle(); !errors.Is(err, merkle.ErrNoKey) || !strings.Contains(err.Error(), filepath.Dir(path)) || !s.ReadOnly() {
		t.Errorf("without its key file: %v", err)
	}
	copyKey(t, o.Path, path)
	o.Path = path
	again := openWith(t, o)
	if !again.Anchored() || again.ReadOnly() {
		t.Errorf("anchored %v, %v", again.Anchored(), again.Findings())
	}
	if want, got := wholeLog(t, d.store), wholeLog(t, again); len(got) != len(want) {
		t.Errorf("%d records instead of %d", len(got), len(want))
	}
	rows, err := queueOf(t.Context(), again, terms.Appeals, terms.InstantOf(noon), "")
	if err != nil || len(rows) != 5 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

func TestABackupReplacesNothing(t *testing.T) {
	d, _ := anchoredFixture(t)
	folder := t.TempDir()
	path := filepath.Join(folder, "held")
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	mustBe(t, d.store.Backup(t.Context(), path, nil), ErrExists)
	if content, err := os.ReadFile(path); err != nil || string(content) != "mine" {
		t.Errorf("it holds %q, %v", content, err)
	}
	late := filepath.Join(folder, "late")
	err := d.store.Backup(t.Context(), late, func(stage BackupStage, _, _ int64) {
		if err := os.WriteFile(late, []byte("mine"), 0o600); err != nil {
			t.Error(err)
		}
	})
	mustBe(t, err, ErrExists)
	if content, err := os.ReadFile(late); err != nil || string(content) != "mine" {
		t.Errorf("it holds %q, %v", content, err)
	}
	lone(t, folder, "held", "late")
}

func TestABackupThatDoesNotGoThroughLeavesNothing(t *testing.T) {
	d, o := anchoredFixture(t)
	folder := t.TempDir()
	path := filepath.Join(folder, "backup.db")
	for _, at := range []BackupStage{Copying, Verifying} {
		ctx, cancel := context.WithCancel(t.Context())
		err := d.store.Backup(ctx, path, func(stage BackupStage, _, _ int64) {
			if stage == at {
				cancel()
			}
		})
		mustBe(t, err, context.Canceled)
		cancel()
	}
	mustBe(t, d.store.Backup(t.Context(), filepath.Join(folder, "none", "backup.db"), nil), ErrNoAccess)
	lone(t, folder)
	d.close()
	forge(t, o.Path, "UPDATE docket_log_hashes SET hash = randomblob(32) WHERE position = 1")
	s := openWith(t, o)
	mustBe(t, s.Backup(t.Context(), path, nil), ErrTampered)
	proven(t, s)
	mustBe(t, s.Backup(t.Context(), path, nil), ErrTampered)
	lone(t, folder)
}

func TestABackupIsWholeWhileOthersWrite(t *testing.T) {
	d, o := anchoredFixture(t)
	ids := make([]terms.ID, 0, 60)
	for _, prefix := range []string{"left", "right"} {
		for i := range 30 {
			id := terms.ID(prefix + "-" + string(rune('a'+i/26)) + string(rune('a'+i%26)))
			d.take(d.mill.appealCase(passing(string(id), 1)))
			ids = append(ids, id)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 2)
	for i := range 2 {
		writer := fixtureAt(t, openWith(t, o))
		go func() { done <- writer.recordAll(ctx, ids[i*30:(i+1)*30]) }()
	}
	sizes := map[int64]bool{}
	for i := range 5 {
		copied := o
		copied.Path = filepath.Join(t.TempDir(), "backup.db")
		if err := d.store.Backup(t.Context(), copied.Path, nil); err != nil {
			t.Fatalf("backup %d: %v", i, err)
		}
		copied.AnchorFolder = "" // the store is further by now
		s := openWith(t, copied)
		wantKinds(t, "the copy", append(proven(t, s), s.Findings()...))
		head, err := s.Head(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		sizes[head.Size] = true
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	t.Logf("sizes of the copies: %v", sizes)
}

// recordAll records on cases, in a goroutine of its own.
func (d *fixture) recordAll(ctx context.Context, ids []terms.ID) error {
	for _, id := range ids {
		caseFile, err := d.store.CaseFile(ctx, terms.AppealCases, id, 0, terms.InstantOf(noon), "")
		if err != nil {
			return err
		}
		_, err = d.store.Append(ctx, d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision}))
		if err != nil {
			return err
		}
	}
	return nil
}
