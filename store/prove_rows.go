package store

import (
	"context"
	"errors"

	"docket/domain"

	"golang.org/x/mod/sumdb/tlog"
)

// checkpointsOf reads the checkpoints of the sizes from the first to the last.
func checkpointsOf(ctx context.Context, q querier, first, last int64) (map[int64]string, error) {
	const query = "SELECT size, note FROM main." + checkpointsTable + " WHERE size BETWEEN ? AND ?"
	notes := map[int64]string{}
	err := eachRow(ctx, q, query, func(scan func(...any) error) error {
		var size int64
		var signed string
		err := scan(&size, &signed)
		notes[size] = signed
		return err
	}, first, last)
	return notes, err
}

// eachRow shows each row of a query to look.
func eachRow(ctx context.Context, q querier, query string, look func(scan func(...any) error) error, args ...any) (err error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := look(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// hashesOf reads the stored hashes that came with the entries from one sequence up to another.
func hashesOf(ctx context.Context, q querier, from, to int64) ([]tlog.Hash, error) {
	first, end := tlog.StoredHashIndex(0, from), tlog.StoredHashCount(to)
	hashes := make([]tlog.Hash, end-first)
	const query = "SELECT position, hash FROM main." + hashesTable + " WHERE position >= ? AND position < ?"
	err := eachRow(ctx, q, query, func(scan func(...any) error) error {
		var position int64
		var hash []byte
		if err := scan(&position, &hash); err != nil {
			return err
		}
		if len(hash) == tlog.HashSize {
			hashes[position-first] = tlog.Hash(hash)
		}
		return nil
	}, first, end)
	return hashes, err
}

// notesOf reads the private notes on a stretch of records.
func notesOf(ctx context.Context, q querier, from, to int64) (map[int64]domain.Note, error) {
	notes := map[int64]domain.Note{}
	const query = "SELECT sequence, salt, note FROM main." + notesTable + " WHERE sequence >= ? AND sequence < ?"
	err := eachRow(ctx, q, query, func(scan func(...any) error) error {
		var sequence int64
		var note domain.Note
		err := scan(&sequence, &note.Salt, &note.Text)
		notes[sequence] = note
		return err
	}, from, to)
	return notes, err
}
