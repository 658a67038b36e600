package walks_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/cmd/internal/programtest"
)

// quiet is how long the screen stays as it is before it counts as drawn.
const quiet = 60 * time.Millisecond

// sampleCases are how many rows the demo's queue of each docket has.
var sampleCases = map[string]int{"appeals": 24, "amendments": 14}

// Every case of the sample docket: on how many pages stand the gate, every blocker with its cure, and everything that is said,
// before the first of the facts?
func TestEverySampleCaseSaysAllOnItsFirstPages(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ width, height, pages int }{{120, 40, 1}, {80, 24, 2}} {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), func(t *testing.T) {
			t.Parallel()
			term := programtest.OpenTerminal(t, size.width, size.height, programtest.Built(t)+" demo")
			term.WaitFor("Appeals", "log checked")
			seen := map[string]bool{}
			eachSampleCase(term, func(docket, name string) {
				if seen[name] {
					t.Fatalf("%s comes twice", name)
				}
				seen[name] = true
				text := term.Screen()
				for range size.pages - 1 {
					term.Press("NPage")
					term.WaitQuiet(quiet)
					text += term.Screen()
				}
				checkFirstPages(t, docket, name, text)
				through(term, "Escape", "sees open  / filter")
			})
		})
	}
}

// eachSampleCase opens each case of the sample docket in the order of its lists; visit comes back to the list.
func eachSampleCase(term *programtest.Terminal, visit func(docket, name string)) {
	for _, docket := range []string{"appeals", "amendments"} {
		if docket == "amendments" {
			through(term, "Tab", "sees ▐Amendments")
		}
		for row := range sampleCases[docket] {
			if row > 0 {
				term.Press("j")
			}
			term.Press("Enter")
			visit(docket, openCase(term))
		}
	}
}

// openCase waits until a packet shows, whose title names its revision, and returns its name.
func openCase(term *programtest.Terminal) string {
	term.T.Helper()
	for term.Ctx.Err() == nil {
		title := strings.Fields(strings.Split(term.Screen(), "\n")[1])
		if len(title) > 3 && title[3] == "revision" {
			term.WaitQuiet(quiet)
			return title[2]
		}
	}
	term.T.Fatalf("no case is open:\n%s", term.Screen())
	return ""
}

// checkFirstPages looks for all that has to be on the first pages of a case.
func checkFirstPages(t *testing.T, docket, name, text string) {
	t.Helper()
	joined := strings.Join(strings.Fields(text), " ") // a text that is wrapped reads on
	wanted := []string{"▾ What is said", "statement ", "summary ", "standing ", "asks for ", "effects ", "deadline ", "▾ Reviewed item"}
	if docket == "amendments" {
		wanted = []string{"▾ What changes", "change ", " from ", " to ", "parent record ", "▾ Effects and who confirmed them", "confirmations ", "no effect on: | ruled out"}
	}
	for _, one := range wanted {
		if !slices.ContainsFunc(strings.Split(one, "|"), func(one string) bool { return strings.Contains(joined, strings.TrimSpace(one)) }) {
			t.Errorf("%s: %q is not on the first pages:\n%s", name, one, text)
		}
	}
	if strings.Contains(text, "BLOCKED") == strings.Contains(text, "PASS") {
		t.Errorf("%s: the gate is not clear:\n%s", name, text)
	}
	blockers := strings.Count(text, "→ ")
	if strings.Contains(text, "BLOCKED") == (blockers == 0) {
		t.Errorf("%s: the gate stands beside %d cures:\n%s", name, blockers, text)
	}
}

func TestTheDemoIsWorkedFromQueueToReceipt(t *testing.T) {
	t.Parallel()
	term := programtest.OpenTerminal(t, 80, 24, programtest.Built(t)+" demo")
	through(term, "sees Appeals", "and Amendments", "and sample docket", "and rev-demo",
		"and Here a neutral reviewer decides appeals. ↵ opens a case, d decides it, ? helps.",
		"open case-004122", "sees case-004122", "and PASS", "and No blockers.", "d",
		"sees Which outcome?", "Space", "Enter", "sees Your reasons", "line because",
		"sees Type record to record it", "record", "sees ✓ recorded case-004122",
		"and open cases in the list", "and on disk and in the log", "z", "sees leaf hash",
		"and tree size", "Escape", "sees 1 decided", "r", "sees 1 record in the log", "q",
		"sees Where to go next:", "and docket identity init", "and docket import", "and exit status 0")
}

func TestWithoutAnIdentityTheConsoleOnlyReads(t *testing.T) {
	t.Parallel()
	docket := programtest.Built(t)
	packets := programtest.Testdata(t, "packets")
	db := filepath.Join(t.TempDir(), "docket.db")
	command := fmt.Sprintf("%[1]s seal %[2]s/appeals.json | %[1]s --db %[3]s import - && %[1]s --db %[3]s", docket, packets, db)
	term := programtest.OpenTerminal(t, 80, 24, command)
	through(term, "sees case-2026-00117", "Enter", "sees PASS", "and What is said", "d",
		"sees not yours to decide: no reviewer is set up", "q", "sees exit status 0")
	if info, err := os.Stat(db); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the store's file: %v, %v", info, err)
	}
}

func TestTheConsoleStartsAsItsConfigFileSays(t *testing.T) {
	t.Parallel()
	docket, folder := programtest.Built(t), t.TempDir()
	log := filepath.Join(folder, "debug.log")
	config := "docket = \"amendments\"\ntheme = \"contrast\"\n[filters]\nblocked = \"gate:blocked\"\n"
	must(t, os.WriteFile(filepath.Join(folder, "config.toml"), []byte(config), 0o644))
	term := programtest.OpenTerminal(t, 80, 24, fmt.Sprintf(`mkdir -p "$XDG_CONFIG_HOME/docket" && cp %s/config.toml "$XDG_CONFIG_HOME/docket" && %s demo --debug %s`,
		folder, docket, log))
	through(term, "sees ▐Amendments", "and sample docket", "f", "sees Saved filters",
		"and gate:blocked", "Enter", "sees / gate:blocked", "/", "C-u", "type CANARY", "sees CANARY",
		"Tab", "C-u", "Escape", "sees ↵ open  / filter", "q", "sees exit status 0")
	written, err := os.ReadFile(log)
	if err != nil || !strings.Contains(string(written), "kind=tea.KeyMsg") || strings.Contains(string(written), "CANARY") {
		t.Errorf("%v: %s", err, written)
	}
	if info, err := os.Stat(log); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the debug log: %v, %v", info, err)
	}
}
