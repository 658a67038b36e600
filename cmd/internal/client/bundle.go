package client

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store"
	"docket/store/bundle"
	"docket/store/verify"
)

// A Bundle is the Outbox of an exported log. It keeps no binding and no response, so that every push hands in all of its
// records.
type Bundle struct {
	bundle  *bundle.Bundle
	head    verify.Head
	last    records.LogHead
	hashes  hashes
	service string // the verifier key of the service that was met
}

// hashes are the stored hashes of a tree, in the order of golang.org/x/mod/sumdb/tlog.
type hashes []tlog.Hash

// ReadHashes implements tlog.HashReader.
func (h hashes) ReadHashes(positions []int64) ([]tlog.Hash, error) {
	read := make([]tlog.Hash, len(positions))
	for i, position := range positions {
		if position < 0 || position >= int64(len(h)) {
			return nil, fmt.Errorf("the tree has no hash %d", position)
		}
		read[i] = h[position]
	}
	return read, nil
}

// OpenBundle verifies the bundle in a folder and opens it. The Bundle is nil if the report is not OK.
func OpenBundle(ctx context.Context, dir string, o verify.Options) (*Bundle, verify.Report, error) {
	b := &Bundle{}
	var leaves int64
	o.Each = func(c verify.Checked) error {
		added, err := tlog.StoredHashes(leaves, c.Entry.Document, b.hashes)
		b.hashes, leaves = append(b.hashes, added...), leaves+1
		return err
	}
	report, err := bundle.Check(ctx, dir, o)
	if err != nil || !report.OK() {
		return nil, report, err
	}
	if report.LeftOut > 0 {
		return nil, report, errPartialBundle
	}
	if b.bundle, err = bundle.Open(dir); err != nil {
		return nil, report, err
	}
	if b.head, err = b.bundle.Head(ctx); err != nil {
		return nil, report, errors.Join(err, b.bundle.Close())
	}
	if b.head.Size != leaves || len(b.head.VerifierKeys) != 1 {
		return nil, report, errors.Join(errChangedBundle, b.bundle.Close())
	}
	b.last = records.LogHead{Origin: b.head.Origin, Size: report.Checkpoint.Size, Root: report.Checkpoint.Root}
	return b, report, nil
}

// errPartialBundle says that an export for one owner lacks the records of others.
var errPartialBundle = errors.New("the export is for one owner and lacks records of the log; nothing was handed in: push an export of the whole log")

// errChangedBundle says that the folder changed after it was verified.
var errChangedBundle = errors.New("the bundle changed while it was read; nothing more of it was handed in")

// Close closes the folder.
func (b *Bundle) Close() error { return b.bundle.Close() }

// Service implements Binding: a bundle has no service.
func (b *Bundle) Service(context.Context) (string, error) {
	return "", fmt.Errorf("a service: %w", store.ErrNotFound)
}

// KeepRegistrations implements Binding. It keeps nothing.
func (b *Bundle) KeepRegistrations(context.Context, []signed.Statement) error { return nil }

// KeepServiceRecords implements Binding. It keeps nothing.
func (b *Bundle) KeepServiceRecords(context.Context, []signed.ServiceRecord) ([]records.Enforcement, error) {
	return nil, nil
}

// BindService implements Binding. It keeps the key until the bundle is closed.
func (b *Bundle) BindService(_ context.Context, key string) error {
	b.service = key
	return nil
}

// KeepOperators implements Binding. It keeps nothing.
func (b *Bundle) KeepOperators(context.Context, []signed.Statement) ([]records.LogStatement, error) {
	return nil, nil
}

// KnownOfService implements Binding: a bundle keeps no answer.
func (b *Bundle) KnownOfService(context.Context) (known store.KnownOfService, err error) {
	return known, nil
}

// KeepShown implements Binding. It keeps nothing.
func (b *Bundle) KeepShown(context.Context, string) error { return nil }

// KeepSetback implements Binding. It keeps nothing.
func (b *Bundle) KeepSetback(context.Context, records.SetbackKind, string, string) error { return nil }

// Head implements Outbox.
func (b *Bundle) Head(context.Context) (records.LogHead, error) { return b.last, nil }

// errEnough stops the reading of entries.
var errEnough = errors.New("enough")

// NotHandedIn implements Outbox. It fails if a record is not the one that was verified.
func (b *Bundle) NotHandedIn(ctx context.Context, after int64, most int) (entries []verify.Entry, err error) {
	if after+1 >= b.head.Size {
		return nil, nil
	}
	err = b.bundle.Entries(ctx, after+1, func(e verify.Entry) error {
		if tlog.RecordHash(e.Document) != b.hashes[tlog.StoredHashIndex(0, e.Sequence)] {
			return errChangedBundle
		}
		entries = append(entries, e)
		if len(entries) == most {
			return errEnough
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	return entries, nil
}

// KeepAcceptance implements Outbox. It keeps nothing.
func (b *Bundle) KeepAcceptance(context.Context, records.RecordID, records.Receipt, []terms.Hash, []byte) error {
	return nil
}

// EarlierReceipt implements Outbox: it returns the receipt of the bundle for a record where that is of another log than the service has now.
// The service knows whether a restore lost the record.
func (b *Bundle) EarlierReceipt(ctx context.Context, sequence int64) (a store.Acknowledgment, there bool, err error) {
	err = b.bundle.Entries(ctx, sequence, func(e verify.Entry) error {
		if now, _, _ := strings.Cut(b.service, "+"); e.Acceptance != nil && originOf([]byte(e.Acceptance.Checkpoint)) != now {
			if a, err = store.ReadAcknowledgment(*e.Acceptance); err != nil {
				return err
			}
			there = true
		}
		return errEnough
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return a, there, err
}

// KeepRejection implements Outbox. It keeps nothing.
func (b *Bundle) KeepRejection(context.Context, records.RecordID, string, []string) error { return nil }
