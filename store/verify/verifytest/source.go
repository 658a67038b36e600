package verifytest

import (
	"context"
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
	return each(ctx, l.List[from:], yield)
}

// each yields each of a list until the context is done.
func each[T any](ctx context.Context, list []T, yield func(T) error) error {
	for _, one := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := yield(one); err != nil {
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
	return each(ctx, slices.SortedFunc(maps.Keys(l.Held), verify.CompareRefs), yield)
}

// Cosignatures implements verify.Source.
func (l *Log) Cosignatures(ctx context.Context, yield func(verify.Cosigned) error) error {
	return each(ctx, l.Cosigned, yield)
}

// Rejections implements verify.Source.
func (l *Log) Rejections(ctx context.Context, yield func(verify.Rejection) error) error {
	return each(ctx, l.Rejected, yield)
}

// ServiceRecords implements verify.Source.
func (l *Log) ServiceRecords(ctx context.Context, yield func(signed.ServiceRecord) error) error {
	return each(ctx, l.AtService, yield)
}

// StoredRoot implements verify.TreeKeeper.
func (l *Log) StoredRoot(_ context.Context, size int64) (root terms.Hash, err error) {
	if l.Tree != nil {
		root = l.Tree(size)
	}
	return root, nil
}
