package rules_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"docket/domain/internal/domaintest"
)

func TestRulesDependOnNothingButTheirStatedInputs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := domaintest.DrawScene(t)
		before := domaintest.Held(s)
		for range 10 {
			changed, pointer := domaintest.Mutated(t, s)
			after := domaintest.Held(changed)
			if after == nil {
				continue
			}
			for code, read := range inputsOf(s) {
				if slices.Contains(before, code) != slices.Contains(after, code) && !touches(pointer, read) {
					t.Fatalf("%s: before %q, after %q", pointer, before, after)
				}
			}
		}
	})
}

func TestLeavingOutOrNullNeverTurnsBlockedIntoPassButWhereAbsenceCures(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := domaintest.DrawScene(t)
		before := domaintest.Held(s)
		if len(before) == 0 {
			return
		}
		all := domaintest.Pointers(map[string]any(s), "")
		slices.Sort(all)
		for _, pointer := range rapid.SliceOfN(rapid.SampledFrom(all), 20, 20).Draw(t, "pointers") {
			nulled := s.With(domaintest.Set(pointer, nil))
			for how, changed := range map[string]domaintest.Scene{"leaving out": s.With(domaintest.Del(pointer)), "null": nulled} {
				after := domaintest.Held(changed)
				cures := slices.ContainsFunc(deletionCures, func(p string) bool { return matches(p, pointer) })
				if after != nil && len(after) == 0 && !cures {
					t.Fatalf("%s %s turns %q into pass", how, pointer, before)
				}
			}
		}
	})
}

// A null counts as absent where it is allowed, and is refused elsewhere.
func TestNullIsAbsentOrRefused(t *testing.T) {
	nullable := []string{"/policy", "/record", "/policy/effectiveUntil", "/record/requestedOutcome"}
	for name, sample := range domaintest.Passing() {
		for _, pointer := range domaintest.Pointers(map[string]any(sample), "") {
			nulled := sample.With(domaintest.Set(pointer, nil))
			after := domaintest.Held(nulled)
			if (after != nil) != slices.Contains(nullable, pointer) {
				t.Errorf("%s: %s null is accepted: %v", name, pointer, after != nil)
			}
			if after != nil && !slices.Equal(after, domaintest.Held(sample.With(domaintest.Del(pointer)))) {
				t.Errorf("%s: %s null is not the same as absent", name, pointer)
			}
		}
	}
}
