package views_test

import (
	"slices"
	"strings"
	"testing"

	"docket/domain"
)

func TestEveryBlockerHasTheContractsWordsAndThoseOfItsOwnFirst(t *testing.T) {
	for _, area := range domain.Areas.All() {
		for _, rule := range domain.RuleBook(area) {
			said := domain.ContractText(area, rule.Code)
			if len(said) == 0 || !strings.Contains(said[len(said)-1], "fail-closed condition") {
				t.Errorf("%s: %q", rule.Code, said)
			}
		}
	}
	for code, part := range map[domain.Blocker]string{
		domain.StandingMissing:                  "Standing is explicit",
		domain.SettledObligationReopenAttempted: "never silently reopens a settled obligation",
		domain.PrivateDetailsUnredacted:         "before redaction",
	} {
		if said := domain.ContractText(domain.Appeals, code); len(said) < 2 || !strings.Contains(said[0], part) {
			t.Errorf("%s: %q", code, said)
		}
	}
	if said := domain.ContractText(domain.Amendments, domain.ParentRecordEditDetected); !strings.Contains(said[0], "is not an amendment") {
		t.Errorf("a parent-record edit: %q", said)
	}
}

func TestABlockerOfTheOtherAreaHasNoContractText(t *testing.T) {
	if said := domain.ContractText(domain.Appeals, domain.PolicyMutable); said != nil {
		t.Errorf("%q", said)
	}
	if said := domain.ContractText(domain.Amendments, domain.StandingMissing); said != nil {
		t.Errorf("%q", said)
	}
}

func TestEveryTriggerIsDefinedAndNoTriggerIsNot(t *testing.T) {
	if _, known := domain.DefinitionOfTrigger(0); known {
		t.Error("an absent trigger is defined")
	}
	for _, trigger := range domain.Triggers.All() {
		definition, known := domain.DefinitionOfTrigger(trigger)
		if !known || definition.Trigger != trigger || definition.Meaning == "" || !definition.Review.Present() {
			t.Errorf("%s: %+v", trigger, definition)
		}
		gap := slices.ContainsFunc(definition.Said, func(text string) bool { return strings.Contains(text, "names the remedy gap") })
		if len(definition.Said) < 2 || gap != (trigger == domain.ExternalityRemedyGap) {
			t.Errorf("%s says %q", trigger, definition.Said)
		}
	}
}
