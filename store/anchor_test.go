package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"docket/domain"
)

func TestTheAnchorIsKeptOutsideTheStoreForItsOwnerOnly(t *testing.T) {
	d, o := anchoredDesk(t)
	signed, err := d.store.Checkpoint(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if d.store.Anchored() {
		t.Error("a new store was proven against an anchor")
	}
	path := d.store.anchor.path
	if rel, err := filepath.Rel(o.AnchorFolder, path); err != nil || strings.HasPrefix(rel, "..") {
		t.Errorf("it is at %s, %v", path, err)
	}
	content, err := os.ReadFile(path)
	if err != nil || !bytes.Contains(content, signed) {
		t.Errorf("it holds %s, %v", content, err)
	}
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no permission bits")
	}
	for name, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700, o.AnchorFolder: 0o700} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}

func TestAStoreOnAnotherMachineIsTrustedOnce(t *testing.T) {
	d, o := anchoredDesk(t)
	d.close()
	o.AnchorFolder = filepath.Join(t.TempDir(), "new machine")
	o.ReadOnly = true
	if s := openWith(t, o); s.Anchored() || len(s.Findings()) > 0 {
		t.Errorf("read: anchored %v, %v", s.Anchored(), s.Findings())
	}
	if _, err := os.Stat(o.AnchorFolder); !os.IsNotExist(err) {
		t.Errorf("reading wrote an anchor: %v", err)
	}
	o.ReadOnly = false
	if s := openWith(t, o); s.Anchored() || s.ReadOnly() {
		t.Errorf("first: anchored %v, %v", s.Anchored(), s.Findings())
	}
	if s := openWith(t, o); !s.Anchored() || s.ReadOnly() {
		t.Errorf("second: anchored %v, %v", s.Anchored(), s.Findings())
	}
}

func TestAnAnchorThatCannotBeKeptIsSaidWithTheReceipt(t *testing.T) {
	d, o := anchoredDesk(t)
	d.store.anchor.pending.Wait() // what was kept before has come to the disk, and cannot fail with a later record
	if err := os.RemoveAll(o.AnchorFolder); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(o.AnchorFolder, nil, fileMode); err != nil { // a file where the folder has to be
		t.Fatal(err)
	}
	dossier := d.dossier(domain.AppealCases, "case-4")
	sub := d.decide(&dossier.View, decision{outcome: domain.UpholdDecision})
	receipt, err := d.store.Append(t.Context(), sub)
	var unanchored *AnchorError
	if !errors.As(err, &unanchored) || receipt.TreeSize != 5 || !strings.Contains(err.Error(), o.AnchorFolder) {
		t.Fatalf("%+v, %v", receipt, err)
	}
	if records := wholeLog(t, d.store); records[receipt.RecordID].Receipt != receipt {
		t.Error("the record is not in the log")
	}
	again := openWith(t, o)
	if again.ReadOnly() || again.Anchored() {
		t.Errorf("an anchor that cannot be reached makes it read-only: %v", again.Findings())
	}
	if err := os.Remove(o.AnchorFolder); err != nil {
		t.Fatal(err)
	}
	if same, err := d.store.Append(t.Context(), sub); err != nil || same != receipt {
		t.Errorf("once it can be kept: %+v, %v", same, err)
	}
	if s := openWith(t, o); !s.Anchored() {
		t.Error("the anchor was not brought up to date")
	}
}

func TestAKilledConsoleLeavesAnAnchorThatTheLogExtends(t *testing.T) {
	d, o := anchoredDesk(t)
	alone := o
	alone.AnchorFolder = ""
	other := deskAt(t, openWith(t, alone)) // commits, and never gets to the anchor
	other.record("case-4", decision{outcome: domain.UpholdDecision})
	d.record("case-5", decision{outcome: domain.UpholdDecision})
	other.close()
	d.close()
	s := openWith(t, o)
	if s.ReadOnly() || !s.Anchored() {
		t.Errorf("anchored %v, %v", s.Anchored(), s.Findings())
	}
	held, err := s.anchor.read(t.Context())
	if err != nil || held.size != 6 {
		t.Errorf("the anchor is of %d, %v", held.size, err)
	}
}

func TestManyConsolesKeepOneAnchorThatOnlyGrows(t *testing.T) {
	const consoles, each = 4, 12
	first, o := anchoredDesk(t)
	ids := make([]domain.ID, consoles*each)
	for i := range ids {
		ids[i] = domain.ID(fmt.Sprintf("more-%d", i))
		first.take(first.mill.appealCase(passing(string(ids[i]), 1)))
	}
	stop, watched := make(chan struct{}), make(chan error, 1)
	go func() {
		defer close(watched)
		watcher, newest := newAnchor(o.AnchorFolder, first.store.key, time.Second), int64(0)
		for {
			select {
			case <-stop:
				return
			default:
			}
			c, err := watcher.read(context.Background())
			if err != nil || c.size < newest {
				watched <- fmt.Errorf("from %d to %d: %w", newest, c.size, err)
				return
			}
			newest = c.size
			runtime.Gosched()
		}
	}()
	var wait sync.WaitGroup
	for i := range consoles {
		d := deskAt(t, openWith(t, o))
		wait.Go(func() {
			for _, id := range ids[i*each : (i+1)*each] {
				dossier, err := d.store.Dossier(context.Background(), domain.AppealCases, id, 0, domain.InstantOf(noon), "")
				if err == nil {
					_, err = d.store.Append(context.Background(), d.decide(&dossier.View, decision{outcome: domain.UpholdDecision}))
				}
				if err != nil {
					t.Errorf("%s: %v", id, err)
				}
			}
		})
	}
	wait.Wait()
	close(stop)
	if err := <-watched; err != nil {
		t.Error(err)
	}
	held, err := first.store.anchor.read(t.Context())
	if err != nil || held.size != 4+consoles*each {
		t.Errorf("the anchor is of %d, %v", held.size, err)
	}
	if s := openWith(t, o); s.ReadOnly() || !s.Anchored() {
		t.Errorf("anchored %v, %v", s.Anchored(), s.Findings())
	}
}
