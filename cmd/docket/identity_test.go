//go:build unix

package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
)

// keygen makes a key with ssh-keygen.
func keygen(t *testing.T, args ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "key")
	if out, err := exec.Command("ssh-keygen", append([]string{"-q", "-C", "", "-f", path}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("ssh-keygen: %v\n%s", err, out)
	}
	return path
}

func fingerprintOf(t *testing.T, path string) string {
	t.Helper()
	return forger{&site{t, ""}}.fingerprint(path)
}

// initAs is `docket identity init` for the sample's reviewer.
func initAs(more ...string) []string {
	return append([]string{"identity", "init", "--id", "rev-0417", "--role", "neutral_reviewer"}, more...)
}

func TestARefusedIdentityLeavesNothing(t *testing.T) {
	needs(t, "ssh-keygen")
	t.Setenv("SSH_AUTH_SOCK", "")
	open, plain := keygen(t, "-t", "ed25519", "-N", ""), keygen(t, "-t", "ed25519", "-N", "")
	if err := os.Chmod(open, 0o640); err != nil {
		t.Fatal(err)
	}
	torn := filepath.Join(t.TempDir(), "torn")
	if err := os.WriteFile(torn, []byte("-----BEGIN OPENSSH PRIVATE KEY-----\nsecret\n-----END OPENSSH PRIVATE KEY-----\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args   []string
		status int
		says   []string
	}{
		"no id":                      {[]string{"identity", "init", "--role", "neutral_reviewer"}, 2, []string{"--id takes"}},
		"a bad id":                   {[]string{"identity", "init", "--id", "-rev 1", "--role", "neutral_reviewer"}, 2, []string{"--id takes"}},
		"an id that is too long":     {[]string{"identity", "init", "--id", strings.Repeat("r", 129), "--role", "neutral_reviewer"}, 2, []string{"--id takes"}},
		"no role":                    {[]string{"identity", "init", "--id", "rev-1"}, 2, []string{"--role takes"}},
		"a bad role":                 {[]string{"identity", "init", "--id", "rev-1", "--role", "Neutral_Reviewer"}, 2, []string{"--role takes", "safety_admin"}},
		"nobody to ask":              {initAs(), 3, []string{"typed at a terminal", "--no-passphrase"}},
		"two keys":                   {initAs("--key", plain, "--agent", "SHA256:x"), 2, []string{"give one"}},
		"no fingerprint":             {initAs("--agent", "MD5:00"), 2, []string{"SHA256:", "ssh-add -l"}},
		"a key that is not made":     {initAs("--key", plain, "--no-passphrase"), 2, []string{"--no-passphrase"}},
		"a missing key":              {initAs("--key", plain+".none"), 1, []string{plain + ".none", "there is no key"}},
		"a folder":                   {initAs("--key", filepath.Dir(plain)), 1, []string{"not a file"}},
		"a key that others can read": {initAs("--key", open), 1, []string{open, "chmod 600"}},
		"a public key":               {initAs("--key", plain+".pub"), 1, []string{plain + ".pub", "is a public key", "private key"}},
		"an ECDSA key":               {initAs("--key", keygen(t, "-t", "ecdsa", "-N", "")), 1, []string{"ecdsa-sha2-nistp256", "ssh-ed25519", "ssh-keygen -t ed25519"}},
		"an RSA key":                 {initAs("--key", keygen(t, "-t", "rsa", "-N", "")), 1, []string{"ssh-rsa", "ssh-ed25519"}},
		"a torn key":                 {initAs("--key", torn), 1, []string{"not an OpenSSH private key"}},
		"a key with a passphrase":    {initAs("--key", keygen(t, "-t", "ed25519", "-N", "correct horse")), 3, []string{"has a passphrase", "typed at a terminal"}},
		"no agent":                   {initAs("--agent", "SHA256:x"), 1, []string{"SSH_AUTH_SOCK is not set", "ssh-add"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := &site{t, t.TempDir()}
			before := s.list()
			got := s.docket(c.args...)
			if got.status != c.status || got.stdout != "" || strings.Contains(got.stderr, "secret") {
				t.Errorf("exit status %d, %s%s", got.status, got.stdout, got.stderr)
			}
			for _, text := range c.says {
				if !strings.Contains(got.stderr, text) {
					t.Errorf("%q is not said: %s", text, got.stderr)
				}
			}
			s.unchanged(before, name)
		})
	}
}

func TestAnIdentityOrKeyThatIsThereIsNotReplaced(t *testing.T) {
	t.Parallel()
	s := &site{t, t.TempDir()}
	s.done("docket", initAs("--no-passphrase")...)
	files, key, settings := s.list(), s.read(ownKey), s.read("config/docket/identity.toml")
	refused := func(path string) {
		t.Helper()
		got := s.docket(initAs("--no-passphrase")...)
		if got.status != 1 || !strings.Contains(got.stderr, path) || !strings.Contains(got.stderr, "left alone") {
			t.Errorf("exit status %d, %s", got.status, got.stderr)
		}
		s.unchanged(files, "it was refused")
		if s.read(ownKey) != key {
			t.Error("the key was replaced")
		}
	}
	refused("identity.toml")
	if s.read("config/docket/identity.toml") != settings {
		t.Error("the identity was replaced")
	}
	s.remove("config/docket/identity.toml")
	files = s.list()
	refused("id_ed25519")
	// The key that is there can be taken all the same.
	s.done("docket", initAs("--key", s.at(ownKey))...)
	if s.read("config/docket/identity.toml") != settings {
		t.Error("the same key makes another identity")
	}
}

func TestAnIdentityThatCannotBeWrittenLeavesNothing(t *testing.T) {
	t.Parallel()
	s := &site{t, t.TempDir()}
	s.write("config", "a file where the folder has to be")
	before := s.list()
	if got := s.docket(initAs("--no-passphrase")...); got.status != 1 || !strings.Contains(got.stderr, s.at("config/docket")) {
		t.Errorf("exit status %d, %s", got.status, got.stderr)
	}
	s.unchanged(before, "it was refused")
}

func TestTheLineOfAllowedSignersIsTakenBySSHKeygen(t *testing.T) {
	t.Parallel()
	needs(t, "ssh-keygen")
	taken := keygen(t, "-t", "ed25519", "-N", "")
	for name, more := range map[string][]string{"a key that was made": {"--no-passphrase"}, "a key that was taken": {"--key", taken}} {
		t.Run(name, func(t *testing.T) {
			s := &site{t, t.TempDir()}
			s.done("docket", initAs(more...)...)
			key := taken
			if more[0] == "--no-passphrase" {
				key = s.at(ownKey)
				info, err := os.Stat(key)
				if err != nil || info.Mode().Perm() != 0o600 || !strings.HasPrefix(s.read(ownKey), "-----BEGIN OPENSSH PRIVATE KEY-----\n") {
					t.Errorf("%v, %v", info, err)
				}
			}
			shown := s.done("docket", "identity", "show").stdout
			_, line, found := strings.Cut(shown, "allowed_signers  ")
			if !found || !strings.Contains(shown, fingerprintOf(t, key)) {
				t.Fatalf("%s", shown)
			}
			s.write("allowed_signers", line)
			s.write("sig", forger{s}.sign(key, "a record"))
			for text, want := range map[string]bool{"a record": true, "another": false} {
				command := exec.Command("ssh-keygen", "-Y", "verify", "-f", s.at("allowed_signers"), "-I", "rev-0417",
					"-n", "docket-enforcement-record", "-s", s.at("sig"))
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
	docket := program(t)
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
			s := &site{t, t.TempDir()}
			before := s.list()
			term := openTerminal(t, 100, 30, fmt.Sprintf("export HOME=%[1]s XDG_CONFIG_HOME=%[1]s/config; %[2]s %[3]s", s.folder, docket, strings.Join(initAs(), " ")))
			prompts := []string{"Passphrase for the new key (empty for none):", "The same once more:"}
			for i, typed := range c.typed {
				term.waitFor(prompts[i])
				if typed != "" {
					term.press("-l", typed)
				}
				term.press("Enter")
			}
			screen := term.waitFor(fmt.Sprintf("exit status %d", c.status))
			if strings.Contains(screen, "horse") {
				t.Errorf("what was typed is shown:\n%s", screen)
			}
			if c.status != 0 {
				s.unchanged(before, "it was refused")
				return
			}
			_, err := ssh.ParsePrivateKey([]byte(s.read(ownKey)))
			if _, locked := err.(*ssh.PassphraseMissingError); locked != c.locked || locked != (err != nil) {
				t.Errorf("%v", err)
			}
		})
	}
}
