package contracts_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"docket/domain/overlap"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// choices is the document that lists this project's choices.
func choices(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("docs/choices.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// code writes words as the document does.
func code(words ...string) string { return "`" + strings.Join(words, "`, `") + "`" }

func TestTheListOfChoicesHasTheWordsOfTheDomain(t *testing.T) {
	text := choices(t)
	private := terms.PrivateCategories.Texts()
	for name, words := range map[string][]string{
		"gate":                    terms.Gates(),
		"appeal policy status":    terms.AppealPolicyStatuses.Texts(),
		"amendment policy status": terms.AmendmentPolicyStatuses.Texts(),
		"redaction status":        terms.RedactionStatuses.Texts(),
		"requested effect":        terms.RequestedEffects.Texts(),
		"changed term":            terms.ChangedTerms.Texts(),
		"effect":                  terms.Effects.Texts(),
		"private category":        private[:len(private)-1],
		"reviewer role":           terms.Roles.Texts(),
	} {
		if row := "\n| " + name + " | " + code(words...); !strings.Contains(text, row) {
			t.Errorf("there is no row %q", row)
		}
	}
}

func TestTheListOfChoicesHasEveryRuleInOrder(t *testing.T) {
	text := choices(t)
	_, appeals, _ := strings.Cut(text, "\n### Appeals\n")
	appeals, amendments, _ := strings.Cut(appeals, "\n### Amendments\n")
	for area, section := range map[terms.Area]string{terms.Appeals: appeals, terms.Amendments: amendments} {
		for _, rule := range rules.Book(area) {
			_, rest, found := strings.Cut(section, "\n| "+code(rule.Code.String())+" | ")
			if !found {
				t.Errorf("%s: %s has no row, or not in the order of the rules", area, rule.Code)
				continue
			}
			section = "\n" + strings.TrimPrefix(rest[strings.Index(rest, "\n"):], "\n")
		}
	}
}

func TestTheListOfChoicesHasTheTablesOfTheDomain(t *testing.T) {
	text := choices(t)
	onBlocked := map[bool]string{true: "yes", false: "no"}
	blockedOutcomes := rules.OutcomesOnBlocked
	for _, outcome := range terms.Outcomes.All() {
		effect := views.EffectOf(outcome)
		expectRow(t, text, code(outcome.String()), code(effect.ProvenanceActivity), code(effect.TraceabilityStep),
			onBlocked[blockedOutcomes.Has(outcome)])
	}
	for _, transition := range rules.TransitionDefinitions() {
		subjects := code(transition.SubjectTypes.Texts()...)
		if transition.SubjectTypes.Len() == terms.SubjectTypes.Len() {
			subjects = "any"
		}
		expectRow(t, text, code(transition.Key.String()), subjects, code(transition.AmendmentTypes.Texts()...))
	}
	for _, factor := range terms.FactorCodes.Texts() {
		if !strings.Contains(text, "\n| "+code(factor)+" | ") {
			t.Errorf("%s has no row", factor)
		}
	}
}

func expectRow(t *testing.T, text string, cells ...string) {
	t.Helper()
	if row := fmt.Sprintf("\n| %s |\n", strings.Join(cells, " | ")); !strings.Contains(text, row) {
		t.Errorf("there is no row %q", row)
	}
}

func TestTheListOfChoicesHasTheWordsOfThePrivateOverlapPilot(t *testing.T) {
	text := choices(t)
	for _, rule := range overlap.BlockerRules() {
		expectRow(t, text, code(string(rule.Code)), rule.Meaning)
	}
	if !strings.Contains(text, code(overlap.NotEvaluated)) {
		t.Error("the result bucket is not listed")
	}
}
