package store

import (
	"context"
	"database/sql"
	"fmt"

	"docket/domain"
	"docket/domain/signed"
)

// HandInTally tells how the store stands with its service.
func (s *Store) HandInTally(ctx context.Context) (tally domain.HandInTally, err error) {
	err = s.reading(ctx, "read what was handed in", func(ctx context.Context, tx *sql.Tx) (err error) {
		tally, err = tallyOf(ctx, tx)
		return err
	})
	if err != nil {
		return domain.HandInTally{}, err
	}
	return tally, nil
}

func tallyOf(ctx context.Context, tx *sql.Tx) (tally domain.HandInTally, err error) {
	if tally.Waiting, err = logSize(ctx, tx); err != nil {
		return tally, err
	}
	bound, err := boundTo(ctx, tx)
	if err != nil || bound == "" {
		return tally, err
	}
	if key, err := signed.ParseKey(bound); err == nil {
		tally.Service = key.Origin()
	} else {
		tally.Service = bound // edited: Prove finds that
	}
	if _, tally.Pulled, err = pulled(ctx, tx); err != nil {
		return tally, err
	}
	var rejected int64
	if err := tx.QueryRowContext(ctx, "SELECT (SELECT count(*) FROM main."+acceptancesTable+"), (SELECT count(*) FROM main."+rejectionsTable+")").
		Scan(&tally.Accepted, &rejected); err != nil {
		return tally, err
	}
	tally.Waiting = max(0, tally.Waiting-tally.Accepted-rejected)
	if rejected == 0 {
		return tally, nil
	}
	for _, table := range []domain.Table{domain.AppealEnforcements, domain.AmendmentEnforcements} {
		var open int64
		if err := tx.QueryRowContext(ctx, notJudgedAgain(table)).Scan(&open); err != nil {
			return tally, err
		}
		tally.Rejected += open
	}
	return tally, nil
}

// notJudgedAgain counts rejected records of a table that no later record on the same or a later revision follows. A document
// that is no JSON any more would end the query, were its columns asked for.
func notJudgedAgain(table domain.Table) string {
	id, number := keyColumns(table)
	return fmt.Sprintf("SELECT count(*) FROM main.%[1]s AS rejected JOIN main.%[2]s AS held ON held.sequence = rejected.sequence"+
		" WHERE CASE WHEN json_valid(held.document) THEN NOT EXISTS (SELECT 1 FROM main.%[2]s AS later INDEXED BY %[3]s"+
		" WHERE later.%[4]s = held.%[4]s AND later.%[5]s >= held.%[5]s AND later.sequence > held.sequence) END",
		rejectionsTable, table, keyIndex(table), quote(id), quote(number))
}
