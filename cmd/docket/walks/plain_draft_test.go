package walks_test

import (
	"fmt"
	"testing"
	"time"

	"docket/cmd/internal/programtest"
)

// Line by line, too: what was said before the advice and what was chosen after it are there again after a kill, in the full
// console as well.
func TestADecisionThatWasBegunBlindAndLineByLineGoesOnAfterAKill(t *testing.T) {
	t.Parallel()
	docket := programtest.Built(t)
	folder := t.TempDir()
	term := programtest.OpenTerminal(t, 80, 50, reviewing(t, docket, folder)+fmt.Sprintf("clear; trap : INT; "+
		"%[1]s --plain; clear; %[1]s; clear; %[1]s --plain", docket+" --db "+folder+"/docket.db --blind-first"))
	through(term, "sees Start. Number or command:", "line case-2026-00117",
		"sees Enter for Reviewed item", "line 7", "sees 7 of 14. The rule for", "line decide",
		"sees Your own outcome, by number or name:", "line uphold decision",
		"sees You said uphold decision, docket advises", "line uphold decision",
		"sees It is required: the outcome is not the advised one", "C-c")
	term.WaitFor("Appeals 1 open", "case-2026-00117 ✎") // of the full console
	through(term, "Enter", "sees ✎ draft:", "Escape", "sees case-2026-00117 ✎", "q",
		"sees Start. Number or command:", "line case-2026-00117",
		"sees outcome uphold decision, 8 factor codes.", "line decide",
		"sees It is required: the outcome is not the advised one", "line because",
		"sees Type record to record it:",
		"sees Said first: uphold decision; before the advice was shown.")
	term.WaitQuiet(time.Second) // what is typed before the question can be read does not count
	through(term, "line quit", "sees docket has ended.", "and exit status 0")
}
