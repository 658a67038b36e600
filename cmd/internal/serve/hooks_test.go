package serve_test

import (
	"context"
	"slices"

	"golang.org/x/mod/sumdb/tlog"

	"docket/cmd/internal/serve"
	"docket/domain/keys"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store"
	"docket/store/verify"
)

// A hook sees each call of a store, by its name, before it is made. It may delay it, and fails it
// with its error.
type hook func(ctx context.Context, call string) error

// fails returns a hook that fails the calls with the error; all of them if none is named.
func fails(err error, calls ...string) hook {
	return func(_ context.Context, call string) error {
		if len(calls) == 0 || slices.Contains(calls, call) {
			return err
		}
		return nil
	}
}

// hooks are those of a harness.
type hooks struct {
	before   hook             // nil for none
	findings []verify.Finding // in addition to the store's
	free     int64            // what Appendable was last asked for
}

// A hooked store calls the hook of its harness.
type hooked struct {
	serve.Store
	*hooks
}

func through[T any](h hooked, ctx context.Context, name string, call func() (T, error)) (T, error) {
	if h.before != nil {
		if err := h.before(ctx, name); err != nil {
			return *new(T), err
		}
	}
	return call()
}

func (h hooked) TokenOf(ctx context.Context, digest [32]byte) (store.Token, error) {
	return through(h, ctx, "TokenOf", func() (store.Token, error) { return h.Store.TokenOf(ctx, digest) })
}

func (h hooked) Registrations(ctx context.Context, id terms.ID) ([]signed.Statement, error) {
	return through(h, ctx, "Registrations",
		func() ([]signed.Statement, error) { return h.Store.Registrations(ctx, id) })
}

func (h hooked) KeyState(ctx context.Context, id terms.ID, key string) (keys.State, error) {
	return through(h, ctx, "KeyState", func() (keys.State, error) { return h.Store.KeyState(ctx, id, key) })
}

func (h hooked) HandIn(ctx context.Context, sub store.Submission) (store.Acceptance, error) {
	return through(h, ctx, "HandIn", func() (store.Acceptance, error) { return h.Store.HandIn(ctx, sub) })
}

func (h hooked) Appendable(ctx context.Context, free int64) error {
	h.free = free
	_, err := through(h, ctx, "Appendable",
		func() (struct{}, error) { return struct{}{}, h.Store.Appendable(ctx, free) })
	return err
}

func (h hooked) RevisionState(ctx context.Context, area terms.Area, key packets.Key) (store.RevisionState, error) {
	return through(h, ctx, "RevisionState",
		func() (store.RevisionState, error) { return h.Store.RevisionState(ctx, area, key) })
}

func (h hooked) Feed(ctx context.Context, p store.Permissions, about store.About, after string, most int) (store.RecordFeed, error) {
	return through(h, ctx, "Feed",
		func() (store.RecordFeed, error) { return h.Store.Feed(ctx, p, about, after, most) })
}

func (h hooked) ReadRecord(ctx context.Context, p store.Permissions, id records.RecordID) (store.ServedRecord, error) {
	return through(h, ctx, "ReadRecord",
		func() (store.ServedRecord, error) { return h.Store.ReadRecord(ctx, p, id) })
}

func (h hooked) ProveRecord(ctx context.Context, p store.Permissions, id records.RecordID) (proof store.Inclusion, checkpoint []byte, err error) {
	checkpoint, err = through(h, ctx, "ProveRecord", func() (text []byte, err error) {
		proof, text, err = h.Store.ProveRecord(ctx, p, id)
		return text, err
	})
	return proof, checkpoint, err
}

func (h hooked) Reliance(ctx context.Context, p *store.Permissions, about store.About) (store.Reliance, error) {
	return through(h, ctx, "Reliance", func() (store.Reliance, error) { return h.Store.Reliance(ctx, p, about) })
}

func (h hooked) ServiceStatements(ctx context.Context) ([]signed.Statement, error) {
	return through(h, ctx, "ServiceStatements",
		func() ([]signed.Statement, error) { return h.Store.ServiceStatements(ctx) })
}

func (h hooked) SignRejection(ctx context.Context, r records.Rejection) (string, error) {
	return through(h, ctx, "SignRejection", func() (string, error) { return h.Store.SignRejection(ctx, r) })
}

func (h hooked) Page(ctx context.Context, p store.Permissions, after string, most int) (store.Page, error) {
	return through(h, ctx, "Page", func() (store.Page, error) { return h.Store.Page(ctx, p, after, most) })
}

func (h hooked) Packet(ctx context.Context, p store.Permissions, id terms.ID) (store.Page, error) {
	return through(h, ctx, "Packet", func() (store.Page, error) { return h.Store.Packet(ctx, p, id) })
}

func (h hooked) Sees(ctx context.Context, p store.Permissions, table terms.Table, id terms.ID) (bool, error) {
	return through(h, ctx, "Sees", func() (bool, error) { return h.Store.Sees(ctx, p, table, id) })
}

func (h hooked) Verifier(ctx context.Context) (string, error) {
	return through(h, ctx, "Verifier", func() (string, error) { return h.Store.Verifier(ctx) })
}

func (h hooked) PublishedCheckpoint(ctx context.Context) ([]byte, error) {
	return through(h, ctx, "PublishedCheckpoint",
		func() ([]byte, error) { return h.Store.PublishedCheckpoint(ctx) })
}

func (h hooked) CosignedCheckpoint(ctx context.Context) ([]byte, error) {
	return through(h, ctx, "CosignedCheckpoint",
		func() ([]byte, error) { return h.Store.CosignedCheckpoint(ctx) })
}

func (h hooked) Tile(ctx context.Context, tile tlog.Tile) ([]byte, error) {
	return through(h, ctx, "Tile", func() ([]byte, error) { return h.Store.Tile(ctx, tile) })
}

func (h hooked) TileEntries(ctx context.Context, tile tlog.Tile) ([][]byte, error) {
	return through(h, ctx, "TileEntries", func() ([][]byte, error) { return h.Store.TileEntries(ctx, tile) })
}

func (h hooked) Head(ctx context.Context) (records.LogHead, error) {
	return through(h, ctx, "Head", func() (records.LogHead, error) { return h.Store.Head(ctx) })
}

func (h hooked) Findings() []verify.Finding { return append(h.Store.Findings(), h.findings...) }
