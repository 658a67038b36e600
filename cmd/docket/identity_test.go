//go:build unix

package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"docket/cmd/internal/programtest"
)

func TestARefusedIdentityLeavesNothing(t *testing.T) {
	programtest.Needs(t, "ssh-keygen")
	t.Setenv("SSH_AUTH_SOCK", "")
	open, plain := keygen(t, "-t", "ed25519", "-N", ""), keygen(t, "-t", "ed25519", "-N", "")
	must(t, os.Chmod(open, 0o640))
	torn := filepath.Join(t.TempDir(), "torn")
	must(t, os.WriteFile(torn, []byte("-----BEGIN OPENSSH PRIVATE KEY-----\nsecret\n-----END OPENSSH PRIVATE KEY-----\n"), 0o600))
	for name, c := range map[string]struct {
		args   []string
		status int
		says   []string
	}{
		"no id":                      {[]string{"identity", "init", "--role", "neutral_reviewer"}, 2, []string{"give --id"}},
		"a bad id":                   {[]string{"identity", "init", "--id", "-rev 1", "--role", "neutral_reviewer"}, 2, []string{"--id takes"}},
		"an id that is too long":     {[]string{"identity", "init", "--id", strings.Repeat("r", 129), "--role", "neutral_reviewer"}, 2, []string{"--id takes"}},
		"no role":                    {[]string{"identity", "init", "--id", "rev-1"}, 2, []string{"give --role"}},
		"a bad role":                 {[]string{"identity", "init", "--id", "rev-1", "--role", "Neutral_Reviewer"}, 2, []string{"--role takes", "safety_admin"}},
		"nobody to ask":              {programtest.InitAs(), 3, []string{"typed at a terminal", "--no-passphrase"}},
		"two keys":                   {programtest.InitAs("--key", plain, "--agent", "SHA256:x"), 2, []string{"give one"}},
		"no fingerprint":             {programtest.InitAs("--agent", "MD5:00"), 2, []string{"SHA256:", "ssh-add -l"}},
		"a key that is not made":     {programtest.InitAs("--key", plain, "--no-passphrase"), 2, []string{"--no-passphrase"}},
		"a missing key":              {programtest.InitAs("--key", plain+".none"), 1, []string{plain + ".none", "there is no key"}},
		"a folder":                   {programtest.InitAs("--key", filepath.Dir(plain)), 1, []string{"not a file"}},
		"a key that others can read": {programtest.InitAs("--key", open), 1, []string{open, "chmod 600"}},
		"a public key":               {programtest.InitAs("--key", plain+".pub"), 1, []string{plain + ".pub", "is a public key", "private key"}},
		"a short RSA key":            {programtest.InitAs("--key", keygen(t, "-t", "rsa", "-b", "2048", "-N", "")), 1, []string{"fewer than 3072 bits", "ssh-keygen -t ed25519"}},
		"a torn key":                 {programtest.InitAs("--key", torn), 1, []string{"not an OpenSSH private key"}},
		"a key with a passphrase":    {programtest.InitAs("--key", keygen(t, "-t", "ed25519", "-N", "correct horse")), 3, []string{"has a passphrase", "typed at a terminal"}},
		"no agent":                   {programtest.InitAs("--agent", "SHA256:x"), 1, []string{"SSH_AUTH_SOCK is not set", "ssh-add"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := programtest.EmptySite(t)
			before := s.List()
			got := s.Docket(c.args...)
			if got.Status != c.status || got.Stdout != "" || strings.Contains(got.Stderr, "secret") {
				t.Errorf("exit status %d, %s%s", got.Status, got.Stdout, got.Stderr)
			}
			for _, text := range c.says {
				if !strings.Contains(got.Stderr, text) {
					t.Errorf("%q is not said: %s", text, got.Stderr)
				}
			}
			s.Unchanged(before, name)
		})
	}
}

func TestAnIdentityOrKeyThatIsThereIsNotReplaced(t *testing.T) {
	t.Parallel()
	s := programtest.EmptySite(t)
	s.Done("docket", programtest.InitAs("--no-passphrase")...)
	files, key, settings := s.List(), s.Read(programtest.OwnKey), s.Read("config/docket/identity.toml")
	refused := func(path string) {
		t.Helper()
		got := s.Docket(programtest.InitAs("--no-passphrase")...)
		if got.Status != 1 || !strings.Contains(got.Stderr, path) || !strings.Contains(got.Stderr, "left alone") {
			t.Errorf("exit status %d, %s", got.Status, got.Stderr)
		}
		s.Unchanged(files, "it was refused")
		if s.Read(programtest.OwnKey) != key {
			t.Error("the key was replaced")
		}
	}
	refused("identity.toml")
	if s.Read("config/docket/identity.toml") != settings {
		t.Error("the identity was replaced")
	}
	s.Remove("config/docket/identity.toml")
	files = s.List()
	refused("id_ed25519")
	// The key that is there can be taken all the same.
	s.Done("docket", programtest.InitAs("--key", s.At(programtest.OwnKey))...)
	if s.Read("config/docket/identity.toml") != settings {
		t.Error("the same key makes another identity")
	}
}

