package store

import (
	"context"
	"database/sql"
	"fmt"

	"docket/domain"
	"docket/store/merkle"

	"golang.org/x/mod/sumdb/tlog"
)

// An Inclusion proves that a leaf stands at a place of the log: the RFC 6962 audit path from the leaf to the root.
type Inclusion struct {
	Sequence int64         `json:"sequence"`
	TreeSize int64         `json:"treeSize"`
	LeafHash domain.Hash   `json:"leafHash"`
	Path     []domain.Hash `json:"path"` // from the leaf up
	Root     domain.Hash   `json:"root"`
}

// Inclusion proves that the record is in the log as it is now. The proof has been checked against the leaf recomputed
// from the record's bytes; the error wraps ErrDamaged if it does not hold, and ErrNotFound if there is no such record.
func (s *Store) Inclusion(ctx context.Context, id domain.RecordID) (proof Inclusion, err error) {
	logged, err := s.Record(ctx, id)
	if err != nil {
		return Inclusion{}, err
	}
	leaf := tlog.RecordHash(logged.Record.Document())
	err = s.reading(ctx, "prove the record", func(ctx context.Context, tx *sql.Tx) error {
		head, err := headOf(ctx, tx)
		if err != nil {
			return err
		}
		path, err := tlog.ProveRecord(head.Size, logged.Receipt.Sequence, treeOf(ctx, tx))
		if err != nil {
			return err
		}
		if err := tlog.CheckRecord(path, head.Size, merkle.ToTree(head.Root), logged.Receipt.Sequence, leaf); err != nil {
			return fmt.Errorf("record %s is not in the tree of the log: %w", id, ErrDamaged)
		}
		proof = Inclusion{Sequence: logged.Receipt.Sequence, TreeSize: head.Size, LeafHash: merkle.FromTree(leaf),
			Path: make([]domain.Hash, 0, len(path)), Root: head.Root}
		for _, hash := range path {
			proof.Path = append(proof.Path, merkle.FromTree(hash))
		}
		return nil
	})
	return proof, err
}
