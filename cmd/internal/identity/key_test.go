package identity

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"

	"docket/domain/terms"
	"docket/store/agent/agenttest"
)

func TestAKeyFileThatCannotBeUsedIsRefusedWithAReason(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	if err := os.WriteFile(at("a file"), []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at("large"), make([]byte, maxKeyFile+1), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, says := range map[string]string{
		at("none"):       "there is no key at",
		at("a file/key"): "not a directory",
		folder:           "is not a file",
		at("a file"):     "is not an OpenSSH private key",
		at("large"):      "is not an OpenSSH private key",
		at("\x00"):       "read the key",
	} {
		signer, err := loadKey(t.Context(), path, nobody)
		if err == nil || signer != nil || !strings.Contains(err.Error(), says) || strings.Count(err.Error(), path) != 1 {
			t.Errorf("%q: %v", path, err)
		}
	}
}

func TestAnIdentityThatIsSetUpIsLeftAloneWithWhicheverKey(t *testing.T) {
	place := Place{Folder: t.TempDir()}
	if _, err := place.Init(t.Context(), neutral, typing("")); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(place.file())
	if err != nil {
		t.Fatal(err)
	}
	other := neutral
	other.ID, other.KeyFile = "rev-other", place.key()
	if _, err := place.Init(t.Context(), other, typing("")); err == nil || !strings.Contains(err.Error(), "set up already") {
		t.Errorf("%v", err)
	}
	if after, err := os.ReadFile(place.file()); err != nil || string(after) != string(before) {
		t.Errorf("the identity was changed: %v", err)
	}
}

func TestAPrivateFileIsReadOnlyWhereItIsAFileOfItsOwnerOfAModestSize(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "token")
	if err := os.WriteFile(path, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	for most, fits := range map[int64]bool{5: true, 6: true, 4: false, 0: false} {
		content, err := ReadPrivate(path, most)
		if fits && (err != nil || string(content) != "12345") || !fits && (content != nil || !errors.Is(err, errOddFile)) {
			t.Errorf("at most %d bytes: %q, %v", most, content, err)
		}
	}
	for odd, want := range map[string]error{folder: errFolder, filepath.Join(folder, "none"): ErrNoFile} {
		if content, err := ReadPrivate(odd, 5); content != nil || !errors.Is(err, want) {
			t.Errorf("%s: %q, %v", odd, content, err)
		}
	}
	below := filepath.Join(path, "below")
	if content, err := ReadPrivate(below, 5); content != nil || err == nil || errors.Is(err, ErrNoFile) || strings.Count(err.Error(), below) != 1 {
		t.Errorf("below a file: %q, %v", content, err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if content, err := ReadPrivate(path, 5); content != nil || !errors.Is(err, errTooOpen) {
		t.Errorf("readable by others: %q, %v", content, err)
	}
}

func TestAnAgentThatIsNotThereIsToldFromOneThatRefuses(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone")
	t.Setenv("SSH_AUTH_SOCK", gone)
	if signer, err := agentKey(t.Context(), "SHA256:any", time.Second); signer != nil || err == nil || !strings.Contains(err.Error(), "no ssh-agent listens at "+gone) {
		t.Errorf("%v", err)
	}
	keys, fingerprint := agenttest.Keys(t)
	t.Setenv("SSH_AUTH_SOCK", agenttest.Serve(t, keys))
	signer, err := agentKey(t.Context(), fingerprint, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	held, err := New("rev-0417", terms.NeutralReviewer, signer)
	if err != nil {
		t.Fatal(err)
	}
	if err := keys.RemoveAll(); err != nil {
		t.Fatal(err)
	}
	if _, err := held.Sign(t.Context(), []byte("a record")); err == nil || !strings.Contains(err.Error(), "refused") || strings.Contains(err.Error(), "no ssh-agent listens") {
		t.Errorf("%v", err)
	}
}

// listing is an agent with the keys that it is given, or one that does not tell which it has.
type listing struct {
	agent.Agent
	keys []*agent.Key
	err  error
}

func (l listing) List() ([]*agent.Key, error) { return l.keys, l.err }

func TestAnAgentWhoseKeysCannotBeReadHasNoneForUs(t *testing.T) {
	odd := &agent.Key{Format: "odd", Blob: ssh.Marshal(struct{ Format string }{"odd"})}
	for says, answering := range map[string]listing{
		"refused":        {err: errors.New("not today")},
		"cannot be read": {keys: []*agent.Key{odd}},
	} {
		t.Setenv("SSH_AUTH_SOCK", agenttest.Serve(t, answering))
		if signer, err := agentKey(t.Context(), ssh.FingerprintSHA256(odd), 10*time.Second); signer != nil || err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
}
