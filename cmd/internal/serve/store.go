package serve

import (
	"context"
	"errors"

	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/keys"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store"
	"docket/store/verify"
)

// A Store is where a service keeps packets, records and registrations. It is a *store.Store of a
// service: the methods keep the contracts that package store states, and the errors are the ones
// that it names. When HandIn accepts a record, it is durable. What a principal may not see does not
// exist for it. It is declared here so that tests can make methods fail.
type Store interface {
	TokenOf(ctx context.Context, digest [32]byte) (store.Token, error)
	KeyState(ctx context.Context, principal terms.ID, fingerprint string) (keys.State, error)
	Registrations(ctx context.Context, principal terms.ID) ([]signed.Statement, error)

	HandIn(ctx context.Context, sub store.Submission) (store.Acceptance, error)
	RevisionState(ctx context.Context, area terms.Area, key packets.Key) (store.RevisionState, error)
	SignRejection(ctx context.Context, rejection records.Rejection) (signed string, err error)
	Appendable(ctx context.Context, free int64) error

	Feed(ctx context.Context, permissions store.Permissions, about store.About, after string, most int) (store.RecordFeed, error)
	ReadRecord(ctx context.Context, permissions store.Permissions, id records.RecordID) (store.ServedRecord, error)
	ProveRecord(ctx context.Context, permissions store.Permissions, id records.RecordID) (
		proof store.Inclusion, checkpoint []byte, err error)
	Reliance(ctx context.Context, permissions *store.Permissions, about store.About) (store.Reliance, error)

	Page(ctx context.Context, permissions store.Permissions, after string, most int) (store.Page, error)
	Packet(ctx context.Context, permissions store.Permissions, id terms.ID) (store.Page, error)
	Sees(ctx context.Context, permissions store.Permissions, table terms.Table, id terms.ID) (bool, error)
	Verifier(ctx context.Context) (key string, err error)
	ServiceStatements(ctx context.Context) ([]signed.Statement, error)

	Head(ctx context.Context) (records.LogHead, error)
	Findings() []verify.Finding // with any the store takes no record
	PublishedCheckpoint(ctx context.Context) ([]byte, error)
	Tile(ctx context.Context, tile tlog.Tile) ([]byte, error)
	TileEntries(ctx context.Context, tile tlog.Tile) ([]verify.Entry, error)
}

func permissionsOf(t *store.Token) store.Permissions {
	return store.Permissions{ID: t.Principal, Role: t.Role, Owners: t.Owners}
}

// isUnavailable reports whether the store and not the caller is at fault.
func isUnavailable(err error) bool {
	var problem *store.Problem
	return errors.As(err, &problem) || errors.Is(err, store.ErrClosed) || errors.Is(err, store.ErrDamaged) ||
		errors.Is(err, packets.ErrStoredPacket) || errors.Is(err, context.DeadlineExceeded)
}
