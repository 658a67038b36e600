package audit

import (
	"context"
	"errors"
	"fmt"

	"docket/domain"
	"docket/domain/overlap"
)

// Receipts is a source of the receipts of the private-overlap pilot. What it yields may be damaged or forged.
type Receipts interface {
	// Chain says what vouches for the receipts. It is asked before them.
	Chain(ctx context.Context) (Chain, error)
	// Receipts yields them in the order of the sequences under which they are filed. It stops with the error that
	// yield returns, and returns it unchanged.
	Receipts(ctx context.Context, yield func(Receipt) error) error
}

// A Chain is where receipts begin and what vouches for where they end.
type Chain struct {
	Origin       string   // of the store
	VerifierKeys []string // of the signed heads
	Kept         []byte   // the newest head kept outside the store, signed; nil if there is none
	KeptFault    error    // why that cannot be read; nil if it can
}

// A Receipt is one link as the source holds it.
type Receipt struct {
	Sequence int64
	Document []byte
	Head     []byte // the signed head of the chain with it
}

// CheckReceipts checks the chain of receipts and adds what it finds to the report of the log. It finds receipts that
// were changed, added, moved or removed, at the end of the chain as far as a head is kept. An error means that the
// chain could not be read to its end. It returns how many receipts there are.
func CheckReceipts(ctx context.Context, source Receipts, r *Report, o Options) (int64, error) {
	chain, err := source.Chain(ctx)
	if err != nil {
		return 0, fmt.Errorf("read what vouches for the receipts: %w", err)
	}
	keys := o.VerifierKeys
	if len(keys) == 0 {
		keys = chain.VerifierKeys
	}
	c := &receiptCheck{origin: overlap.ChainOrigin(chain.Origin), keys: keys, head: overlap.Beginning(chain.Origin),
		seen: map[domain.RecordID]bool{}, found: func(f Finding) { r.Add(f, &o) }}
	c.openKept(chain)
	if err := source.Receipts(ctx, func(r Receipt) error { c.take(r); return nil }); err != nil {
		return c.count, fmt.Errorf("read the receipts: %w", err)
	}
	if c.kept != nil && c.kept.Size > c.head.Size {
		c.chainFound(ReceiptsShorter, fmt.Sprintf("it signs %d receipts, there are %d", c.kept.Size, c.head.Size))
	}
	return c.count, nil
}

// receiptCheck is one check of a chain under way.
type receiptCheck struct {
	origin string
	keys   []string
	head   overlap.Head
	kept   *Checkpoint // nil where none is kept
	seen   map[domain.RecordID]bool
	count  int64
	found  func(Finding)
}

func (c *receiptCheck) chainFound(kind Kind, detail string) {
	c.found(Finding{NoSequence, "", kind, detail})
}

func (c *receiptCheck) openKept(chain Chain) {
	if chain.KeptFault != nil {
		c.chainFound(ReceiptsKeptUnreadable, "")
		return
	}
	if chain.Kept == nil {
		return
	}
	opened, err := OpenCheckpoint(chain.Kept, c.origin, c.keys)
	var why *CheckpointError
	if errors.As(err, &why) {
		c.chainFound(ReceiptsKeptUnreadable, why.Kind.String())
		return
	}
	c.kept = &opened
}

// take holds a receipt to the head before it and to the one that was signed with it.
func (c *receiptCheck) take(stored Receipt) {
	c.count++
	receipt, err := overlap.ReadReceipt(stored.Document)
	found := func(kind Kind, detail string) { c.found(Finding{stored.Sequence, receipt.ID, kind, detail}) }
	switch {
	case err != nil:
		found(ReceiptUnreadable, "")
	case receipt.Sequence != stored.Sequence:
		found(ReceiptMisplaced, fmt.Sprintf("it says %d", receipt.Sequence))
	}
	if stored.Sequence != c.head.Size {
		found(ReceiptMissing, fmt.Sprintf("number %d was due", c.head.Size))
	}
	if err == nil && !receipt.Previous.Matches(c.head.Hash) {
		found(ReceiptUnlinked, "")
	}
	if err == nil && c.seen[receipt.ID] {
		found(ReceiptDuplicate, "")
	}
	c.seen[receipt.ID] = true
	c.head = overlap.Head{Size: stored.Sequence + 1, Hash: domain.HashOf(stored.Document)}
	c.checkSigned(stored.Head, found)
	if c.kept != nil && c.kept.Size == c.head.Size && !domainHash(c.kept.Root).Matches(c.head.Hash) {
		c.chainFound(ReceiptsForked, fmt.Sprintf("it signs %d receipts", c.kept.Size))
	}
}

// checkSigned holds the head to the one that the store signed when it wrote the receipt.
func (c *receiptCheck) checkSigned(signed []byte, found func(Kind, string)) {
	opened, err := OpenCheckpoint(signed, c.origin, c.keys)
	var why *CheckpointError
	switch {
	case errors.As(err, &why):
		found(ReceiptUnsigned, why.Kind.String())
	case opened.Size != c.head.Size || !domainHash(opened.Root).Matches(c.head.Hash):
		found(ReceiptUnsigned, "it is of another receipt")
	}
}
