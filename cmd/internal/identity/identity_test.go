package identity

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/agent/agenttest"
)

// typing answers every prompt with the same passphrase.
func typing(passphrase string) AskPassphrase {
	return func(context.Context, string) ([]byte, error) { return []byte(passphrase), nil }
}

func nobody(context.Context, string) ([]byte, error) { return nil, errors.New("nobody is there") }

var neutral = Setup{ID: "rev-0417", Role: terms.NeutralReviewer}

func TestAKeyWithAPassphraseIsUsableOnlyWithIt(t *testing.T) {
	place := Place{Folder: filepath.Join(t.TempDir(), "docket")}
	made, err := place.Init(t.Context(), neutral, typing("correct horse"))
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(place.key()); bytes.Contains(text, []byte("none")) {
		t.Error("the key is not encrypted")
	}
	again, err := place.Load(t.Context(), typing("correct horse"))
	if err != nil || again.Reviewer() != made.Reviewer() {
		t.Errorf("with the passphrase: %v, %v", again.Reviewer(), err)
	}
	if _, err := place.Load(t.Context(), typing("wrong")); err == nil || strings.Contains(err.Error(), "PRIVATE") {
		t.Errorf("with another one: %v", err)
	}
	if _, err := place.Load(t.Context(), nobody); err == nil {
		t.Error("with nobody to ask")
	}
	if reviewer := place.Reviewer(); reviewer.ID != neutral.ID || reviewer.Role != neutral.Role {
		t.Errorf("who it is can be told without the key: %v", reviewer)
	}
}

