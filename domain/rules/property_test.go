package rules_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"docket/domain/internal/domaintest"
	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/terms"
)

func TestLeavingOutOrNullNeverTurnsBlockedIntoPassButWhereAbsenceCures(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := domaintest.DrawScene(t)
		before := domaintest.Held(s)
		if len(before) == 0 {
			return
		}
		all := domaintest.Pointers(map[string]any(s), "")
		slices.Sort(all)
		for _, pointer := range rapid.SliceOfN(rapid.SampledFrom(all), 8, 8).Draw(t, "pointers") {
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

// notControls are the members whose absence lets a scene pass all the same, and why.
var notControls = map[string]map[string]string{
	"appeal": {
		"/policy/effectiveUntil":                     "a policy may have no end",
		"/policy/outcomeRules/*":                     "the trigger differs",
		"/policy/outcomeRules/*/advisory":            "the trigger differs",
		"/policy/outcomeRules/*/compatible":          "the trigger differs",
		"/policy/outcomeRules/*/compatible/*":        "it permits less, and the advisory outcome is still there",
		"/record/standing/privacySafeSummary":        "only an affected party needs one",
		"/record/evidenceScope/items/*":              "another item is left",
		"/record/evidenceScope/statement":            "no rule asks for it",
		"/record/neutralReview/recusedReviewerIds":   "absent as well as empty, nobody is recused",
		"/record/neutralReview/recusedReviewerIds/*": "absent as well as empty, nobody is recused",
		"/record/requestedOutcome":                   "absent as well as null, none is asked for",
		"/record/remedyGap":                          "only that trigger needs one",
	},
	"amendment": {
		"/policy/staleAfter":                         "a policy may have no such date",
		"/policy/transitions/*":                      "the transition differs",
		"/record/agreementId":                        "no rule reads it",
		"/record/neutralReview/recusedReviewerIds":   "absent as well as empty, nobody is recused",
		"/record/neutralReview/recusedReviewerIds/*": "absent as well as empty, nobody is recused",
		"/record/effects/*":                          "both parties have confirmed every confirmable effect",
		"/record/requiredParties/*":                  "the other party still has to confirm, and did",
		"/record/confirmations/*/covers/*":           "the effect is ruled out",
		"/record/confirmations/*/expiresAt":          "a confirmation may have no end",
	},
}

// controls are the exceptions from notControls: in these scenes the member does count.
var controls = map[string][]string{
	"appeal": {"/policy/outcomeRules/wrong_scope_evidence", "/policy/outcomeRules/wrong_scope_evidence/advisory",
		"/policy/outcomeRules/wrong_scope_evidence/compatible", "/policy/outcomeRules/wrong_scope_evidence/compatible/3"},
	"appeal of an affected party": {"/policy/outcomeRules/externality_remedy_gap",
		"/policy/outcomeRules/externality_remedy_gap/advisory", "/policy/outcomeRules/externality_remedy_gap/compatible",
		"/policy/outcomeRules/externality_remedy_gap/compatible/4", "/record/standing/privacySafeSummary", "/record/remedyGap"},
	"correction": {"/policy/transitions/2", "/record/effects/retroactivePerformance",
		"/record/effects/evidenceClaimRetyped", "/record/effects/exposureIncrease", "/record/effects/fundsRedirect",
		"/record/effects/compensationChange", "/record/effects/cancellationRightsNarrowed",
		"/record/effects/privacyChange", "/record/effects/donorOfRecordChange",
		"/record/effects/thirdPartyObligationChange"},
	"material change": {"/policy/transitions/1", "/record/effects/retroactivePerformance",
		"/record/effects/evidenceClaimRetyped", "/record/effects/cancellationRightsNarrowed",
		"/record/confirmations/0/covers/0", "/record/confirmations/1/covers/0"},
	"change of destination": {"/policy/transitions/5", "/record/effects/retroactivePerformance",
		"/record/effects/evidenceClaimRetyped", "/record/effects/cancellationRightsNarrowed",
		"/record/confirmations/0/covers/0", "/record/confirmations/1/covers/0", "/record/confirmations/0/covers/1",
		"/record/confirmations/1/covers/1"},
}

func TestAppealCaseFailClosedEvaluator(t *testing.T) { failsClosed(t, true, notControls["appeal"]) }
func TestAgreementAmendmentEvaluatorFailClosed(t *testing.T) {
	failsClosed(t, false, notControls["amendment"])
}

// failsClosed removes the members of everything that passes, one at a time: any control that is absent blocks.
func failsClosed(t *testing.T, appeals bool, exempt map[string]string) {
	t.Helper()
	used := map[string]bool{}
	for name, sample := range domaintest.Passing() {
		if strings.HasPrefix(name, "appeal") != appeals {
			continue
		}
		for _, part := range []string{"/policy", "/record"} {
			if passes(domaintest.Passing()[name].With(domaintest.Del(part))) {
				t.Errorf("%s without %s passes", name, part)
			}
		}
		for _, pointer := range domaintest.Pointers(map[string]any(sample), "") {
			if !strings.HasPrefix(pointer, "/policy") && !strings.HasPrefix(pointer, "/record") {
				continue
			}
			pattern := general(pointer, exempt)
			_, exempted := exempt[pattern]
			used[pattern] = true
			want := exempted && !slices.Contains(controls[name], pointer)
			if got := passes(domaintest.Passing()[name].With(domaintest.Del(pointer))); got != want {
				t.Errorf("%s without %s: passes is %v", name, pointer, got)
			}
		}
	}
	for pattern := range exempt {
		if !used[pattern] {
			t.Errorf("%s is in no scene", pattern)
		}
	}
}

// Without being sealed again nothing at all may be missing, not even what no rule asks for.
func TestDeletingAnythingAfterSealingBlocks(t *testing.T) {
	for name, sample := range domaintest.Passing() {
		line := sample.Question(t)
		for _, pointer := range domaintest.Pointers(domaintest.Parsed(string(line)), "") {
			changed := domaintest.Scene(domaintest.Parsed(string(line))).With(domaintest.Del(pointer))
			if accepted, pass := judge(domaintest.Encoded(changed)); accepted && pass {
				t.Errorf("%s without %s passes", name, pointer)
			}
		}
	}
}

// passes reports whether the scene, sealed by hand, is accepted and passes.
func passes(s domaintest.Scene) bool {
	_, pass := judge(s.SealedByHand())
	return pass
}

func judge(line []byte) (accepted, pass bool) {
	var reader packets.Reader
	question, fault := rules.ReadInput(&reader, line)
	if fault != nil {
		return false, false
	}
	return true, rules.Evaluate(&question).Gate() == terms.Pass
}

// general replaces steps of the pointer by * where that makes it a key of the map.
func general[V any](pointer string, known map[string]V) string {
	for key := range known {
		if matches(key, pointer) {
			return key
		}
	}
	return pointer
}

func matches(pattern, pointer string) bool {
	want, got := strings.Split(pattern, "/"), strings.Split(pointer, "/")
	return slices.EqualFunc(want, got, func(w, g string) bool { return w == "*" || w == g })
}

// deletionCures are the values whose absence may lift what their presence caused. Nothing else is ever cured by
// leaving it out, or by null.
var deletionCures = strings.Fields("/policy/effectiveUntil /policy/staleAfter " +
	"/record/neutralReview/recusedReviewerIds /record/neutralReview/recusedReviewerIds/* " +
	"/record/standing/privacySafeSummary /record/evidenceScope/statement /record/remedyGap " + // masked texts
	"/record/requestedEffects/* /record/changedTerms/* " + // single words, not the list
	"/record/confirmations /record/confirmations/* /record/confirmations/*/expiresAt " +
	"/record/confirmations/*/partyRef /record/confirmations/*/confirmedAt /record/partyIds /record/partyIds/* " +
	"/record/beforeTermsHash " + // of other terms a hash that is absent is a blocker of its own
	"/record/requiredParties /record/requiredParties/*")
