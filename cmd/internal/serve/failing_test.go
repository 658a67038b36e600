package serve_test

import (
	"context"

	"docket/cmd/internal/serve"
	"docket/domain"
	"docket/domain/overlap"
	"docket/store"
)

// failing is a store of which every method fails.
type failing struct{ err error }

var _ serve.Store = failing{}

func (f failing) TokenOf(context.Context, [32]byte) (store.Token, error) { return store.Token{}, f.err }

func (f failing) HasKey(context.Context, domain.ID, string) (bool, error) { return false, f.err }

func (f failing) HandIn(context.Context, store.Submission) (domain.Receipt, []byte, bool, error) {
	return domain.Receipt{}, nil, false, f.err
}

func (f failing) RevisionState(context.Context, domain.Area, domain.Key) (store.RevisionState, error) {
	return store.RevisionState{}, f.err
}

func (f failing) SignRejection(context.Context, domain.Rejection) (string, error) { return "", f.err }

func (f failing) Page(context.Context, store.Permissions, string, int) (store.Page, error) {
	return store.Page{}, f.err
}

func (f failing) Packet(context.Context, store.Permissions, domain.ID) ([][]byte, error) {
	return nil, f.err
}

func (f failing) Sees(context.Context, store.Permissions, domain.Table, domain.ID) (bool, error) {
	return false, f.err
}

func (f failing) Verifier(context.Context) (string, error) { return "", f.err }

func (f failing) Cosign(context.Context, store.CheckpointSubmission) (store.Cosigned, error) {
	return store.Cosigned{}, f.err
}

func (f failing) SignReceipt(context.Context, overlap.Receipt) (overlap.ReceiptID, error) {
	return "", f.err
}

// parts is a store put together from parts, so that a test can make one of them fail.
type parts struct {
	serve.Registry
	serve.Records
	serve.Packets
	serve.Witness
}

var _ serve.Store = parts{}
