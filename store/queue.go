package store

import (
	"context"
	"database/sql"
	"fmt"

	"docket/domain"
)

// Queue returns a row for the latest revision of every case or amendment of the area, judged for the moment at by the
// policy it names and the latest policy version and revision that are held, in no particular order. reviewer is whose
// skips and drafts count; it may be absent. A stored packet that cannot be read has a row that says so.
func (s *Store) Queue(ctx context.Context, area domain.Area, at domain.Instant,
	reviewer domain.ID) ([]domain.QueueRow, error) {
	var queue []domain.QueueRow
	err := s.reading(ctx, "read the queue", func(ctx context.Context, tx *sql.Tx) (err error) {
		reader := &domain.Reader{}
		l := queueLoad{tx: tx, area: area, table: domain.RecordTable(area), at: at, reader: reader,
			policies: newPolicyBook(tx, area, &s.shelf)}
		if l.decided, err = l.decisions(ctx); err != nil {
			return err
		}
		if l.skipped, err = l.skips(ctx, reviewer); err != nil {
			return err
		}
		if l.drafted, err = drafted(ctx, tx, reviewer, l.table); err != nil {
			return err
		}
		queue, err = l.rows(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	return queue, nil
}

// queueLoad is one call of Queue.
type queueLoad struct {
	tx       *sql.Tx
	area     domain.Area
	table    domain.Table
	at       domain.Instant
	reader   *domain.Reader
	policies *policyBook
	decided  map[domain.Key]bool
	skipped  map[domain.Key]string
	drafted  map[domain.ID]bool
}

// keyed goes over rows that start with an id and a number.
func keyed(ctx context.Context, tx *sql.Tx, query string, args, more []any, each func(domain.Key) error) error {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var key domain.Key
		if err := rows.Scan(append([]any{&key.ID, &key.Number}, more...)...); err != nil {
			return err
		}
		if err := each(key); err != nil {
			return err
		}
	}
	return rows.Err()
}

// decisions are the revisions on which there is a record: then one of them is in force.
func (l *queueLoad) decisions(ctx context.Context) (map[domain.Key]bool, error) {
	table := domain.EnforcementTable(l.area)
	id, number := keyColumns(table)
	decided := map[domain.Key]bool{}
	query := fmt.Sprintf("SELECT DISTINCT %s, %s FROM main.%s", quote(id), quote(number), table)
	err := keyed(ctx, l.tx, query, nil, nil, func(key domain.Key) error {
		decided[key] = true
		return nil
	})
	return decided, err
}

func (l *queueLoad) skips(ctx context.Context, reviewer domain.ID) (map[domain.Key]string, error) {
	skipped := map[domain.Key]string{}
	var reason string
	query := "SELECT id, revision, reason FROM main." + skipsTable + " WHERE reviewer = ? AND tableName = ?"
	err := keyed(ctx, l.tx, query, []any{string(reviewer), l.table.String()}, []any{&reason}, func(key domain.Key) error {
		skipped[key] = reason
		return nil
	})
	return skipped, err
}

// latestOf lists the latest revision of each id with its document. Ids and numbers come from the index, so that they
// are there even if a document is no longer JSON.
func latestOf(table domain.Table) string {
	id, number := keyColumns(table)
	return fmt.Sprintf("SELECT latest.id, latest.number, held.document FROM "+
		"(SELECT %[2]s AS id, max(%[3]s) AS number, rowid AS place FROM main.%[1]s INDEXED BY %[4]s GROUP BY %[2]s)"+
		" AS latest JOIN main.%[1]s AS held ON held.rowid = latest.place", table, quote(id), quote(number), keyIndex(table))
}

func (l *queueLoad) rows(ctx context.Context) ([]domain.QueueRow, error) {
	var queue []domain.QueueRow
	var document sql.RawBytes
	err := keyed(ctx, l.tx, latestOf(l.table), nil, []any{&document}, func(key domain.Key) error {
		row, err := l.row(ctx, key, document)
		queue = append(queue, row)
		return err
	})
	if err != nil {
		return nil, err
	}
	return queue, nil
}

func (l *queueLoad) row(ctx context.Context, key domain.Key, document []byte) (domain.QueueRow, error) {
	state := domain.RowState{Decided: l.decided[key], Skipped: l.skipped[key], Draft: l.drafted[key.ID]}
	packet, err := readHeld(l.reader, document, l.table, key)
	if err != nil {
		row := domain.UnreadableRow(l.table, key, err.Error())
		row.Decided, row.Skipped = state.Decided, state.Skipped
		return row, nil
	}
	policy, latestVersion, err := l.policies.of(ctx, packet)
	if err != nil {
		return domain.QueueRow{}, err
	}
	latest := domain.Latest{PolicyVersion: latestVersion, Revision: key.Number}
	return domain.NewQueueRow(policy, packet, latest, l.at, state), nil
}
