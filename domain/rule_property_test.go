package domain_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"docket/domain"
)

// drawScene is a sample with up to four values changed in any way that its shape allows.
func drawScene(t *rapid.T) scene {
	samples := passing()
	names := []string{"appeal", "appeal of an affected party", "correction", "material change", "change of destination"}
	s := samples[rapid.SampledFrom(names).Draw(t, "sample")]
	for range rapid.IntRange(0, 4).Draw(t, "changes") {
		if changed, _ := mutated(t, s); held(changed) != nil {
			s = changed
		}
	}
	return s
}

// held are the blockers of the scene once it is sealed; nil if it is refused.
func held(s scene) []string {
	var reader domain.Reader
	question, fault := domain.ReadQuestion(&reader, s.sealedByHand())
	if fault != nil {
		return nil
	}
	return codes(domain.Judge(&question))
}

func TestRulesDependOnNothingButTheirStatedInputs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t)
		before := held(s)
		for range 10 {
			changed, pointer := mutated(t, s)
			after := held(changed)
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
		s := drawScene(t)
		before := held(s)
		for range 10 {
			changed, pointer := mutated(t, s)
			if after := held(changed); after == nil || len(after) > 0 {
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
		s := drawScene(t)
		before := held(s)
		if len(before) == 0 {
			return
		}
		all := pointers(s, "")
		slices.Sort(all)
		for _, pointer := range rapid.SliceOfN(rapid.SampledFrom(all), 20, 20).Draw(t, "pointers") {
			nulled := scene(parsed(string(encoded(s))))
			nulled.at(strings.Split(pointer, "/")[1:], func(any) any { return nil })
			for how, changed := range map[string]scene{"leaving out": s.removed(pointer), "null": nulled} {
				after := held(changed)
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
	for name, sample := range passing() {
		for _, pointer := range pointers(sample, "") {
			nulled := scene(parsed(string(encoded(sample))))
			nulled.at(strings.Split(pointer, "/")[1:], func(any) any { return nil })
			after := held(nulled)
			if (after != nil) != slices.Contains(nullable, pointer) {
				t.Errorf("%s: %s null is accepted: %v", name, pointer, after != nil)
			}
			if after != nil && !slices.Equal(after, held(sample.removed(pointer))) {
				t.Errorf("%s: %s null is not the same as absent", name, pointer)
			}
		}
	}
}

func TestMembersThatNoRuleReadsChangeNothing(t *testing.T) {
	unread := map[string][]edit{
		"appeal": {set("/record/filedAt", longAgo), set("/record/caseId", "case-18"), set("/record/partyIds", []string{"party-z"}),
			set("/record/evidenceScope/statement", "Other words."), set("/record/requestedOutcome", "request_evidence")},
		"correction": {set("/record/agreementId", "agreement-32"), del("/record/agreementId"),
			set("/record/ownerId", "owner-9"), set("/record/amendmentId", "amendment-9"),
			set("/record/destinationReview/completed", false), set("/record/requiredParties", []string{"party-z"})},
	}
	for name, edits := range unread {
		for _, defect := range [][]edit{nil, {del("/record/notice")}, {del("/policy")}, {set("/latestRevision", 9)}} {
			want := codes(judged(t, passing()[name], defect...))
			for _, e := range edits {
				if got := codes(judged(t, passing()[name], append(slices.Clone(defect), e)...)); !slices.Equal(got, want) {
					t.Errorf("%s: %q, before %q", e.pointer, got, want)
				}
			}
		}
	}
}
