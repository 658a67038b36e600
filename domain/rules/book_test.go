package rules_test

import (
	"maps"
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
	held := map[string]map[string]bool{"appeal": {}, "amendment": {}}
	for _, table := range tables(t) {
		area := "amendment"
		if table.scene == "appeal" {
			area = "appeal"
		}
		for _, r := range table.rows {
			for code := range strings.FieldsSeq(r.want) {
				held[area][code] = true
			}
		}
	}
	for area, codes := range map[string][]string{"appeal": domaintest.AppealCodes, "amendment": domaintest.AmendmentCodes} {
		if got := slices.Sorted(maps.Keys(held[area])); !slices.Equal(got, slices.Sorted(slices.Values(codes))) {
			t.Errorf("the tables of an %s show %q", area, got)
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
