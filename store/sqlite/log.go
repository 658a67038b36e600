package sqlite

import (
	"context"
	"math/bits"
	"strings"

	"docket/domain/records"
	"docket/store/engine"

	"golang.org/x/mod/sumdb/tlog"
)

// logOf is the engine.Log of a transaction.
type logOf struct{ transaction }

// Log implements engine.Tx.
func (t transaction) Log() engine.Log { return logOf{t} }

func (q logOf) Last(ctx context.Context) (last int64, err error) {
	err = q.row(ctx, "SELECT coalesce(max(sequence), -1) FROM main."+logTable, nil, &last)
	return last, err
}

func (q logOf) NewestFrom(ctx context.Context, sequence int64) (id records.RecordID, err error) {
	err = q.row(ctx, "SELECT coalesce(max(recordId), '') FROM main."+logTable+" WHERE sequence >= ?", []any{sequence}, &id)
	return id, err
}

const leafColumns = "SELECT sequence, tableName, recordId, leafHash FROM main." + logTable

func (q logOf) Leaf(ctx context.Context, id records.RecordID) (leaf engine.Leaf, err error) {
	err = q.row(ctx, leafColumns+" WHERE recordId = ?", []any{string(id)}, leaf.Columns()...)
	return leaf, err
}

func (q logOf) Leaves(ctx context.Context, from, to int64, yield func(engine.Leaf) error) error {
	return engine.Each(ctx, q, leafColumns+" WHERE sequence >= ? AND sequence < ? ORDER BY sequence", (*engine.Leaf).Columns,
		func(leaf *engine.Leaf) error { return yield(*leaf) }, from, to)
}

func (q logOf) AddLeaf(ctx context.Context, leaf engine.Leaf) error {
	const statement = "INSERT INTO main." + logTable + " (sequence, tableName, recordId, leafHash) VALUES (?, ?, ?, ?)"
	return q.changeOne(ctx, statement, leaf.Sequence, leaf.Table, string(leaf.RecordID), leaf.Hash)
}

// mostPositions is how many hashes one query reads: more than the receipts of a page need.
const mostPositions = 8192

// Hashes has a query for each power of two, so that they are few and stay prepared; the last position is repeated to
// fill it.
func (q logOf) Hashes(ctx context.Context, positions []int64, yield func(position int64, hash []byte)) error {
	for len(positions) > 0 {
		some := positions[:min(len(positions), mostPositions)]
		positions = positions[len(some):]
		wanted := 1 << bits.Len(uint(len(some)-1))
		query := "SELECT position, hash FROM main." + hashesTable + " WHERE position IN (?" + strings.Repeat(", ?", wanted-1) + ")"
		args := make([]any, wanted)
		for i := range args {
			args[i] = some[min(i, len(some)-1)]
		}
		if err := engine.EachPair(ctx, q, query, yield, args...); err != nil {
			return err
		}
	}
	return nil
}

func (q logOf) HashesBetween(ctx context.Context, from, to int64, yield func(position int64, hash []byte)) error {
	return engine.EachPair(ctx, q, "SELECT position, hash FROM main."+hashesTable+" WHERE position >= ? AND position < ?", yield, from, to)
}

func (q logOf) AddHashes(ctx context.Context, first int64, hashes []tlog.Hash) error {
	count := len(hashes)
	statement := "INSERT INTO main." + hashesTable + " (position, hash) VALUES (?, ?)" + strings.Repeat(", (?, ?)", count-1)
	values := make([]any, 0, 2*count)
	for i := range hashes {
		values = append(values, first+int64(i), hashes[i][:])
	}
	return q.change(ctx, int64(count), statement, values...)
}

func (q logOf) Checkpoint(ctx context.Context, size int64) (note []byte, err error) {
	err = q.row(ctx, "SELECT note FROM main."+checkpointsTable+" WHERE size = ?", []any{size}, &note)
	return note, err
}

func (q logOf) NewestCheckpoint(ctx context.Context) (c engine.Checkpoint, err error) {
	err = q.row(ctx, "SELECT size, note FROM main."+checkpointsTable+" ORDER BY size DESC LIMIT 1", nil, &c.Size, &c.Note)
	return c, err
}

func (q logOf) Checkpoints(ctx context.Context, first, last int64) (map[int64]string, error) {
	return engine.Pairs[int64, string](ctx, q, "SELECT size, note FROM main."+checkpointsTable+" WHERE size BETWEEN ? AND ?", first, last)
}

func (q logOf) AddCheckpoint(ctx context.Context, c engine.Checkpoint) error {
	return q.changeOne(ctx, "INSERT INTO main."+checkpointsTable+" (size, note) VALUES (?, ?)", c.Size, string(c.Note))
}
