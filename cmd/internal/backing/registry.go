package backing

import (
	"context"
	"errors"

	"docket/cmd/internal/serve"
	"docket/domain"
	"docket/domain/overlap"
	"docket/store"
)

// Principal implements serve.Registry.
func (b *backing) Principal(ctx context.Context, digest [32]byte) (serve.Principal, error) {
	token, err := b.store.TokenOf(ctx, digest)
	if errors.Is(err, store.ErrNotFound) {
		return serve.Principal{}, serve.ErrUnknownToken
	}
	if err != nil {
		return serve.Principal{}, unavailable(err)
	}
	return serve.Principal{ID: token.Principal, Role: token.Role, Owners: token.Owners, Token: token.ID}, nil
}

// HasKey implements serve.Registry.
func (b *backing) HasKey(ctx context.Context, principal domain.ID, fingerprint string) (bool, error) {
	has, err := b.store.HasKey(ctx, principal, fingerprint)
	return has, unavailable(err)
}

// SignReceipt implements serve.Receipts.
func (b *backing) SignReceipt(ctx context.Context, receipt overlap.Receipt) (overlap.ReceiptID, error) {
	id, err := b.store.SignReceipt(ctx, receipt)
	return id, unavailable(err)
}
