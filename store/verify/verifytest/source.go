package verifytest

import (
	"context"
	"errors"
	"maps"
	"slices"

	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/verify"
)

// Head implements verify.Source.
func (l *Log) Head(context.Context) (verify.Head, error) {
	head := l.Says
	head.Size = int64(len(l.List))
	return head, nil
}

// Entries implements verify.Source.
func (l *Log) Entries(ctx context.Context, from int64, yield func(verify.Entry) error) error {
	for _, entry := range l.List[from:] {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := yield(entry); err != nil {
			return err
		}
	}
	return nil
}

// Packets implements verify.Source.
func (l *Log) Packets(_ context.Context, refs []verify.Ref) ([][]byte, error) {
	documents := make([][]byte, len(refs))
	for i, ref := range refs {
		documents[i] = l.Held[ref]
	}
	return documents, nil
}

// Refs yields the names of the packets, sorted.
func (l *Log) Refs(ctx context.Context, yield func(verify.Ref) error) error {
	for _, ref := range slices.SortedFunc(maps.Keys(l.Held), verify.CompareRefs) {
		if err := errors.Join(ctx.Err(), yield(ref)); err != nil {
			return err
		}
	}
	return nil
}

// Cosignatures implements verify.Source.
func (l *Log) Cosignatures(ctx context.Context, yield func(verify.Cosigned) error) error {
	for _, cosigned := range l.Cosigned {
		if err := errors.Join(ctx.Err(), yield(cosigned)); err != nil {
			return err
		}
	}
	return nil
}

// Rejections implements verify.Source.
func (l *Log) Rejections(ctx context.Context, yield func(verify.Rejection) error) error {
	for _, rejection := range l.Rejected {
		if err := errors.Join(ctx.Err(), yield(rejection)); err != nil {
			return err
		}
	}
	return nil
}

// ServiceRecords implements verify.Source.
func (l *Log) ServiceRecords(ctx context.Context, yield func(signed.ServiceRecord) error) error {
	for _, record := range l.AtService {
		if err := errors.Join(ctx.Err(), yield(record)); err != nil {
			return err
		}
	}
	return nil
}

// StoredRoot implements verify.TreeKeeper.
func (l *Log) StoredRoot(_ context.Context, size int64) (root terms.Hash, err error) {
	if l.Tree != nil {
		root = l.Tree(size)
	}
	return root, nil
}
