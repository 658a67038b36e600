package rules_test

import (
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/terms"
	"docket/domain/views"
)

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
	without := domaintest.Decided(t, domaintest.Appeal(), domaintest.Del("/record"))
	if codes := strings.Join(domaintest.Texts(without.FactorCodes), " "); codes != "human_review_required provenance_activity_required" ||
		without.StandingAccepted || len(without.ReviewScope) > 0 || without.ReviewScope == nil {
		t.Errorf("without a case: %+v", without)
	}
	for _, reason := range judged(t, domaintest.Correction()).FactorReasons() {
		if reason.Supported != (reason.Code == terms.HumanReviewRequired) || reason.Why == "" {
			t.Errorf("of an amendment: %+v", reason)
		}
	}
}
