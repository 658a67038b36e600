package bundle_test

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/bundle"
	"docket/store/verify/verifytest"
)

// If any call of the log fails, an export ends with that error and leaves nothing: no bundle lacks a part of the log that could not be read.
func TestAnExportWhoseLogFailsAtAnyCallIsAnErrorAndLeavesNothing(t *testing.T) {
	l, _, _ := turnedAway(t)
	ref := l.Hold(terms.AppealCases, verifytest.AppealCase("case-9", 1))
	theirs := l.Decide(ref, verifytest.Person("admin-1", terms.SafetyAdmin), func(c *records.Choice) {
		c.Outcome, c.AddedBlockers = terms.BlockReliance, terms.SetOf(terms.NoticeMissing)
	})
	l.GiveOut(verifytest.NewService(""), theirs.Document(), "admin-1")
	l.Cosigned = append(l.Cosigned, verifytest.NewWitness(t, "example.org/one").Cosign(l.Says.Checkpoint, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)))
	at := int64(1)
	for ; ; at++ {
		f := &verifytest.Failing{Log: l, At: at}
		dir := filepath.Join(t.TempDir(), "bundle")
		_, err := bundle.Write(t.Context(), dir, f, bundle.Options{})
		if !f.Failed() {
			if err != nil {
				t.Errorf("without a failure: %v", err)
			}
			break
		}
		if !errors.Is(err, verifytest.ErrFailing) {
			t.Errorf("call %d fails: %v", at, err)
		}
		nothingElse(t, filepath.Dir(dir))
	}
	if at < 20 {
		t.Errorf("%d calls", at-1)
	}
}
