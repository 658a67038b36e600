package walks_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"docket/cmd/internal/programtest"
)

// A decision that was begun is there again after any end of the console, a kill included.
func TestADecisionIsThereAgainAfterTheConsoleWasKilled(t *testing.T) {
	t.Parallel()
	docket := programtest.Built(t)
	packets := programtest.Testdata(t, "packets")
	folder := t.TempDir()
	db, pid := filepath.Join(folder, "docket.db"), filepath.Join(folder, "pid")
	command := fmt.Sprintf("%[1]s identity init --id rev-0417 --role neutral_reviewer --no-passphrase >%[4]s/log; "+
		"%[1]s seal %[2]s/appeals.json | %[1]s --db %[3]s import - 2>>%[4]s/log; "+
		`for run in 1 2 3; do sh -c 'echo $$ >%[4]s/pid; exec %[1]s --db %[3]s'; echo "run $run: $?"; done`, docket, packets, db, folder)
	term := programtest.OpenTerminal(t, 80, 24, command)
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
		term.WaitFor("Appeals 1 open", "rev-0417")
		term.Press("Enter")
		term.WaitFor("PASS")
		term.Press("d")
		if signal == syscall.SIGKILL {
			term.WaitFor("Which outcome?")
			term.Press("Space")
			term.Press("Enter")
			term.WaitFor("Your reasons")
			term.Press("-l", "because")
			term.Press("Enter")
			term.WaitFor("Type record to record it")
			term.Press("5")
			term.WaitFor("A note for yourself")
			term.Press("-l", "ask the school")
			term.WaitFor("ask the school")
			term.WaitQuiet(time.Second) // until it has been kept in the background
		} else {
			term.WaitFor("ask the school")
			term.Press("-l", ", and wait")
			term.WaitFor("and wait") // to be ended at once
		}
		text, err := os.ReadFile(pid)
		if err != nil {
			t.Fatal(err)
		}
		number, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		process, err := os.FindProcess(number)
		if err != nil {
			t.Fatal(err)
		}
		if err := process.Signal(signal); err != nil {
			t.Fatal(err)
		}
	}
	term.WaitFor("Appeals 1 open", "case-2026-00117 ✎")
	term.Press("Enter")
	term.WaitFor("✎ draft:")
	term.Press("d")
	term.WaitFor("ask the school, and wait")
	term.Press("Enter")
	term.WaitFor("Type record to record it")
	term.Record()
	term.WaitFor("✓ recorded case-2026-00117")
	term.Press("Escape")
	term.WaitFor("■ waits")
	if screen := term.Screen(); strings.Contains(screen, "✎") {
		t.Errorf("a draft is left:\n%s", screen)
	}
}
