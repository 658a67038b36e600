package domain_test

import (
	"slices"
	"strings"
	"testing"

	"docket/domain"
)

// The fail-closed lists of the source, in its order (seed 7.1 and 7.2).
var (
	appealCodes = []string{"appeal_policy_missing", "appeal_policy_not_current", "appeal_case_missing",
		"appeal_case_stale", "appeal_case_superseded", "standing_missing", "notice_missing", "deadline_missing",
		"deadline_expired", "neutral_review_missing", "scope_missing", "private_details_unredacted",
		"safety_blocker_waiver_attempted", "settled_obligation_reopen_attempted", "non_retaliation_missing",
		"evidence_scope_missing", "invalid_case_hash", "invalid_policy_hash"}
	amendmentCodes = []string{"policy_missing", "policy_mutable", "policy_stale", "policy_superseded",
		"amendment_missing", "amendment_unconfirmed", "amendment_not_approved", "amendment_not_applied",
		"amendment_rejected_or_withdrawn", "amendment_stale", "amendment_superseded", "parent_record_edit_detected",
		"retroactive_performance_change", "evidence_claim_retyped", "exposure_increase_without_confirmation",
		"funds_redirect_without_confirmation", "compensation_change_without_confirmation",
		"cancellation_rights_narrowed", "privacy_change_without_confirmation",
		"donor_of_record_change_without_confirmation", "third_party_obligation_change_without_confirmation",
		"renewed_confirmation_missing", "renewed_confirmation_stale", "participant_confirmation_scope_mismatch",
		"neutral_review_missing", "notice_missing", "reviewer_quality_missing", "baseline_integrity_missing",
		"before_terms_hash_missing", "after_terms_hash_missing", "policy_snapshot_bundle_missing",
		"invalid_amendment_hash", "invalid_policy_hash"}
)

func codesOf(area domain.Area) []string {
	texts := []string{}
	for _, rule := range domain.RuleBook(area) {
		texts = append(texts, rule.Code.String())
	}
	return texts
}

func TestRuleBooksAreTheSourcesListsInItsOrder(t *testing.T) {
	if got := codesOf(domain.Appeals); !slices.Equal(got, appealCodes) {
		t.Errorf("appeals: %q", got)
	}
	if got := codesOf(domain.Amendments); !slices.Equal(got, amendmentCodes) {
		t.Errorf("amendments: %q", got)
	}
	if got := domain.RuleBook(0); len(got) != 0 {
		t.Errorf("no area has %d rules", len(got))
	}
	if a, b := domain.AllBlockers(domain.Appeals).Len(), domain.AllBlockers(domain.Amendments).Len(); a != 18 || b != 33 {
		t.Errorf("%d and %d blockers", a, b)
	}
}

func TestEveryRuleSaysWhatItMeansAndWhatCuresIt(t *testing.T) {
	for _, area := range domain.Areas.All() {
		for _, rule := range domain.RuleBook(area) {
			for _, sentence := range []string{rule.Meaning, rule.Cure} {
				if !strings.HasSuffix(sentence, ".") || strings.ToUpper(sentence[:1]) != sentence[:1] {
					t.Errorf("%s: %q is no sentence", rule.Code, sentence)
				}
			}
			if again, ok := domain.RuleFor(area, rule.Code); !ok || again != rule {
				t.Errorf("%s is not found by its code", rule.Code)
			}
		}
	}
	if _, ok := domain.RuleFor(domain.Appeals, domain.PolicyStale); ok {
		t.Error("a rule of the amendments is found among the appeals")
	}
}

// The tables of this package must show every rule both holding and not holding.
func TestEveryRuleIsInATable(t *testing.T) {
	confirmed, unconfirmed, asCorrection := effectRows()
	for _, book := range []struct {
		codes  []string
		tables [][]row
	}{
		{appealCodes, [][]row{appealPolicyRows, appealWithoutRecordRows, appealStatusRows, appealStandingRows,
			appealScopeRows, appealRequestRows, neutralReviewRows, appealPartyRows}},
		{amendmentCodes, [][]row{amendmentPolicyRows, bundleRows, amendmentWithoutRecordRows, amendmentStateRows,
			parentRows, correctionRows, correctionEffectRows, unconfirmableRows, confirmationRows, unneededRows,
			needingRows, neutralReviewRows, amendmentPartyRows, destinationRows, pauseRows, statedRows, confirmed, unconfirmed,
			asCorrection}},
	} {
		held := map[string]bool{}
		for _, row := range slices.Concat(book.tables...) {
			for _, code := range strings.Fields(row.want) {
				held[code] = true
			}
		}
		for _, code := range book.codes {
			if !held[code] {
				t.Errorf("no table shows %s", code)
			}
		}
		if len(held) != len(book.codes) {
			t.Errorf("the tables name %d codes of %d", len(held), len(book.codes))
		}
	}
}

func TestRulesVersionNamesTheValidatorAndTheRevisionOfTheBook(t *testing.T) {
	for area, want := range map[domain.Area]string{
		domain.Appeals:    "trade-challenge-appeal-validator-v0.1+docket.1",
		domain.Amendments: "trade-agreement-amendments-validator-v0.1+docket.1",
		0:                 "",
	} {
		if got := domain.RulesVersion(area); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
