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

// A Failing log fails once: at the call with the number At, counted from 1. What it hands out one by one counts as a call each.
type Failing struct {
	*Log
	At    int64
	Do    func() error // what it does at that call; nil for failing
	calls atomic.Int64
}

// Failed reports whether there was such a call.
func (f *Failing) Failed() bool { return f.calls.Load() >= f.At }

func (f *Failing) call() error {
	switch {
	case f.calls.Add(1) != f.At:
		return nil
	case f.Do != nil:
		return f.Do()
	}
	return ErrFailing
}

// Head implements verify.Source.
func (f *Failing) Head(ctx context.Context) (verify.Head, error) {
	return called(f, func() (verify.Head, error) { return f.Log.Head(ctx) })
}

// Entries implements verify.Source.
func (f *Failing) Entries(ctx context.Context, from int64, yield func(verify.Entry) error) error {
	return handOut(f, yield, func(yield func(verify.Entry) error) error { return f.Log.Entries(ctx, from, yield) })
}

// Packets implements verify.Source.
func (f *Failing) Packets(ctx context.Context, refs []verify.Ref) ([][]byte, error) {
	return called(f, func() ([][]byte, error) { return f.Log.Packets(ctx, refs) })
}

// Refs yields the names of the packets.
func (f *Failing) Refs(ctx context.Context, yield func(verify.Ref) error) error {
	return handOut(f, yield, func(yield func(verify.Ref) error) error { return f.Log.Refs(ctx, yield) })
}

// Cosignatures implements verify.Source.
func (f *Failing) Cosignatures(ctx context.Context, yield func(verify.Cosigned) error) error {
	return handOut(f, yield, func(yield func(verify.Cosigned) error) error { return f.Log.Cosignatures(ctx, yield) })
}

// Rejections implements verify.Source.
func (f *Failing) Rejections(ctx context.Context, yield func(verify.Rejection) error) error {
	return handOut(f, yield, func(yield func(verify.Rejection) error) error { return f.Log.Rejections(ctx, yield) })
}

// ServiceRecords implements verify.Source.
func (f *Failing) ServiceRecords(ctx context.Context, yield func(signed.ServiceRecord) error) error {
	return handOut(f, yield, func(yield func(signed.ServiceRecord) error) error { return f.Log.ServiceRecords(ctx, yield) })
}

// StoredRoot implements verify.TreeKeeper.
func (f *Failing) StoredRoot(ctx context.Context, size int64) (terms.Hash, error) {
	return called(f, func() (terms.Hash, error) { return f.Log.StoredRoot(ctx, size) })
}

// SignManifest signs the manifest of an export with the log's key.
func (f *Failing) SignManifest(ctx context.Context, m signed.Manifest) ([]byte, error) {
	return called(f, func() ([]byte, error) { return f.Log.SignManifest(ctx, m) })
}

func called[T any](f *Failing, do func() (T, error)) (result T, err error) {
	if err := f.call(); err != nil {
		return result, err
	}
	return do()
}

// handOut counts the start, and each of what is handed out.
func handOut[T any](f *Failing, yield func(T) error, each func(func(T) error) error) error {
	if err := f.call(); err != nil {
		return err
	}
	return each(func(one T) error {
		if err := f.call(); err != nil {
			return err
		}
		return yield(one)
	})
}
