package walks_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"docket/cmd/internal/programtest"
)

// canaryPackets is a policy and a case that passes, and a case whose texts are withheld, in one of which an address slipped in,
// all with private members that hold the canary.
func canaryPackets(t *testing.T, docket, folder string) string {
	t.Helper()
	out, err := exec.Command(docket, "seal", programtest.Testdata(t, "packets", "appeals.json")).Output()
	must(t, err)
	var file bytes.Buffer
	for line := range strings.Lines(string(out)) {
		private := fmt.Sprintf(`,"private":{"private_narrative":"%[1]s tells","contact_data":{"mail":"%[1]s@example.org","%[1]s":["%[1]s"]},"%[1]s":"%[1]s"}}`, programtest.Canary)
		file.WriteString(strings.TrimSuffix(strings.TrimSpace(line), "}") + private + "\n")
	}
	fmt.Fprintf(&file, `{"table":"trade_appeal_cases","record":{"caseId":"case-leak","revision":1,"contractVersion":"trade-challenge-appeal-v0.3",`+
		`"status":"filed","remedyGap":"write to %s@example.org","redaction":{"status":"pending"},"standing":{"privacySafeSummary":"known as %[1]s"},`+
		`"evidenceScope":{"items":["ev-1"],"statement":"as %[1]s told the school"}},"private":{"exact_wish":["%[1]s"]}}`+"\n", programtest.Canary)
	// This one is refused, for a member whose name and value are private.
	fmt.Fprintf(&file, `{"table":"trade_appeal_cases","record":{"caseId":"case-odd","revision":1,"contractVersion":"x","status":"filed","%[1]s":"%[1]s"}}`+"\n", programtest.Canary)
	path := filepath.Join(folder, "packets.jsonl")
	must(t, os.WriteFile(path, file.Bytes(), 0o600))
	return path
}

func TestNothingPrivateLandsAnywhere(t *testing.T) {
	t.Parallel()
	docket := programtest.Built(t)
	packets := canaryPackets(t, docket, t.TempDir())
	machine := t.TempDir() // everything that the program may write lies below it
	environment := append(os.Environ(), "HOME="+machine, "TMPDIR="+machine, "XDG_DATA_HOME="+machine+"/data",
		"XDG_CONFIG_HOME="+machine+"/config", "XDG_STATE_HOME="+machine+"/state", "DOCKET_DB="+machine+"/docket.db")
	run := func(input string, args ...string) []byte {
		command := exec.Command(docket, args...)
		command.Env, command.Stdin = environment, strings.NewReader(input)
		out, err := command.CombinedOutput()
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			t.Fatalf("%v: %v", args, err)
		}
		if bytes.Contains(out, []byte(programtest.Canary)) {
			t.Errorf("`docket %s` prints what is private:\n%s", strings.Join(args, " "), out)
		}
		return out
	}
	for _, args := range [][]string{
		{"identity", "init", "--id", "rev-0417", "--role", "neutral_reviewer", "--no-passphrase"},
		{"import", packets}, {"import", "--json", packets}, {"queue"}, {"queue", "--json"}, {"show", "case-2026-00117"},
		{"show", "--json", "case-leak"}, {"show", "case-leak"}, {"seal", packets}, {"evaluate", packets}, {"records", "--json"},
	} {
		run("", args...)
	}
	if found := run("", "queue", "--json", "text:"+programtest.Canary); len(found) > 0 {
		t.Errorf("a search finds what is withheld: %s", found)
	}
	heard := run("appeals\nopen case-leak\n"+strings.Repeat("\n", 12)+"quit\n", "--plain")
	heard = append(heard, run("appeals\ncase-leak\nall\ncase-2026-00117\nall\nhelp\nboard\nrecords\nquit\n", "--plain")...)
	for _, said := range []string{"withheld until redacted", "Redacted: private narrative, 1 value never kept."} {
		if !bytes.Contains(heard, []byte(said)) {
			t.Errorf("the plain console does not say %q:\n%s", said, heard)
		}
	}

	frames := filepath.Join(t.TempDir(), "frames")
	decideInTerminal(t, docket, machine, frames)
	drawn, err := os.ReadFile(frames)
	if err != nil || !bytes.Contains(drawn, []byte("case-2026-00117")) {
		t.Fatalf("the frames were not kept: %v", err)
	}
	if bytes.Contains(drawn, []byte(programtest.Canary)) {
		t.Error("a frame of the console shows what is private")
	}
	for _, args := range [][]string{{"export", machine + "/bundle"}, {"backup", machine + "/backup.db"}, {"verify", machine + "/bundle"}} {
		run("", args...)
	}
	programtest.HoldNoTrace(t, machine, []byte(programtest.Canary))
}

// decideInTerminal browses both cases, decides the one that passes and looks at the record. Every byte that is drawn
// is piped to the file frames.
func decideInTerminal(t *testing.T, docket, machine, frames string) {
	t.Helper()
	term := programtest.OpenTerminal(t, 100, 30, fmt.Sprintf(
		"export HOME=%[2]s TMPDIR=%[2]s XDG_DATA_HOME=%[2]s/data XDG_CONFIG_HOME=%[2]s/config XDG_STATE_HOME=%[2]s/state; read go; %[1]s --db %[2]s/docket.db",
		docket, machine))
	term.Tmux("pipe-pane", "cat > "+frames)
	through(term, "Enter", "sees case-leak")
	for _, id := range []string{"case-leak", "case-2026-00117"} {
		through(term, "/", "sees / ", "C-u", "type "+id, "sees / "+id, "and 1 of ", "Enter", "Enter",
			"sees case "+id, "and Evaluated 2", "G", "sees Redactions")
		if id == "case-leak" {
			through(term, "Escape", "sees / "+id)
		}
	}
	term.Press("d")
	for _, heading := range []string{"Which outcome?", "Your reasons"} {
		term.WaitFor(heading)
		switch heading {
		case "Which outcome?":
			term.Press("Space")
		case "Your reasons":
			term.Press("-l", "because")
		}
		term.Press("Enter")
	}
	through(term, "sees Type record to record it", "record", "sees ✓ recorded case-2026-00117",
		"Escape", "sees 1 decided", "r", "sees 1 record in the log", "Enter", "sees Decided", "and gate",
		"z", "G", "sees leaf hash")
	programtest.HoldNoTrace(t, machine, []byte(programtest.Canary)) // in the WAL, too
	through(term, "q", "sees exit status 0")
}
