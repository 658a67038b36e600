package store

import (
	"context"
	"fmt"
	"math"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/engine"
	"docket/store/merkle"
	"docket/store/verify"
)

// Cosignatures are kept with their checkpoint, so that a log that was rolled back or forked
// contradicts them. A log with a removed row fulfils less of a policy, and every check says so.

const cosignedAtOnce = 64

// Cosignatures implements verify.Source. Only the snapshot's transaction is open while yield runs.
func (v *Snapshot) Cosignatures(ctx context.Context, yield func(verify.Cosigned) error) error {
	return inPortions(ctx, v, "read the cosignatures", math.MaxInt64, cosignedAtOnce,
		func(ctx context.Context, tx engine.Tx, before int64, add func(int64, verify.Cosigned)) error {
			some, err := tx.Cosignatures().Before(ctx, before, v.lastCosignature, cosignedAtOnce)
			for _, row := range some {
				add(row.Position, verify.Cosigned{Checkpoint: row.Checkpoint, Line: row.Line, Key: row.Key})
			}
			return err
		}, yield)
}

// CosignedSize is the size of the newest checkpoint that the witness with the key cosigned; 0 for
// none. To a witness, a log restored since then is a new one.
func (s *Store) CosignedSize(ctx context.Context, key string) (int64, error) {
	return ask(ctx, s, "read what the witness cosigned", func(ctx context.Context, tx engine.Tx) (int64, error) {
		witnessing, err := s.witnessing()
		if err != nil {
			return 0, err
		}
		newest, err := tx.Cosignatures().Newest(ctx, key, s.key.Origin+"\n")
		if err != nil {
			return 0, unlessNoRow(err)
		}
		checkpoint, _, err := witnessing.Add(verify.Cosigned{Checkpoint: newest.Checkpoint, Line: newest.Line, Key: newest.Key})
		if err != nil {
			return 0, fmt.Errorf("the newest cosignature of a witness: %w", ErrDamaged)
		}
		return checkpoint.Size, nil
	})
}

func (s *Store) witnessing() (verify.Witnessing, error) {
	if s.key == nil {
		return verify.Witnessing{}, fmt.Errorf("the key of the log: %w", ErrDamaged)
	}
	return verify.Witnessing{Lineage: verify.Lineage{{Origin: s.key.Origin, Key: s.key.Encoded}}, Keys: []string{s.key.Encoded}}, nil
}

// KeepCosignature keeps a checkpoint of the log with the cosignature of a witness. The error wraps
// records.ErrRefused if either does not verify, or if the log does not extend the checkpoint.
// Keeping the same again changes nothing.
func (s *Store) KeepCosignature(ctx context.Context, c verify.Cosigned) error {
	var seen merkle.Checkpoint
	err := s.writing(ctx, "keep the cosignature", func(ctx context.Context, tx engine.Tx) error {
		witnessing, err := s.witnessing()
		if err != nil {
			return err
		}
		checkpoint, _, err := witnessing.Add(c)
		if err != nil {
			return refusedAnswer("the cosignature: %v", err)
		}
		size, err := logSize(ctx, tx)
		if err != nil {
			return err
		}
		if checkpoint.Size > size {
			return refusedAnswer("the log has %d of the %d records of the cosigned checkpoint", size, checkpoint.Size)
		}
		root, err := rootOf(ctx, tx, checkpoint.Size)
		if err != nil {
			return err
		}
		if root != checkpoint.Root {
			return refusedAnswer("the log does not extend the cosigned checkpoint of %s", records.Count(checkpoint.Size))
		}
		seen = merkle.Checkpoint{Size: checkpoint.Size, Root: checkpoint.Root, Note: c.Checkpoint}
		stored := engine.Cosigned{Checkpoint: c.Checkpoint, Line: c.Line, Key: c.Key}
		if kept, err := tx.Cosignatures().Has(ctx, stored); err != nil || kept {
			return err
		}
		return tx.Cosignatures().Add(ctx, stored, terms.InstantOf(s.now()))
	})
	if err != nil || s.options.Database == nil {
		return err
	}
	return s.keepAnchor(ctx, seen)
}

// Coverage says how far the log fulfils a witness policy, in a time independent of the log's size.
func (s *Store) Coverage(ctx context.Context, policy *verify.Policy) (verify.Coverage, error) {
	return ask(ctx, s, "read the cosignatures", func(ctx context.Context, tx engine.Tx) (coverage verify.Coverage, err error) {
		v := &Snapshot{store: s}
		if err := v.takeAt(ctx, tx); err != nil {
			return coverage, err
		}
		report, err := verify.Check(ctx, v, verify.Options{Depth: verify.HeadOnly, Policy: policy, Now: terms.InstantOf(s.now())})
		if err == nil {
			coverage = *report.Coverage
		}
		return coverage, err
	})
}

// cosignedLately returns the last cosigned checkpoints, newest first, with their cosignatures.
func cosignedLately(ctx context.Context, tx engine.Tx) (checkpoints []string,
	lines map[string]string, witnesses map[string]int, err error) {
	lines, witnesses = map[string]string{}, map[string]int{}
	seen := map[[2]string]bool{}
	newest, err := tx.Cosignatures().Before(ctx, math.MaxInt64, math.MaxInt64, cosignedAtOnce)
	for _, c := range newest {
		checkpoint := string(c.Checkpoint)
		if by := [2]string{checkpoint, c.Key}; !seen[by] {
			seen[by] = true
			checkpoints, lines[checkpoint] = append(checkpoints, checkpoint), lines[checkpoint]+string(c.Line)
			witnesses[checkpoint]++
		}
	}
	return checkpoints, lines, witnesses, err
}

// PublishedCheckpoint returns the newest checkpoint for others, with the kept cosignatures of
// witnesses. A store with findings returns their error.
func (s *Store) PublishedCheckpoint(ctx context.Context) (published []byte, err error) {
	err = s.readingHead(ctx, "read the checkpoint", func(ctx context.Context, tx engine.Tx) error {
		if err := s.checkNoFindings(); err != nil {
			return err
		}
		newest, err := newestCheckpoint(ctx, tx)
		if err != nil {
			return err
		}
		_, lines, _, err := cosignedLately(ctx, tx)
		published = append(newest, lines[string(newest)]...)
		return err
	})
	if err != nil {
		return nil, err
	}
	return published, nil
}
