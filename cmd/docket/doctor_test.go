//go:build unix

package main_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"docket/store/agent/agenttest"
)

// complains holds doctor to complaining of one thing, in both ways to print it.
func (s *site) complains(check, found, advice string) {
	s.t.Helper()
	got := s.docket("doctor")
	_, from, _ := strings.Cut(got.stdout, "✗ "+check)
	if got.status != 1 || !strings.Contains(from, found) || !strings.Contains(from, advice) || !strings.Contains(got.stdout, "1 thing is wrong") {
		s.t.Errorf("exit status %d, not %s: %q → %q, but\n%s%s", got.status, check, found, advice, got.stdout, got.stderr)
	}
	machine := s.docket("doctor", "--json")
	if machine.status != 1 || machine.stderr != "" || strings.Count(machine.stdout, `"state":"wrong"`) != 1 ||
		!strings.Contains(machine.stdout, `{"check":"`+check+`","state":"wrong"`) {
		s.t.Errorf("exit status %d, %s%s", machine.status, machine.stdout, machine.stderr)
	}
}

// fine holds doctor to complaining of nothing.
func (s *site) fine() {
	s.t.Helper()
	if got := s.docket("doctor"); got.status != 0 || strings.Contains(got.stdout, "✗") || !strings.Contains(got.stdout, "nothing is wrong") {
		s.t.Errorf("exit status %d, %s%s", got.status, got.stdout, got.stderr)
	}
}

func TestDoctorTellsWhoMayDoTooMuch(t *testing.T) {
	t.Parallel()
	s := decided(t, "request_evidence")
	if err := os.Chmod(s.folder, 0o700); err != nil {
		t.Fatal(err)
	}
	s.fine()
	for _, c := range []struct {
		name          string
		mode, healthy os.FileMode
		check, advice string
	}{
		{"docket.db", 0o644, 0o600, "permissions", "chmod 600"},
		{".", 0o777, 0o700, "permissions", "chmod go-w"},
		{ownKey, 0o640, 0o600, "identity", "chmod 600"},
	} {
		if err := os.Chmod(s.at(c.name), c.mode); err != nil {
			t.Fatal(err)
		}
		s.complains(c.check, "others", c.advice)
		if err := os.Chmod(s.at(c.name), c.healthy); err != nil {
			t.Fatal(err)
		}
		s.fine()
	}
}

func TestDoctorLooksAtAMachineWithNothingOnIt(t *testing.T) {
	t.Parallel()
	s := &site{t, t.TempDir()}
	before := s.list()
	s.fine()
	got := s.docket("doctor").stdout
	for _, text := range []string{"· store", "docket import FILE", "· identity", "docket identity init --id ID --role ROLE", "· terminal"} {
		if !strings.Contains(got, text) {
			t.Errorf("%q is not said:\n%s", text, got)
		}
	}
	s.unchanged(before, "doctor looked")
}

// The store is copied while another program reads it, which keeps its newest records in the -wal file.
func TestDoctorTellsACopyThatWasMadeWithoutTheWAL(t *testing.T) {
	t.Parallel()
	needs(t, "sqlite3")
	s := decided(t, "request_evidence")
	release := s.hold("BEGIN; SELECT count(*) FROM docket_log;")
	s.done("docket-decide", sampleCase, "uphold_decision")
	copied := s.read("docket.db")
	if info, err := os.Stat(s.db() + "-wal"); err != nil || info.Size() == 0 {
		t.Fatalf("%v, %v", info, err)
	}
	release()
	s.remove("docket.db-wal")
	s.remove("docket.db-shm")
	s.write("docket.db", copied)
	got := s.docket("doctor")
	for _, text := range []string{"✗ copy", "the log has 1 record, but this machine saw 2", "without the -wal file", "`docket backup`"} {
		if got.status != 1 || !strings.Contains(got.stdout, text) {
			t.Errorf("exit status %d, %q is not said:\n%s", got.status, text, got.stdout)
		}
	}
}

func TestDoctorWaitsForAnAgentThatDoesNotAnswerOnlyAFewSeconds(t *testing.T) {
	socket := agenttest.Serve(t, nil)
	t.Setenv("SSH_AUTH_SOCK", socket)
	s := &site{t, t.TempDir()}
	s.done("docket", initAs("--no-passphrase")...)
	s.remove(ownKey)
	s.write("config/docket/identity.toml", "id = 'rev-0417'\nrole = 'neutral_reviewer'\nagent = 'SHA256:any'\n")
	start := time.Now()
	got := s.docket("doctor")
	if took := time.Since(start); took > 15*time.Second {
		t.Errorf("it took %s", took)
	}
	if got.status != 1 || !strings.Contains(got.stdout, "✗ identity") || !strings.Contains(got.stdout, socket+" did not answer within 5s") {
		t.Errorf("exit status %d, %s", got.status, got.stdout)
	}
}

func TestDoctorTellsATerminalThatTheConsoleCannotUse(t *testing.T) {
	t.Parallel()
	docket := program(t)
	for name, c := range map[string]struct {
		width, height int
		prefix, says  string
	}{
		"good":   {100, 40, "", "✓ terminal     screen-256color, 100 columns and 40 rows"},
		"dumb":   {100, 40, "TERM=dumb ", "· terminal     dumb, which can only print"},
		"narrow": {19, 60, "", "are too few"},
	} {
		t.Run(name, func(t *testing.T) {
			term := openTerminal(t, c.width, c.height, c.prefix+docket+" doctor; echo seen")
			term.waitFor("seen")
			// A line that is too long for the terminal goes on in the next row.
			if screen := strings.ReplaceAll(term.screen(), "\n", ""); !strings.Contains(screen, c.says) {
				t.Errorf("%q is not said:\n%s", c.says, term.screen())
			}
		})
	}
}
