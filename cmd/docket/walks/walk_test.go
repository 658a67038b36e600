//go:build unix

package walks_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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
	through(w.Terminal, "line "+line)
}

// packets writes a file with the sample's policy and three cases that differ in their ids.
func (w *walk) packets() {
	w.T.Helper()
	text, err := os.ReadFile(programtest.Testdata(w.T, "packets", "appeals.json"))
	must(w.T, err)
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
	must(w.T, err)
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
	must(w.T, err)
	defer s.Close()
	dossier, err := s.CaseFile(w.Ctx, terms.AppealCases, walkCase, 0, terms.InstantOf(time.Now()), "rev-0417")
	must(w.T, err)
	return dossier.Draft
}

// killed ends the console as nothing can be caught, and gives the terminal back as a person does who knows how.
func (w *walk) killed() {
	w.T.Helper()
	must(w.T, processOf(w.T, filepath.Join(w.folder, "pid")).Kill())
	through(w.Terminal, "sees Killed", "type stty sane; clear; echo given $((40+2)) back", "C-j",
		"sees given 42 back")
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
	through(w.Terminal, "sees Passphrase for the new key", "Enter", "sees SHA256:")
	w.prompt()
	w.packets()
	w.types("clear; docket seal " + w.folder + "/packets.json | docket import -")
	w.WaitFor("imported")
	w.prompt()

	w.types("mkdir -p $XDG_CONFIG_HOME/docket; printf '[filters]\\n\"the one\" = \"00118\"\\n' >>$XDG_CONFIG_HOME/docket/config.toml; clear")
	w.prompt()
	w.types("sh -c 'echo $$ >" + w.folder + "/pid; exec docket'")
	through(w.Terminal, "sees Appeals 3 open", "and rev-0417", "and log checked", "/", "type 00118",
		"sees 1 of 3", "Enter", "Enter", "sees case "+walkCase, "and PASS", "d", "sees Which outcome?",
		"Space", "Enter", "sees Your reasons", "line because", "sees Type record to record it", "5",
		"sees A note for yourself", "type ask the school")
	w.keptDraft("ask the school")
	w.killed()

	w.types("docket")
	through(w.Terminal, "sees Appeals 3 open", "and "+walkCase+" ✎", "f", "sees Saved filters",
		"and the one", "Enter", "sees 1 of 3", "Enter", "sees case "+walkCase, "and ✎ draft:", "d",
		"sees ask the school", "Enter", "sees Type record to record it", "record",
		"sees ✓ recorded "+walkCase, "and on disk and in the log", "Escape", "sees 1 decided")
	w.Press("Escape") // the filter
	through(w.Terminal, "sees case-2026-00119", "r", "sees 1 record in the log", "Enter",
		"sees ✓ checked", "and inclusion proof valid; signature valid", "and standing", "and found by the rules",
		"Escape", "sees 1 record in the log", "and e export", "e", "sees Export the log",
		"and docket-export", "Enter", "sees ✓ Exported", "and 5 entries exported", "and ↵ close", "Enter",
		"sees e export", "q")
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
