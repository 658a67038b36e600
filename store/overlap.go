package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"docket/domain/overlap"
)

// The receipts of the private-overlap pilot form a hash chain: each holds the hash of the one before it, the first one
// that of the store's origin. The head of the chain is signed with the store's key at every length, as a checkpoint
// whose root is the hash of the last receipt, and the newest head is also kept outside the store, as that of the log
// is (anchor.go). What is not found: receipts that are gone from the end of the chain where no head is kept, as on a
// machine that never wrote to the store, and what somebody does who can also change what is kept.

// AppendReceipt adds the receipt of an answered request to the chain. When it returns one, it is durable. An
// *AnchorError comes with the receipt: only the head outside the store is not up to date.
func (s *Store) AppendReceipt(ctx context.Context, entry overlap.Entry) (overlap.Receipt, error) {
	var receipt overlap.Receipt
	var newest checkpoint
	err := s.writing(ctx, "append the receipt", func(ctx context.Context, tx *sql.Tx) error {
		head, err := s.overlapHead(ctx, tx)
		if err != nil {
			return err
		}
		if err := s.proveReceipts(ctx, tx, head); err != nil {
			return err
		}
		if receipt, err = entry.After(head); err != nil {
			return err
		}
		next := receipt.Head()
		if newest, err = s.key.forReceipts().sign(next.Size, toTree(next.Hash)); err != nil {
			return err
		}
		return changeOne(ctx, tx, "INSERT INTO main."+overlapTable+" (sequence, document, head) VALUES (?, ?, ?)",
			receipt.Sequence, string(receipt.Document()), string(newest.note))
	})
	if err != nil {
		return overlap.Receipt{}, err
	}
	return receipt, s.keepReceipts(ctx, newest)
}

// forReceipts is the key as it signs the heads of the chain of receipts.
func (k *logKey) forReceipts() *logKey {
	signing := *k
	signing.origin = overlap.ChainOrigin(k.origin)
	return &signing
}

// overlapHead reads the end of the chain, and holds it to the head that was signed with it.
func (s *Store) overlapHead(ctx context.Context, q querier) (overlap.Head, error) {
	var document, signed []byte
	err := q.QueryRowContext(ctx, "SELECT document, head FROM main."+overlapTable+" ORDER BY sequence DESC LIMIT 1").
		Scan(&document, &signed)
	if errors.Is(err, sql.ErrNoRows) {
		return overlap.Beginning(s.key.origin), nil
	}
	if err != nil {
		return overlap.Head{}, err
	}
	receipt, err := overlap.ReadReceipt(document)
	if err != nil {
		return overlap.Head{}, s.brokenChain(err)
	}
	head := receipt.Head()
	kept, err := s.key.forReceipts().open(signed)
	if err != nil {
		return overlap.Head{}, s.brokenChain(err)
	}
	if kept.size != head.Size || kept.root != toTree(head.Hash) {
		return overlap.Head{}, s.brokenChain(errors.New("the last receipt is not the one that was signed"))
	}
	return head, nil
}

// proveReceipts holds the chain to extending the head that is kept outside the store.
func (s *Store) proveReceipts(ctx context.Context, q querier, head overlap.Head) error {
	if s.options.AnchorFolder == "" {
		return nil
	}
	kept, err := s.overlapAnchor().read(ctx)
	switch {
	case err != nil:
		return s.brokenChain(fmt.Errorf("what is kept of it outside the store: %w", err))
	case kept.size > head.Size:
		return s.brokenChain(fmt.Errorf("there are %d receipts where %d were", head.Size, kept.size))
	}
	then := head
	if kept.size < head.Size {
		if then, err = s.overlapHeadAt(ctx, q, kept.size); err != nil {
			return err
		}
	}
	if kept.root != toTree(then.Hash) {
		return s.brokenChain(errors.New("it is not the one that this machine last saw"))
	}
	return nil
}

// overlapHeadAt is the head that the chain had at an earlier size.
func (s *Store) overlapHeadAt(ctx context.Context, q querier, size int64) (overlap.Head, error) {
	if size == 0 {
		return overlap.Beginning(s.key.origin), nil
	}
	var document []byte
	err := q.QueryRowContext(ctx, "SELECT document FROM main."+overlapTable+" WHERE sequence = ?", size-1).Scan(&document)
	if errors.Is(err, sql.ErrNoRows) {
		return overlap.Head{}, s.brokenChain(fmt.Errorf("receipt %d is gone", size-1))
	}
	if err != nil {
		return overlap.Head{}, err
	}
	receipt, err := overlap.ReadReceipt(document)
	if err != nil {
		return overlap.Head{}, s.brokenChain(err)
	}
	return receipt.Head(), nil
}

// brokenChain says that the receipts are not what they were.
func (s *Store) brokenChain(cause error) error {
	return &Problem{Path: s.path, Kind: ErrReceipts, cause: cause, Advice: "run `docket verify`: " + cause.Error()}
}

// ErrReceipts says that the chain of overlap receipts is broken; it then takes none.
var ErrReceipts = errors.New("the chain of overlap receipts is not what it was")

// overlapAnchor is where the newest head is kept outside the store. It is made anew for each use, which is rare.
func (s *Store) overlapAnchor() *anchor {
	return newAnchor(s.options.AnchorFolder, s.key.forReceipts(), s.busyTimeout())
}

// keepReceipts keeps the head outside the store, and waits until it is on the disk.
func (s *Store) keepReceipts(ctx context.Context, newest checkpoint) error {
	if s.options.AnchorFolder == "" {
		return nil
	}
	kept := s.overlapAnchor()
	err := errors.Join(kept.keep(context.WithoutCancel(ctx), newest), kept.close())
	if err != nil {
		return &AnchorError{err}
	}
	return nil
}
