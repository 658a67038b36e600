//go:build unix

package main_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"docket/cmd/internal/programtest"
	"docket/store/agent/agenttest"
)

// complains holds doctor to complaining of one thing, in both ways to print it.
func complains(s *programtest.Site, check, found, advice string) {
	s.T.Helper()
	got := s.Docket("doctor")
	_, from, _ := strings.Cut(got.Stdout, "✗ "+check)
	if got.Status != 1 || !strings.Contains(from, found) || !strings.Contains(from, advice) || !strings.Contains(got.Stdout, "1 problem; see → above") {
		s.T.Errorf("exit status %d, not %s: %q → %q, but\n%s%s", got.Status, check, found, advice, got.Stdout, got.Stderr)
	}
	machine := s.Docket("doctor", "--json")
	if machine.Status != 1 || machine.Stderr != "" || strings.Count(machine.Stdout, `"state":"wrong"`) != 1 ||
		!strings.Contains(machine.Stdout, `{"check":"`+check+`","state":"wrong"`) {
		s.T.Errorf("exit status %d, %s%s", machine.Status, machine.Stdout, machine.Stderr)
	}
}

// fine holds doctor to complaining of nothing.
func fine(s *programtest.Site) {
	s.T.Helper()
	if got := s.Docket("doctor"); got.Status != 0 || strings.Contains(got.Stdout, "✗") || !strings.Contains(got.Stdout, "nothing is wrong") {
		s.T.Errorf("exit status %d, %s%s", got.Status, got.Stdout, got.Stderr)
	}
}

func TestDoctorTellsWhoMayDoTooMuch(t *testing.T) {
	t.Parallel()
	s := programtest.Decided(t, "request_evidence")
	must(t, os.Chmod(s.Folder, 0o700))
	fine(s)
	for _, c := range []struct {
		name          string
		mode, healthy os.FileMode
		check, advice string
	}{
		{"docket.db", 0o644, 0o600, "permissions", "chmod 600"},
		{".", 0o777, 0o700, "permissions", "chmod go-w"},
		{programtest.OwnKey, 0o640, 0o600, "identity", "chmod 600"},
	} {
		must(t, os.Chmod(s.At(c.name), c.mode))
		complains(s, c.check, "others", c.advice)
		must(t, os.Chmod(s.At(c.name), c.healthy))
		fine(s)
	}
}

func TestDoctorLooksAtAMachineWithNothingOnIt(t *testing.T) {
	t.Parallel()
	s := programtest.EmptySite(t)
	before := s.List()
	fine(s)
	got := s.Docket("doctor").Stdout
	for _, text := range []string{"· store", "docket import FILE", "· identity", "docket identity init --id ID --role ROLE", "· terminal"} {
		if !strings.Contains(got, text) {
			t.Errorf("%q is not said:\n%s", text, got)
		}
	}
	s.Unchanged(before, "doctor looked")
}

// The store is copied while another program reads it, which keeps its newest records in the -wal file.
func TestDoctorTellsACopyThatWasMadeWithoutTheWAL(t *testing.T) {
	t.Parallel()
	programtest.Needs(t, "sqlite3")
	s := programtest.Decided(t, "request_evidence")
	release := s.Hold("BEGIN; SELECT count(*) FROM docket_log;")
	s.Done("docket-decide", programtest.SampleCase, "uphold_decision")
	copied := s.Read("docket.db")
	if info, err := os.Stat(s.DB() + "-wal"); err != nil || info.Size() == 0 {
		t.Fatalf("%v, %v", info, err)
	}
	release()
	s.Remove("docket.db-wal")
	s.Remove("docket.db-shm")
	s.Write("docket.db", copied)
	got := s.Docket("doctor")
	for _, text := range []string{"✗ log", "fewer entries than an earlier checkpoint signs", "newer file or its -wal file"} {
		if got.Status != 1 || !strings.Contains(got.Stdout, text) {
			t.Errorf("exit status %d, %q is not said:\n%s", got.Status, text, got.Stdout)
		}
	}
}

func TestDoctorWaitsForAnAgentThatDoesNotAnswerOnlyAFewSeconds(t *testing.T) {
	t.Parallel()
	socket := agenttest.Serve(t, nil)
	s := programtest.EmptySite(t)
	s.Done("docket", programtest.InitAs("--no-passphrase")...)
	s.Remove(programtest.OwnKey)
	s.Write("config/docket/identity.toml", "id = 'rev-0417'\nrole = 'neutral_reviewer'\nagent = 'SHA256:any'\n")
	start := time.Now()
	got := programtest.Run(t, "env", s.Folder, "SSH_AUTH_SOCK="+socket, "docket", "doctor")
	if took := time.Since(start); took > 15*time.Second {
		t.Errorf("it took %s", took)
	}
	if got.Status != 1 || !strings.Contains(got.Stdout, "✗ identity") || !strings.Contains(got.Stdout, socket+" did not answer within 5s") {
		t.Errorf("exit status %d, %s", got.Status, got.Stdout)
	}
}

func TestDoctorTellsATerminalThatTheConsoleCannotUse(t *testing.T) {
	t.Parallel()
	docket := programtest.Built(t)
	for name, c := range map[string]struct {
		width, height int
		prefix, says  string
	}{
		"good":   {100, 40, "", "✓ terminal   screen-256color, 100 columns and 40 rows"},
		"dumb":   {100, 40, "TERM=dumb ", "· terminal   dumb, which can only print"},
		"narrow": {19, 60, "", "are too few"},
	} {
		t.Run(name, func(t *testing.T) {
			term := programtest.OpenTerminal(t, c.width, c.height, c.prefix+docket+" doctor; echo seen")
			term.WaitFor("seen")
			// A line that is too long for the terminal goes on in the next row.
			if screen := strings.ReplaceAll(term.Screen(), "\n", ""); !strings.Contains(screen, c.says) {
				t.Errorf("%q is not said:\n%s", c.says, term.Screen())
			}
		})
	}
}
