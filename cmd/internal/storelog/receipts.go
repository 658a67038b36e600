package storelog

import (
	"context"

	"docket/cmd/internal/audit"
	"docket/store"
)

// Receipts is a store's chain of overlap receipts, as audit.Receipts.
type Receipts struct{ Store *store.Store }

// Chain implements audit.Receipts.
func (r Receipts) Chain(ctx context.Context) (audit.Chain, error) {
	chain, err := r.Store.ReceiptChain(ctx)
	if err != nil {
		return audit.Chain{}, err
	}
	return audit.Chain{Origin: chain.Origin, VerifierKeys: chain.Verifiers(), Kept: chain.Kept, KeptFault: chain.KeptFault}, nil
}

// Receipts implements audit.Receipts.
func (r Receipts) Receipts(ctx context.Context, yield func(audit.Receipt) error) error {
	return r.Store.Receipts(ctx, func(s store.StoredReceipt) error {
		return yield(audit.Receipt{Sequence: s.Sequence, Document: s.Document, Head: s.Head})
	})
}
