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
// makes fail. When a method returns nil, its effect is durable.
type Store interface {
	// KnownOfService returns the service's keys, none before the first contact, and the checkpoints
	// that its checkpoint has to extend.
	KnownOfService(ctx context.Context) (store.KnownOfService, error)
	// KeepShown keeps a checkpoint that extends them.
	KeepShown(ctx context.Context, checkpoint string) error
	// KeepSetback keeps a checkpoint that does not extend a known one; key is its verifier key.
	KeepSetback(ctx context.Context, kind records.SetbackKind, shown, key string) error
	// KeepRegistrations keeps the service's statements about the reviewer's keys.
	KeepRegistrations(ctx context.Context, list []signed.Statement) error
	// KeepServiceRecords keeps records in force in the service's log, and returns the new ones.
	KeepServiceRecords(ctx context.Context, list []signed.ServiceRecord) ([]records.Enforcement, error)
	// BindService keeps the key for good, with the reviewer's statement that names the service. The
	// error wraps store.ErrOtherService if the store is bound to a different key.
	BindService(ctx context.Context, key string) error
	// KeepOperators keeps the statements about the service's operator, and returns the new ones.
	KeepOperators(ctx context.Context, list []signed.Statement) ([]records.LogStatement, error)

	// PullCursor returns the cursor of the next pull; "" is the start.
	PullCursor(ctx context.Context) (cursor string, completed terms.Instant, err error)
	// SavePull keeps the cursor. complete says that there were no more packets.
	SavePull(ctx context.Context, cursor string, complete bool) error
	// KeepErasures keeps the statements of the service's operator about erasures there.
	KeepErasures(ctx context.Context, list []signed.Statement) error
	// KeepReassigned keeps what the service assigned to another reviewer, and returns those that
	// are held here. With afresh the list is complete and replaces the kept one.
	KeepReassigned(ctx context.Context, list []verify.Ref, afresh bool) ([]verify.Ref, error)
	// Import stores packets and returns the result for each.
	Import(ctx context.Context, packets []packets.Packet) ([]store.ImportResult, error)

	// Head returns the size of the log and its root.
	Head(ctx context.Context) (records.LogHead, error)
	// NotHandedIn returns the entries without a final response after a sequence, at most most of
	// them, in the order of the log; -1 is the start.
	NotHandedIn(ctx context.Context, after int64, most int) ([]verify.Entry, error)
	// KeepAcceptance keeps the service's receipt for a record, with the checkpoint of its tree and
	// the proof that the record is the last one of that tree. The error wraps records.ErrRefused if
	// they contradict each other or an earlier answer.
	KeepAcceptance(ctx context.Context, id records.RecordID, receipt records.Receipt, proof []terms.Hash, checkpoint []byte) error
	// EarlierReceipt returns the newest receipt of a record by an earlier log of the service.
	EarlierReceipt(ctx context.Context, sequence int64) (store.Acknowledgment, bool, error)
	// KeepRejection keeps the signed rejection of a record, and the differences that the service
	// named. The error wraps records.ErrRejection if the service did not sign it, and
	// records.ErrRefused if it is of another record or the record was accepted.
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
