package backfake

import (
	"context"
	"crypto/sha256"
	"slices"
	"testing"

	"golang.org/x/crypto/ssh"

	"docket/cmd/internal/serve"
	"docket/domain"
	"docket/domain/overlap"
)

// Token makes a token stand for a principal.
func (b *Backing) Token(_ testing.TB, token string, who serve.Principal) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tokens[sha256.Sum256([]byte(token))] = who
}

// Key registers a key for a principal.
func (b *Backing) Key(_ testing.TB, principal domain.ID, key ssh.PublicKey) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.keys[principal] = append(b.keys[principal], ssh.FingerprintSHA256(key))
}

// Principal implements serve.Registry.
func (b *Backing) Principal(_ context.Context, digest [32]byte) (serve.Principal, error) {
	unlock, err := b.lock()
	if err != nil {
		return serve.Principal{}, err
	}
	defer unlock()
	who, there := b.tokens[digest]
	if !there {
		return serve.Principal{}, serve.ErrUnknownToken
	}
	return who, nil
}

// HasKey implements serve.Registry.
func (b *Backing) HasKey(_ context.Context, principal domain.ID, fingerprint string) (bool, error) {
	unlock, err := b.lock()
	if err != nil {
		return false, err
	}
	defer unlock()
	return slices.Contains(b.keys[principal], fingerprint), nil
}

// AppendReceipt implements serve.Receipts.
func (b *Backing) AppendReceipt(_ context.Context, entry overlap.Entry) error {
	unlock, err := b.lock()
	if err != nil {
		return err
	}
	defer unlock()
	b.receipts = append(b.receipts, entry)
	return nil
}
