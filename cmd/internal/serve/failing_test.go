package serve_test

import (
	"context"
	"docket/domain/keys"
	"docket/domain/signed"
	"docket/store/verify"

	"golang.org/x/mod/sumdb/tlog"

	"docket/cmd/internal/serve"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
)

// failing is a store of which every method fails.
type failing struct{ err error }

var _ serve.Store = failing{}

func (f failing) TokenOf(context.Context, [32]byte) (store.Token, error) { return store.Token{}, f.err }

func (f failing) Registrations(context.Context, terms.ID) ([]signed.Statement, error) {
	return nil, f.err
}
func (f failing) KeyState(context.Context, terms.ID, string) (keys.State, error) { return 0, f.err }

func (f failing) HandIn(context.Context, store.Submission) (store.Acceptance, error) {
	return store.Acceptance{}, f.err
}

func (f failing) Appendable(context.Context, int64) error { return f.err }

func (f failing) RevisionState(context.Context, terms.Area, packets.Key) (store.RevisionState, error) {
	return store.RevisionState{}, f.err
}

func (f failing) Feed(context.Context, store.Permissions, store.About, string, int) (store.RecordFeed, error) {
	return store.RecordFeed{}, f.err
}

func (f failing) ReadRecord(context.Context, store.Permissions, records.RecordID) (store.ServedRecord, error) {
	return store.ServedRecord{}, f.err
}

func (f failing) ProveRecord(context.Context, store.Permissions, records.RecordID) (store.Inclusion, []byte, error) {
	return store.Inclusion{}, nil, f.err
}

func (f failing) Reliance(context.Context, *store.Permissions, store.About) (store.Reliance, error) {
	return store.Reliance{}, f.err
}

func (f failing) ServiceStatements(context.Context) ([]signed.Statement, error) { return nil, f.err }

func (f failing) SignRejection(context.Context, records.Rejection) (string, error) { return "", f.err }

func (f failing) Page(context.Context, store.Permissions, string, int) (store.Page, error) {
	return store.Page{}, f.err
}

func (f failing) Packet(context.Context, store.Permissions, terms.ID) (store.Page, error) {
	return store.Page{}, f.err
}

func (f failing) Sees(context.Context, store.Permissions, terms.Table, terms.ID) (bool, error) {
	return false, f.err
}

func (f failing) Verifier(context.Context) (string, error) { return "", f.err }

func (f failing) PublishedCheckpoint(context.Context) ([]byte, error) { return nil, f.err }

func (f failing) CosignedCheckpoint(context.Context) ([]byte, error) { return nil, f.err }

func (f failing) Tile(context.Context, tlog.Tile) ([]byte, error) { return nil, f.err }

func (f failing) TileEntries(context.Context, tlog.Tile) ([][]byte, error) { return nil, f.err }

func (f failing) Head(context.Context) (records.LogHead, error) { return records.LogHead{}, f.err }

func (f failing) Findings() []verify.Finding { return nil }

// parts is a store put together from parts, so that a test can make one of them fail.
type parts struct {
	serve.Registry
	serve.Records
	serve.Packets
	serve.Log
}

var _ serve.Store = parts{}
