package merkle

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"strings"
	"time"

	"docket/store/agent"

	"golang.org/x/crypto/ssh"
	"golang.org/x/mod/sumdb/note"
)

// The key of a log may be an Ed25519 key of ssh-agent: its key file names it and has no secret.

// agentPrefix begins the line of such a key file; the fingerprint follows.
const agentPrefix = "ssh-agent "

// InAgent reports whether the text of a key file names a key of ssh-agent.
func InAgent(file string) bool { return strings.HasPrefix(file, agentPrefix) }

// agentPatience is short, because others wait to write: no person can be asked to confirm a use.
const agentPatience = 2 * time.Second

func agentKey(ctx context.Context, fingerprint string) (ssh.PublicKey, ed25519.PublicKey, error) {
	key, err := agent.Find(ctx, fingerprint, agentPatience)
	if err != nil {
		return nil, nil, err
	}
	if held, ok := key.(ssh.CryptoPublicKey); ok {
		if public, ok := held.CryptoPublicKey().(ed25519.PublicKey); ok && key.Type() == ssh.KeyAlgoED25519 {
			return key, public, nil
		}
	}
	return nil, nil, fmt.Errorf("the key %s of ssh-agent is of the type %s; a log takes %s", fingerprint, key.Type(), ssh.KeyAlgoED25519)
}

// agentVerifier has the key make one trial signature.
func agentVerifier(ctx context.Context, origin, fingerprint string) (string, error) {
	key, public, err := agentKey(ctx, fingerprint)
	if err != nil {
		return "", err
	}
	if _, err := (&agentSigner{name: origin, key: key}).Sign([]byte(origin)); err != nil {
		return "", err
	}
	return note.NewEd25519VerifierKey(origin, public)
}

func (k *Key) unlockAgent(ctx context.Context, fingerprint string) error {
	key, public, err := agentKey(ctx, fingerprint)
	if err != nil {
		return err
	}
	if encoded, err := note.NewEd25519VerifierKey(k.Origin, public); err != nil || encoded != k.Encoded {
		return errors.New("it does not name the key of this log")
	}
	k.signer, k.asked = &agentSigner{k.Origin, k.verifier.KeyHash(), key}, true
	return nil
}

// Held returns nil if the key could sign now, as far as that is known without a signature and
// without asking anybody to confirm: ErrNoKey if ssh-agent does not list it.
func (k *Key) Held(ctx context.Context) error {
	signer, is := k.signer.(*agentSigner)
	if !is {
		return nil
	}
	if _, err := agent.Find(ctx, ssh.FingerprintSHA256(signer.key), agentPatience); err != nil {
		return fmt.Errorf("%w: %w", ErrNoKey, err)
	}
	return nil
}

type agentSigner struct {
	name string
	hash uint32
	key  ssh.PublicKey
}

func (s *agentSigner) Name() string    { return s.name }
func (s *agentSigner) KeyHash() uint32 { return s.hash }

// Sign is called within a transaction and waits at most agentPatience.
func (s *agentSigner) Sign(message []byte) ([]byte, error) {
	signature, err := agent.Sign(context.Background(), s.key, message, agentPatience)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoKey, err)
	}
	if signature.Format != ssh.KeyAlgoED25519 || s.key.Verify(message, signature) != nil {
		return nil, fmt.Errorf("%w: ssh-agent made a signature that does not verify", ErrNoKey)
	}
	return signature.Blob, nil
}
