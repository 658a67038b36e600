//go:build unix

package walks_test

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

	"docket/cmd/internal/programtest"
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
	*programtest.Terminal
	folder string // where the store and the packets are
}

// startWalk opens the shell, with docket on its path.
func startWalk(t *testing.T) *walk {
	t.Helper()
	docket, folder := programtest.Built(t), t.TempDir()
	term := programtest.OpenTerminal(t, 100, 30, "PATH="+filepath.Dir(docket)+`:"$PATH" DOCKET_DB=`+folder+`/docket.db PS1="ready> " sh -i`)
	ctx, cancel := context.WithTimeout(t.Context(), walkTime)
	t.Cleanup(cancel)
	term.Ctx = ctx
	w := &walk{term, folder}
	w.prompt()
	return w
}

// prompt waits until the shell does.
func (w *walk) prompt() {
	w.T.Helper()
	screen := ""
	for w.Ctx.Err() == nil {
		if screen = w.Screen(); strings.HasSuffix(strings.TrimSpace(screen), "ready>") {
			return
		}
	}
	w.T.Fatalf("the shell does not come back:\n%s", screen)
}

// types types a command line at the shell.
func (w *walk) types(line string) {
	w.T.Helper()
	w.Press("-l", line)
	w.Press("Enter")
}

// packets writes a file with the sample's policy and three cases that differ in their ids.
func (w *walk) packets() {
	w.T.Helper()
	text, err := os.ReadFile(programtest.Testdata(w.T, "packets", "appeals.json"))
	if err != nil {
		w.T.Fatal(err)
	}
	var all []json.RawMessage
	for _, id := range []string{programtest.SampleCase, walkCase, "case-2026-00119"} {
		var some []json.RawMessage
		if err := json.Unmarshal([]byte(strings.ReplaceAll(string(text), programtest.SampleCase, id)), &some); err != nil || len(some) < 2 {
			w.T.Fatalf("%d packets: %v", len(some), err)
		}
		all = append(all, some...)
	}
	written, err := json.Marshal(all)
	if err == nil {
		err = os.WriteFile(filepath.Join(w.folder, "packets.json"), written, 0o600)
	}
	if err != nil {
		w.T.Fatal(err)
	}
}

// keptDraft looks into the store until it holds a draft with that note.
func (w *walk) keptDraft(note string) {
	w.T.Helper()
	for w.Ctx.Err() == nil {
		if w.draft().Note == note {
			return
		}
	}
	w.T.Fatalf("the draft is never kept:\n%s", w.Screen())
}

// draft is what the store keeps of the walk's decision.
func (w *walk) draft() records.KeptDraft {
	w.T.Helper()
	s, err := store.Open(w.Ctx, store.Options{Path: filepath.Join(w.folder, "docket.db"), ReadOnly: true})
	if err != nil {
		w.T.Fatal(err)
	}
	defer s.Close()
	dossier, err := s.CaseFile(w.Ctx, terms.AppealCases, walkCase, 0, terms.InstantOf(time.Now()), "rev-0417")
	if err != nil {
		w.T.Fatal(err)
	}
	return dossier.Draft
}

