// Package backing puts a service's store behind the service: it is everything that package serve declares that it needs,
// over one store.Store. It decides nothing itself. It turns what the store says into what serve knows, and holds back what
// a principal may not be told.
//
// Start at New.
package backing

import (
	"errors"
	"fmt"
	"log/slog"

	"docket/cmd/internal/serve"
	"docket/domain"
	"docket/store"
)

// A backing is a service's store.
type backing struct {
	store *store.Store
	log   *slog.Logger
}

var (
	_ serve.Registry = (*backing)(nil)
	_ serve.Ledger   = (*backing)(nil)
	_ serve.Library  = (*backing)(nil)
	_ serve.Witness  = (*backing)(nil)
	_ serve.Receipts = (*backing)(nil)
)

// New is the backing over a service's store, which stays the caller's to close. What the store says besides its answers is
// logged; log may be nil.
func New(s *store.Store, log *slog.Logger) serve.Backing {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	b := &backing{s, log}
	return serve.Backing{Registry: b, Ledger: b, Library: b, Witness: b, Receipts: b}
}

// unanchored logs that the checkpoint outside the store is not up to date. What was to be written is durable all the same.
func (b *backing) unanchored(err error) error {
	var anchor *store.AnchorError
	if !errors.As(err, &anchor) {
		return err
	}
	b.log.Error("the checkpoint outside the store is not up to date", "error", anchor)
	return nil
}

// unavailable tells the store's own faults from those of the caller.
func unavailable(err error) error {
	var problem *store.Problem
	switch {
	case errors.As(err, &problem), errors.Is(err, store.ErrClosed), errors.Is(err, store.ErrDamaged),
		errors.Is(err, domain.ErrStoredPacket):
		return fmt.Errorf("%w: %w", serve.ErrUnavailable, err)
	}
	return err
}

// rights are what a principal may see.
func rights(p *serve.Principal) store.Rights {
	return store.Rights{ID: p.ID, Role: p.Role, Owners: p.Owners}
}
