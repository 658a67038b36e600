package walks_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/cmd/internal/programtest"
	"docket/store/agent/agenttest"
)

func TestTheDemoIsWorkedFromQueueToReceipt(t *testing.T) {
	t.Parallel()
	term := programtest.OpenTerminal(t, 80, 24, programtest.Built(t)+" demo")
	term.WaitFor("Appeals", "Amendments", "sample docket", "rev-demo", "Here a neutral reviewer decides appeals. ↵ opens a case, d decides it, ? helps.")
	term.Press("/")
	term.Press("-l", "case-004122")
	term.WaitFor("1 of ")
	term.Press("Enter")
	term.Press("Enter")
	term.WaitFor("case-004122", "PASS", "No blockers.")
	term.Press("d")
	term.WaitFor("Which outcome?")
	term.Press("Space")
	term.Press("Enter")
	term.WaitFor("Your reasons")
	term.Press("-l", "because")
	term.Press("Enter")
	term.WaitFor("Type record to record it")
	term.Record()
	term.WaitFor("✓ recorded case-004122", "open cases in the list", "on disk and in the log")
	term.Press("z")
	term.WaitFor("leaf hash", "tree size")
	term.Press("Escape")
	term.WaitFor("1 decided")
	term.Press("r")
	term.WaitFor("1 record in the log")
	term.Press("q")
	term.WaitFor("Where to go next:", "docket identity init", "docket import", "exit status 0")
}

func TestTheLastPageIsReadToItsEndInASmallWindowBeforeItTakesTheWord(t *testing.T) {
	t.Parallel()
	term := programtest.OpenTerminal(t, 48, 14, programtest.Built(t)+" demo")
	term.WaitFor("case-0")
	term.Press("/")
	term.Press("-l", "case-004122")
	term.WaitFor("1 of ")
	term.Press("Enter")
	term.Press("Enter")
	term.WaitFor("case-004122", "PASS", "What is said")
	term.Press("d")
	term.WaitFor("[1 outcome]")
	term.Press("Space")
	term.Press("Enter")
	term.WaitFor("[4 statement]")
	term.Press("-l", "because")
	term.Press("Enter")
	term.WaitFor("Type record to record it: ▏", "not shown yet (PgDn)")
	term.WaitQuiet(time.Second)
	term.Press("-l", "rec")
	term.Press("-l", "ord")
	term.Press("Enter")
	term.WaitFor("✗", "not shown yet (PgDn)", "Type record to record it: ▏")
	term.Tmux("resize-window", "-x", "18", "-y", "6")
	term.WaitFor("docket needs a")
	term.Press("-l", "rec")
	term.Press("-l", "ord")
	term.Press("Enter")
	term.Tmux("resize-window", "-x", "48", "-y", "14")
	term.WaitFor("not shown yet (PgDn)", "Type record to record it: ▏")
	term.ReadReview()
	term.Press("-l", "record")
	term.WaitFor("pasted text does not count; type it")
	term.Press("-l", "reco")
	term.WaitFor("record it: reco▏")
	term.Press("-l", "rd")
	term.WaitFor("record it: record▏")
	term.Press("Enter")
	term.WaitFor("✓ recorded case-004122")
	term.Press("q")
	term.WaitFor("exit status 0")
}

