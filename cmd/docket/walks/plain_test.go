//go:build unix

package walks_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"docket/cmd/internal/programtest"
)

// oneTimeNumber is what a terminal that sends whole lines needs in addition to the word.
var oneTimeNumber = regexp.MustCompile(`or record (\d{4}):`)

func TestOnATerminalThatOnlyPrintsTheDemoIsWorkedLineByLine(t *testing.T) {
	t.Parallel()
	docket := programtest.Built(t)
	for name, command := range map[string]string{"TERM=dumb": "TERM=dumb " + docket + " demo", "--plain": docket + " demo --plain"} {
		t.Run(name, func(t *testing.T) {
			term := programtest.OpenTerminal(t, 80, 50, command)
			for _, step := range [][2]string{
				{"", "Start. Number or command:"},
				{"appeals", "Appeals. Number or command:"},
				{"case-004122", "case-004122. Enter for Reviewed item"},
				{"all", "case-004122. All is read."},
				{"decide", "Outcome, by number or name:"},
				{"correct_record", "It is required: the outcome is not the advised one"},
				{"because", "Type record to record it:"},
			} {
				if step[0] != "" {
					term.Press("-l", step[0])
				}
				if step[1] != "Start. Number or command:" {
					term.Press("Enter")
				}
				term.WaitFor(step[1])
			}
			through(term, "quiet", "line record")
			number := oneTimeNumber.FindStringSubmatch(term.WaitFor("Pasted text does not count", "Type record to record it, or record"))
			if number == nil {
				t.Fatal("no number is shown")
			}
			term.WaitQuiet(time.Second)
			for typed := 1; typed <= len("record"); typed++ {
				through(term, "type "+"record"[typed-1:typed], "sees "+number[1]+": "+"record"[:typed])
				term.WaitQuiet(20 * time.Millisecond)
			}
			through(term, "Enter", "sees Recorded: case-004122, revision 1: correct record, pass.",
				"and Enter for Reviewed item", "line receipt", "sees Sequence: 55.", "and Tree size: 56.",
				"and on disk and in the log", "line records", "sees 1 to 1 of 1 record in the log",
				"line quit", "sees docket has ended.", "and exit status 0")
		})
	}
}

func TestControlCEndsThePlainConsoleWithALineAndStatusThree(t *testing.T) {
	t.Parallel()
	term := programtest.OpenTerminal(t, 120, 40, "trap : INT; TERM=dumb "+programtest.Built(t)+" demo") // the shell has to outlive it
	through(term, "sees Start. Number or command:", "C-c",
		`sees the console was stopped by the signal "interrupt"`, "and exit status 3")
}

func TestWithoutATerminalTheStatusIsThreeAndTheMessageNamesWhatToRun(t *testing.T) {
	t.Parallel()
	docket, folder := programtest.Built(t), t.TempDir()
	got := programtest.Run(t, docket, folder)
	if got.Status != 3 || got.Stdout != "" {
		t.Errorf("exit status %d, %s", got.Status, got.Stdout)
	}
	for _, name := range []string{"docket queue", "docket show", "docket --plain", "docket --help"} {
		if !strings.Contains(got.Stderr, name) {
			t.Errorf("`%s` is not named in %s", name, got.Stderr)
		}
	}
}
