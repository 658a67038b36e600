package walks_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"docket/cmd/internal/programtest"
)

// Line by line, too: what was said before the advice and what was chosen after it are there again after a kill, in the full
// console as well.
func TestADecisionThatWasBegunBlindAndLineByLineGoesOnAfterAKill(t *testing.T) {
	t.Parallel()
	docket := programtest.Built(t)
	packets := programtest.Testdata(t, "packets")
	folder := t.TempDir()
	db := filepath.Join(folder, "docket.db")
	console := docket + " --db " + db + " --blind-first"
	term := programtest.OpenTerminal(t, 80, 50, fmt.Sprintf("%[1]s identity init --id rev-0417 --role neutral_reviewer --no-passphrase >%[4]s/log; "+
		"%[1]s seal %[2]s/appeals.json | %[1]s --db %[3]s import - 2>>%[4]s/log; clear; trap : INT; "+
		"%[5]s --plain; clear; %[5]s; clear; %[5]s --plain", docket, packets, db, folder, console))
	answer := func(line, then string) {
		if line != "" {
			term.Press("-l", line)
		}
		term.Press("Enter")
		term.WaitFor(then)
	}
	term.WaitFor("Start. Number or command:")
	answer("case-2026-00117", "Enter for Reviewed item")
	answer("7", "7 of 12. The rule for")
	answer("decide", "Your own outcome, by number or name:")
	answer("uphold decision", "You said uphold decision, docket advises")
	answer("uphold decision", "It is required: the outcome is not the advised one")
	term.Press("C-c")
	term.WaitFor("Appeals 1 open", "case-2026-00117 ✎") // of the full console
	term.Press("Enter")
	term.WaitFor("✎ draft:")
	term.Press("Escape")
	term.WaitFor("case-2026-00117 ✎")
	term.Press("q")
	term.WaitFor("Start. Number or command:")
	answer("case-2026-00117", "A decision on it was begun and saved")
	answer("decide", "It is required: the outcome is not the advised one")
	answer("because", "Type record to record it:")
	term.WaitFor("Said first: uphold decision; before the advice was shown.")
	term.WaitQuiet(time.Second) // what is typed before the question can be read does not count
	term.Press("-l", "quit")
	term.Press("Enter")
	term.WaitFor("docket has ended.", "exit status 0")
}
