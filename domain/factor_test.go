package domain_test

import (
	"slices"
	"strings"
	"testing"

	"docket/domain"
)

func TestFactorCodesOfADecision(t *testing.T) {
	const all = "specific_reviewed_claim standing_established evidence_scope_named wrong_scope_evidence_review " +
		"challenge_window_required human_review_required no_unrelated_moral_disagreement " +
		"provenance_activity_required private_details_redacted"
	less := func(names ...string) string {
		kept := []string{}
		for _, code := range strings.Fields(all) {
			if !slices.Contains(names, code) {
				kept = append(kept, code)
			}
		}
		return strings.Join(kept, " ")
	}
	const window = "challenge_window_required" // only what passes can open one
	for _, test := range []row{
		when("the sample", all),
		when("subject absent", less(window, "specific_reviewed_claim", "no_unrelated_moral_disagreement"), del("/record/subject")),
		when("subject id absent", less(window, "specific_reviewed_claim", "no_unrelated_moral_disagreement"), del("/record/subjectId")),
		when("standing not accepted", less(window, "standing_established"), set("/record/standing/accepted", false)),
		when("affected party", strings.Replace(all, "standing_established", "standing_established affected_party_standing", 1),
			set("/record/standing/category", "affected_party")),
		when("affected party not accepted", less(window, "standing_established"),
			set("/record/standing/category", "affected_party"), set("/record/standing/accepted", false)),
		when("affected party without summary", less(window, "standing_established"),
			set("/record/standing/category", "affected_party"), del("/record/standing/privacySafeSummary")),
		when("no evidence", less(window, "evidence_scope_named"), set("/record/evidenceScope/items", []string{})),
		when("no trigger", less(window, "wrong_scope_evidence_review", "no_unrelated_moral_disagreement"), del("/record/trigger")),
		when("no trigger and no subject", less(window, "wrong_scope_evidence_review", "no_unrelated_moral_disagreement",
			"specific_reviewed_claim"), del("/record/trigger"), del("/record/subject")),
		when("parent would change", less(window, "no_unrelated_moral_disagreement"),
			set("/record/requestedEffects", []string{"change_parent_record"})),
		when("redaction pending", less(window, "private_details_redacted"), set("/record/redaction/status", "pending")),
		when("another blocker", less(window), del("/record/notice")),
		when("no policy", less(window), del("/policy")),
		when("another outcome asked for", less(window), set("/record/requestedOutcome", "uphold_decision")),
		when("no case", "human_review_required provenance_activity_required", del("/record")),
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := strings.Join(texts(decided(t, appeal(), test.edits...).FactorCodes), " "); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// The parts of a decision that others ask for one by one; amendments have none.
func TestJudgmentsAnswerForTheirArea(t *testing.T) {
	passed := judged(t, appeal(), set("/record/requestedOutcome", "uphold_decision"))
	if passed.AdvisoryOutcome() != domain.UpholdDecision || passed.RequestedOutcome() != domain.UpholdDecision ||
		strings.Join(texts(passed.FactorCodes().Words()), " ") != strings.Join(texts(domain.DecisionOf(passed).FactorCodes), " ") ||
		passed.Transition() != 0 || passed.ProtectedBoundary() != "" || len(passed.BlockedTransitions()) != 0 {
		t.Errorf("%+v", passed)
	}
	blocked := judged(t, appeal(), del("/record/notice"))
	if blocked.AdvisoryOutcome() != domain.BlockReliance || blocked.RequestedOutcome() != 0 || len(blocked.BlockedTransitions()) != 0 {
		t.Errorf("%+v", blocked)
	}
	amendment := judged(t, correction())
	if amendment.AdvisoryOutcome() != 0 || amendment.RequestedOutcome() != 0 || amendment.Transition() != domain.PostLockCorrection ||
		string(encoded(domain.DecisionOf(amendment))) != string(encoded(domain.Decision{})) ||
		!amendment.FactorCodes().Empty() || amendment.FactorReasons() != nil {
		t.Errorf("%+v", amendment)
	}
}

func TestStandingAndScopeOfADecision(t *testing.T) {
	for _, test := range []struct {
		name     string
		edit     edit
		standing bool
		scope    string
	}{
		{"the sample", set("/record/revision", 2), true, "evidence_row"},
		{"another subject", set("/record/subject", "completion_state"), true, "completion_state"},
		{"subject absent", del("/record/subject"), true, ""},
		{"standing absent", del("/record/standing"), false, "evidence_row"},
		{"no case", del("/record"), false, ""},
	} {
		d := decided(t, appeal(), test.edit)
		if d.StandingAccepted != test.standing || strings.Join(texts(d.ReviewScope), " ") != test.scope || d.ReviewScope == nil {
			t.Errorf("%s: standing %v, scope %q", test.name, d.StandingAccepted, d.ReviewScope)
		}
	}
}

// No free text of a case may reach a decision.
func TestSentencesHoldNothingOfTheCase(t *testing.T) {
	const canary = "Zanzibar"
	for trigger := range triggerAdvice {
		d := decided(t, appeal(), set("/record/trigger", trigger), set("/record/remedyGap", canary),
			set("/record/standing/privacySafeSummary", canary), set("/record/evidenceScope/statement", canary),
			set("/record/evidenceScope/items", []string{canary}), set("/record/subjectId", canary),
			lateSet("/record/caseId", canary))
		if strings.Contains(string(encoded(d)), canary) {
			t.Errorf("%s: %s", trigger, encoded(d))
		}
	}
}

func TestEveryFactorCodeAndOutcomeIsExplained(t *testing.T) {
	for _, code := range domain.FactorCodes.All() {
		if !strings.HasSuffix(domain.FactorMeaning(code), ".") {
			t.Errorf("%s: %q", code, domain.FactorMeaning(code))
		}
	}
	for _, outcome := range domain.Outcomes.All() {
		if !strings.HasSuffix(domain.EffectOf(outcome).Meaning, ".") {
			t.Errorf("%s: %q", outcome, domain.EffectOf(outcome).Meaning)
		}
	}
	if domain.FactorMeaning(0) != "" || domain.EffectOf(0) != (domain.OutcomeEffect{}) {
		t.Error("an absent word is explained")
	}
}

func TestEveryFactorCodeSaysWhyItIsSupportedOrNot(t *testing.T) {
	for _, test := range []struct {
		name, code, why string
		supported       bool
		edits           []edit
	}{
		{"standing", "standing_established", "standing_missing does not hold", true, nil},
		{"no standing", "standing_established", "standing_missing holds", false, []edit{set("/record/standing/accepted", false)}},
		{"the trigger's code", "wrong_scope_evidence_review", "the trigger is wrong scope evidence", true, nil},
		{"another trigger's code", "duplicate_proof_review", "the trigger is another one", false, nil},
		{"no trigger", "duplicate_proof_review", "the case names no trigger", false, []edit{del("/record/trigger")}},
		{"advised", "challenge_window_required", "the outcome is open challenge window", true, nil},
		{"not advised", "challenge_window_required", "the outcome is not open challenge window", false, []edit{del("/record/notice")}},
		{"always", "human_review_required", "always required", true, nil},
		{"no case", "evidence_scope_named", "there is no case", false, []edit{del("/record")}},
	} {
		found := false
		for _, reason := range judged(t, appeal(), test.edits...).FactorReasons() {
			if reason.Code.String() == test.code {
				found = true
				if reason.Supported != test.supported || reason.Why != test.why {
					t.Errorf("%s: %+v", test.name, reason)
				}
			}
			if reason.Why == "" {
				t.Errorf("%s: %s has no reason", test.name, reason.Code)
			}
		}
		if !found {
			t.Errorf("%s: there is no %s", test.name, test.code)
		}
	}
	for _, reason := range judged(t, correction()).FactorReasons() {
		if reason.Supported != (reason.Code == domain.HumanReviewRequired) || reason.Why == "" {
			t.Errorf("of an amendment: %+v", reason)
		}
	}
}
