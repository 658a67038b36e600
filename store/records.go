package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"docket/domain"

	"golang.org/x/mod/sumdb/tlog"
)

// A leaf is a row of the log.
type leaf struct {
	sequence int64
	table    domain.Table
	id       domain.RecordID
	hash     tlog.Hash
}

const leafColumns = "SELECT sequence, tableName, recordId, leafHash FROM main." + logTable

func (l *leaf) scan(row interface{ Scan(into ...any) error }) error {
	var table string
	var hash []byte
	if err := row.Scan(&l.sequence, &table, &l.id, &hash); err != nil {
		return err
	}
	parsed, err := domain.Tables.Parse(table)
	if err != nil || copy(l.hash[:], hash) != tlog.HashSize {
		return fmt.Errorf("row %d of the log: %w", l.sequence, ErrDamaged)
	}
	l.table = parsed
	return nil
}

// leafOf looks a record up in the log; the error wraps ErrNotFound if it is not there.
func leafOf(ctx context.Context, q querier, id domain.RecordID) (l leaf, err error) {
	err = l.scan(q.QueryRowContext(ctx, leafColumns+" WHERE recordId = ?", string(id)))
	if errors.Is(err, sql.ErrNoRows) {
		return leaf{}, fmt.Errorf("record %s: %w", id, ErrNotFound)
	}
	return l, err
}

// document returns the stored bytes of the record; none if its row is gone.
func (l *leaf) document(ctx context.Context, q querier) (document []byte, err error) {
	query := fmt.Sprintf("SELECT document FROM main.%s WHERE sequence = ?", l.table)
	err = q.QueryRowContext(ctx, query, l.sequence).Scan(&document)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return document, err
}

// logged reads the record of a leaf. One that cannot be read, or is not what was logged, says so. answered tells whether the
// store has any answer of a service.
func (l *leaf) logged(ctx context.Context, q querier, reader *domain.Reader, answered bool) (r domain.LoggedRecord, err error) {
	if r.Receipt, err = receiptOf(ctx, q, l.id, l.sequence, l.hash); err != nil {
		return r, err
	}
	if answered {
		if r.HandIn, err = handInOf(ctx, q, l.sequence); err != nil {
			return r, err
		}
	}
	query := fmt.Sprintf("SELECT coalesce(max(later.recordId), '') FROM main.%s AS later INDEXED BY %s WHERE later.supersedes = ? AND NOT %s",
		l.table, supersedesIndex(l.table), isRejected("later.sequence"))
	if err := q.QueryRowContext(ctx, query, string(l.id)).Scan(&r.SupersededBy); err != nil {
		return r, err
	}
	document, err := l.document(ctx, q)
	if err != nil {
		return r, err
	}
	if tlog.RecordHash(document) != l.hash {
		r.Unreadable = "its bytes are not those that were logged; run `docket verify`"
		return r, nil
	}
	record, err := reader.ReadEnforcement(domain.AreaOf(l.table), document)
	if err != nil {
		r.Unreadable = err.Error()
		return r, nil
	}
	r.Record = record
	if answered {
		err = l.replaced(ctx, q, &r)
	}
	return r, err
}

// replaced looks for a record of the service's log that took the place of this one: the service names it where it rejects a
// later record on the same revision. A record that was rejected itself has no place that another could take.
func (l *leaf) replaced(ctx context.Context, q querier, r *domain.LoggedRecord) error {
	if r.HandIn.State == domain.Rejected {
		r.SupersededBy = ""
		return nil
	}
	if r.SupersededBy.Present() {
		return nil
	}
	id, number := keyColumns(l.table)
	query := fmt.Sprintf("SELECT rejected.inForce FROM main.%s AS rejected WHERE rejected.inForce NOT IN ('', ?1) AND rejected.sequence IN "+
		"(SELECT later.sequence FROM main.%s AS later INDEXED BY %s WHERE later.%s = ?2 AND later.%s = ?3 AND later.sequence > ?4) "+
		"ORDER BY rejected.sequence LIMIT 1", rejectionsTable, l.table, keyIndex(l.table), quote(id), quote(number))
	key := r.Record.Members().Key
	err := q.QueryRowContext(ctx, query, string(l.id), string(key.ID), key.Number, l.sequence).Scan(&r.SupersededBy)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}