func TestASignatureIsOneThatOpenSSHTakes(t *testing.T) {
	held, err := Ephemeral("rev-0417", terms.NeutralReviewer)
	if err != nil {
		t.Fatal(err)
	}
	armored, err := held.Sign(t.Context(), []byte("a record"))
	if err != nil {
		t.Fatal(err)
	}
	signature, err := sshsig.Unarmor(armored)
	if err != nil || ssh.FingerprintSHA256(signature.PublicKey) != held.Reviewer().KeyFingerprint {
		t.Fatalf("%v", err)
	}
	for text, good := range map[string]bool{"a record": true, "another": false} {
		err := sshsig.Verify(strings.NewReader(text), signature, signature.PublicKey, signature.HashAlgorithm, records.SignatureNamespace)
		if (err == nil) != good {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := (Identity{}).Sign(t.Context(), []byte("a record")); !errors.Is(err, ErrNone) {
		t.Errorf("nobody signs: %v", err)
	}
}

func TestAnIdentityIsSetUpOnce(t *testing.T) {
	place := Place{Folder: t.TempDir()}
	if _, err := place.Load(t.Context(), nobody); !errors.Is(err, ErrNone) {
		t.Errorf("before: %v", err)
	}
	if _, err := place.Init(t.Context(), neutral, typing("")); err != nil {
		t.Fatal(err)
	}
	if _, err := place.Init(t.Context(), neutral, typing("")); err == nil {
		t.Error("it was set up a second time")
	}
	for _, path := range []string{place.file(), place.key()} {
		if info, err := os.Stat(path); err != nil || tooOpen(info) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestASpoiltIdentityIsRefusedWithoutItsText(t *testing.T) {
	for name, text := range map[string]string{
		"no TOML": "secret = = ", "an unknown key": "id = \"rev-1\"\nrole = \"neutral_reviewer\"\nsecret = \"x\"\n",
		"an unknown role": "id = \"rev-1\"\nrole = \"secret\"\nkey = \"/none\"\n", "no id": "role = \"neutral_reviewer\"\nkey = \"/none\"\n",
	} {
		place := Place{Folder: t.TempDir()}
		if err := os.WriteFile(place.file(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := place.Load(t.Context(), nobody); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAKeyOfTheAgentSigns(t *testing.T) {
	keys, fingerprint := agenttest.Keys(t)
	t.Setenv("SSH_AUTH_SOCK", agenttest.Serve(t, keys))
	place := Place{Folder: t.TempDir()}
	held, err := place.Init(t.Context(), Setup{ID: "rev-0417", Role: terms.SafetyAdmin, Agent: fingerprint}, nobody)
	if err != nil || held.Reviewer().KeyFingerprint != fingerprint {
		t.Fatalf("%v, %v", held.Reviewer(), err)
	}
	if _, err := held.Sign(t.Context(), []byte("a record")); err != nil {
		t.Error(err)
	}
	if _, err := agentKey(t.Context(), "SHA256:another", time.Second); err == nil {
		t.Error("a key that the agent does not have")
	}
	t.Setenv("SSH_AUTH_SOCK", "")
	if _, err := place.Load(t.Context(), nobody); err == nil {
		t.Error("without an agent")
	}
}

func TestAnAgentThatDoesNotAnswerIsNotWaitedForForEver(t *testing.T) {
	t.Setenv("SSH_AUTH_SOCK", agenttest.Serve(t, nil))
	if _, err := agentKey(t.Context(), "SHA256:any", 50*time.Millisecond); err == nil {
		t.Error("it answered")
	}
}

func TestAnAgentThatIsSilentWhenItIsToSignIsNotWaitedForForEver(t *testing.T) {
	held, err := Ephemeral("rev-0417", terms.NeutralReviewer)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("SSH_AUTH_SOCK", agenttest.Serve(t, nil))
	silent, err := New("rev-0417", terms.NeutralReviewer, agentSigner{held.signer.PublicKey(), 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := silent.Sign(t.Context(), []byte("a record")); err == nil || !strings.Contains(err.Error(), "did not answer within 50ms") {
		t.Errorf("%v", err)
	}
}

func TestAnAgentThatHangsIsNotWaitedForOnceTheContextEnds(t *testing.T) {
	held, err := Ephemeral("rev-0417", terms.NeutralReviewer)
	if err != nil {
		t.Fatal(err)
	}
	hangs, asked := agenttest.NeverAnswers(t, agent.NewKeyring())
	t.Setenv("SSH_AUTH_SOCK", agenttest.Serve(t, hangs))
	hung, err := New("rev-0417", terms.NeutralReviewer, agentSigner{held.signer.PublicKey(), time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	reason := errors.New("the reviewer leaves")
	for name, call := range map[string]func(context.Context) error{
		"signing": func(ctx context.Context) error {
			signature, err := hung.Sign(ctx, []byte("a record"))
			if signature != nil {
				t.Error("there is a signature")
			}
			return err
		},
		"looking for the key": func(ctx context.Context) error {
			_, err := agentKey(ctx, "SHA256:any", time.Hour)
			return err
		},
	} {
		ctx, stop := context.WithCancelCause(t.Context())
		go func() { <-asked; stop(reason) }()
		if err := call(ctx); !errors.Is(err, reason) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, stop := context.WithCancelCause(t.Context())
	stop(reason)
	for name, identity := range map[string]Identity{"of the agent": hung, "of a file": held} {
		if signature, err := identity.Sign(ctx, []byte("a record")); !errors.Is(err, reason) || signature != nil {
			t.Errorf("a key %s: %v", name, err)
		}
	}
}

func TestAnAgentThatWasStartedAgainSigns(t *testing.T) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	keys := agent.NewKeyring()
	if err := keys.Add(agent.AddedKey{PrivateKey: key}); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SSH_AUTH_SOCK", agenttest.Serve(t, keys))
	listed, _ := keys.List()
	signer, err := agentKey(t.Context(), ssh.FingerprintSHA256(listed[0]), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	held, err := New("rev-0417", terms.NeutralReviewer, signer)
	if err != nil {
		t.Fatal(err)
	}
	if err := held.Try(t.Context()); err != nil {
		t.Error(err)
	}
	if err := keys.RemoveAll(); err != nil {
		t.Fatal(err)
	}
	if err := held.Try(t.Context()); err == nil {
		t.Error("it signs with a key that the agent does not have any more")
	}
	again := agent.NewKeyring()
	if err := again.Add(agent.AddedKey{PrivateKey: key}); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SSH_AUTH_SOCK", agenttest.Serve(t, again))
	if err := held.Try(t.Context()); err != nil {
		t.Error(err)
	}
}
