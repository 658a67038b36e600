package postgres

import (
	"context"

	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/records"
	"docket/store/engine"
)

// logOf is the engine.Log of a transaction.
type logOf struct{ *transaction }

// Log implements engine.Tx.
func (t *transaction) Log() engine.Log { return logOf{t} }

func (q logOf) Last(ctx context.Context) (last int64, err error) {
	err = q.row(ctx, "SELECT coalesce(max(sequence), -1) FROM docket.docket_log", nil, &last)
	return last, err
}

func (q logOf) NewestFrom(ctx context.Context, sequence int64) (id records.RecordID, err error) {
	err = q.row(ctx, "SELECT coalesce(max(recordId), '') FROM docket.docket_log WHERE sequence >= $1", []any{sequence}, &id)
	return id, err
}

const leafColumns = "SELECT sequence, tableName, recordId, leafHash FROM docket.docket_log"

func (q logOf) Leaf(ctx context.Context, id records.RecordID) (leaf engine.Leaf, err error) {
	err = q.row(ctx, leafColumns+" WHERE recordId = $1", []any{id}, leaf.Columns()...)
	return leaf, err
}

func (q logOf) Leaves(ctx context.Context, from, to int64, yield func(engine.Leaf) error) error {
	return engine.Each(ctx, q, leafColumns+" WHERE sequence >= $1 AND sequence < $2 ORDER BY sequence", (*engine.Leaf).Columns,
		func(leaf *engine.Leaf) error { return yield(*leaf) }, from, to)
}

func (q logOf) AddLeaf(ctx context.Context, leaf engine.Leaf) error {
	return q.changeOne(ctx, insert("docket_log", "sequence, tableName, recordId, leafHash"), leaf.Sequence, leaf.Table, leaf.RecordID, leaf.Hash)
}

func (q logOf) Hashes(ctx context.Context, positions []int64, yield func(position int64, hash []byte)) error {
	return engine.EachPair(ctx, q, "SELECT position, hash FROM docket.docket_log_hashes WHERE position = ANY ($1::bigint[])", yield, positions)
}

func (q logOf) HashesBetween(ctx context.Context, from, to int64, yield func(position int64, hash []byte)) error {
	return engine.EachPair(ctx, q, "SELECT position, hash FROM docket.docket_log_hashes WHERE position >= $1 AND position < $2", yield, from, to)
}

// AddHashes adds nothing, which is an error, unless the first position is the next one.
func (q logOf) AddHashes(ctx context.Context, first int64, hashes []tlog.Hash) error {
	values := make([][]byte, len(hashes))
	for i := range hashes {
		values[i] = hashes[i][:]
	}
	return q.change(ctx, int64(len(hashes)), "INSERT INTO docket.docket_log_hashes (position, hash)"+
		" SELECT $1::bigint + place - 1, hash FROM unnest($2::bytea[]) WITH ORDINALITY AS added (hash, place)"+
		" WHERE $1 = (SELECT coalesce(max(position) + 1, 0) FROM docket.docket_log_hashes)", first, values)
}

func (q logOf) Checkpoint(ctx context.Context, size int64) (note []byte, err error) {
	err = q.row(ctx, "SELECT note FROM docket.docket_checkpoints WHERE size = $1", []any{size}, &note)
	return note, err
}

func (q logOf) NewestCheckpoint(ctx context.Context) (c engine.Checkpoint, err error) {
	err = q.row(ctx, "SELECT size, note FROM docket.docket_checkpoints ORDER BY size DESC LIMIT 1", nil, &c.Size, &c.Note)
	return c, err
}

func (q logOf) Checkpoints(ctx context.Context, first, last int64) (map[int64]string, error) {
	return engine.Pairs[int64, string](ctx, q, "SELECT size, note FROM docket.docket_checkpoints WHERE size BETWEEN $1 AND $2", first, last)
}

// AddCheckpoint adds nothing, which is an error, unless the size is the next one.
func (q logOf) AddCheckpoint(ctx context.Context, c engine.Checkpoint) error {
	return q.changeOne(ctx, "INSERT INTO docket.docket_checkpoints (size, note) SELECT $1::bigint, $2"+
		" WHERE $1 = (SELECT coalesce(max(size) + 1, 0) FROM docket.docket_checkpoints)", c.Size, string(c.Note))
}
