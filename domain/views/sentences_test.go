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

// isSentence reports whether a text is a sentence for people: it starts with a capital, ends with a full stop, and has no code.
func isSentence(text string) bool {
	return len(text) > 15 && text[0] >= 'A' && text[0] <= 'Z' && strings.HasSuffix(text, ".") && !strings.Contains(text, "_")
}

// Nothing is opened, closed, noted or sent by a record, and a record does not say which parts of a packet were read.
func TestThePartiesReadASentenceForEachCodeAndNothingThatNobodyHasDone(t *testing.T) {
	seen, texts := map[string]string{}, []string{}
	check := func(code, text string) {
		t.Helper()
		if !isSentence(text) {
			t.Errorf("%s: %q", code, text)
		}
		if other, twice := seen[text]; twice {
			t.Errorf("%s and %s read the same", code, other)
		}
		seen[text] = code
	}
	for _, area := range terms.Areas.All() {
		for _, rule := range rules.Book(area) {
			if _, known := seen[views.PartyBlocker(rule.Code)]; !known || area == terms.Appeals {
				check(rule.Code.String(), views.PartyBlocker(rule.Code))
			}
		}
	}
	for _, code := range terms.Blockers.All() {
		texts = append(texts, views.PartyBlocker(code))
	}
	for _, code := range terms.FactorCodes.All() {
		texts = append(texts, views.PartyFactor(code))
		check(code.String(), views.PartyFactor(code))
	}
	for _, outcome := range terms.Outcomes.All() {
		if outcome != terms.OpenChallengeWindow { // its factor code says the same, and then that the platform opens it
			check(outcome.String(), views.PartyOutcome(outcome))
		}
		activity, step := views.PartyEffect(outcome)
		texts = append(texts, views.PartyOutcome(outcome), activity, step)
	}
	for _, text := range texts {
		if !isSentence(text) {
			t.Errorf("%q is no sentence", text)
		}
		for _, claim := range []string{"looked at", "is open", "is closed", "was closed", "is noted", "on its way",
			"was considered", "was requested", "was passed on", "ends "} {
			if strings.Contains(text, claim) {
				t.Errorf("%q claims %q", text, claim)
			}
		}
	}
	activity, step := views.PartyEffect(0)
	for _, text := range []string{views.PartyBlocker(0), views.PartyFactor(0), views.PartyOutcome(0), activity, step} {
		if text != "" {
			t.Errorf("of no code: %q", text)
		}
	}
}

// The source lists six effects for each area (4.1 rule 3 and 4.2 rule 2).
func TestThePartiesReadEachOfTheSixEffectsThatARecordCannotHave(t *testing.T) {
	want := map[terms.Area][]string{
		terms.Appeals: {"open an appeal", "correct a record", "allow reliance", "waive a safety blocker",
			"reopen a settled obligation", "publish public metrics"},
		terms.Amendments: {"apply an amendment", "edit a parent record", "authorize a material change",
			"authorize payment", "authorize reliance", "publish public metrics"},
	}
	for _, area := range terms.Areas.All() {
		texts := views.NoEffects(area)
		if len(texts) != len(want[area]) {
			t.Errorf("%s: %q", area, texts)
		}
		for i, effect := range want[area] {
			if texts[i] != "It cannot "+effect+"." || !strings.Contains(views.Cannot(area), effect) {
				t.Errorf("%s: %s is missing in %q or %q", area, effect, texts, views.Cannot(area))
			}
		}
		for _, text := range append(texts, views.ChallengeText(area)...) {
			if !isSentence(text) {
				t.Errorf("%s: %q", area, text)
			}
		}
	}
}
