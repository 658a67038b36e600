package client

import (
	"context"
	"errors"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/records"
	"docket/store"
	"docket/store/bundle"
	"docket/store/verify"
)

// A Bundle is the Outbox of an exported log. It keeps no response: a push hands in all records.
type Bundle struct {
	unkept
	bundle  *bundle.Bundle
	head    records.LogHead
	leaves  []tlog.Hash // of the records that were verified
	service string      // the verifier key of the service that was met
}

// OpenBundle verifies and opens the bundle in a folder. The Bundle is nil if the report is not OK.
func OpenBundle(ctx context.Context, dir string, o verify.Options) (*Bundle, verify.Report, error) {
	b := &Bundle{}
	o.Each = func(c verify.Checked) error {
		b.leaves = append(b.leaves, tlog.RecordHash(c.Entry.Document))
		return nil
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
	head, err := b.bundle.Head(ctx)
	if err == nil && (head.Size != int64(len(b.leaves)) || len(head.VerifierKeys) != 1) {
		err = errChangedBundle
	}
	if err != nil {
		return nil, report, errors.Join(err, b.bundle.Close())
	}
	b.head = records.LogHead{Origin: head.Origin, Size: report.Checkpoint.Size, Root: report.Checkpoint.Root}
	return b, report, nil
}

// errPartialBundle says that an export for one owner lacks the records of others.
var errPartialBundle = errors.New(
	"the export is for one owner and lacks records of the log; nothing was handed in: push an export of the whole log")

var errChangedBundle = errors.New("the bundle changed while it was read; nothing more of it was handed in")

// Close closes the folder.
func (b *Bundle) Close() error { return b.bundle.Close() }

// BindService implements Binding. It keeps the key until the bundle is closed.
func (b *Bundle) BindService(_ context.Context, key string) error {
	b.service = key
	return nil
}

// Head implements Outbox.
func (b *Bundle) Head(context.Context) (records.LogHead, error) { return b.head, nil }

var errEnough = errors.New("enough")

// entries reads the entries from a sequence on, until errEnough.
func (b *Bundle) entries(ctx context.Context, from int64, each func(verify.Entry) error) error {
	if err := b.bundle.Entries(ctx, from, each); !errors.Is(err, errEnough) {
		return err
	}
	return nil
}

// NotHandedIn implements Outbox. It fails if a record is not the one that was verified.
func (b *Bundle) NotHandedIn(ctx context.Context, after int64, most int) (list []verify.Entry, err error) {
	if after+1 >= int64(len(b.leaves)) {
		return nil, nil
	}
	err = b.entries(ctx, after+1, func(e verify.Entry) error {
		if tlog.RecordHash(e.Document) != b.leaves[e.Sequence] {
			return errChangedBundle
		}
		if list = append(list, e); len(list) == most {
			return errEnough
		}
		return nil
	})
	return list, err
}

// EarlierReceipt implements Outbox: it returns the receipt of the bundle for a record where that is
// of another log than the service has now. The service knows whether a restore lost the record.
func (b *Bundle) EarlierReceipt(ctx context.Context, sequence int64) (a store.Acknowledgment, there bool, err error) {
	err = b.entries(ctx, sequence, func(e verify.Entry) error {
		now, _, _ := strings.Cut(b.service, "+")
		if e.Acceptance == nil || originOf([]byte(e.Acceptance.Checkpoint)) == now {
			return errEnough
		}
		if a, err = store.ReadAcknowledgment(*e.Acceptance); err != nil {
			return err
		}
		there = true
		return errEnough
	})
	return a, there, err
}