// killed ends the console as nothing can be caught, and gives the terminal back as a person does who knows how.
func (w *walk) killed() {
	w.T.Helper()
	text, err := os.ReadFile(filepath.Join(w.folder, "pid"))
	if err != nil {
		w.T.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err == nil {
		err = syscall.Kill(pid, syscall.SIGKILL)
	}
	if err != nil {
		w.T.Fatal(err)
	}
	w.WaitFor("Killed")
	w.Press("-l", "stty sane; clear; echo given $((40+2)) back")
	w.Press("C-j")
	w.WaitFor("given 42 back")
	w.prompt()
}

func TestAReviewerGoesTheWholeWayFromTheFirstStartToTheExportThroughACrash(t *testing.T) {
	t.Parallel()
	w := startWalk(t)
	w.types("docket")
	w.WaitFor("there is no store; make one by importing packets")
	w.prompt()
	if _, err := os.Stat(filepath.Join(w.folder, "docket.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("docket without a store left one: %v", err)
	}

	w.types("docket identity init --id rev-0417 --role neutral_reviewer")
	w.WaitFor("Passphrase for the new key")
	w.Press("Enter")
	w.WaitFor("SHA256:")
	w.prompt()
	w.packets()
	w.types("clear; docket seal " + w.folder + "/packets.json | docket import -")
	w.WaitFor("imported")
	w.prompt()

	w.types("mkdir -p $XDG_CONFIG_HOME/docket; printf '[filters]\\n\"the one\" = \"00118\"\\n' >>$XDG_CONFIG_HOME/docket/config.toml; clear")
	w.prompt()
	w.types("sh -c 'echo $$ >" + w.folder + "/pid; exec docket'")
	w.WaitFor("Appeals 3 open", "rev-0417", "log checked")
	w.Press("/")
	w.Press("-l", "00118")
	w.WaitFor("1 of 3")
	w.Press("Enter")
	w.Press("Enter")
	w.WaitFor("case "+walkCase, "PASS")
	w.Press("d")
	w.WaitFor("Which outcome?")
	w.Press("Space")
	w.Press("Enter")
	w.WaitFor("Your reasons")
	w.Press("-l", "because")
	w.Press("Enter")
	w.WaitFor("Type record to record it")
	w.Press("5")
	w.WaitFor("A note for yourself")
	w.Press("-l", "ask the school")
	w.keptDraft("ask the school")
	w.killed()

	w.types("docket")
	w.WaitFor("Appeals 3 open", walkCase+" ✎")
	w.Press("f")
	w.WaitFor("Saved filters", "the one")
	w.Press("Enter")
	w.WaitFor("1 of 3")
	w.Press("Enter")
	w.WaitFor("case "+walkCase, "✎ draft:")
	w.Press("d")
	w.WaitFor("ask the school")
	w.Press("Enter")
	w.WaitFor("Type record to record it")
	w.Record()
	w.WaitFor("✓ recorded "+walkCase, "on disk and in the log")
	w.Press("Escape")
	w.WaitFor("1 decided")
	w.Press("Escape") // the filter
	w.WaitFor("case-2026-00119")
	w.Press("r")
	w.WaitFor("1 record in the log")
	w.Press("Enter")
	w.WaitFor("✓ inclusion proof valid", "✓ signature valid", "standing", "supersedes")
	w.Press("Escape")
	w.WaitFor("1 record in the log", "e export")
	w.Press("e")
	w.WaitFor("Export the log", "docket-export")
	w.Press("Enter")
	w.WaitFor("✓ Exported", "1 record exported", "↵ close")
	w.Press("Enter")
	w.WaitFor("e export")
	w.Press("q")
	w.prompt()

	w.types("clear; docket verify ~/docket-export; echo verified with $?")
	w.WaitFor("verified with 0")
	if strings.Contains(w.Screen(), "✗") {
		t.Errorf("the bundle does not verify:\n%s", w.Screen())
	}
	if kept := w.draft(); kept.Present() {
		t.Errorf("a draft is left: %+v", kept)
	}
}

func TestTheReceiptIsALineAboveTheNextCase(t *testing.T) {
	t.Parallel()
	w := startWalk(t)
	w.packets()
	w.types("docket identity init --id rev-0417 --role neutral_reviewer --no-passphrase && docket seal " + w.folder + "/packets.json | docket import - && clear && docket")
	for _, id := range []string{programtest.SampleCase, walkCase} {
		if id == programtest.SampleCase {
			w.WaitFor("Appeals 3 open", id)
			w.Press("Enter")
		}
		w.WaitFor("case "+id, "PASS")
		w.Press("d")
		w.WaitFor("Which outcome?")
		w.Press("Space")
		w.Press("Enter")
		w.WaitFor("Your reasons")
		w.Press("-l", "because")
		w.Press("Enter")
		w.WaitFor("Type record to record it")
		w.Record()
		w.WaitFor("✓ recorded " + id)
	}
	w.WaitFor("case case-2026-00119", "PASS")
}
