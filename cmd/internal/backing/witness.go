package backing

import (
	"context"
	"errors"

	"docket/cmd/internal/exchange"
	"docket/cmd/internal/serve"
	"docket/store"
)

// faultKinds says which kind of problem answers for a fault of a lodging, indexed by store.LodgingFault.
var faultKinds = [...]exchange.ProblemKind{
	store.LodgingUnreadable: exchange.Malformed,
	store.LodgingForked:     exchange.CheckpointForked,
	store.LodgingShorter:    exchange.CheckpointShorter,
}

// Cosign implements serve.Witness.
func (b *backing) Cosign(ctx context.Context, principal serve.Principal, lodging exchange.Lodging) (exchange.Cosigned, error) {
	cosigned, err := b.store.Cosign(ctx, store.Lodging{Principal: principal.ID, Checkpoint: []byte(lodging.Checkpoint),
		Key: lodging.Key, OldSize: lodging.OldSize, Proof: lodging.Proof})
	var fault *store.LodgingError
	if errors.As(err, &fault) {
		return exchange.Cosigned{}, b.faulty(&principal, fault)
	}
	if err != nil {
		return exchange.Cosigned{}, unavailable(err)
	}
	return exchange.Cosigned{Size: cosigned.Size, Cosignature: cosigned.Cosignature, Key: cosigned.Key}, nil
}

// faulty says why a checkpoint is not cosigned.
func (b *backing) faulty(principal *serve.Principal, fault *store.LodgingError) error {
	why := &serve.CheckpointError{Kind: faultKinds[fault.Fault], Size: fault.Size}
	if fault.Fault == store.LodgingForked || fault.Fault == store.LodgingShorter {
		b.log.Warn("a log does not extend what was seen of it", "principal", principal.ID, "token", principal.Token,
			"fault", fault.Fault.String(), "held", fault.Size)
	}
	return why
}
