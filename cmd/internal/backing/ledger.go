package backing

import (
	"context"
	"errors"

	"docket/cmd/internal/exchange"
	"docket/cmd/internal/serve"
	"docket/domain"
	"docket/store"
)

// Append implements serve.Ledger.
func (b *backing) Append(ctx context.Context, handed serve.Handed) (answer exchange.Enforced, again bool, err error) {
	sub := store.Submission{Record: handed.Record, Signature: handed.Signature, PacketSalt: handed.PacketSalt, Statement: handed.Statement}
	receipt, checkpoint, again, err := b.store.HandIn(ctx, sub)
	if err = b.unanchored(err); err != nil {
		return exchange.Enforced{}, false, b.refused(ctx, &handed, err)
	}
	return exchange.Enforced{Receipt: receipt, Checkpoint: string(checkpoint)}, again, nil
}

// refused says in the words of serve why a record was not taken. Whoever may not see a packet learns nothing of it from a
// record that does not follow from it; from one that does, they knew it.
func (b *backing) refused(ctx context.Context, handed *serve.Handed, err error) error {
	var differs *domain.DiffersError
	switch {
	case errors.Is(err, store.ErrSignature):
		return serve.ErrForged
	case errors.Is(err, store.ErrRecordConflict):
		return serve.ErrConflict
	case errors.Is(err, store.ErrEarly):
		return serve.ErrEarly
	case errors.Is(err, store.ErrNotFound):
		return serve.ErrNotHeld
	case errors.As(err, &differs), errors.Is(err, store.ErrRulesUnknown):
		m := handed.Record.Members()
		sees, failed := b.store.Sees(ctx, rights(&handed.Principal), domain.RecordTable(m.Area), m.Key.ID)
		if failed != nil {
			return unavailable(failed)
		}
		if !sees {
			return serve.ErrNotHeld
		}
	}
	if errors.Is(err, store.ErrRulesUnknown) {
		return serve.ErrRulesUnknown
	}
	return unavailable(err)
}

// Standing implements serve.Ledger.
func (b *backing) Standing(ctx context.Context, record domain.Enforcement) (serve.Standing, error) {
	m := record.Members()
	standing, err := b.store.Standing(ctx, m.Area, m.Key)
	if err != nil {
		return serve.Standing{}, unavailable(err)
	}
	return serve.Standing{InForce: standing.InForce, Latest: standing.Latest, Blockers: standing.Blockers, Carried: standing.Carried}, nil
}

// Reject implements serve.Ledger.
func (b *backing) Reject(ctx context.Context, rejection domain.Rejection) (signed string, err error) {
	signed, err = b.store.SignRejection(ctx, rejection)
	return signed, unavailable(err)
}
