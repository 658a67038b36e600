package rules_test

import (
	"slices"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/terms"
	"docket/domain/views"
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
	when := func(name, want string, edits ...domaintest.Edit) row { return row{name, want, edits} }
	for _, test := range []row{
		when("the sample", all),
		when("subject absent", less(window, "specific_reviewed_claim", "no_unrelated_moral_disagreement"), domaintest.Del("/record/subject")),
		when("subject id absent", less(window, "specific_reviewed_claim", "no_unrelated_moral_disagreement"), domaintest.Del("/record/subjectId")),
		when("standing not accepted", less(window, "standing_established"), domaintest.Set("/record/standing/accepted", false)),
		when("affected party", strings.Replace(all, "standing_established", "standing_established affected_party_standing", 1),
			domaintest.Set("/record/standing/category", "affected_party")),
		when("affected party not accepted", less(window, "standing_established"),
			domaintest.Set("/record/standing/category", "affected_party"), domaintest.Set("/record/standing/accepted", false)),
		when("affected party without summary", less(window, "standing_established"),
			domaintest.Set("/record/standing/category", "affected_party"), domaintest.Del("/record/standing/privacySafeSummary")),
		when("no evidence", less(window, "evidence_scope_named"), domaintest.Set("/record/evidenceScope/items", []string{})),
		when("no trigger", less(window, "wrong_scope_evidence_review", "no_unrelated_moral_disagreement"), domaintest.Del("/record/trigger")),
		when("no trigger and no subject", less(window, "wrong_scope_evidence_review", "no_unrelated_moral_disagreement",
			"specific_reviewed_claim"), domaintest.Del("/record/trigger"), domaintest.Del("/record/subject")),
		when("parent would change", less(window, "no_unrelated_moral_disagreement"),
			domaintest.Set("/record/requestedEffects", []string{"change_parent_record"})),
		when("redaction pending", less(window, "private_details_redacted"), domaintest.Set("/record/redaction/status", "pending")),
		when("another blocker", less(window), domaintest.Del("/record/notice")),
		when("no policy", less(window), domaintest.Del("/policy")),
		when("another outcome asked for", less(window), domaintest.Set("/record/requestedOutcome", "uphold_decision")),
		when("no case", "human_review_required provenance_activity_required", domaintest.Del("/record")),
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := strings.Join(domaintest.Texts(domaintest.Decided(t, domaintest.Appeal(), test.edits...).FactorCodes), " "); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// The parts of a decision that others ask for one by one; amendments have none.
func TestEvaluationsAnswerForTheirArea(t *testing.T) {
	passed := judged(t, domaintest.Appeal(), domaintest.Set("/record/requestedOutcome", "uphold_decision"))
	if passed.AdvisoryOutcome() != terms.UpholdDecision || passed.RequestedOutcome() != terms.UpholdDecision ||
		strings.Join(domaintest.Texts(passed.FactorCodes().Terms()), " ") != strings.Join(domaintest.Texts(views.DecisionOf(passed).FactorCodes), " ") ||
		passed.Transition() != 0 || passed.ProtectedBoundary() != "" || len(passed.BlockedTransitions()) != 0 {
		t.Errorf("%+v", passed)
	}
	blocked := judged(t, domaintest.Appeal(), domaintest.Del("/record/notice"))
	if blocked.AdvisoryOutcome() != terms.BlockReliance || blocked.RequestedOutcome() != 0 || len(blocked.BlockedTransitions()) != 0 {
		t.Errorf("%+v", blocked)
	}
	amendment := judged(t, domaintest.Correction())
	if amendment.AdvisoryOutcome() != 0 || amendment.RequestedOutcome() != 0 || amendment.Transition() != terms.PostLockCorrection ||
		string(domaintest.Encoded(views.DecisionOf(amendment))) != string(domaintest.Encoded(views.Decision{})) ||
		!amendment.FactorCodes().Empty() || amendment.FactorReasons() != nil {
		t.Errorf("%+v", amendment)
	}
}

func TestStandingAndScopeOfADecision(t *testing.T) {
	for _, test := range []struct {
		name     string
		edit     domaintest.Edit
		standing bool
		scope    string
	}{
		{"the sample", domaintest.Set("/record/revision", 2), true, "evidence_row"},
		{"another subject", domaintest.Set("/record/subject", "completion_state"), true, "completion_state"},
		{"subject absent", domaintest.Del("/record/subject"), true, ""},
		{"standing absent", domaintest.Del("/record/standing"), false, "evidence_row"},
		{"no case", domaintest.Del("/record"), false, ""},
	} {
		d := domaintest.Decided(t, domaintest.Appeal(), test.edit)
		if d.StandingAccepted != test.standing || strings.Join(domaintest.Texts(d.ReviewScope), " ") != test.scope || d.ReviewScope == nil {
			t.Errorf("%s: standing %v, scope %q", test.name, d.StandingAccepted, d.ReviewScope)
		}
	}
}

// No free text of a case may reach a decision.
func TestSentencesHoldNothingOfTheCase(t *testing.T) {
	const canary = "Zanzibar"
	for _, trigger := range terms.Triggers.Texts() {
		d := domaintest.Decided(t, domaintest.Appeal(), domaintest.Set("/record/trigger", trigger), domaintest.Set("/record/remedyGap", canary),
			domaintest.Set("/record/standing/privacySafeSummary", canary), domaintest.Set("/record/evidenceScope/statement", canary),
			domaintest.Set("/record/evidenceScope/items", []string{canary}), domaintest.Set("/record/subjectId", canary),
			domaintest.LateSet("/record/caseId", canary))
		if strings.Contains(string(domaintest.Encoded(d)), canary) {
			t.Errorf("%s: %s", trigger, domaintest.Encoded(d))
		}
	}
}

func TestEveryFactorCodeAndOutcomeIsExplained(t *testing.T) {
	for _, code := range terms.FactorCodes.All() {
		if !strings.HasSuffix(views.FactorMeaning(code), ".") {
			t.Errorf("%s: %q", code, views.FactorMeaning(code))
		}
	}
	for _, outcome := range terms.Outcomes.All() {
		if !strings.HasSuffix(views.EffectOf(outcome).Meaning, ".") {
			t.Errorf("%s: %q", outcome, views.EffectOf(outcome).Meaning)
		}
	}
	if views.FactorMeaning(0) != "" || views.EffectOf(0) != (views.OutcomeEffect{}) {
		t.Error("an absent word is explained")
	}
}

func TestEveryFactorCodeSaysWhyItIsSupportedOrNot(t *testing.T) {
	for _, test := range []struct {
		name, code, why string
		supported       bool
		edits           []domaintest.Edit
	}{
		{"standing", "standing_established", "standing is accepted", true, nil},
		{"no standing", "standing_established", "standing is not accepted", false, edits(`/record/standing/accepted = false`)},
		{"the trigger's code", "wrong_scope_evidence_review", "the trigger is wrong scope evidence", true, nil},
		{"another trigger's code", "duplicate_proof_review", "the trigger differs", false, nil},
		{"no trigger", "duplicate_proof_review", "the case names no trigger", false, edits(`-/record/trigger`)},
		{"advised", "challenge_window_required", "the outcome is open challenge window", true, nil},
		{"not advised", "challenge_window_required", "the outcome is not open challenge window", false, edits(`-/record/notice`)},
		{"always", "human_review_required", "always required", true, nil},
		{"no case", "evidence_scope_named", "there is no case", false, edits(`-/record`)},
	} {
		found := false
		for _, reason := range judged(t, domaintest.Appeal(), test.edits...).FactorReasons() {
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
	for _, reason := range judged(t, domaintest.Correction()).FactorReasons() {
		if reason.Supported != (reason.Code == terms.HumanReviewRequired) || reason.Why == "" {
			t.Errorf("of an amendment: %+v", reason)
		}
	}
}
