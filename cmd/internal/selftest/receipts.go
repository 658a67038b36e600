package selftest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/mod/sumdb/note"

	"docket/domain"
	"docket/domain/overlap"
	"docket/store"
)

// chained is how many receipts a chain is checked with.
const chained = 5

// receiptChain makes a chain of receipts, checks it, and then copies of it that were tampered with. The store that signs them
// takes none in.
func receiptChain(ctx context.Context, b *bench) (string, error) {
	s, o, err := b.openWith(ctx)
	if err != nil {
		return "", err
	}
	key, err := verifierOf(ctx, s)
	if err != nil {
		return "", err
	}
	var chain []overlap.ReceiptID
	err = unwritten(ctx, o.Path, func() error {
		chain, err = b.receipts(ctx, s)
		return err
	})
	if err != nil {
		return "", err
	}
	receipts, err := b.openChain(key, chain)
	if err != nil || len(receipts) != chained {
		return "", errors.Join(err, fmt.Errorf("the chain of %s does not verify", counted(len(receipts), "receipt")))
	}
	other, err := b.otherChain(ctx)
	if err != nil {
		return "", err
	}
	copies := tamperedReceipts(chain, other)
	for _, c := range copies {
		if _, err := b.openChain(key, c.chain); err == nil {
			return "", fmt.Errorf("nothing is found where %s", c.what)
		}
	}
	return fmt.Sprintf("%s, each signed and after the one before, verify; %s found; none is stored", counted(chained, "receipt"),
		counted(len(copies), "tampered chain")), nil
}

// verifierOf is the public key of a store's log.
func verifierOf(ctx context.Context, s *store.Store) (note.Verifier, error) {
	encoded, err := s.Verifier(ctx)
	if err != nil {
		return nil, err
	}
	return note.NewVerifier(encoded)
}

// receipts answers requests as `docket overlap --after` does, and returns the receipts.
func (b *bench) receipts(ctx context.Context, s *store.Store) (chain []overlap.ReceiptID, err error) {
	for i := range chained {
		action := overlap.Actions.All()[i%overlap.Actions.Len()]
		r := overlap.Receipt{Action: action, At: domain.InstantOf(b.now().Truncate(time.Second))}
		rand.Read(r.Nonce[:])
		if i > 0 {
			r.Previous = chain[i-1].Link()
		}
		id, err := s.SignReceipt(ctx, r)
		if err != nil {
			return nil, err
		}
		if _, refusal := b.answer(action, tokenText(tag("a")), id); refusal != nil {
			return nil, refusal
		}
		chain = append(chain, id)
	}
	return chain, nil
}

// otherChain is the chain of another store.
func (b *bench) otherChain(ctx context.Context) ([]overlap.ReceiptID, error) {
	s, _, err := b.openWith(ctx)
	if err != nil {
		return nil, err
	}
	return b.receipts(ctx, s)
}

// A tampered chain, and what was done to it.
type tampered struct {
	what  string
	chain []overlap.ReceiptID
}

// tamperedReceipts are copies of a chain in which each receipt in turn was edited, put in from another store, moved behind the
// next, or removed from between two others.
func tamperedReceipts(whole, other []overlap.ReceiptID) []tampered {
	var copies []tampered
	add := func(what string, i int, change func(list []overlap.ReceiptID) []overlap.ReceiptID) {
		copies = append(copies, tampered{fmt.Sprintf("receipt %d was %s", i+1, what), change(slices.Clone(whole))})
	}
	for i := range whole {
		add("edited", i, func(list []overlap.ReceiptID) []overlap.ReceiptID {
			text := []byte(list[i])
			text[10] ^= 1 // in the time
			list[i] = overlap.ReceiptID(text)
			return list
		})
		add("put in from another store", i, func(list []overlap.ReceiptID) []overlap.ReceiptID {
			list[i] = other[i]
			return list
		})
		if i+1 < len(whole) {
			add("moved", i, func(list []overlap.ReceiptID) []overlap.ReceiptID {
				list[i], list[i+1] = list[i+1], list[i]
				return list
			})
		}
		if i > 0 && i+1 < len(whole) {
			add("removed", i, func(list []overlap.ReceiptID) []overlap.ReceiptID { return slices.Delete(list, i, i+1) })
		}
	}
	return copies
}
