//go:build unix

package recording_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"docket/domain/records"
	"docket/ui/decision"
	"docket/ui/workbench"
)

// withLockedAnchor locks the anchor of the workbench's store; free gives it up.
func withLockedAnchor(t *testing.T, d *workbench.Workbench, anchors string) (free func()) {
	t.Helper()
	meta, err := d.Store.Head(t.Context())
	must(t, err)
	found, err := filepath.Glob(filepath.Join(anchors, "*", "checkpoint"))
	must(t, err)
	var file *os.File
	for _, path := range found {
		if text, err := os.ReadFile(path); err != nil || !strings.HasPrefix(string(text), meta.Origin+"\n") {
			continue // that of the receipts
		}
		if file, err = os.Open(path); err != nil {
			t.Fatal(err)
		}
	}
	if file == nil {
		t.Fatal("there is no anchor")
	}
	t.Cleanup(func() { file.Close() })
	lock := func(how int) {
		if err := syscall.Flock(int(file.Fd()), how); err != nil {
			t.Error(err)
		}
	}
	lock(syscall.LOCK_EX)
	return func() { lock(syscall.LOCK_UN) }
}

// waitsForAnchor records on a case whose store's anchor is locked, and returns how it goes on.
func waitsForAnchor(t *testing.T, d *workbench.Workbench) *decision.WaitingError {
	t.Helper()
	begun := time.Now()
	err := tryToDecide(t.Context(), t, d)
	var waiting *decision.WaitingError
	if !errors.As(err, &waiting) {
		t.Fatalf("it does not wait: %v", err)
	}
	if took := time.Since(begun); took > 8*time.Second { // two seconds, and more for a busy machine; a service waits for ten
		t.Errorf("it was said after %v", took)
	}
	nothingLogged(t, d)
	return waiting
}

func TestARecordThatIsSignedGoesOnOnceTheAnchorIsFree(t *testing.T) {
	anchors := t.TempDir()
	d := atWorkWith(t, anchors)
	free := withLockedAnchor(t, d, anchors)
	waiting, before := waitsForAnchor(t, d), size(t, d)
	type answer struct {
		receipt records.Receipt
		err     error
	}
	answers := make(chan answer)
	go func() {
		receipt, err := waiting.Again(t.Context())
		answers <- answer{receipt, err}
	}()
	select {
	case got := <-answers:
		t.Fatalf("while it is locked: %+v", got)
	case <-time.After(50 * time.Millisecond):
	}
	free()
	if got := <-answers; got.err != nil || got.receipt.TreeSize != before+1 || got.receipt.Caution != "" {
		t.Errorf("once it is free: %+v", got)
	}
}

func TestAReviewerWhoLeavesWhileTheAnchorIsLockedRecordsNothing(t *testing.T) {
	anchors := t.TempDir()
	d := atWorkWith(t, anchors)
	free := withLockedAnchor(t, d, anchors)
	waiting, before := waitsForAnchor(t, d), size(t, d)
	ctx, stop := context.WithCancelCause(t.Context())
	reason := errors.New("the reviewer leaves")
	stop(reason)
	if receipt, err := waiting.Again(ctx); !errors.Is(err, reason) || receipt != (records.Receipt{}) {
		t.Errorf("%+v, %v", receipt, err)
	}
	free()
	nothingLogged(t, d)
	if receipt := decide(t, d, passing); receipt.TreeSize != before+1 {
		t.Errorf("%+v", receipt)
	}
}
