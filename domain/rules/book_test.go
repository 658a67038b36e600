package rules_test

import (
	"slices"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/rules"
	"docket/domain/terms"
)

func codesOf(area terms.Area) []string {
	texts := []string{}
	for _, rule := range rules.Book(area) {
		texts = append(texts, rule.Code.String())
	}
	return texts
}

func TestRuleBooksAreTheSourcesListsInItsOrder(t *testing.T) {
	if got := codesOf(terms.Appeals); !slices.Equal(got, domaintest.AppealCodes) {
		t.Errorf("appeals: %q", got)
	}
	if got := codesOf(terms.Amendments); !slices.Equal(got, domaintest.AmendmentCodes) {
		t.Errorf("amendments: %q", got)
	}
	if got := rules.Book(0); len(got) != 0 {
		t.Errorf("no area has %d rules", len(got))
	}
	if a, b := rules.AllBlockers(terms.Appeals).Len(), rules.AllBlockers(terms.Amendments).Len(); a != 18 || b != 33 {
		t.Errorf("%d and %d blockers", a, b)
	}
}

func TestEveryRuleHasAMeaningAndACure(t *testing.T) {
	for _, area := range terms.Areas.All() {
		for _, rule := range rules.Book(area) {
			for _, sentence := range []string{rule.Meaning, rule.Cure} {
				if !strings.HasSuffix(sentence, ".") || strings.ToUpper(sentence[:1]) != sentence[:1] {
					t.Errorf("%s: %q is no sentence", rule.Code, sentence)
				}
			}
			if again, ok := rules.RuleFor(area, rule.Code); !ok || again != rule {
				t.Errorf("%s is not found by its code", rule.Code)
			}
		}
	}
	if _, ok := rules.RuleFor(terms.Appeals, terms.PolicyStale); ok {
		t.Error("a rule of the amendments is found among the appeals")
	}
}

// The tables of this package must show every rule both holding and not holding.
func TestEveryRuleIsInATable(t *testing.T) {
	confirmed, unconfirmed, asCorrection := domaintest.EffectRows()
	for _, book := range []struct {
		codes  []string
		tables [][]domaintest.Row
	}{
		{domaintest.AppealCodes, [][]domaintest.Row{domaintest.AppealPolicyRows, domaintest.AppealWithoutRecordRows, domaintest.AppealStatusRows, domaintest.AppealStandingRows,
			domaintest.AppealScopeRows, domaintest.AppealRequestRows, domaintest.NeutralReviewRows, domaintest.AppealPartyRows}},
		{domaintest.AmendmentCodes, [][]domaintest.Row{domaintest.AmendmentPolicyRows, domaintest.BundleRows, amendmentWithoutRecordRows, domaintest.AmendmentStateRows,
			domaintest.ParentRows, domaintest.CorrectionRows, domaintest.CorrectionEffectRows, domaintest.UnconfirmableRows, domaintest.ConfirmationRows, domaintest.UnneededRows,
			domaintest.NeedingRows, domaintest.NeutralReviewRows, domaintest.AmendmentPartyRows, domaintest.DestinationRows, domaintest.PauseRows, domaintest.StatedRows, confirmed, unconfirmed,
			asCorrection}},
	} {
		held := map[string]bool{}
		for _, row := range slices.Concat(book.tables...) {
			for _, code := range strings.Fields(row.Want) {
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
	for area, want := range map[terms.Area]string{
		terms.Appeals:    "trade-challenge-appeal-validator-v0.1+docket.2",
		terms.Amendments: "trade-agreement-amendments-validator-v0.1+docket.2",
		0:                "",
	} {
		if got := rules.Version(area); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
