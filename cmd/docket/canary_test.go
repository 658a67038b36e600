package main_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// canary is in every private value and in every private detail that slipped into a text. It must be nowhere else.
const canary = "kanarienvogel"

// canaryPackets is a policy and a case that passes, and a case in whose text an address slipped in, all with private
// members that hold the canary.
func canaryPackets(t *testing.T, docket, folder string) string {
	t.Helper()
	out, err := exec.Command(docket, "seal", filepath.Join("..", "..", "testdata", "packets", "appeals.json")).Output()
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	for line := range strings.Lines(string(out)) {
		private := fmt.Sprintf(`,"private":{"private_narrative":"%[1]s tells","contact_data":{"mail":"%[1]s@example.org","%[1]s":["%[1]s"]},"%[1]s":"%[1]s"}}`, canary)
		file.WriteString(strings.TrimSuffix(strings.TrimSpace(line), "}") + private + "\n")
	}
	fmt.Fprintf(&file, `{"table":"trade_appeal_cases","record":{"caseId":"case-leak","revision":1,"contractVersion":"trade-challenge-appeal-v0.3",`+
		`"status":"filed","remedyGap":"write to %s@example.org"},"private":{"exact_wish":["%[1]s"]}}`+"\n", canary)
	// This one is refused, for a member whose name and value are private.
	fmt.Fprintf(&file, `{"table":"trade_appeal_cases","record":{"caseId":"case-odd","revision":1,"contractVersion":"x","status":"filed","%[1]s":"%[1]s"}}`+"\n", canary)
	path := filepath.Join(folder, "packets.jsonl")
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestNothingPrivateLandsAnywhere(t *testing.T) {
	t.Parallel()
	docket := program(t)
	packets := canaryPackets(t, docket, t.TempDir())
	machine := t.TempDir() // everything that the program may write lies below it
	environment := append(os.Environ(), "HOME="+machine, "TMPDIR="+machine, "XDG_DATA_HOME="+machine+"/data",
		"XDG_CONFIG_HOME="+machine+"/config", "XDG_STATE_HOME="+machine+"/state", "DOCKET_DB="+machine+"/docket.db")
	for _, args := range [][]string{
		{"identity", "init", "--id", "rev-0417", "--role", "neutral_reviewer", "--no-passphrase"},
		{"import", packets}, {"import", "--json", packets}, {"queue"}, {"queue", "--json"}, {"show", "case-2026-00117"},
		{"show", "--json", "case-leak"}, {"show", "case-leak"}, {"seal", packets}, {"evaluate", packets}, {"records", "--json"},
	} {
		command := exec.Command(docket, args...)
		command.Env = environment
		out, err := command.CombinedOutput()
		if exit := (*exec.ExitError)(nil); err != nil && !asExit(err, &exit) {
			t.Fatalf("%v: %v", args, err)
		}
		if bytes.Contains(out, []byte(canary)) {
			t.Errorf("`docket %s` prints what is private:\n%s", strings.Join(args, " "), out)
		}
	}

	frames := filepath.Join(t.TempDir(), "frames")
	decideInTerminal(t, docket, machine, frames)
	drawn, err := os.ReadFile(frames)
	if err != nil || !bytes.Contains(drawn, []byte("case-2026-00117")) {
		t.Fatalf("the frames were not kept: %v", err)
	}
	if bytes.Contains(drawn, []byte(canary)) {
		t.Error("a frame of the console shows what is private")
	}
	searchFiles(t, machine)
}

// decideInTerminal browses both cases, decides the one that passes and looks at the record. Every byte that is drawn
// is piped to the file frames.
func decideInTerminal(t *testing.T, docket, machine, frames string) {
	t.Helper()
	term := openTerminal(t, 100, 30, fmt.Sprintf(
		"export HOME=%[2]s TMPDIR=%[2]s XDG_DATA_HOME=%[2]s/data XDG_CONFIG_HOME=%[2]s/config XDG_STATE_HOME=%[2]s/state; read go; %[1]s --db %[2]s/docket.db",
		docket, machine))
	term.tmux("pipe-pane", "cat > "+frames)
	term.press("Enter")
	term.waitFor("case-leak")
	for _, id := range []string{"case-leak", "case-2026-00117"} {
		term.press("/")
		term.waitFor("/ ")
		term.press("C-u")
		term.press("-l", id)
		term.waitFor("/ "+id, "1 of ")
		term.press("Enter")
		term.press("Enter")
		term.waitFor("case "+id, "d decide")
		term.press("G")
		term.waitFor("Redactions")
		if id == "case-leak" {
			term.press("Escape")
			term.waitFor("/ " + id)
		}
	}
	term.press("d")
	for _, heading := range []string{"Which outcome?", "Which reasons", "Does anything else block it?", "Your reasons", "A note for yourself"} {
		term.waitFor(heading)
		switch heading {
		case "Which outcome?":
			term.press("Space")
		case "Your reasons":
			term.press("-l", "because")
		}
		term.press("Enter")
	}
	term.waitFor("Type record to record it")
	term.record()
	term.waitFor("✓ recorded case-2026-00117")
	term.press("Escape")
	term.waitFor("1 decided")
	term.press("r")
	term.waitFor("1 record in the log")
	term.press("Enter")
	term.waitFor("Standing", "Decided")
	term.press("G")
	term.waitFor("In the log")
	term.press("q")
	term.waitFor("exit status 0")
}

// searchFiles looks for the canary in every file below the folder, whatever it is.
func searchFiles(t *testing.T, folder string) {
	t.Helper()
	searched := 0
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		searched++
		content, err := os.ReadFile(path)
		if bytes.Contains(content, []byte(canary)) {
			t.Errorf("%s holds what is private", path)
		}
		return err
	})
	if err != nil || searched < 3 {
		t.Fatalf("%d files were searched: %v", searched, err)
	}
}

func asExit(err error, exit **exec.ExitError) bool {
	found, ok := err.(*exec.ExitError)
	*exit = found
	return ok
}
