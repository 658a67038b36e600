package verifytest

import (
	"context"
	"errors"
	"sync/atomic"

	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/verify"
)

// ErrFailing is what a Failing log fails with.
var ErrFailing = errors.New("the log cannot be read")

// Failing returns a log that fails once, at the call with the number at, counted from 1; each thing
// it hands out counts as a call. do is what it does at that call; nil for failing. reached reports
// whether there was such a call.
func Failing(l *Log, at int64, do func() error) (failing *Log, reached func() bool) {
	var calls atomic.Int64
	copied := *l
	copied.call = func() error {
		switch {
		case calls.Add(1) != at:
			return nil
		case do != nil:
			return do()
		}
		return ErrFailing
	}
	return &copied, func() bool { return calls.Load() >= at }
}

func (l *Log) called() error {
	if l.call == nil {
		return nil
	}
	return l.call()
}

func each[T any](ctx context.Context, l *Log, list []T, yield func(T) error) error {
	err := l.called()
	for i := 0; i < len(list) && err == nil; i++ {
		if err = errors.Join(ctx.Err(), l.called()); err == nil {
			err = yield(list[i])
		}
	}
	return err
}

// Head implements verify.Source.
func (l *Log) Head(context.Context) (verify.Head, error) {
	head := l.Says
	head.Size = int64(len(l.List))
	return head, l.called()
}

// Entries implements verify.Source.
func (l *Log) Entries(ctx context.Context, from int64, yield func(verify.Entry) error) error {
	return each(ctx, l, l.List[from:], func(entry verify.Entry) error { return yield(l.held(entry)) })
}

// Packets implements verify.Source.
func (l *Log) Packets(_ context.Context, refs []verify.Ref) ([][]byte, error) {
	documents := make([][]byte, len(refs))
	for i, ref := range refs {
		documents[i] = l.Held[ref]
	}
	return documents, l.called()
}

// Cosignatures implements verify.Source.
func (l *Log) Cosignatures(ctx context.Context, yield func(verify.Cosigned) error) error {
	return each(ctx, l, l.Cosigned, yield)
}

// Rejections implements verify.Source.
func (l *Log) Rejections(ctx context.Context, yield func(verify.Rejection) error) error {
	return each(ctx, l, l.Rejected, yield)
}

// ServiceRecords implements verify.Source.
func (l *Log) ServiceRecords(ctx context.Context, yield func(signed.ServiceRecord) error) error {
	return each(ctx, l, l.AtService, yield)
}

// StoredRoot implements verify.TreeKeeper.
func (l *Log) StoredRoot(_ context.Context, size int64) (root terms.Hash, err error) {
	if l.Tree != nil {
		root = l.Tree(size)
	}
	return root, l.called()
}

// SignManifest signs the manifest of an export with the log's key.
func (l *Log) SignManifest(_ context.Context, m signed.Manifest) ([]byte, error) {
	return signNote(m.Text(), l.signer), l.called()
}
