package store

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"docket/domain"

	"golang.org/x/mod/sumdb/tlog"
)

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
	var missing []any
	for _, position := range positions {
		if _, held := t.held[position]; !held {
			missing = append(missing, position)
		}
	}
	for len(missing) > 0 {
		some := missing[:min(len(missing), mostPositions)]
		if err := t.load(some); err != nil {
			return nil, err
		}
		missing = missing[len(some):]
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

// mostPositions is how many hashes one query asks for. A root takes one for each bit of the log's size, at most.
const mostPositions = 64

// load reads the hashes at the positions in one query. There is a query for each power of two, so that they are few
// and stay prepared; the last position stands in it as often as is needed.
func (t *treeHashes) load(positions []any) (err error) {
	wanted := 1 << bits.Len(uint(len(positions)-1))
	query := "SELECT position, hash FROM main." + hashesTable + " WHERE position IN (?" + strings.Repeat(", ?", wanted-1) + ")"
	args := append(make([]any, 0, wanted), positions...)
	for len(args) < wanted {
		args = append(args, positions[len(positions)-1])
	}
	rows, err := t.q.QueryContext(t.ctx, query, args...)
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

// preload reads all the hashes that the receipts of leaves take.
func (t *treeHashes) preload(leaves []leaf) error {
	wanted := wantedHashes{}
	for i := range leaves {
		if _, err := tlog.TreeHash(leaves[i].sequence+1, wanted); err != nil {
			return err
		}
	}
	var positions []any
	for position := range wanted {
		positions = append(positions, position)
	}
	for len(positions) > 0 {
		some := positions[:min(len(positions), mostPreloaded)]
		if err := t.load(some); err != nil {
			return err
		}
		positions = positions[len(some):]
	}
	return nil
}

// mostPreloaded is how many hashes one query asks for where many are needed: more than the receipts of a page take.
const mostPreloaded = 8192

// wantedHashes notes which hashes a tree hash is made of.
type wantedHashes map[int64]bool

// ReadHashes implements tlog.HashReader; what it gives is no hash of the tree.
func (w wantedHashes) ReadHashes(positions []int64) ([]tlog.Hash, error) {
	for _, position := range positions {
		w[position] = true
	}
	return make([]tlog.Hash, len(positions)), nil
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
