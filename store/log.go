package store

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"docket/domain"

	"golang.org/x/mod/sumdb/tlog"
)

// The log is one RFC 6962 tree over the records of both enforcement tables, in the order in which they were appended.
// A leaf is a record's canonical bytes. The hashes of the tree are kept as golang.org/x/mod/sumdb/tlog numbers them.

// A treeError says why there is no tree. It wraps ErrDamaged.
type treeError struct{ what string }

func (e *treeError) Error() string { return e.what }
func (e *treeError) Unwrap() error { return ErrDamaged }

func missingHash(position int64) error {
	return &treeError{fmt.Sprintf("hash %d is missing", position)}
}

// treeHashes reads stored hashes of the tree within one transaction, each once.
type treeHashes struct {
	ctx  context.Context
	q    querier
	held map[int64]tlog.Hash
}

func newTreeHashes(ctx context.Context, q querier) *treeHashes {
	return &treeHashes{ctx, q, map[int64]tlog.Hash{}}
}

// ReadHashes implements tlog.HashReader. The error wraps ErrDamaged if a hash is not there or is none.
func (t *treeHashes) ReadHashes(positions []int64) ([]tlog.Hash, error) {
	missing := []byte{'['}
	for _, position := range positions {
		if _, held := t.held[position]; !held {
			missing = append(strconv.AppendInt(missing, position, 10), ',')
		}
	}
	if last := len(missing) - 1; last > 0 {
		missing[last] = ']'
		if err := t.load(string(missing)); err != nil {
			return nil, err
		}
	}
	hashes := make([]tlog.Hash, len(positions))
	for i, position := range positions {
		hash, held := t.held[position]
		if !held {
			return nil, missingHash(position)
		}
		hashes[i] = hash
	}
	return hashes, nil
}

// load reads the hashes at the positions, listed in JSON, in one query.
func (t *treeHashes) load(positions string) (err error) {
	const query = "SELECT position, hash FROM main." + hashesTable + " WHERE position IN (SELECT value FROM json_each(?))"
	rows, err := t.q.QueryContext(t.ctx, query, positions)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var position int64
		var stored []byte
		if err := rows.Scan(&position, &stored); err != nil {
			return err
		}
		if len(stored) != tlog.HashSize {
			return missingHash(position)
		}
		t.held[position] = tlog.Hash(stored)
	}
	return rows.Err()
}

// fromTree takes a hash of the tree over into the domain.
func fromTree(h tlog.Hash) domain.Hash {
	hash, _ := domain.ParseHash("sha256:" + hex.EncodeToString(h[:]))
	return hash
}

// toTree is the reverse; the zero hash for an absent one, which no tree has.
func toTree(h domain.Hash) (hash tlog.Hash) {
	text, _ := strings.CutPrefix(h.String(), "sha256:")
	raw, _ := hex.DecodeString(text)
	copy(hash[:], raw)
	return hash
}

// Head returns the log's size and root as they are now.
func (s *Store) Head(ctx context.Context) (head domain.LogHead, err error) {
	err = s.reading(ctx, "read the log", func(ctx context.Context, tx *sql.Tx) error {
		head, err = headOf(ctx, tx)
		return err
	})
	return head, err
}

func headOf(ctx context.Context, q querier) (domain.LogHead, error) {
	size, err := logSize(ctx, q)
	if err != nil {
		return domain.LogHead{}, err
	}
	root, err := tlog.TreeHash(size, newTreeHashes(ctx, q))
	if err != nil {
		return domain.LogHead{}, err
	}
	return domain.LogHead{Size: size, Root: fromTree(root)}, nil
}

// mostRecords is more than any log has. A size is read from a file that anybody may have edited, and a tree of a
// forged one would be computed forever.
const mostRecords = 1 << 40

// logSize is how many records the log has. The error wraps ErrDamaged if that cannot be.
func logSize(ctx context.Context, q querier) (size int64, err error) {
	var last int64
	err = q.QueryRowContext(ctx, "SELECT coalesce(max(sequence), -1) FROM main."+logTable).Scan(&last)
	if err == nil && (last < -1 || last >= mostRecords) {
		return 0, &treeError{fmt.Sprintf("the log says that it ends at %d", last)}
	}
	return last + 1, err
}

// checkExtends proves that the log as it is extends the log as the reviewer saw it.
func checkExtends(ctx context.Context, q querier, seen domain.LogHead) error {
	now, err := headOf(ctx, q)
	if err != nil {
		return err
	}
	differs := fmt.Errorf("%w: %w, which was %d records; run `docket verify`", domain.ErrRefused, ErrForked, seen.Size)
	if seen.Size > now.Size {
		return differs
	}
	hashes := newTreeHashes(ctx, q)
	root, err := tlog.TreeHash(seen.Size, hashes)
	if err != nil {
		return err
	}
	if root != toTree(seen.Root) {
		return differs
	}
	if seen.Size == 0 {
		return nil
	}
	proof, err := tlog.ProveTree(now.Size, seen.Size, hashes)
	if err != nil {
		return err
	}
	if tlog.CheckTree(proof, now.Size, toTree(now.Root), seen.Size, root) != nil {
		return differs
	}
	return nil
}

// addLeaf appends a record to the log, and returns its receipt.
func addLeaf(ctx context.Context, tx *sql.Tx, record domain.Enforcement) (domain.Receipt, error) {
	sequence, err := logSize(ctx, tx)
	if err != nil {
		return domain.Receipt{}, err
	}
	leaf := tlog.RecordHash(record.Document())
	hashes, err := tlog.StoredHashesForRecordHash(sequence, leaf, newTreeHashes(ctx, tx))
	if err != nil {
		return domain.Receipt{}, err
	}
	id := record.Members().RecordID
	statement := "INSERT INTO main." + logTable + " (sequence, tableName, recordId, leafHash) VALUES (?, ?, ?, ?)"
	err = changeOne(ctx, tx, statement, sequence, record.Table().String(), string(id), leaf[:])
	if err != nil {
		return domain.Receipt{}, err
	}
	statement = "INSERT INTO main." + hashesTable + " (position, hash) VALUES (?, ?)"
	first := tlog.StoredHashIndex(0, sequence)
	for i := range hashes {
		if err := changeOne(ctx, tx, statement, first+int64(i), hashes[i][:]); err != nil {
			return domain.Receipt{}, err
		}
	}
	return receiptOf(ctx, tx, id, sequence, leaf)
}

// receiptOf is the receipt of a logged record: the tree is the one of which it was the last leaf.
func receiptOf(ctx context.Context, q querier, id domain.RecordID, sequence int64,
	leaf tlog.Hash) (domain.Receipt, error) {
	root, err := tlog.TreeHash(sequence+1, newTreeHashes(ctx, q))
	if err != nil {
		return domain.Receipt{}, err
	}
	return domain.Receipt{RecordID: id, Sequence: sequence, LeafHash: fromTree(leaf), TreeSize: sequence + 1,
		Root: fromTree(root)}, nil
}
