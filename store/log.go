package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"docket/domain"

	"golang.org/x/mod/sumdb/tlog"
)

// The log is one RFC 6962 tree over the records of both enforcement tables, in the order in which they were appended.
// A leaf is a record's canonical bytes. The hashes of the tree are kept as golang.org/x/mod/sumdb/tlog numbers them.

// mostRecords is more than any log has. A size is read from a file that anybody may have edited, and a tree of a
// forged one would be computed forever.
const mostRecords = 1 << 40

// logSize is how many records the log has. The error wraps ErrDamaged if that cannot be.
func logSize(ctx context.Context, q querier) (size int64, err error) {
	var last int64
	if err := q.QueryRowContext(ctx, "SELECT coalesce(max(sequence), -1) FROM main."+logTable).Scan(&last); err != nil {
		return 0, err
	}
	return sizeOf(last)
}

// sizeOf is the size of a log of which this is the last row; -1 where there is none.
func sizeOf(last int64) (int64, error) {
	if last < -1 || last >= mostRecords {
		return 0, &treeError{fmt.Sprintf("the log says that it ends at %d", last)}
	}
	return last + 1, nil
}

// Head returns the log's origin, size and root as they are now.
func (s *Store) Head(ctx context.Context) (head domain.LogHead, err error) {
	err = s.reading(ctx, "read the log", func(ctx context.Context, tx *sql.Tx) error {
		head, err = headOf(ctx, tx)
		return err
	})
	return head, err
}

func headOf(ctx context.Context, q querier) (domain.LogHead, error) {
	l, err := logOf(ctx, q)
	if err != nil {
		return domain.LogHead{}, err
	}
	root, err := tlog.TreeHash(l.size, l.hashes)
	if err != nil {
		return domain.LogHead{}, err
	}
	head := domain.LogHead{Size: l.size, Root: fromTree(root)}
	return head, q.QueryRowContext(ctx, oneMeta, metaOrigin).Scan(&head.Origin)
}

// An openLog is the log within one transaction.
type openLog struct {
	size   int64
	hashes *treeHashes
}

func logOf(ctx context.Context, q querier) (*openLog, error) {
	size, err := logSize(ctx, q)
	if err != nil {
		return nil, err
	}
	return &openLog{size, newTreeHashes(ctx, q)}, nil
}

// checkExtends proves that the log as it is extends the log as the reviewer saw it.
func (l *openLog) checkExtends(seen domain.LogHead) error {
	differs := fmt.Errorf("%w: %w, which was %d records; run `docket verify`", domain.ErrRefused, ErrForked, seen.Size)
	if seen.Size > l.size {
		return differs
	}
	then, err := tlog.TreeHash(seen.Size, l.hashes)
	if err != nil {
		return err
	}
	if then != toTree(seen.Root) {
		return differs
	}
	if seen.Size == 0 || seen.Size == l.size {
		return nil
	}
	now, err := tlog.TreeHash(l.size, l.hashes)
	if err != nil {
		return err
	}
	proof, err := tlog.ProveTree(l.size, seen.Size, l.hashes)
	if err != nil {
		return err
	}
	if tlog.CheckTree(proof, l.size, now, seen.Size, then) != nil {
		return differs
	}
	return nil
}

// add appends a record to the log, and returns its receipt.
func (l *openLog) add(ctx context.Context, tx *sql.Tx, record domain.Enforcement) (domain.Receipt, error) {
	sequence := l.size
	leaf := tlog.RecordHash(record.Document())
	hashes, err := tlog.StoredHashesForRecordHash(sequence, leaf, l.hashes)
	if err != nil {
		return domain.Receipt{}, err
	}
	id := record.Members().RecordID
	statement := "INSERT INTO main." + logTable + " (sequence, tableName, recordId, leafHash) VALUES (?, ?, ?, ?)"
	err = changeOne(ctx, tx, statement, sequence, record.Table().String(), string(id), leaf[:])
	if err != nil {
		return domain.Receipt{}, err
	}
	statement = "INSERT INTO main." + hashesTable + " (position, hash) VALUES (?, ?)" + strings.Repeat(", (?, ?)", len(hashes)-1)
	first := tlog.StoredHashIndex(0, sequence)
	values := make([]any, 0, 2*len(hashes))
	for i, hash := range hashes {
		position := first + int64(i)
		values = append(values, position, hash[:])
		l.hashes.held[position] = hash
	}
	if err := change(ctx, tx, int64(len(hashes)), statement, values...); err != nil {
		return domain.Receipt{}, err
	}
	l.size++
	return l.receipt(id, sequence, leaf)
}

// receipt is the one of a logged record: the tree is the one of which it was the last leaf.
func (l *openLog) receipt(id domain.RecordID, sequence int64, leaf tlog.Hash) (domain.Receipt, error) {
	root, err := tlog.TreeHash(sequence+1, l.hashes)
	if err != nil {
		return domain.Receipt{}, err
	}
	return domain.Receipt{RecordID: id, Sequence: sequence, LeafHash: fromTree(leaf), TreeSize: sequence + 1,
		Root: fromTree(root)}, nil
}

func receiptOf(ctx context.Context, q querier, id domain.RecordID, sequence int64,
	leaf tlog.Hash) (domain.Receipt, error) {
	return (&openLog{hashes: newTreeHashes(ctx, q)}).receipt(id, sequence, leaf)
}
