package serve_test

import (
	"context"

	"docket/cmd/internal/exchange"
	"docket/cmd/internal/serve"
	"docket/domain"
	"docket/domain/overlap"
)

// failing is everything that lies behind a service when none of it works.
type failing struct{ err error }

func (f failing) backing() serve.Backing {
	return serve.Backing{Registry: f, Ledger: f, Library: f, Witness: f, Receipts: f}
}

func (f failing) Principal(context.Context, [32]byte) (serve.Principal, error) {
	return serve.Principal{}, f.err
}

func (f failing) HasKey(context.Context, domain.ID, string) (bool, error) { return false, f.err }

func (f failing) Append(context.Context, serve.Handed) (exchange.Enforced, bool, error) {
	return exchange.Enforced{}, false, f.err
}

func (f failing) Standing(context.Context, domain.Enforcement) (serve.Standing, error) {
	return serve.Standing{}, f.err
}

func (f failing) Reject(context.Context, domain.Rejection) (string, error) { return "", f.err }

func (f failing) Page(context.Context, serve.Principal, string, int) (exchange.Page, error) {
	return exchange.Page{}, f.err
}

func (f failing) Packet(context.Context, serve.Principal, domain.ID) (exchange.Page, error) {
	return exchange.Page{}, f.err
}

func (f failing) Cosign(context.Context, serve.Principal, exchange.Lodging) (exchange.Cosigned, error) {
	return exchange.Cosigned{}, f.err
}

func (f failing) SignReceipt(context.Context, overlap.Receipt) (overlap.ReceiptID, error) {
	return "", f.err
}
