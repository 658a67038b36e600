//go:build unix

package main_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
)

// walkTime is how long a whole walk may take on a busy machine.
const walkTime = 90 * time.Second

// walkCase is the case that a walk decides.
const walkCase = "case-2026-00118"

// A walk is a person at a shell, in whose home nothing has been done yet.
type walk struct {
	*terminal
	folder string // where the store and the packets are
}

// startWalk opens the shell, with docket on its path.
func startWalk(t *testing.T) *walk {
	t.Helper()
	docket, folder := program(t), t.TempDir()
	term := openTerminal(t, 100, 30, "PATH="+filepath.Dir(docket)+`:"$PATH" DOCKET_DB=`+folder+`/docket.db PS1="ready> " sh -i`)
	ctx, cancel := context.WithTimeout(t.Context(), walkTime)
	t.Cleanup(cancel)
	term.ctx = ctx
	w := &walk{term, folder}
	w.prompt()
	return w
}

// prompt waits until the shell does.
func (w *walk) prompt() {
	w.t.Helper()
	screen := ""
	for w.ctx.Err() == nil {
		if screen = w.screen(); strings.HasSuffix(strings.TrimSpace(screen), "ready>") {
			return
		}
	}
	w.t.Fatalf("the shell does not come back:\n%s", screen)
}

// types types a command line at the shell.
func (w *walk) types(line string) {
	w.t.Helper()
	w.press("-l", line)
	w.press("Enter")
}

