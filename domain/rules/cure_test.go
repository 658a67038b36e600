package rules_test

import (
	"os"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/rules"
	"docket/domain/terms"
)

func TestACureOffersNothingThatTheRulesRefuse(t *testing.T) {
	text, err := os.ReadFile("testdata/cures.txt")
	if err != nil {
		t.Fatal(err)
	}
	cures := 0
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSpace(line), " | ")
		if len(fields) != 5 {
			continue
		}
		cures++
		code, err := terms.Blockers.Parse(fields[1])
		if err != nil {
			t.Fatal(err)
		}
		input, evaluation := domaintest.Evaluated(t, ruleTable{scene: fields[0]}.from(), edits(fields[4])...)
		rule := input.Rule(code)
		if !evaluation.BlockerSet().Has(code) || rule.Code != code || rule.Meaning == "" {
			t.Fatalf("%s: %q, %+v", line, evaluation.BlockerSet().Texts(), rule)
		}
		if !strings.Contains(rule.Cure, fields[2]) || fields[3] != "-" && strings.Contains(rule.Cure, fields[3]) {
			t.Errorf("%s: %s", line, rule.Cure)
		}
	}
	if cures != 15 {
		t.Errorf("%d cures", cures)
	}
}

func TestOfNoRecordTheCureIsThatOfTheBook(t *testing.T) {
	input, _ := domaintest.Evaluated(t, domaintest.Appeal(), domaintest.Del("/record"))
	for _, rule := range rules.Book(terms.Appeals) {
		if got := input.Rule(rule.Code); got != rule {
			t.Errorf("%+v", got)
		}
	}
	if got := input.Rule(terms.PolicyStale); got != (rules.Rule{}) {
		t.Errorf("of the other area: %+v", got)
	}
}
