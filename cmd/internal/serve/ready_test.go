package serve_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"docket/cmd/internal/api"
	"docket/cmd/internal/serve"
	"docket/domain/records"
	"docket/store"
	"docket/store/verify"
)

// A faulty store is one whose appends can be made to fail.
type faulty struct {
	serve.Store
	handIn     error // of HandIn
	appendable error // of Appendable
	head       error // of Head
	findings   []verify.Finding
	heads      atomic.Int64
	asked      atomic.Int64
	free       atomic.Int64 // bytes that Appendable was asked for
}

func (f *faulty) HandIn(ctx context.Context, sub store.Submission) (store.Acceptance, error) {
	if f.handIn != nil {
		return store.Acceptance{}, f.handIn
	}
	return f.Store.HandIn(ctx, sub)
}

func (f *faulty) Appendable(ctx context.Context, free int64) error {
	f.asked.Add(1)
	f.free.Store(free)
	if f.appendable != nil {
		return f.appendable
	}
	return f.Store.Appendable(ctx, free)
}

func (f *faulty) Head(ctx context.Context) (records.LogHead, error) {
	f.heads.Add(1)
	if f.head != nil {
		return records.LogHead{}, f.head
	}
	return f.Store.Head(ctx)
}

func (f *faulty) Findings() []verify.Finding { return append(f.Store.Findings(), f.findings...) }

// newFaulty is an observed harness over a faulty store.
func newFaulty(t *testing.T, limits serve.Limits) (*observed, *faulty) {
	f := &faulty{}
	return newObserved(t, serve.Config{Limits: limits, Store: f}), f
}

func (w *observed) ready(t *testing.T) bool {
	t.Helper()
	answered := w.ask(t, http.MethodGet, api.ReadyPath, elsewhere)
	if answered.status != http.StatusOK {
		answered.is(t, api.Unavailable)
	}
	if reading := w.get(t, api.QueuePath, Reviewer); reading.status != http.StatusOK {
		t.Errorf("reading: %d", reading.status)
	}
	return answered.status == http.StatusOK
}

func TestAServiceIsNotReadyForAMinuteAfterAnAppendFailed(t *testing.T) {
	t.Parallel()
	w, f := newFaulty(t, unlimited)
	if !w.ready(t) {
		t.Fatal("it is not ready at first")
	}
	record := w.Decide(w.Case, Reviewer, nil)
	for _, cause := range []error{&store.Problem{Kind: store.ErrDiskFull}, &store.Problem{Kind: store.ErrDevice}, context.DeadlineExceeded, errors.New("anything else")} {
		f.handIn = cause
		w.handIn(t, record, Reviewer)
		if w.ready(t) {
			t.Errorf("after %v it is ready", cause)
		}
		w.now = w.now.Add(59 * time.Second)
		if w.ready(t) {
			t.Errorf("59 s after %v it is ready", cause)
		}
		w.now = w.now.Add(2 * time.Second)
		if !w.ready(t) {
			t.Errorf("61 s after %v it is not ready", cause)
		}
		w.handIn(t, record, Reviewer)
		f.handIn = records.ErrRefused // the service works: it refuses the record
		w.handIn(t, record, Reviewer)
		if w.ready(t) {
			t.Errorf("after %v and a refusal it is ready", cause)
		}
		f.handIn = nil
		if answered := w.handIn(t, record, Reviewer); answered.status >= http.StatusBadRequest {
			t.Fatalf("answered %d", answered.status)
		}
		if !w.ready(t) {
			t.Errorf("after %v and an append that succeeded it is not ready", cause)
		}
	}
}

func TestReadinessIsFoundOutOnceASecondAndLoggedWhenItChanges(t *testing.T) {
	t.Parallel()
	w, f := newFaulty(t, unlimited)
	w.log.Reset()
	for range 100 {
		w.ready(t)
	}
	if n := f.asked.Load(); n != 1 {
		t.Errorf("the store was asked %d times", n)
	}
	f.appendable = &store.Problem{Path: "service.db", Kind: store.ErrDiskFull}
	if !w.ready(t) {
		t.Error("it is asked again within the second")
	}
	for range 3 {
		w.now = w.now.Add(time.Second)
		if w.ready(t) {
			t.Error("it is ready")
		}
	}
	f.appendable = nil
	w.now = w.now.Add(time.Second)
	if !w.ready(t) {
		t.Error("it is not ready again")
	}
	if text := w.log.String(); strings.Count(text, "readiness changed") != 2 || !strings.Contains(text, `"ready":false,"cause":"service.db: `) {
		t.Errorf("logged %s", text)
	}
}

func TestTheLimitOfFreeSpaceIsThatOfTheStore(t *testing.T) {
	t.Parallel()
	limits := unlimited
	limits.FreeSpace = 12345
	w, f := newFaulty(t, limits)
	w.ready(t)
	if f.free.Load() != 12345 {
		t.Errorf("the store is asked for %d bytes", f.free.Load())
	}
}
