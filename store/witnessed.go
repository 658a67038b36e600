package store

import (
	"context"
	"database/sql"
	"fmt"

	"docket/domain"
)

// A Witnessed is what a service last saw of a console's log.
type Witnessed struct {
	Origin     string
	Principal  domain.ID // who lodged it
	Key        string
	Size       int64
	Checkpoint []byte // as it was signed
	At         domain.Instant
}

// Witnessed lists what was last seen of each log, in the order of their origins.
func (s *Store) Witnessed(ctx context.Context) (logs []Witnessed, err error) {
	const query = "SELECT origin, principal, key, max(size), checkpoint, witnessedAt FROM main." + witnessedTable +
		" GROUP BY key ORDER BY origin, key"
	err = s.reading(ctx, "read the checkpoints that were lodged", func(ctx context.Context, tx *sql.Tx) error {
		return eachRow(ctx, tx, query, func(scan func(...any) error) error {
			var w Witnessed
			var at string
			err := scan(&w.Origin, &w.Principal, &w.Key, &w.Size, &w.Checkpoint, &at)
			w.At, _ = domain.ParseInstant(at)
			logs = append(logs, w)
			return err
		})
	})
	return logs, err
}

// A Disputed is a checkpoint, signed by its log, that does not extend what the service had seen of the log: the proof that
// somebody has two histories of it.
type Disputed struct {
	Origin     string
	Principal  domain.ID
	Fault      string // a LodgingFault's word: forked or shorter
	HeldSize   int64  // what had been seen of the log
	Checkpoint []byte // as it was signed
	At         domain.Instant
}

// mostDisputed is how many are kept of one log: more of them say no more.
const mostDisputed = 100

// remember keeps a checkpoint that does not extend what was seen, once.
func (l *lodged) remember(ctx context.Context, tx *sql.Tx, fault LodgingFault, held int64, at string) error {
	var there bool
	var count int
	const query = "SELECT EXISTS (SELECT 1 FROM main." + disputedTable + " WHERE key = ?1 AND checkpoint = ?2)," +
		" (SELECT count(*) FROM main." + disputedTable + " WHERE key = ?1)"
	err := tx.QueryRowContext(ctx, query, l.Key, string(l.Note)).Scan(&there, &count)
	if err != nil || there || count >= mostDisputed {
		return err
	}
	const statement = "INSERT INTO main." + disputedTable +
		" (origin, key, principal, checkpoint, fault, heldSize, disputedAt) VALUES (?, ?, ?, ?, ?, ?, ?)"
	return changeOne(ctx, tx, statement, l.origin, l.Key, string(l.Principal), string(l.Note), fault.String(), held, at)
}

// Disputed lists the checkpoints that were refused as forks or shortenings, in the order in which they came; at most a
// hundred of each log are kept.
func (s *Store) Disputed(ctx context.Context) (list []Disputed, err error) {
	const query = "SELECT origin, principal, fault, heldSize, checkpoint, disputedAt FROM main." + disputedTable + " ORDER BY rowid"
	err = s.reading(ctx, "read the checkpoints that were refused", func(ctx context.Context, tx *sql.Tx) error {
		return eachRow(ctx, tx, query, func(scan func(...any) error) error {
			var d Disputed
			var at string
			if err := scan(&d.Origin, &d.Principal, &d.Fault, &d.HeldSize, &d.Checkpoint, &at); err != nil {
				return fmt.Errorf("a refused checkpoint: %w", err)
			}
			d.At, _ = domain.ParseInstant(at)
			list = append(list, d)
			return nil
		})
	})
	return list, err
}
