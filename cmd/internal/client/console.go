package client

import (
	"context"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store"
	"docket/store/verify"
)

// A Store is where a console keeps what push and pull bring: a *Console, or one whose methods a test
// makes fail. The methods keep the contracts that package store states; when one returns nil, its
// effect is durable.
type Store interface {
	// BindService keeps the key for good, with the reviewer's statement that names the service. The
	// error wraps store.ErrOtherService if the store is bound to a different key.
	BindService(ctx context.Context, key string) error
	KnownOfService(ctx context.Context) (store.KnownOfService, error)
	KeepShown(ctx context.Context, checkpoint string) error
	KeepSetback(ctx context.Context, kind records.SetbackKind, shown, key string) error
	KeepOperators(ctx context.Context, list []signed.Statement) ([]records.LogStatement, error)
	KeepRegistrations(ctx context.Context, list []signed.Statement) error
	KeepErasures(ctx context.Context, list []signed.Statement) error
	KeepServiceRecords(ctx context.Context, list []signed.ServiceRecord) ([]records.Enforcement, error)

	PullCursor(ctx context.Context) (cursor string, completed terms.Instant, err error)
	SavePull(ctx context.Context, cursor string, complete bool) error
	KeepReassigned(ctx context.Context, list []verify.Ref, afresh bool) ([]verify.Ref, error)
	Import(ctx context.Context, packets []packets.Packet) ([]store.ImportResult, error)

	Head(ctx context.Context) (records.LogHead, error)
	NotHandedIn(ctx context.Context, after int64, most int) ([]verify.Entry, error)
	EarlierReceipt(ctx context.Context, sequence int64) (store.Acknowledgment, bool, error)
	KeepAcceptance(ctx context.Context, id records.RecordID, receipt records.Receipt, proof []terms.Hash, checkpoint []byte) error
	KeepRejection(ctx context.Context, id records.RecordID, signed string, changes []string) error
}

// A Console is a console's store, whose reviewer names the service at the first contact.
type Console struct {
	*store.Store
	// State dates a statement about the log, and has the reviewer sign it.
	State func(context.Context, records.LogStatement) (signed.Statement, error)
}

// BindService implements Store.
func (c *Console) BindService(ctx context.Context, key string) error {
	due, err := c.ServiceToName(ctx, key)
	if err != nil || !due.Kind.Present() {
		return err
	}
	named, err := c.State(ctx, due)
	if err != nil {
		return err
	}
	return c.Store.BindService(ctx, named)
}
