package store

import (
	"context"
	"database/sql"
	"math"
)

// A ReceiptChain is where a store's receipts begin and what vouches for where they end.
type ReceiptChain struct {
	Origin   string // of the store, see overlap.Beginning and overlap.ChainOrigin
	Verifier string // of the signed heads, in the form of golang.org/x/mod/sumdb/note; "" without a usable key
	// Kept is the newest head that is kept outside the store; nil where there is none. KeptFault is why it cannot be
	// read, nil if it can.
	Kept      []byte
	KeptFault error
}

// Verifiers lists the verifier key, if there is one.
func (c *ReceiptChain) Verifiers() []string {
	if c.Verifier == "" {
		return nil
	}
	return []string{c.Verifier}
}

// ReceiptChain tells what vouches for the receipts. It is to be asked before the receipts are read: what is kept then
// is never ahead of them.
func (s *Store) ReceiptChain(ctx context.Context) (ReceiptChain, error) {
	release, err := s.hold(ctx)
	if err != nil {
		return ReceiptChain{}, err
	}
	defer release()
	if s.key == nil { // that is a finding of the store's; receipts, if there are any, do not verify
		return ReceiptChain{}, nil
	}
	chain := ReceiptChain{Origin: s.key.origin, Verifier: s.key.encoded}
	if s.options.AnchorFolder == "" {
		return chain, nil
	}
	kept, err := s.overlapAnchor().read(ctx)
	chain.Kept, chain.KeptFault = kept.note, err
	return chain, nil
}

// A StoredReceipt is a row of the chain. Nothing in it has been checked.
type StoredReceipt struct {
	Sequence int64
	Document []byte // of the receipt
	Head     []byte // the signed head of the chain with it
}

// receiptsAtOnce is how many are read in one transaction and held in memory.
const receiptsAtOnce = 256

// Receipts yields the receipts in the order of their sequences, as they are there: with gaps where some are gone. It
// stops with the error that yield returns, unchanged. No transaction is open while yield runs.
func (s *Store) Receipts(ctx context.Context, yield func(StoredReceipt) error) error {
	const query = "SELECT sequence, document, head FROM main." + overlapTable + " WHERE sequence >= ? ORDER BY sequence LIMIT ?"
	for from, more := int64(math.MinInt64), true; more; {
		var rows []StoredReceipt
		err := s.reading(ctx, "read the receipts", func(ctx context.Context, tx *sql.Tx) error {
			rows = rows[:0]
			return eachRow(ctx, tx, query, func(scan func(...any) error) error {
				var r StoredReceipt
				err := scan(&r.Sequence, &r.Document, &r.Head)
				rows = append(rows, r)
				return err
			}, from, receiptsAtOnce)
		})
		if err != nil {
			return err
		}
		for _, r := range rows {
			if err := yield(r); err != nil {
				return err
			}
		}
		if more = len(rows) == receiptsAtOnce && rows[len(rows)-1].Sequence < math.MaxInt64; more {
			from = rows[len(rows)-1].Sequence + 1
		}
	}
	return nil
}
