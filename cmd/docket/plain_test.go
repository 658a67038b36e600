//go:build unix

package main_test

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

// oneTimeNumber is what a terminal that sends whole lines needs besides the word.
var oneTimeNumber = regexp.MustCompile(`or record (\d{4}):`)

func TestOnATerminalThatOnlyPrintsTheDemoIsWorkedLineByLine(t *testing.T) {
	t.Parallel()
	docket := program(t)
	for name, command := range map[string]string{"TERM=dumb": "TERM=dumb " + docket + " demo", "--plain": docket + " demo --plain"} {
		t.Run(name, func(t *testing.T) {
			term := openTerminal(t, 80, 50, command)
			for _, step := range [][2]string{
				{"", "Start. Number or command:"},
				{"appeals", "Appeals. Number or command:"},
				{"case-004122", "case-004122. Enter for Blockers"},
				{"all", "case-004122. All is read."},
				{"decide", "Outcome, by number or name:"},
				{"correct_record", "Numbers or codes to choose or drop"},
				{"", "A number or code to add or remove"},
				{"", "It is required: the outcome is not the advised one"},
				{"because", "A note, or Enter for none:"},
				{"", "Type record to record it:"},
			} {
				if step[0] != "" {
					term.press("-l", step[0])
				}
				if step[1] != "Start. Number or command:" {
					term.press("Enter")
				}
				term.waitFor(step[1])
			}
			term.waitQuiet(time.Second)
			term.press("-l", "record")
			term.press("Enter")
			number := oneTimeNumber.FindStringSubmatch(term.waitFor("The word came in one piece", "Type record to record it, or record"))
			if number == nil {
				t.Fatal("no number is shown")
			}
			term.waitQuiet(time.Second)
			for typed := 1; typed <= len("record"); typed++ {
				term.press("-l", "record"[typed-1:typed])
				term.waitFor(number[1] + ": " + "record"[:typed])
				term.waitQuiet(20 * time.Millisecond)
			}
			term.press("Enter")
			term.waitFor("Recorded: case-004122, revision 1.", "Leaf hash:", "Tree size: 1.", "on disk and in the log")
			term.press("-l", "records")
			term.press("Enter")
			term.waitFor("1 to 1 of 1 record in the log")
			term.press("-l", "quit")
			term.press("Enter")
			term.waitFor("docket has ended.", "exit status 0")
		})
	}
}

func TestControlCEndsThePlainConsoleWithALineAndStatusThree(t *testing.T) {
	t.Parallel()
	term := openTerminal(t, 120, 40, "trap : INT; TERM=dumb "+program(t)+" demo") // the shell has to outlive it
	term.waitFor("Start. Number or command:")
	term.press("C-c")
	term.waitFor(`the console was stopped by the signal "interrupt"`, "exit status 3")
}

func TestWithoutATerminalTheStatusIsThreeAndTheMessageNamesWhatToRun(t *testing.T) {
	t.Parallel()
	docket, folder := program(t), t.TempDir()
	got := run(t, docket, folder)
	if got.status != 3 || got.stdout != "" {
		t.Errorf("exit status %d, %s", got.status, got.stdout)
	}
	for _, name := range []string{"docket queue", "docket show", "docket --plain", "docket --help"} {
		if !strings.Contains(got.stderr, name) {
			t.Errorf("`%s` is not named in %s", name, got.stderr)
		}
	}
}

func TestThePlainConsoleSaysNothingPrivate(t *testing.T) {
	t.Parallel()
	docket, folder := program(t), t.TempDir()
	if got := run(t, docket, folder, "import", canaryPackets(t, docket, folder)); !strings.Contains(got.stderr, "imported") {
		t.Fatal(got.stderr)
	}
	command := exec.Command(docket, "--plain", "--db", folder+"/docket.db")
	command.Env = append(os.Environ(), "HOME="+folder, "XDG_CONFIG_HOME="+folder+"/config", "XDG_STATE_HOME="+folder+"/state")
	command.Stdin = strings.NewReader("appeals\ncase-leak\nall\ncase-2026-00117\nall\nhelp\nboard\nrecords\nquit\n")
	out, err := command.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("Redacted: private narrative, 1 value never kept.")) {
		t.Fatalf("%v\n%s", err, out)
	}
	if bytes.Contains(out, []byte(canary)) {
		t.Errorf("it prints what is private:\n%s", out)
	}
}
