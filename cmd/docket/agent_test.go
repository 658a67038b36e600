//go:build unix

package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/cmd/internal/programtest"
)

// startAgent starts ssh-agent for the test, and returns how to end it.
func startAgent(t *testing.T) (stop func()) {
	t.Helper()
	programtest.Needs(t, "ssh-agent", "ssh-add", "ssh-keygen")
	folder, err := os.MkdirTemp("", "agent") // short, because the path of a socket may not be long
	must(t, err)
	socket := filepath.Join(folder, "s")
	agent := exec.Command("ssh-agent", "-D", "-a", socket)
	must(t, agent.Start())
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
	s := programtest.EmptySite(t)
	before := s.List()
	got := s.Docket(programtest.InitAs("--agent", fingerprint(t, key))...)
	if got.Status != 1 || !strings.Contains(got.Stderr, "has no key "+fingerprint(t, key)) || !strings.Contains(got.Stderr, "ssh-add") {
		t.Errorf("exit status %d, %s", got.Status, got.Stderr)
	}
	s.Unchanged(before, "the agent does not have the key")

	sshAdd(t, key)
	s.Done("docket", programtest.InitAs("--agent", fingerprint(t, key))...)
	s.Write("sealed.jsonl", s.Done("docket", "seal", programtest.Testdata(t, "packets", "appeals.json")).Stdout)
	s.Done("docket", "import", s.At("sealed.jsonl"))
	s.Done("docket-decide", programtest.SampleCase, "request_evidence")
	if v, plain := s.Verify(); v.Status != 0 || v.Records != 1 {
		t.Errorf("%s", plain)
	}
	if got := s.Done("docket", "doctor"); !strings.Contains(got.Stdout, "✓ identity") {
		t.Errorf("%s", got.Stdout)
	}

	// The agent forgets the key, then is gone: nothing is recorded, and doctor says what to do.
	sshAdd(t, "-D")
	gone := func(says string) {
		t.Helper()
		if got := programtest.Run(t, "docket-decide", s.Folder, programtest.SampleCase, "uphold_decision"); got.Status == 0 || !strings.Contains(got.Stderr, says) {
			t.Errorf("exit status %d, %s", got.Status, got.Stderr)
		}
		if got := s.Docket("doctor"); got.Status != 1 || !strings.Contains(got.Stdout, "✗ identity") || !strings.Contains(got.Stdout, says) {
			t.Errorf("docket doctor: exit status %d, %s", got.Status, got.Stdout)
		}
		if v, plain := s.Verify(); v.Status != 0 || v.Records != 1 {
			t.Errorf("%s", plain)
		}
	}
	gone("has no key")
	stop()
	gone("no ssh-agent listens")
}
