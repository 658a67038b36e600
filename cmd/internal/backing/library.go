package backing

import (
	"context"
	"encoding/json"
	"errors"

	"docket/cmd/internal/exchange"
	"docket/cmd/internal/serve"
	"docket/domain"
	"docket/store"
)

// Page implements serve.Library.
func (b *backing) Page(ctx context.Context, principal serve.Principal, cursor string, most int) (exchange.Page, error) {
	read, err := b.store.Page(ctx, rights(&principal), cursor, most)
	if errors.Is(err, store.ErrCursor) {
		return exchange.Page{}, serve.ErrCursor
	}
	if err != nil {
		return exchange.Page{}, unavailable(err)
	}
	page, err := b.page(ctx, read.Packets)
	page.Cursor, page.More = read.Cursor, read.More
	return page, err
}

// Packet implements serve.Library.
func (b *backing) Packet(ctx context.Context, principal serve.Principal, id domain.ID) (exchange.Page, error) {
	packets, err := b.store.Packet(ctx, rights(&principal), id)
	if errors.Is(err, store.ErrNotFound) {
		return exchange.Page{}, serve.ErrNotHeld
	}
	if err != nil {
		return exchange.Page{}, unavailable(err)
	}
	return b.page(ctx, packets)
}

// page puts packets and the key of the service's log together.
func (b *backing) page(ctx context.Context, packets [][]byte) (page exchange.Page, err error) {
	if page.Key, err = b.store.Verifier(ctx); err != nil {
		return exchange.Page{}, unavailable(err)
	}
	page.Packets = make([]json.RawMessage, len(packets))
	for i, document := range packets {
		page.Packets[i] = document
	}
	return page, nil
}
