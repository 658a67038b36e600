package store

import (
	"context"
	"fmt"
	"math"

	"docket/domain/terms"
	"docket/store/engine"
	"docket/store/verify"
)

// Cosignatures of witnesses are kept with the checkpoint that they are of, so that a log that was rolled back or forked afterwards
// is held to them. A row that is gone takes nothing from the log: it covers less of a policy then, and every check says so.

// lastCosignature is the position of the newest one; -1 for none.
func lastCosignature(ctx context.Context, tx engine.Tx) (position int64, err error) {
	err = tx.QueryRowContext(ctx, "SELECT coalesce(max(position), -1) FROM main."+cosignaturesTable).Scan(&position)
	return position, err
}

// A cosignedRow is a row of the table.
type cosignedRow struct {
	position int64
	verify.Cosigned
}

// cosignedAtOnce is how many rows are read in one transaction.
const cosignedAtOnce = 64

// cosignedBefore are the rows before a position, the newest first. A row with a forged position takes no longer to read than any other.
const cosignedBefore = "SELECT position, checkpoint, cosignature, key FROM main." + cosignaturesTable +
	" WHERE position < ?1 AND position <= ?2 ORDER BY position DESC LIMIT ?3"

func cosignedRows(ctx context.Context, tx engine.Tx, before, last int64) (rows []cosignedRow, err error) {
	err = eachRow(ctx, tx, cosignedBefore, func(scan func(...any) error) error {
		var r cosignedRow
		err := scan(&r.position, &r.Checkpoint, &r.Line, &r.Key)
		rows = append(rows, r)
		return err
	}, before, last, cosignedAtOnce)
	return rows, err
}

// Cosignatures implements verify.Source. No transaction is open while yield runs, but for that of the snapshot.
func (v *Snapshot) Cosignatures(ctx context.Context, yield func(verify.Cosigned) error) error {
	before := int64(math.MaxInt64)
	for more := true; more; {
		var some []cosignedRow
		err := v.reading(ctx, "read the cosignatures", func(ctx context.Context, tx engine.Tx) (err error) {
			some, err = cosignedRows(ctx, tx, before, v.lastCosignature)
			return err
		})
		if err != nil {
			return err
		}
		for _, row := range some {
			if err := yield(row.Cosigned); err != nil {
				return err
			}
			before = row.position
		}
		more = len(some) == cosignedAtOnce
	}
	return nil
}

// CosignedSize is the size of the newest checkpoint that the witness with the key cosigned; 0 for none. A log that was restored since
// then is another one to the witness.
func (s *Store) CosignedSize(ctx context.Context, key string) (size int64, err error) {
	const query = "SELECT checkpoint, cosignature, key FROM main." + cosignaturesTable +
		" WHERE key = ?1 AND substr(checkpoint, 1, length(?2)) = ?2 ORDER BY position DESC LIMIT 1"
	err = s.reading(ctx, "read what the witness cosigned", func(ctx context.Context, tx engine.Tx) error {
		witnessing, err := s.witnessing()
		if err != nil {
			return err
		}
		return eachRow(ctx, tx, query, func(scan func(...any) error) error {
			var c verify.Cosigned
			if err := scan(&c.Checkpoint, &c.Line, &c.Key); err != nil {
				return err
			}
			checkpoint, _, err := witnessing.Add(c)
			if err != nil {
				return fmt.Errorf("the newest cosignature of a witness: %w", ErrDamaged)
			}
			size = checkpoint.Size
			return nil
		}, key, s.key.Origin+"\n")
	})
	return size, err
}

// witnessing collects cosignatures of the store's log, as it is now called.
func (s *Store) witnessing() (verify.Witnessing, error) {
	if s.key == nil {
		return verify.Witnessing{}, fmt.Errorf("the key of the log: %w", ErrDamaged)
	}
	return verify.Witnessing{Lineage: verify.Lineage{{Origin: s.key.Origin, Key: s.key.Encoded}}, Keys: []string{s.key.Encoded}}, nil
}

// KeepCosignature keeps a checkpoint of the log with the cosignature of a witness. The error wraps records.ErrRefused if either does
// not verify, or if the log does not extend the checkpoint. Keeping the same again changes nothing.
func (s *Store) KeepCosignature(ctx context.Context, c verify.Cosigned) error {
	return s.writing(ctx, "keep the cosignature", func(ctx context.Context, tx engine.Tx) error {
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
			return refusedAnswer("the log does not extend the cosigned checkpoint of %d records", checkpoint.Size)
		}
		var kept bool
		const query = "SELECT EXISTS (SELECT 1 FROM main." + cosignaturesTable + " WHERE checkpoint = ? AND cosignature = ? AND key = ?)"
		if err := tx.QueryRowContext(ctx, query, string(c.Checkpoint), string(c.Line), c.Key).Scan(&kept); err != nil || kept {
			return err
		}
		return changeOne(ctx, tx, "INSERT INTO main."+cosignaturesTable+" (position, checkpoint, cosignature, key, keptAt) "+
			"VALUES ((SELECT coalesce(max(position) + 1, 0) FROM main."+cosignaturesTable+"), ?, ?, ?, ?)",
			string(c.Checkpoint), string(c.Line), c.Key, s.stamp())
	})
}

// Coverage says how far the log fulfils a witness policy, in the same time for a log of any size.
func (s *Store) Coverage(ctx context.Context, policy *verify.Policy) (coverage verify.Coverage, err error) {
	err = s.reading(ctx, "read the cosignatures", func(ctx context.Context, tx engine.Tx) error {
		v := &Snapshot{store: s}
		if err := v.takeAt(ctx, tx); err != nil {
			return err
		}
		report, err := verify.Check(ctx, v, verify.Options{Depth: verify.HeadOnly, Policy: policy, Now: terms.InstantOf(s.now())})
		if err == nil {
			coverage = *report.Coverage
		}
		return err
	})
	return coverage, err
}
