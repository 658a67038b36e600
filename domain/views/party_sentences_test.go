package views_test

import (
	"strings"
	"testing"

	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// isSentence reports whether a text is a sentence for people: it starts with a capital, ends with a full stop, and has no code.
func isSentence(text string) bool {
	return len(text) > 15 && text[0] >= 'A' && text[0] <= 'Z' && strings.HasSuffix(text, ".") && !strings.Contains(text, "_")
}

func TestThePartiesReadASentenceForEachCode(t *testing.T) {
	seen := map[string]string{}
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
		if !isSentence(views.PartyBlocker(code)) {
			t.Errorf("%s: %q", code, views.PartyBlocker(code))
		}
	}
	for _, code := range terms.FactorCodes.All() {
		check(code.String(), views.PartyFactor(code))
	}
	for _, outcome := range terms.Outcomes.All() {
		if outcome != terms.OpenChallengeWindow { // its factor code says the same, and then that the platform opens it
			check(outcome.String(), views.PartyOutcome(outcome))
		}
		activity, step := views.PartyEffect(outcome)
		if !isSentence(views.PartyOutcome(outcome)) || !isSentence(activity) || !isSentence(step) {
			t.Errorf("%s: %q, %q", outcome, activity, step)
		}
	}
}

func TestAnAbsentCodeHasNoSentenceForTheParties(t *testing.T) {
	activity, step := views.PartyEffect(0)
	for _, text := range []string{views.PartyBlocker(0), views.PartyFactor(0), views.PartyOutcome(0), activity, step} {
		if text != "" {
			t.Errorf("%q", text)
		}
	}
}

func TestEachAreaListsTheEffectsThatADecisionDoesNotHave(t *testing.T) {
	for _, area := range terms.Areas.All() {
		texts := views.NoEffects(area)
		if len(texts) < 3 {
			t.Errorf("%s: %q", area, texts)
		}
		for _, text := range append(texts, views.ChallengeText(area)...) {
			if !isSentence(text) {
				t.Errorf("%s: %q", area, text)
			}
		}
	}
}
