// Package merkle is the log of a store without its database: the RFC 6962 tree over its entries,
// the C2SP tlog-checkpoints that are signed of it, the keys that sign them, and the anchor, a file
// outside the store that keeps the newest checkpoint.
//
// A Log reads the hashes of the tree through a Source, which the store implements over a table, and
// returns the hashes to be stored. Start at Log in tree.go, Key in key.go and Anchor in anchor.go.
package merkle

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/store/disk"
)

// A treeError says why there is no tree; it wraps disk.ErrDamaged.
type treeError struct{ what string }

func (e *treeError) Error() string { return e.what }

func (e *treeError) Unwrap() error { return disk.ErrDamaged }

// mostEntries is more than any log has: the tree of a forged size would be computed forever.
const mostEntries = 1 << 40

// SizeOf returns the size of a log whose last entry has the number; -1 stands for none. The error
// wraps disk.ErrDamaged if a log cannot end there.
func SizeOf(last int64) (int64, error) {
	if last < -1 || last >= mostEntries {
		return 0, &treeError{fmt.Sprintf("the log says that it ends at %d", last)}
	}
	return last + 1, nil
}

// A Source yields each hash that is stored at one of the positions, in any order, within one
// transaction, and leaves missing ones out. A query takes a few thousand positions.
type Source func(positions []int64, each func(position int64, hash []byte)) error

// Hashes reads stored hashes of a tree, each once.
type Hashes struct {
	source Source
	held   map[int64]tlog.Hash
}

// NewHashes reads from the source.
func NewHashes(source Source) *Hashes { return &Hashes{source, map[int64]tlog.Hash{}} }

// ReadHashes implements tlog.HashReader; disk.ErrDamaged for a missing hash or one of another
// length.
func (h *Hashes) ReadHashes(positions []int64) ([]tlog.Hash, error) {
	if err := h.load(positions); err != nil {
		return nil, err
	}
	hashes := make([]tlog.Hash, len(positions))
	for i, position := range positions {
		hash, held := h.held[position]
		if !held {
			return nil, &treeError{fmt.Sprintf("hash %d is missing", position)}
		}
		hashes[i] = hash
	}
	return hashes, nil
}

func (h *Hashes) load(positions []int64) error {
	var missing []int64
	for _, position := range positions {
		if _, held := h.held[position]; !held {
			missing = append(missing, position)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	var wrong error
	err := h.source(missing, func(position int64, hash []byte) {
		if len(hash) != tlog.HashSize {
			wrong = &treeError{fmt.Sprintf("hash %d has %d bytes", position, len(hash))}
			return
		}
		h.held[position] = tlog.Hash(hash)
	})
	return cmp.Or(err, wrong)
}

// Preload reads all hashes for the roots at these sizes in one call of the source.
func (h *Hashes) Preload(sizes []int64) error {
	wanted := wantedHashes{}
	for _, size := range sizes {
		if _, err := tlog.TreeHash(size, wanted); err != nil {
			return err
		}
	}
	return h.load(slices.Sorted(maps.Keys(wanted)))
}

// wantedHashes notes from which hashes a tree hash is computed.
type wantedHashes map[int64]bool

// ReadHashes implements tlog.HashReader, with hashes that are not those of the tree.
func (w wantedHashes) ReadHashes(positions []int64) ([]tlog.Hash, error) {
	for _, position := range positions {
		w[position] = true
	}
	return make([]tlog.Hash, len(positions)), nil
}

// A Log is the tree of a log within one transaction.
type Log struct {
	Size   int64
	Hashes *Hashes
}

// NewLog returns the log of a size whose hashes are in the source.
func NewLog(size int64, source Source) *Log { return &Log{size, NewHashes(source)} }

// Root returns the root that the log had at the size.
func (l *Log) Root(size int64) (tlog.Hash, error) { return tlog.TreeHash(size, l.Hashes) }

// Extends proves by RFC 6962 consistency whether the log begins with the entries that seen names.
func (l *Log) Extends(seen records.LogHead) (bool, error) {
	if seen.Size > l.Size {
		return false, nil
	}
	then, err := l.Root(seen.Size)
	same := err == nil && then == signed.ToTree(seen.Root)
	if !same || seen.Size == 0 || seen.Size == l.Size {
		return same, err
	}
	now, err := l.Root(l.Size)
	if err != nil {
		return false, err
	}
	proof, err := tlog.ProveTree(l.Size, seen.Size, l.Hashes)
	return err == nil && tlog.CheckTree(proof, l.Size, now, seen.Size, then) == nil, err
}

// Add appends a leaf to the tree, and returns the hashes to be stored from the end on.
func (l *Log) Add(leaf tlog.Hash) ([]tlog.Hash, error) {
	first := tlog.StoredHashIndex(0, l.Size)
	hashes, err := tlog.StoredHashesForRecordHash(l.Size, leaf, l.Hashes)
	if err != nil {
		return nil, err
	}
	for i, hash := range hashes {
		l.Hashes.held[first+int64(i)] = hash
	}
	l.Size++
	return hashes, nil
}

// Receipt returns the receipt of a logged record, of the tree whose last leaf is the record.
func (l *Log) Receipt(id records.RecordID, sequence int64, at string, leaf tlog.Hash) (records.Receipt, error) {
	root, err := l.Root(sequence + 1)
	if err != nil {
		return records.Receipt{}, err
	}
	return records.Receipt{RecordID: id, Sequence: sequence, At: at, LeafHash: signed.FromTree(leaf),
		TreeSize: sequence + 1, Root: signed.FromTree(root)}, nil
}
