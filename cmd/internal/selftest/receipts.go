package selftest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"docket/cmd/internal/audit"
	"docket/cmd/internal/storelog"
	"docket/domain/overlap"
)

// chained is how many receipts a chain is checked with.
const chained = 5

// receiptChain appends receipts to a store, checks their chain, and then copies of it that were tampered with.
func receiptChain(ctx context.Context, b *bench) (string, error) {
	s, o, err := b.openWith(ctx)
	if err != nil {
		return "", err
	}
	for i := range chained {
		call := b.call()
		action := overlap.Actions.All()[i%overlap.Actions.Len()]
		_, entry, refusal := b.answer(action, tokenText(tag("a")), call)
		if refusal != nil {
			return "", refusal
		}
		if _, err := s.AppendReceipt(ctx, entry); err != nil {
			return "", err
		}
	}
	whole := heldReceipts{}
	source := storelog.Receipts{Store: s}
	if whole.chain, err = source.Chain(ctx); err != nil {
		return "", err
	}
	if err := source.Receipts(ctx, func(r audit.Receipt) error { whole.list = append(whole.list, r); return nil }); err != nil {
		return "", err
	}
	if findings, count, err := b.findings(ctx, &whole); err != nil || findings > 0 || count != chained {
		return "", errors.Join(err, fmt.Errorf("the chain of %s does not verify: %s", counted(int(count), "receipt"),
			counted(findings, "finding")))
	}
	copies := tamperedReceipts(&whole)
	for _, c := range copies {
		findings, _, err := b.findings(ctx, &c.heldReceipts)
		if err != nil {
			return "", err
		}
		if findings == 0 {
			return "", fmt.Errorf("nothing is found where %s", c.what)
		}
	}
	if err := s.Close(); err != nil {
		return "", err
	}
	for _, text := range []string{tag("a"), "blinded_tag", "exact_capability_tag"} {
		if err := b.neverStored(ctx, o.Path, text); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%s verify with 0 findings; %s found; nothing of a token in the store", counted(chained, "receipt"),
		counted(len(copies), "tampered chain")), nil
}

// findings checks a chain.
func (b *bench) findings(ctx context.Context, source audit.Receipts) (findings int, count int64, err error) {
	var r audit.Report
	count, err = b.checkReceipts(ctx, source, &r, audit.Options{})
	return int(r.Total), count, err
}

// neverStored holds every receipt of a store's file to not containing a text.
func (b *bench) neverStored(ctx context.Context, path, text string) (err error) {
	file, err := openFile(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	documents, err := file.texts(ctx, "SELECT document || head FROM main.docket_overlap_receipts")
	if err != nil {
		return err
	}
	for _, document := range documents {
		if bytes.Contains([]byte(document), []byte(text)) {
			return errors.New("a receipt holds something of a token")
		}
	}
	if len(documents) != chained {
		return errors.New("the store does not hold the receipts")
	}
	return nil
}

// heldReceipts are receipts in memory.
type heldReceipts struct {
	chain audit.Chain
	list  []audit.Receipt
}

// Chain implements audit.Receipts.
func (h *heldReceipts) Chain(context.Context) (audit.Chain, error) { return h.chain, nil }

// Receipts implements audit.Receipts.
func (h *heldReceipts) Receipts(_ context.Context, yield func(audit.Receipt) error) error {
	for _, receipt := range h.list {
		if err := yield(receipt); err != nil {
			return err
		}
	}
	return nil
}

// A tampered chain, and what was done to it.
type tampered struct {
	what string
	heldReceipts
}

// tamperedReceipts are copies of a chain in which each receipt in turn was edited, removed, or moved behind the next.
func tamperedReceipts(whole *heldReceipts) []tampered {
	var copies []tampered
	add := func(what string, change func(list []audit.Receipt) []audit.Receipt) {
		copies = append(copies, tampered{what, heldReceipts{whole.chain, change(slices.Clone(whole.list))}})
	}
	for i := range whole.list {
		add(fmt.Sprintf("receipt %d was edited", i), func(list []audit.Receipt) []audit.Receipt {
			list[i].Document = bytes.Replace(list[i].Document, []byte(`"recorded_at":"2`), []byte(`"recorded_at":"1`), 1)
			return list
		})
		add(fmt.Sprintf("receipt %d was removed", i), func(list []audit.Receipt) []audit.Receipt {
			return slices.Delete(list, i, i+1)
		})
		if i+1 < len(whole.list) {
			add(fmt.Sprintf("receipt %d was moved", i), func(list []audit.Receipt) []audit.Receipt {
				list[i].Document, list[i+1].Document = list[i+1].Document, list[i].Document
				list[i].Head, list[i+1].Head = list[i+1].Head, list[i].Head
				return list
			})
		}
	}
	return copies
}