// packets writes a file with the sample's policy and three cases that differ in their ids.
func (w *walk) packets() {
	w.t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "packets", "appeals.json"))
	if err != nil {
		w.t.Fatal(err)
	}
	var all []json.RawMessage
	for _, id := range []string{sampleCase, walkCase, "case-2026-00119"} {
		var some []json.RawMessage
		if err := json.Unmarshal([]byte(strings.ReplaceAll(string(text), sampleCase, id)), &some); err != nil || len(some) < 2 {
			w.t.Fatalf("%d packets: %v", len(some), err)
		}
		all = append(all, some...)
	}
	written, err := json.Marshal(all)
	if err == nil {
		err = os.WriteFile(filepath.Join(w.folder, "packets.json"), written, 0o600)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// keptDraft looks into the store until it holds a draft with that note.
func (w *walk) keptDraft(note string) {
	w.t.Helper()
	for w.ctx.Err() == nil {
		if w.draft().Note == note {
			return
		}
	}
	w.t.Fatalf("the draft is never kept:\n%s", w.screen())
}

// draft is what the store keeps of the walk's decision.
func (w *walk) draft() records.KeptDraft {
	w.t.Helper()
	s, err := store.Open(w.ctx, store.Options{Path: filepath.Join(w.folder, "docket.db"), ReadOnly: true})
	if err != nil {
		w.t.Fatal(err)
	}
	defer s.Close()
	dossier, err := s.CaseFile(w.ctx, terms.AppealCases, walkCase, 0, terms.InstantOf(time.Now()), "rev-0417")
	if err != nil {
		w.t.Fatal(err)
	}
	return dossier.Draft
}

// killed ends the console as nothing can be caught, and gives the terminal back as a person does who knows how.
func (w *walk) killed() {
	w.t.Helper()
	text, err := os.ReadFile(filepath.Join(w.folder, "pid"))
	if err != nil {
		w.t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err == nil {
		err = syscall.Kill(pid, syscall.SIGKILL)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	w.waitFor("Killed")
	w.press("-l", "stty sane; clear; echo given $((40+2)) back")
	w.press("C-j")
	w.waitFor("given 42 back")
	w.prompt()
}

func TestAReviewerGoesTheWholeWayFromTheFirstStartToTheExportThroughACrash(t *testing.T) {
	t.Parallel()
	w := startWalk(t)
	w.types("docket")
	w.waitFor("there is no store; make one by importing packets")
	w.prompt()
	if _, err := os.Stat(filepath.Join(w.folder, "docket.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("docket without a store left one: %v", err)
	}

	w.types("docket identity init --id rev-0417 --role neutral_reviewer")
	w.waitFor("Passphrase for the new key")
	w.press("Enter")
	w.waitFor("SHA256:")
	w.prompt()
	w.packets()
	w.types("clear; docket seal " + w.folder + "/packets.json | docket import -")
	w.waitFor("imported")
	w.prompt()

	w.types("sh -c 'echo $$ >" + w.folder + "/pid; exec docket'")
	w.waitFor("Appeals 3 open", "rev-0417", "log checked")
	w.press("/")
	w.press("-l", "00118")
	w.waitFor("1 of 3")
	w.press("Enter")
	w.press("F")
	w.waitFor("Save the filter")
	w.press("-l", "the one")
	w.press("Enter")
	w.waitFor("saved as the one")
	w.press("Enter")
	w.waitFor("case "+walkCase, "PASS")
	w.press("d")
	w.waitFor("Which outcome?")
	w.press("Space")
	w.press("Enter")
	w.waitFor("Which reasons")
	w.press("Enter")
	w.waitFor("Does anything else")
	w.press("Enter")
	w.waitFor("Your reasons")
	w.press("-l", "because")
	w.press("Enter")
	w.waitFor("A note for yourself")
	w.press("-l", "ask the school")
	w.keptDraft("ask the school")
	w.killed()

	w.types("docket")
	w.waitFor("Appeals 3 open", walkCase+" ✎")
	w.press("f")
	w.waitFor("Saved filters", "the one")
	w.press("Enter")
	w.waitFor("▐1 the one 1▌")
	w.press("Enter")
	w.waitFor("case "+walkCase, "✎ draft:")
	w.press("d")
	w.waitFor("ask the school")
	w.press("Enter")
	w.waitFor("Type record to record it")
	w.record()
	w.waitFor("✓ recorded "+walkCase, "on disk and in the log")
	w.press("Escape")
	w.waitFor("1 decided")
	w.press("Escape") // the filter
	w.waitFor("case-2026-00119")
	w.press("r")
	w.waitFor("1 record in the log")
	w.press("Enter")
	w.waitFor("✓ inclusion proof valid", "✓ signature valid", "standing", "supersedes")
	w.press("Escape")
	w.waitFor("1 record in the log", "e export")
	w.press("e")
	w.waitFor("Export the log", "docket-export")
	w.press("Enter")
	w.waitFor("✓ Exported", "1 record exported", "↵ close")
	w.press("Enter")
	w.waitFor("e export")
	w.press("q")
	w.waitFor("This session:")
	w.prompt()

	w.types("clear; docket verify ~/docket-export; echo verified with $?")
	w.waitFor("verified with 0")
	if strings.Contains(w.screen(), "✗") {
		t.Errorf("the bundle does not verify:\n%s", w.screen())
	}
	if kept := w.draft(); kept.Present() {
		t.Errorf("a draft is left: %+v", kept)
	}
}

func TestAfterTheReceiptEnterOpensTheNextCase(t *testing.T) {
	t.Parallel()
	w := startWalk(t)
	w.packets()
	w.types("docket identity init --id rev-0417 --role neutral_reviewer --no-passphrase && docket seal " + w.folder + "/packets.json | docket import - && clear && docket")
	for _, id := range []string{sampleCase, walkCase} {
		if id == sampleCase {
			w.waitFor("Appeals 3 open", id)
			w.press("Enter")
		}
		w.waitFor("case "+id, "PASS")
		w.press("d")
		w.waitFor("Which outcome?")
		w.press("Space")
		w.press("Enter")
		w.waitFor("Which reasons")
		w.press("Enter")
		w.waitFor("Does anything else")
		w.press("Enter")
		w.waitFor("Your reasons")
		w.press("-l", "because")
		w.press("Enter")
		w.waitFor("A note for yourself")
		w.press("Enter")
		w.waitFor("Type record to record it")
		w.record()
		w.waitFor("✓ recorded " + id)
		w.press("Enter")
	}
	w.waitFor("case case-2026-00119", "PASS")
	w.press("q")
	w.waitFor("This session:", "2 cases")
}
