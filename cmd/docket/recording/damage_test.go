//go:build unix

package recording_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"docket/domain/queue"
	"docket/domain/terms"
	"docket/store"
	"docket/ui/workbench"
)

const pageSize = 4096

// overwrite overwrites a page of a store's file with what is none, in a process of its own: this one may have the file open.
func overwrite(t *testing.T, path string, page int) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "dd", "if=/dev/urandom", "of="+path, fmt.Sprintf("bs=%d", pageSize), "count=1",
		fmt.Sprintf("seek=%d", page), "conv=notrunc")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// A worked is a console's work on a store, the packet that it decides on, and whether it met damage.
type worked struct {
	*workbench.Workbench
	file *queue.CaseFile
	met  bool
}

func (w *worked) note(err error) {
	w.met = w.met || err != nil && !store.Passes(err) || len(w.Store.Findings()) > 0
}

// look reads what a console shows.
func (w *worked) look(t *testing.T) {
	for _, area := range terms.Areas.All() {
		_, err := w.Top(t.Context(), area, 20)
		w.note(err)
		_, _, err = w.Queue(t.Context(), area, nil)
		w.note(err)
	}
	_, err := w.Open(t.Context(), terms.AppealCases, passing, 0)
	w.note(err)
	_, err = w.Records(t.Context(), 0, 20)
	w.note(err)
}

// record tries to record, which must not succeed once damage was met.
func (w *worked) record(t *testing.T, when string) {
	t.Helper()
	before := w.met
	err := tryToRecord(t.Context(), t, w.Workbench, w.file)
	if before && err == nil {
		t.Errorf("%s: a decision was recorded after damage was met", when)
	}
	w.note(err)
}

func TestNothingIsRecordedOnceAConsoleHasMetADamagedPage(t *testing.T) {
	anchors := t.TempDir()
	d := atWorkWith(t, anchors)
	file := opened(t, d, passing)
	path := d.Store.Path()
	must(t, d.Store.Close())
	info, err := os.Stat(path)
	must(t, err)
	for page := range int(info.Size() / pageSize) {
		for _, opened := range []string{"before", "after"} {
			t.Run(fmt.Sprintf("page %d, opened %s", page, opened), func(t *testing.T) {
				t.Parallel()
				folder := t.TempDir()
				for from, to := range map[string]string{filepath.Dir(path): "store", anchors: "anchors"} {
					must(t, os.CopyFS(filepath.Join(folder, to), os.DirFS(from)))
				}
				copied := filepath.Join(folder, "store", filepath.Base(path))
				if opened == "after" {
					overwrite(t, copied, page)
				}
				s, err := store.Open(t.Context(), store.Options{Path: copied, Now: d.Clock, AnchorFolder: filepath.Join(folder, "anchors"),
					BusyTimeout: time.Second})
				if err != nil {
					if opened == "before" {
						t.Fatal(err)
					}
					return // nothing can be recorded
				}
				defer func() { _ = s.Close() }()
				w := &worked{Workbench: &workbench.Workbench{Store: s, Who: d.Who, Sign: d.Sign, State: d.State, Clock: d.Clock}, file: &file}
				if opened == "before" {
					w.look(t)
					if w.met {
						t.Fatalf("nothing is damaged: %v", s.Findings())
					}
					overwrite(t, copied, page)
				}
				w.note(nil)
				w.look(t)
				w.record(t, "after a look")
				if err := w.Verify(t.Context()); err != nil && store.Passes(err) {
					t.Errorf("the check of the log ended with %v", err)
				}
				if w.note(nil); len(s.Findings()) == 0 {
					t.Error("the check of the log finds nothing")
				}
				w.record(t, "after the check")
				if !s.ReadOnly() {
					t.Error("the store takes records")
				}
			})
		}
	}
}
