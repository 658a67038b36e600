package overlap_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"docket/domain/overlap"
)

func TestEveryAnswerIsBlockedAndHasTheThreeMembersAndNoOther(t *testing.T) {
	for _, route := range append(overlap.PlannedEndpoints(), overlap.Endpoint{}) {
		answer := overlap.AnswerTo(route, "receipt")
		want := overlap.BlockerRules()[2:]
		if route.Status != "" {
			want = append([]overlap.BlockerRule{{Code: route.Status}}, want...)
		}
		if !slices.EqualFunc(answer.Blockers, want, func(code overlap.Blocker, rule overlap.BlockerRule) bool {
			return code == rule.Code
		}) {
			t.Errorf("%s: %q", route.Path, answer.Blockers)
		}
		printed, err := json.Marshal(answer)
		var members map[string]any
		if err != nil || json.Unmarshal(printed, &members) != nil || len(members) != 3 ||
			members["result_bucket"] != "not_evaluated" || members["receipt_id"] != "receipt" ||
			members["blockers"] == nil {
			t.Errorf("%s: %v", printed, err)
		}
	}
}

func TestEveryBlockerIsExplainedOnceAndEveryReviewBlocks(t *testing.T) {
	seen, open := map[overlap.Blocker]bool{}, 0
	for _, rule := range overlap.BlockerRules() {
		if seen[rule.Code] || rule.Meaning == "" || rule.Cure == "" {
			t.Errorf("%+v", rule)
		}
		seen[rule.Code] = true
		if strings.HasSuffix(string(rule.Code), "_open") {
			open++
		}
	}
	if open != len(overlap.RequiredReviews()) || open != 5 || len(seen) != 8 {
		t.Errorf("%d open reviews of %d, %d blockers", open, len(overlap.RequiredReviews()), len(seen))
	}
}
