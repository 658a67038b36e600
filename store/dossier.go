package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"docket/domain"
)

// Dossier returns one revision of a case or amendment, judged for the moment at, with everything that is known about
// it here. revision 0 is the latest. reviewer is whose skip counts; it may be absent. The error wraps ErrNotFound if
// the store has no such revision, and domain.ErrStoredPacket if it cannot be read.
func (s *Store) Dossier(ctx context.Context, table domain.Table, id domain.ID, revision int64, at domain.Instant,
	reviewer domain.ID) (domain.Dossier, error) {
	var d domain.Dossier
	err := s.reading(ctx, "read the packet", func(ctx context.Context, tx *sql.Tx) (err error) {
		d, err = dossier(ctx, tx, table, domain.Key{ID: id, Number: revision}, at, reviewer)
		return err
	})
	if err != nil {
		return domain.Dossier{}, err
	}
	return d, nil
}

// notFound names what is not there. Ids are opaque and not private.
func notFound(table domain.Table, key domain.Key) error {
	what := fmt.Sprintf("%s in %s", key.ID, table)
	if key.Number > 0 {
		what = fmt.Sprintf("%s revision %d in %s", key.ID, key.Number, table)
	}
	return fmt.Errorf("%s: %w", what, ErrNotFound)
}

func dossier(ctx context.Context, tx *sql.Tx, table domain.Table, key domain.Key, at domain.Instant,
	reviewer domain.ID) (d domain.Dossier, err error) {
	reader := &domain.Reader{}
	if d, err = look(ctx, tx, reader, table, key, at); err != nil {
		return d, err
	}
	area := domain.AreaOf(table)
	key = d.View.Key()
	if d.Records, d.Elsewhere, err = recordsOn(ctx, tx, reader, area, key); err != nil {
		return d, err
	}
	if d.Related, d.Unlisted, err = related(ctx, tx, reader, d.View.Record(), at, reviewer); err != nil {
		return d, err
	}
	d.Skipped, err = skipReason(ctx, tx, reviewer, table, key)
	return d, err
}

// look is the part of a dossier on which a decision depends: the view, the revisions and the record in force.
func look(ctx context.Context, tx *sql.Tx, reader *domain.Reader, table domain.Table, key domain.Key,
	at domain.Instant) (d domain.Dossier, err error) {
	area := domain.AreaOf(table)
	if table != domain.RecordTable(area) {
		return d, notFound(table, key)
	}
	if d.Revisions, d.Arrived, err = revisions(ctx, tx, table, key.ID); err != nil {
		return d, err
	}
	if len(d.Revisions) == 0 {
		return d, notFound(table, key)
	}
	latest := domain.Latest{Revision: d.Revisions[len(d.Revisions)-1]}
	if key.Number == 0 {
		key.Number = latest.Revision
	}
	document, err := documentOf(ctx, tx, table, key)
	if errors.Is(err, sql.ErrNoRows) {
		return d, notFound(table, key)
	}
	if err != nil {
		return d, err
	}
	packet, err := readHeld(reader, document, table, key)
	if err != nil {
		return d, fmt.Errorf("%s revision %d in %s: %w", key.ID, key.Number, table, err)
	}
	policy, latestVersion, err := newPolicyBook(tx, area, reader).of(ctx, packet)
	if err != nil {
		return d, err
	}
	latest.PolicyVersion = latestVersion
	d.View = domain.Look(policy, packet, latest, at)
	d.InForce, err = inForce(ctx, tx, area, key)
	return d, err
}

// revisions lists the revisions that are held of an id, ascending, and when each came in.
func revisions(ctx context.Context, tx *sql.Tx, table domain.Table, id domain.ID) (held []int64, arrived []domain.Instant,
	err error) {
	idColumn, number := keyColumns(table)
	query := fmt.Sprintf("SELECT %[2]s, %[3]s, importedAt FROM main.%[1]s WHERE %[2]s = ? ORDER BY %[3]s",
		table, quote(idColumn), quote(number))
	var importedAt string
	err = keyed(ctx, tx, query, []any{string(id)}, []any{&importedAt}, func(key domain.Key) error {
		at, _ := domain.ParseInstant(importedAt) // the column is this machine's own word; an absent time shows as none
		held, arrived = append(held, key.Number), append(arrived, at)
		return nil
	})
	return held, arrived, err
}

// Find tells in which packet tables an id is held: as a case, an amendment or a policy.
func (s *Store) Find(ctx context.Context, id domain.ID) ([]domain.Table, error) {
	var tables []domain.Table
	err := s.reading(ctx, "look an id up", func(ctx context.Context, tx *sql.Tx) error {
		for _, table := range domain.PacketTables.Words() {
			column, _ := keyColumns(table)
			query := fmt.Sprintf("SELECT EXISTS (SELECT 1 FROM main.%s WHERE %s = ?)", table, quote(column))
			var held bool
			if err := tx.QueryRowContext(ctx, query, string(id)).Scan(&held); err != nil {
				return err
			}
			if held {
				tables = append(tables, table)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return tables, nil
}
