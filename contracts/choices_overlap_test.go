package contracts_test

import (
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
		"overlap audit reason":  overlap.AuditReasons.Texts(),
	} {
		if row := "\n| " + name + " | " + code(words...); !strings.Contains(text, row) {
			t.Errorf("there is no row %q", row)
		}
	}
	for _, rule := range overlap.BlockerRules() {
		expectRow(t, text, code(rule.Code.String()), rule.Meaning)
	}
	for _, listed := range []string{code(overlap.RefusalCodes.Texts()...), code(overlap.ReceiptMembers()[:4]...)} {
		if !strings.Contains(text, listed) && !strings.Contains(text, strings.Replace(listed, "`receipt_id`", "`receipt_id` (UUIDv7)", 1)) {
			t.Errorf("there is no list %q", listed)
		}
	}
}
