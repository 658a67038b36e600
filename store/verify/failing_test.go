package verify_test

import (
	"errors"
	"testing"
	"time"

	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// answered is a log with records, cosignatures, rejections and a record of a service's log.
func answered(t *testing.T) *verifytest.Log {
	t.Helper()
	l := sound(t)
	theirs(l)
	rejected := l.Decide(newCase(l), assigned, nil)
	l.Append(rejected)
	l.Reject(verifytest.NewService(""), rejected, "")
	l.Cosigned = append(l.Cosigned, verifytest.NewWitness(t, "example.org/one").Cosign(l.Says.Checkpoint, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)))
	l.Says.Anchor = &verify.Anchor{Signed: l.Says.Checkpoint}
	keepTree(t, l)
	return l
}

// If any call of the source fails, a check ends with that error: it finds nothing sound that could not be read.
func TestACheckWhoseSourceFailsAtAnyCallIsAnError(t *testing.T) {
	l := answered(t)
	checks := map[string]func(verify.Source) error{
		"a stretch": func(s verify.Source) error {
			_, err := verify.Range(t.Context(), s, 1, 4)
			return err
		},
		"the tree alone": func(s verify.Source) error {
			_, err := verify.Extends(t.Context(), s, s.(verify.TreeKeeper))
			return err
		},
	}
	for _, depth := range depths {
		checks["to the depth "+depth.String()] = func(s verify.Source) error {
			_, err := verify.Check(t.Context(), s, verify.Options{Depth: depth})
			return err
		}
	}
	for name, check := range checks {
		at := int64(1)
		for ; ; at++ {
			f := &verifytest.Failing{Log: l, At: at}
			err := check(f)
			if !f.Failed() {
				if err != nil {
					t.Errorf("%s: without a failure: %v", name, err)
				}
				break
			}
			if !errors.Is(err, verifytest.ErrFailing) {
				t.Errorf("%s: call %d fails: %v", name, at, err)
			}
		}
		if at < 3 {
			t.Errorf("%s: %d calls", name, at-1)
		}
	}
}

func TestADepthHasItsWord(t *testing.T) {
	for depth, word := range map[verify.Depth]string{verify.HeadOnly: "head", verify.Storage: "storage", verify.Judged: "judged"} {
		if depth.String() != word {
			t.Errorf("%d is %q", depth, depth.String())
		}
	}
}
