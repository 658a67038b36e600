package store

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
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
