package walks_test

import (
	"fmt"
	"path/filepath"
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
	folder := t.TempDir()
	term := programtest.OpenTerminal(t, 80, 24, reviewing(t, docket, folder)+fmt.Sprintf(`for run in 1 2 3; do `+
		`sh -c 'echo $$ >%[1]s/pid; exec %[2]s --db %[1]s/docket.db'; echo "run $run: $?"; done`, folder, docket))
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
		through(term, "sees Appeals 1 open", "and rev-0417", "Enter", "sees PASS", "d")
		if signal == syscall.SIGKILL {
			through(term, "sees Which outcome?", "Space", "Enter", "sees Your reasons", "line because",
				"sees Type record to record it", "5", "sees A note for yourself", "type ask the school",
				"sees ask the school")
			term.WaitQuiet(time.Second) // until it has been kept in the background
		} else {
			through(term, "sees ask the school", "type , and wait")
			term.WaitFor("and wait") // to be ended at once
		}
		must(t, processOf(t, filepath.Join(folder, "pid")).Signal(signal))
	}
	through(term, "sees Appeals 1 open", "and case-2026-00117 ✎", "Enter", "sees ✎ draft:", "d",
		"sees ask the school, and wait", "Enter", "sees Type record to record it", "record",
		"sees ✓ recorded case-2026-00117", "Escape", "sees ■ waits")
	if screen := term.Screen(); strings.Contains(screen, "✎") {
		t.Errorf("a draft is left:\n%s", screen)
	}
}
