package contracts_test

import (
	"fmt"
	"strings"
	"testing"

	"docket/domain/overlap"
)

func TestTheListOfChoicesHasTheWordsOfThePrivateOverlapPilot(t *testing.T) {
	text := choices(t)
	for name, words := range map[string][]string{
		"overlap action":        overlap.Actions.Texts(),
		"overlap review":        overlap.Reviews.Texts(),
		"overlap review state":  overlap.ReviewStates.Texts(),
		"overlap result bucket": overlap.ResultBuckets.Texts(),
	} {
		if row := "\n| " + name + " | " + code(words...); !strings.Contains(text, row) {
			t.Errorf("there is no row %q", row)
		}
	}
	for _, rule := range overlap.BlockerRules() {
		expectRow(t, text, code(rule.Code.String()), rule.Meaning)
	}
	for _, listed := range []string{code(overlap.RefusalCodes.Texts()...), fmt.Sprintf("; %d letters,", overlap.ReceiptIDSize)} {
		if !strings.Contains(text, listed) {
			t.Errorf("there is no %q", listed)
		}
	}
}
