package client

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/transparency-dev/formats/log"

	"docket/cmd/internal/api"
)

// A WitnessError says that the service does not cosign the log, so that nothing is handed in.
type WitnessError struct {
	Kind api.ProblemKind // CheckpointForked or CheckpointShorter
	Held int64           // records that the service saw of the log
	Ours int64           // records that the log has
}

// Error says what happened and what to do.
func (e *WitnessError) Error() string {
	const advice = "; nothing was handed in: the store was replaced by an older copy, or its log was rewritten; " +
		"run `docket verify`, and tell the operator of the service"
	switch {
	case e.Kind == api.CheckpointForked:
		return fmt.Sprintf("THIS LOG IS FORKED: its %d records do not extend the %d records that the service saw of it before", e.Ours, e.Held) + advice
	case e.Held > e.Ours:
		return fmt.Sprintf("THIS LOG IS TOO SHORT: it has %d records, and the service saw %d of it before", e.Ours, e.Held) + advice
	}
	return fmt.Sprintf("another push submitted a checkpoint of this log: the service has seen %d records of it; nothing was handed in: push again", e.Held)
}

// A signedCheckpoint is a checkpoint of the log.
type signedCheckpoint struct {
	checkpoint []byte
	key        string
	size       int64
}

// submitCheckpoint submits the newest checkpoint of the log, keeps the cosignature, and returns the size of the log. The
// error is a *WitnessError if the log does not extend what the service saw of it before.
func submitCheckpoint(ctx context.Context, out Outbox, service Service) (size int64, err error) {
	l, err := newestCheckpoint(ctx, out)
	if err != nil || l.size == 0 {
		return 0, err
	}
	from, err := out.CosignedSize(ctx)
	if err != nil {
		return 0, err
	}
	if from > l.size {
		return 0, &WitnessError{api.CheckpointShorter, from, l.size}
	}
	cosigned, err := l.offer(ctx, out, service, from)
	// If this console was interrupted before it kept the last cosignature, the service has seen more than it says.
	var refused *WitnessError
	if errors.As(err, &refused) && refused.Held != from && refused.Held <= l.size {
		cosigned, err = l.offer(ctx, out, service, refused.Held)
	}
	if err != nil {
		return 0, err
	}
	if cosigned.Size != l.size || checkCosigned(l.checkpoint, &cosigned) != nil {
		return 0, ErrForged
	}
	return l.size, out.KeepCosignature(context.WithoutCancel(ctx), l.size, cosigned.Cosignature, cosigned.Key)
}

// newestCheckpoint returns the newest checkpoint of the log.
func newestCheckpoint(ctx context.Context, out Log) (l signedCheckpoint, err error) {
	if l.checkpoint, err = out.Checkpoint(ctx); err != nil {
		return signedCheckpoint{}, err
	}
	if l.key, err = out.Verifier(ctx); err != nil {
		return signedCheckpoint{}, err
	}
	var c log.Checkpoint
	if _, err := c.Unmarshal(l.checkpoint); err != nil || c.Size > math.MaxInt64 {
		return signedCheckpoint{}, errors.New("the newest checkpoint of the log cannot be read; run `docket verify`")
	}
	l.size = int64(c.Size)
	return l, nil
}

// offer submits the checkpoint with the proof that it extends the log of size from.
func (l *signedCheckpoint) offer(ctx context.Context, out Log, service Service, from int64) (api.Cosigned, error) {
	submission := api.CheckpointSubmission{Checkpoint: string(l.checkpoint), Key: l.key, OldSize: from}
	if from > 0 && from < l.size {
		var err error
		if submission.Proof, err = out.Consistency(ctx, from, l.size); err != nil {
			return api.Cosigned{}, err
		}
	}
	cosigned, err := service.SubmitCheckpoint(ctx, submission)
	var problem *api.Problem
	if errors.As(err, &problem) {
		switch kind := problem.Kind(); kind {
		case api.CheckpointForked, api.CheckpointShorter:
			held := from
			if problem.Size != nil {
				held = *problem.Size
			}
			return api.Cosigned{}, &WitnessError{kind, held, l.size}
		}
	}
	return cosigned, err
}