// loggedFrom reads the records of the leaves that a query yields.
func loggedFrom(ctx context.Context, tx *sql.Tx, reader *domain.Reader, query string,
	args ...any) ([]domain.LoggedRecord, error) {
	leaves, err := leavesFrom(ctx, tx, query, args...)
	if err != nil {
		return nil, err
	}
	answered, err := hasAnswers(ctx, tx)
	if err != nil {
		return nil, err
	}
	records := make([]domain.LoggedRecord, len(leaves))
	for i := range leaves {
		if records[i], err = leaves[i].logged(ctx, tx, reader, answered); err != nil {
			return nil, err
		}
	}
	return records, nil
}

func leavesFrom(ctx context.Context, tx *sql.Tx, query string, args ...any) (leaves []leaf, err error) {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var l leaf
		if err := l.scan(rows); err != nil {
			return nil, err
		}
		leaves = append(leaves, l)
	}
	return leaves, rows.Err()
}

// recordsOn lists the records on one revision, and those on the other revisions of its id, in log order.
func recordsOn(ctx context.Context, tx *sql.Tx, reader *domain.Reader, area domain.Area,
	key domain.Key) (here, elsewhere []domain.LoggedRecord, err error) {
	table := domain.EnforcementTable(area)
	id, number := keyColumns(table)
	query := fmt.Sprintf("%s WHERE recordId IN "+
		"(SELECT recordId FROM main.%s INDEXED BY %s WHERE %s = ? AND %s %%s ?) ORDER BY sequence",
		leafColumns, table, keyIndex(table), quote(id), quote(number))
	if here, err = loggedFrom(ctx, tx, reader, fmt.Sprintf(query, "="), string(key.ID), key.Number); err != nil {
		return nil, nil, err
	}
	elsewhere, err = loggedFrom(ctx, tx, reader, fmt.Sprintf(query, "<>"), string(key.ID), key.Number)
	return here, elsewhere, err
}

// AllRecords is the limit that Records takes for no limit.
const AllRecords = -1

// Records lists logged records, newest first: at most limit of those whose sequence is below before. 0 for before
// starts at the newest; the sequence of the last one is where the next page starts, until it is 0.
func (s *Store) Records(ctx context.Context, before int64, limit int) ([]domain.LoggedRecord, error) {
	var records []domain.LoggedRecord
	err := s.reading(ctx, "read the records", func(ctx context.Context, tx *sql.Tx) (err error) {
		query := leafColumns + " WHERE sequence < ?1 OR ?1 <= 0 ORDER BY sequence DESC LIMIT ?2"
		records, err = loggedFrom(ctx, tx, &domain.Reader{}, query, before, limit)
		return err
	})
	if err != nil {
		return nil, err
	}
	return records, nil
}

// Record returns one logged record; the error wraps ErrNotFound if there is none of that id.
func (s *Store) Record(ctx context.Context, id domain.RecordID) (domain.LoggedRecord, error) {
	var record domain.LoggedRecord
	err := s.reading(ctx, "read the record", func(ctx context.Context, tx *sql.Tx) error {
		l, err := leafOf(ctx, tx, id)
		if err != nil {
			return err
		}
		answered, err := hasAnswers(ctx, tx)
		if err != nil {
			return err
		}
		record, err = l.logged(ctx, tx, &domain.Reader{}, answered)
		return err
	})
	if err != nil {
		return domain.LoggedRecord{}, err
	}
	return record, nil
}

// ofRecord picks the row that belongs to the record of an id.
const ofRecord = " WHERE sequence = (SELECT sequence FROM main." + logTable + " WHERE recordId = ?)"

// Signature returns the armored SSHSIG of a record; the error wraps ErrNotFound if there is none.
func (s *Store) Signature(ctx context.Context, id domain.RecordID) ([]byte, error) {
	var signature []byte
	err := s.reading(ctx, "read the signature", func(ctx context.Context, tx *sql.Tx) error {
		const query = "SELECT signature FROM main." + signaturesTable + ofRecord
		err := tx.QueryRowContext(ctx, query, string(id)).Scan(&signature)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("signature of record %s: %w", id, ErrNotFound)
		}
		return err
	})
	return signature, err
}

// Note returns the private note on a record; the error wraps ErrNotFound if there is none.
func (s *Store) Note(ctx context.Context, id domain.RecordID) (domain.Note, error) {
	var note domain.Note
	err := s.reading(ctx, "read the note", func(ctx context.Context, tx *sql.Tx) error {
		const query = "SELECT salt, note FROM main." + notesTable + ofRecord
		err := tx.QueryRowContext(ctx, query, string(id)).Scan(&note.Salt, &note.Text)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("note on record %s: %w", id, ErrNotFound)
		}
		return err
	})
	return note, err
}
