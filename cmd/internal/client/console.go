package client

import (
	"context"

	"docket/cmd/internal/api"
	"docket/domain"
	"docket/store"
	"docket/store/verify"
)

// A Service is what answers. A refusal is an *api.Problem; any other error says that there is no answer that could be
// relied upon.
type Service interface {
	// Page returns the packets after a cursor; "" is the beginning.
	Page(ctx context.Context, cursor string) (api.Page, error)
	// Enforce hands in a record of the area; again tells that it was there before.
	Enforce(ctx context.Context, area domain.Area, body api.Enforce) (answer api.Enforced, again bool, err error)
	// SubmitCheckpoint has a checkpoint of the console's log witnessed.
	SubmitCheckpoint(ctx context.Context, submission api.CheckpointSubmission) (api.Cosigned, error)
}

// A Binding knows which service it belongs to, by the key of the service's log.
type Binding interface {
	// Service returns the key; the error wraps store.ErrNotFound if there is none yet.
	Service(ctx context.Context) (key string, err error)
	// BindService keeps the key for good; the error wraps store.ErrOtherService if there is another one.
	BindService(ctx context.Context, key string) error
}

// An Inbox takes packets. When one of its methods returns nil, what it took is durable.
type Inbox interface {
	Binding
	// PullCursor returns where pulling goes on; "" is the beginning.
	PullCursor(ctx context.Context) (cursor string, completed domain.Instant, err error)
	// SavePull keeps where pulling goes on; complete tells that there was no more.
	SavePull(ctx context.Context, cursor string, complete bool) error
	// Import stores packets and tells what became of each.
	Import(ctx context.Context, packets []domain.Packet) ([]store.ImportResult, error)
}

// A Log is what a service witnesses.
type Log interface {
	// Checkpoint returns the newest checkpoint, signed with the key of Verifier.
	Checkpoint(ctx context.Context) (signed []byte, err error)
	Verifier(ctx context.Context) (key string, err error)
	// Consistency proves that the log of one size is the beginning of the log of a later size (RFC 6962).
	Consistency(ctx context.Context, from, to int64) ([]domain.Hash, error)
}

// Cosignatures remember what a service witnessed.
type Cosignatures interface {
	// Lodged is the size of the log that was witnessed last; 0 for none.
	CosignedSize(ctx context.Context) (size int64, err error)
	// KeepCosignature keeps the service's cosignature of the checkpoint of that size.
	KeepCosignature(ctx context.Context, size int64, cosignature, key string) error
}

// An Outbox holds the records that are to be handed in, and keeps what the service answers. When one of its methods returns
// nil, what it keeps is durable.
type Outbox interface {
	Binding
	Log
	Cosignatures
	// NotHandedIn lists entries in the order of the log that have no final answer: at most so many of those after a
	// sequence; -1 is the start.
	NotHandedIn(ctx context.Context, after int64, most int) ([]verify.Entry, error)
	KeepAcceptance(ctx context.Context, id domain.RecordID, receipt domain.Receipt, checkpoint []byte) error
	KeepRejection(ctx context.Context, id domain.RecordID, signed string, changes []string) error
}
