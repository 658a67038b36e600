package verify

import (
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
)

// A Tree is an RFC 6962 tree that grows leaf by leaf. It keeps the hashes of its upper levels and,
// of the lower ones, those of the latest leaves: enough to add to it, to cut tiles of height 8 as
// it grows, and for the root at any recent size. The zero value is empty. It serves one goroutine.
type Tree struct {
	size   int64
	levels [][]tlog.Hash
	first  []int64 // number of the first hash that is kept of each level
}

const (
	// recentLeaves is how far back a root is known: more than reviewers record while one decides.
	recentLeaves = 1 << 14
	// keptLevel is the level from which all hashes are kept: one in 256 leaves.
	keptLevel = 8
)

var errForgotten = errors.New("a hash of the tree is no longer kept")

// Size returns the number of leaves.
func (t *Tree) Size() int64 { return t.size }

// Add appends a leaf by its RFC 6962 hash, and returns the new hashes in the order of storing.
func (t *Tree) Add(leaf tlog.Hash) ([]tlog.Hash, error) {
	hashes, err := tlog.StoredHashesForRecordHash(t.size, leaf, t)
	if err != nil {
		return nil, fmt.Errorf("add to the tree: %w", err)
	}
	for level, hash := range hashes {
		if level == len(t.levels) {
			t.levels, t.first = append(t.levels, nil), append(t.first, 0)
		}
		t.levels[level] = append(t.levels[level], hash)
		t.forget(level)
	}
	t.size++
	return hashes, nil
}

// forget drops the older half of a lower level that holds twice as many hashes as needed.
func (t *Tree) forget(level int) {
	keep := recentLeaves >> level
	if level >= keptLevel || len(t.levels[level]) < 2*keep {
		return
	}
	drop := len(t.levels[level]) - keep
	t.levels[level] = append(t.levels[level][:0], t.levels[level][drop:]...)
	t.first[level] += int64(drop)
}

// Root is the root as it is now.
func (t *Tree) Root() (tlog.Hash, error) { return t.rootAt(t.size) }

// rootAt is the root of the first size leaves; errForgotten if that is too long ago.
func (t *Tree) rootAt(size int64) (tlog.Hash, error) {
	if size < 0 || size > t.size {
		return tlog.Hash{}, fmt.Errorf("the tree has %d leaves, not %d", t.size, size)
	}
	return tlog.TreeHash(size, t)
}

// ReadHashes implements tlog.HashReader.
func (t *Tree) ReadHashes(positions []int64) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, len(positions))
	for i, position := range positions {
		level, number := tlog.SplitStoredHashIndex(position)
		if level >= len(t.levels) {
			return nil, fmt.Errorf("the tree has no hash %d", position)
		}
		index := number - t.first[level]
		if index < 0 {
			return nil, errForgotten
		}
		if index >= int64(len(t.levels[level])) {
			return nil, fmt.Errorf("the tree has no hash %d", position)
		}
		hashes[i] = t.levels[level][index]
	}
	return hashes, nil
}

// rootFrom is rootAt for an old size: leaves are the hashes from the last multiple of 256 on.
func (t *Tree) rootFrom(size int64, leaves []tlog.Hash) (tlog.Hash, error) {
	start := size - int64(len(leaves))
	return tlog.TreeHash(size, tlog.HashReaderFunc(func(positions []int64) ([]tlog.Hash, error) {
		hashes := make([]tlog.Hash, len(positions))
		for i, position := range positions {
			level, number := tlog.SplitStoredHashIndex(position)
			if level >= keptLevel {
				kept, err := t.ReadHashes(positions[i : i+1])
				if err != nil {
					return nil, err
				}
				hashes[i] = kept[0]
				continue
			}
			hashes[i] = rootOf(leaves[number<<level-start:][:1<<level])
		}
		return hashes, nil
	}))
}

// rootOf is the root of a power of two of leaves.
func rootOf(leaves []tlog.Hash) tlog.Hash {
	if len(leaves) == 1 {
		return leaves[0]
	}
	return tlog.NodeHash(rootOf(leaves[:len(leaves)/2]), rootOf(leaves[len(leaves)/2:]))
}
