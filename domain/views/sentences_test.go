package views_test

import (
	"slices"
	"strings"
	"testing"

	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

func TestEveryBlockerHasTheContractsWordsAndThoseOfItsOwnFirst(t *testing.T) {
	for _, area := range terms.Areas.All() {
		for _, rule := range rules.Book(area) {
			said := views.ContractText(area, rule.Code)
			if len(said) == 0 || !strings.Contains(said[len(said)-1], "fail-closed condition") {
				t.Errorf("%s: %q", rule.Code, said)
			}
		}
	}
	for code, part := range map[terms.Blocker]string{
		terms.StandingMissing:                  "Standing is explicit",
		terms.SettledObligationReopenAttempted: "never silently reopens a settled obligation",
		terms.PrivateDetailsUnredacted:         "before redaction",
	} {
		if said := views.ContractText(terms.Appeals, code); len(said) < 2 || !strings.Contains(said[0], part) {
			t.Errorf("%s: %q", code, said)
		}
	}
	if said := views.ContractText(terms.Amendments, terms.ParentRecordEditDetected); !strings.Contains(said[0], "is not an amendment") {
		t.Errorf("a parent-record edit: %q", said)
	}
}

func TestABlockerOfTheOtherAreaHasNoContractText(t *testing.T) {
	if said := views.ContractText(terms.Appeals, terms.PolicyMutable); said != nil {
		t.Errorf("%q", said)
	}
	if said := views.ContractText(terms.Amendments, terms.StandingMissing); said != nil {
		t.Errorf("%q", said)
	}
}

func TestEveryTriggerIsDefinedAndNoTriggerIsNot(t *testing.T) {
	if _, known := views.DefinitionOfTrigger(0); known {
		t.Error("an absent trigger is defined")
	}
	for _, trigger := range terms.Triggers.All() {
		definition, known := views.DefinitionOfTrigger(trigger)
		if !known || definition.Trigger != trigger || definition.Meaning == "" || !definition.Review.Present() {
			t.Errorf("%s: %+v", trigger, definition)
		}
		gap := slices.ContainsFunc(definition.Said, func(text string) bool { return strings.Contains(text, "names the remedy gap") })
		if len(definition.Said) < 2 || gap != (trigger == terms.ExternalityRemedyGap) {
			t.Errorf("%s says %q", trigger, definition.Said)
		}
	}
}
