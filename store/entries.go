package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"docket/domain"
	"docket/store/verify"
)

// entriesAtOnce is how many entries are read in one transaction and held in memory.
const entriesAtOnce = 128

// entriesQuery reads what belongs to each of a range of sequences, gaps included. Records are found by their place
// alone: no column that is derived from a document has a say.
var entriesQuery = fmt.Sprintf(`WITH RECURSIVE place (n) AS (SELECT ?1 UNION ALL SELECT n + 1 FROM place WHERE n + 1 < ?2)
SELECT place.n, log.tableName, log.recordId, log.leafHash, signature.signature,
  coalesce(packet.salt, ''), coalesce(reasons.salt, ''), coalesce(reasons.statement, ''), coalesce(note.salt, ''), coalesce(note.note, ''),
  CASE log.tableName WHEN '%[3]s' THEN amendment.document ELSE appeal.document END,
  CASE log.tableName WHEN '%[3]s' THEN appeal.document ELSE amendment.document END
FROM place
LEFT JOIN main.%[1]s AS log ON log.sequence = place.n
LEFT JOIN main.%[2]s AS appeal ON appeal.sequence = place.n
LEFT JOIN main.%[3]s AS amendment ON amendment.sequence = place.n
LEFT JOIN main.%[4]s AS signature ON signature.sequence = place.n
LEFT JOIN main.%[5]s AS packet ON packet.sequence = place.n
LEFT JOIN main.%[6]s AS reasons ON reasons.sequence = place.n
LEFT JOIN main.%[7]s AS note ON note.sequence = place.n`,
	logTable, domain.AppealEnforcements, domain.AmendmentEnforcements, signaturesTable, saltsTable, reasonsTable, notesTable)

// Entries yields the entries from a sequence on in order, one for each number below the size that the log has when
// Entries is called, also where something is missing. It stops with the error that yield returns, unchanged. What an
// Entry points to is yield's own. No transaction is open while yield runs.
func (s *Store) Entries(ctx context.Context, from int64, yield func(verify.Entry) error) error {
	snapshot, err := s.Snapshot(ctx)
	if err != nil {
		return err
	}
	return snapshot.Entries(ctx, from, yield)
}

// Entries yields the entries of the snapshot from a sequence on, as Store.Entries does.
func (v *Snapshot) Entries(ctx context.Context, from int64, yield func(verify.Entry) error) error {
	for from = max(from, 0); from < v.size; from += entriesAtOnce {
		entries, err := v.entries(ctx, from, min(from+entriesAtOnce, v.size))
		if err != nil {
			return err
		}
		for i := range entries {
			if err := yield(entries[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// entries reads those from one sequence up to, and not with, another.
func (v *Snapshot) entries(ctx context.Context, from, to int64) (entries []verify.Entry, err error) {
	err = v.reading(ctx, "read the log", func(ctx context.Context, tx *sql.Tx) (err error) {
		entries, err = entriesOf(ctx, tx, from, to)
		return err
	})
	if err != nil {
		return nil, err
	}
	return entries, nil
}

func entriesOf(ctx context.Context, q querier, from, to int64) (entries []verify.Entry, err error) {
	rows, err := q.QueryContext(ctx, entriesQuery, from, to)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	entries = make([]verify.Entry, 0, to-from)
	for rows.Next() {
		var e verify.Entry
		var table, id sql.NullString
		var note domain.Note
		var elsewhere []byte // the record at the same place of the other table
		err := rows.Scan(&e.Sequence, &table, &id, &e.LeafHash, &e.Signature, &e.PacketSalt, &e.Statement.Salt, &e.Statement.Text,
			&note.Salt, &note.Text, &e.Document, &elsewhere)
		if err != nil {
			return nil, err
		}
		e.NoteDigest = note.Digest()
		if e.Table, err = domain.Tables.Parse(table.String); err != nil && e.Document == nil {
			e.Document = elsewhere
		}
		e.RecordID = domain.RecordID(id.String)
		entries = append(entries, e)
	}
	return entries, rows.Err()
}
