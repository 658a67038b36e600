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

func TestOnlyAnInputOfEveryBlockerTurnsBlockedIntoPass(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := domaintest.DrawScene(t)
		before := domaintest.Held(s)
		for range 10 {
			changed, pointer := domaintest.Mutated(t, s)
			if after := domaintest.Held(changed); after == nil || len(after) > 0 {
				continue
			}
			for _, code := range before {
				if !touches(pointer, inputsOf(s)[code]) {
					t.Fatalf("%s turns %q into pass", pointer, before)
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

func TestMembersThatNoRuleReadsChangeNothing(t *testing.T) {
	unread := map[string][]domaintest.Edit{
		"appeal": {domaintest.Set("/record/filedAt", domaintest.LongAgo), domaintest.Set("/record/caseId", "case-18"), domaintest.Set("/record/partyIds", []string{"party-z"}),
			domaintest.Set("/record/evidenceScope/statement", "Other words."), domaintest.Set("/record/requestedOutcome", "request_evidence")},
		"correction": {domaintest.Set("/record/agreementId", "agreement-32"), domaintest.Del("/record/agreementId"),
			domaintest.Set("/record/ownerId", "owner-9"), domaintest.Set("/record/amendmentId", "amendment-9"),
			domaintest.Set("/record/destinationReview/completed", false), domaintest.Set("/record/requiredParties", []string{"party-z"})},
	}
	for name, edits := range unread {
		for _, defect := range [][]domaintest.Edit{nil, {domaintest.Del("/record/notice")}, {domaintest.Del("/policy")}, {domaintest.Set("/latestRevision", 9)}} {
			want := domaintest.Codes(judged(t, domaintest.Passing()[name], defect...))
			for _, e := range edits {
				if got := domaintest.Codes(judged(t, domaintest.Passing()[name], append(slices.Clone(defect), e)...)); !slices.Equal(got, want) {
					t.Errorf("%s: %q, before %q", e.Pointer, got, want)
				}
			}
		}
	}
}
