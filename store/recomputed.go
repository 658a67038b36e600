package store

import (
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
)

// recomputed is a tree that is built leaf by leaf. It keeps the last hash of each level only: of those to the left,
// tlog never asks for others. The zero value is the empty tree.
type recomputed struct {
	size int64
	edge [64]struct {
		index int64
		hash  tlog.Hash
	}
}

// ReadHashes implements tlog.HashReader for what lies on the right edge.
func (t *recomputed) ReadHashes(positions []int64) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, len(positions))
	for i, position := range positions {
		level, index := tlog.SplitStoredHashIndex(position)
		if t.edge[level].index != index {
			return nil, fmt.Errorf("hash %d is not on the edge of a tree of %d", position, t.size)
		}
		hashes[i] = t.edge[level].hash
	}
	return hashes, nil
}

// add appends a leaf, and returns the hashes that came with it, in their stored order, and the new root.
func (t *recomputed) add(leaf tlog.Hash) (hashes []tlog.Hash, root tlog.Hash, err error) {
	if hashes, err = tlog.StoredHashesForRecordHash(t.size, leaf, t); err != nil {
		return nil, root, err
	}
	for level, hash := range hashes {
		t.edge[level].index, t.edge[level].hash = t.size>>level, hash
	}
	t.size++
	root, err = t.root()
	return hashes, root, err
}

func (t *recomputed) root() (tlog.Hash, error) { return tlog.TreeHash(t.size, t) }
