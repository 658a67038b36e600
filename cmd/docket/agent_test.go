//go:build unix

package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// startAgent starts ssh-agent for the test, and returns how to end it.
func startAgent(t *testing.T) (stop func()) {
	t.Helper()
	needs(t, "ssh-agent", "ssh-add", "ssh-keygen")
	folder, err := os.MkdirTemp("", "agent") // short, because the path of a socket may not be long
	if err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(folder, "s")
	agent := exec.Command("ssh-agent", "-D", "-a", socket)
	if err := agent.Start(); err != nil {
		t.Fatal(err)
	}
	stop = func() {
		agent.Process.Kill()
		agent.Wait()
		os.Remove(socket)
	}
	t.Cleanup(func() { stop(); os.RemoveAll(folder) })
	t.Setenv("SSH_AUTH_SOCK", socket)
	for deadline := time.Now().Add(10 * time.Second); ; {
		if info, err := os.Stat(socket); err == nil && info.Mode()&os.ModeSocket != 0 {
			return stop
		}
		if time.Now().After(deadline) {
			t.Fatal("ssh-agent does not start")
		}
	}
}

func sshAdd(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command("ssh-add", append([]string{"-q"}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("ssh-add: %v\n%s", err, out)
	}
}

func TestAKeyOfSSHAgentRecordsForAsLongAsTheAgentHasIt(t *testing.T) {
	stop := startAgent(t)
	key := keygen(t, "-t", "ed25519", "-N", "")
	s := &site{t, t.TempDir()}
	before := s.list()
	got := s.docket(initAs("--agent", fingerprintOf(t, key))...)
	if got.status != 1 || !strings.Contains(got.stderr, "has no key "+fingerprintOf(t, key)) || !strings.Contains(got.stderr, "ssh-add") {
		t.Errorf("exit status %d, %s", got.status, got.stderr)
	}
	s.unchanged(before, "the agent does not have the key")

	sshAdd(t, key)
	s.done("docket", initAs("--agent", fingerprintOf(t, key))...)
	s.write("sealed.jsonl", s.done("docket", "seal", filepath.Join("..", "..", "testdata", "packets", "appeals.json")).stdout)
	s.done("docket", "import", s.at("sealed.jsonl"))
	s.done("docket-decide", sampleCase, "request_evidence")
	if v, plain := s.verify(); v.status != 0 || v.Records != 1 {
		t.Errorf("%s", plain)
	}
	if got := s.done("docket", "doctor"); !strings.Contains(got.stdout, "✓ identity") {
		t.Errorf("%s", got.stdout)
	}

	// The agent forgets the key, then is gone: nothing is recorded, and doctor says what to do.
	sshAdd(t, "-D")
	gone := func(says string) {
		t.Helper()
		if got := run(t, "docket-decide", s.folder, sampleCase, "uphold_decision"); got.status == 0 || !strings.Contains(got.stderr, says) {
			t.Errorf("exit status %d, %s", got.status, got.stderr)
		}
		if got := s.docket("doctor"); got.status != 1 || !strings.Contains(got.stdout, "✗ identity") || !strings.Contains(got.stdout, says) {
			t.Errorf("docket doctor: exit status %d, %s", got.status, got.stdout)
		}
		if v, plain := s.verify(); v.status != 0 || v.Records != 1 {
			t.Errorf("%s", plain)
		}
	}
	gone("has no key")
	stop()
	gone("no ssh-agent listens")
}
