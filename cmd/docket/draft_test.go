package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A decision that was begun is there again after whatever ended the console, a kill that it cannot see included.
func TestADecisionIsThereAgainAfterTheConsoleWasKilled(t *testing.T) {
	t.Parallel()
	docket := program(t)
	packets, err := filepath.Abs(filepath.Join("..", "..", "testdata", "packets"))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	db, pid := filepath.Join(folder, "docket.db"), filepath.Join(folder, "pid")
	command := fmt.Sprintf("%[1]s identity init --id rev-0417 --role neutral_reviewer --no-passphrase >%[4]s/log; "+
		"%[1]s seal %[2]s/appeals.json | %[1]s --db %[3]s import - 2>>%[4]s/log; "+
		`for run in 1 2 3; do sh -c 'echo $$ >%[4]s/pid; exec %[1]s --db %[3]s'; echo "run $run: $?"; done`, docket, packets, db, folder)
	term := openTerminal(t, 80, 24, command)
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
		term.waitFor("Appeals 1 open", "rev-0417")
		term.press("Enter")
		term.waitFor("PASS")
		term.press("d")
		if signal == syscall.SIGKILL {
			term.waitFor("Which outcome?")
			term.press("Space")
			term.press("Enter")
			term.waitFor("Which reasons")
			term.press("Enter")
			term.waitFor("Does anything else")
			term.press("Enter")
			term.waitFor("Your reasons")
			term.press("-l", "because")
			term.press("Enter")
			term.waitFor("A note for yourself")
			term.press("-l", "ask the school")
			term.waitFor("ask the school")
			term.waitQuiet(time.Second) // until it has been kept in the background
		} else {
			term.waitFor("ask the school")
			term.press("-l", ", and wait")
			term.waitFor("and wait") // to be ended at once
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
	term.waitFor("Appeals 1 open", "case-2026-00117 ✎")
	term.press("Enter")
	term.waitFor("✎ draft:")
	term.press("d")
	term.waitFor("ask the school, and wait")
	term.press("Enter")
	term.waitFor("Type record to record it")
	term.record()
	term.waitFor("✓ recorded case-2026-00117")
	term.press("Escape")
	term.waitFor("■ decided")
	if screen := term.screen(); strings.Contains(screen, "✎") {
		t.Errorf("a draft is left:\n%s", screen)
	}
}