func TestAnAgentThatHangsIsLeftByControlC(t *testing.T) {
	t.Parallel()
	docket, folder := programtest.Built(t), t.TempDir()
	packets := programtest.Testdata(t, "packets")
	keys, fingerprint := agenttest.Keys(t)
	hangs, _ := agenttest.NeverSigns(t, keys)
	socket := agenttest.Serve(t, hangs)
	command := fmt.Sprintf("export SSH_AUTH_SOCK=%[4]s; %[1]s identity init --id rev-0417 --role neutral_reviewer --agent %[5]s >%[2]s/log && "+
		"%[1]s seal %[3]s/appeals.json | %[1]s --db %[2]s/docket.db import - 2>>%[2]s/log && %[1]s --db %[2]s/docket.db; echo left; %[1]s --db %[2]s/docket.db records",
		docket, folder, packets, socket, fingerprint)
	term := programtest.OpenTerminal(t, 80, 40, command)
	term.WaitFor("case-2026-00117")
	term.Press("/")
	term.Press("-l", "case-2026-00117")
	term.WaitFor("1 of ")
	term.Press("Enter")
	term.Press("Enter")
	term.WaitFor("PASS", "What is said")
	term.Press("d")
	term.WaitFor("[1 outcome]")
	term.Press("Space")
	for _, step := range []string{"[1 outcome]", "[4 statement]"} {
		term.WaitFor(step)
		if step == "[4 statement]" {
			term.Press("-l", "because")
		}
		term.Press("Enter")
	}
	term.WaitFor("[6 review]")
	term.Record()
	term.WaitFor("recording …", "^C cancel")
	term.Press("C-c")
	term.WaitFor("The decision on case-2026-00117 revision 1 is not recorded.", "left", "exit status 0")
}

func TestTheReviewerIsRefusedTheirOwnDecision(t *testing.T) {
	t.Parallel()
	term := programtest.OpenTerminal(t, 120, 40, programtest.Built(t)+" demo")
	term.WaitFor("Appeals", "case-004174")
	term.Press("/")
	term.Press("-l", "case-004174")
	term.WaitFor("1 of ")
	term.Press("Enter")
	term.Press("Enter")
	term.WaitFor("case-004174", "PASS", "What is said")
	term.Press("d")
	term.WaitFor("you took the decision that is challenged here")
	term.Press("q")
	term.WaitFor("exit status 0")
}

func TestWithoutAnIdentityTheConsoleOnlyReads(t *testing.T) {
	t.Parallel()
	docket := programtest.Built(t)
	packets := programtest.Testdata(t, "packets")
	db := filepath.Join(t.TempDir(), "docket.db")
	command := fmt.Sprintf("%[1]s seal %[2]s/appeals.json | %[1]s --db %[3]s import - && %[1]s --db %[3]s", docket, packets, db)
	term := programtest.OpenTerminal(t, 80, 24, command)
	term.WaitFor("case-2026-00117")
	term.Press("Enter")
	term.WaitFor("PASS", "What is said")
	term.Press("d")
	term.WaitFor("not yours to decide: no reviewer is set up")
	term.Press("q")
	term.WaitFor("exit status 0")
	if info, err := os.Stat(db); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the store's file: %v, %v", info, err)
	}
}

func TestTheConsoleStartsAsItsConfigFileSays(t *testing.T) {
	t.Parallel()
	docket, folder := programtest.Built(t), t.TempDir()
	log := filepath.Join(folder, "debug.log")
	config := "docket = \"amendments\"\ntheme = \"contrast\"\n[filters]\nblocked = \"gate:blocked\"\n"
	if err := os.WriteFile(filepath.Join(folder, "config.toml"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	term := programtest.OpenTerminal(t, 80, 24, fmt.Sprintf(`mkdir -p "$XDG_CONFIG_HOME/docket" && cp %s/config.toml "$XDG_CONFIG_HOME/docket" && %s demo --debug %s`,
		folder, docket, log))
	term.WaitFor("▐Amendments", "sample docket")
	term.Press("f")
	term.WaitFor("Saved filters", "gate:blocked")
	term.Press("Enter")
	term.WaitFor("/ gate:blocked")
	term.Press("/", "C-u")
	term.Press("-l", "CANARY")
	term.WaitFor("CANARY")
	term.Press("Tab", "C-u", "Escape")
	term.WaitFor("↵ open  / filter")
	term.Press("q")
	term.WaitFor("exit status 0")
	written, err := os.ReadFile(log)
	if err != nil || !strings.Contains(string(written), "kind=tea.KeyMsg") || strings.Contains(string(written), "CANARY") {
		t.Errorf("%v: %s", err, written)
	}
	if info, err := os.Stat(log); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the debug log: %v, %v", info, err)
	}
}