func TestAnIdentityThatCannotBeWrittenLeavesNothing(t *testing.T) {
	t.Parallel()
	s := programtest.EmptySite(t)
	s.Write("config", "a file where the folder has to be")
	before := s.List()
	if got := s.Docket(programtest.InitAs("--no-passphrase")...); got.Status != 1 || !strings.Contains(got.Stderr, s.At("config/docket")) {
		t.Errorf("exit status %d, %s", got.Status, got.Stderr)
	}
	s.Unchanged(before, "it was refused")
}

func TestTheLineOfAllowedSignersIsTakenBySSHKeygen(t *testing.T) {
	t.Parallel()
	programtest.Needs(t, "ssh-keygen")
	taken := keygen(t, "-t", "ed25519", "-N", "")
	for name, more := range map[string][]string{"a key that was made": {"--no-passphrase"}, "a key that was taken": {"--key", taken}} {
		t.Run(name, func(t *testing.T) {
			s := programtest.EmptySite(t)
			s.Done("docket", programtest.InitAs(more...)...)
			key := taken
			if more[0] == "--no-passphrase" {
				key = s.At(programtest.OwnKey)
				info, err := os.Stat(key)
				if err != nil || info.Mode().Perm() != 0o600 || !strings.HasPrefix(s.Read(programtest.OwnKey), "-----BEGIN OPENSSH PRIVATE KEY-----\n") {
					t.Errorf("%v, %v", info, err)
				}
			}
			shown := s.Done("docket", "identity").Stdout
			_, line, found := strings.Cut(shown, "allowed_signers  ")
			if !found || !strings.Contains(shown, fingerprint(t, key)) {
				t.Fatalf("%s", shown)
			}
			s.Write("allowed_signers", line)
			s.Write("doc", "a record")
			s.Done("ssh-keygen", "-q", "-Y", "sign", "-n", "docket-enforcement-record", "-f", key, s.At("doc"))
			for text, want := range map[string]bool{"a record": true, "another": false} {
				command := exec.Command("ssh-keygen", "-Y", "verify", "-f", s.At("allowed_signers"), "-I", "rev-0417",
					"-n", "docket-enforcement-record", "-s", s.At("doc.sig"))
				command.Stdin = strings.NewReader(text)
				if out, err := command.CombinedOutput(); (err == nil) != want {
					t.Errorf("%q: %v\n%s", text, err, out)
				}
			}
		})
	}
}

func TestThePassphraseIsAskedForAtATerminalAndMayBeEmpty(t *testing.T) {
	t.Parallel()
	docket := programtest.Built(t)
	for name, c := range map[string]struct {
		typed  []string
		status int
		locked bool
	}{
		"none":             {[]string{""}, 0, false},
		"one, typed twice": {[]string{"correct horse", "correct horse"}, 0, true},
		"two that differ":  {[]string{"correct horse", "correct house"}, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := programtest.EmptySite(t)
			before := s.List()
			term := programtest.OpenTerminal(t, 100, 30, fmt.Sprintf("export HOME=%[1]s XDG_CONFIG_HOME=%[1]s/config; %[2]s %[3]s", s.Folder, docket, strings.Join(programtest.InitAs(), " ")))
			prompts := []string{"Passphrase for the new key (empty for none):", "The same once more:"}
			for i, typed := range c.typed {
				term.WaitFor(prompts[i])
				if typed != "" {
					term.Press("-l", typed)
				}
				term.Press("Enter")
			}
			screen := term.WaitFor(fmt.Sprintf("exit status %d", c.status))
			if strings.Contains(screen, "horse") {
				t.Errorf("what was typed is shown:\n%s", screen)
			}
			if c.status != 0 {
				s.Unchanged(before, "it was refused")
				return
			}
			_, err := ssh.ParsePrivateKey([]byte(s.Read(programtest.OwnKey)))
			if _, locked := err.(*ssh.PassphraseMissingError); locked != c.locked || locked != (err != nil) {
				t.Errorf("%v", err)
			}
		})
	}
}

// keygen makes a key with ssh-keygen.
func keygen(t *testing.T, args ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "key")
	if out, err := exec.Command("ssh-keygen", append([]string{"-q", "-C", "", "-f", path}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("ssh-keygen: %v\n%s", err, out)
	}
	return path
}

// fingerprint is that of a key file.
func fingerprint(t *testing.T, path string) string {
	t.Helper()
	out, err := exec.Command("ssh-keygen", "-l", "-f", path).Output()
	if err != nil || len(strings.Fields(string(out))) < 2 {
		t.Fatalf("ssh-keygen: %v", err)
	}
	return strings.Fields(string(out))[1]
}

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
