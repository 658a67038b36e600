package identity_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
	sshagent "golang.org/x/crypto/ssh/agent"

	"docket/cmd/internal/identity"
	"docket/store/agent"
	"docket/store/agent/agenttest"
)

func TestAKeyOfTheAgentSignsForAsLongAsTheAgentHasIt(t *testing.T) {
	keys, fingerprint := agenttest.Keys(t)
	t.Setenv("SSH_AUTH_SOCK", agenttest.Serve(t, keys))
	setup := neutral
	setup.Agent = fingerprint
	place := identity.Place{Folder: t.TempDir()}
	held, err := place.Init(t.Context(), setup, nil)
	if err != nil || held.Reviewer().KeyFingerprint != fingerprint {
		t.Fatalf("%v, %v", held.Reviewer(), err)
	}
	signs := func() error {
		_, err := held.Sign(t.Context(), []byte("a record"))
		if tried := held.Try(t.Context()); (tried == nil) != (err == nil) {
			t.Errorf("signing: %v; a trial: %v", err, tried)
		}
		return err
	}
	must(t, signs())
	again, _ := agenttest.Keys(t) // an agent that is started again, with another key
	for _, c := range []struct{ socket, says string }{
		{agenttest.Serve(t, again), "refused"},
		{filepath.Join(t.TempDir(), "gone"), "no ssh-agent listens at "},
		{"", "SSH_AUTH_SOCK is not set"},
	} {
		t.Setenv("SSH_AUTH_SOCK", c.socket)
		if err := signs(); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v", c.says, err)
		}
		if _, err := place.Load(t.Context(), nil); err == nil {
			t.Errorf("%q: it was loaded", c.says)
		}
	}
	t.Setenv("SSH_AUTH_SOCK", agenttest.Serve(t, keys)) // with the key
	must(t, signs())
	must(t, keys.RemoveAll())
	if err := signs(); err == nil || !strings.Contains(err.Error(), "refused") || strings.Contains(err.Error(), "no ssh-agent listens") {
		t.Errorf("without the key: %v", err)
	}
}

// listing is an agent with the keys that it is given, or one that does not tell which it has.
type listing struct {
	sshagent.Agent
	keys []*sshagent.Key
	err  error
}

func (l listing) List() ([]*sshagent.Key, error) { return l.keys, l.err }

func TestAnAgentWhoseKeysCannotBeReadHasNoneForUs(t *testing.T) {
	odd := &sshagent.Key{Format: "odd", Blob: ssh.Marshal(struct{ Format string }{"odd"})}
	for says, answering := range map[string]listing{
		"refused":        {err: errors.New("not today")},
		"cannot be read": {keys: []*sshagent.Key{odd}},
	} {
		t.Setenv("SSH_AUTH_SOCK", agenttest.Serve(t, answering))
		if _, err := setUp(t, identity.Setup{Agent: ssh.FingerprintSHA256(odd)}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
}

func TestAnAgentThatDoesNotAnswerIsNotWaitedForForEver(t *testing.T) {
	held, err := identity.Ephemeral(neutral.ID, neutral.Role)
	must(t, err)
	key, _, _, _, err := ssh.ParseAuthorizedKey([]byte(held.PublicKey()))
	must(t, err)
	calls := map[string]func(context.Context, time.Duration) error{
		"looking for the key": func(ctx context.Context, patience time.Duration) error {
			_, err := agent.Find(ctx, "SHA256:any", patience)
			return err
		},
		"signing": func(ctx context.Context, patience time.Duration) error {
			signature, err := agent.Sign(ctx, key, []byte("a record"), patience)
			if signature != nil {
				t.Error("there is a signature")
			}
			return err
		},
	}
	t.Setenv("SSH_AUTH_SOCK", agenttest.Serve(t, nil))
	for name, call := range calls {
		if err := call(t.Context(), 50*time.Millisecond); err == nil || !strings.Contains(err.Error(), "did not answer within 50ms") {
			t.Errorf("%s: %v", name, err)
		}
	}
	hangs, asked := agenttest.NeverAnswers(t, sshagent.NewKeyring())
	t.Setenv("SSH_AUTH_SOCK", agenttest.Serve(t, hangs))
	reason := errors.New("the reviewer leaves")
	for name, call := range calls {
		ctx, stop := context.WithCancelCause(t.Context())
		go func() { <-asked; stop(reason) }()
		if err := call(ctx, time.Hour); !errors.Is(err, reason) {
			t.Errorf("%s: %v", name, err)
		}
	}
	keys, fingerprint := agenttest.Keys(t)
	never, asked := agenttest.NeverSigns(t, keys)
	t.Setenv("SSH_AUTH_SOCK", agenttest.Serve(t, never))
	hung, err := setUp(t, identity.Setup{Agent: fingerprint})
	must(t, err)
	ctx, stop := context.WithCancelCause(t.Context())
	go func() { <-asked; stop(reason) }()
	if signature, err := hung.Sign(ctx, []byte("a record")); !errors.Is(err, reason) || signature != nil {
		t.Errorf("a key of the agent: %v", err)
	}
	if signature, err := held.Sign(ctx, []byte("a record")); !errors.Is(err, reason) || signature != nil {
		t.Errorf("a key of a file: %v", err)
	}
}
