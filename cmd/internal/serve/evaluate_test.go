package serve_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"docket/cmd/internal/api"
	"docket/domain/terms"
)

func TestChallengeAppealEvaluateRouteContract(t *testing.T) {
	t.Parallel()
	evaluatesOnly(t, terms.AppealCases, api.AppealEvaluatePath, func(t *testing.T, answer map[string]any, pass bool) {
		decision, _ := answer["decision"].(map[string]any)
		for _, name := range []string{"status", "outcome", "factorCodes", "humanReviewRequired", "stateMutation",
			"standingAccepted", "reviewScope", "requiredArtifacts", "privacyActions", "provenanceActivity",
			"traceabilityBusinessStep", "appealScopeStatement", "blockers"} {
			if _, there := decision[name]; !there {
				t.Errorf("the decision has no %s", name)
			}
		}
		if len(decision) != 13 || decision["humanReviewRequired"] != true || decision["stateMutation"] != false ||
			(decision["status"] == "ready_for_human_review") != pass {
			t.Errorf("%v", decision)
		}
	})
}

func TestAgreementAmendmentRouteContract(t *testing.T) {
	t.Parallel()
	evaluatesOnly(t, terms.AmendmentRecords, api.AmendmentEvaluatePath,
		func(t *testing.T, answer map[string]any, pass bool) {
			blocked, _ := answer["blockedTransitions"].([]any)
			if answer["protectedBoundary"] == nil || (len(blocked) == 0) != pass {
				t.Errorf("%v", answer)
			}
		})
}

// evaluatesOnly asks an evaluate route what passes and what does not, twice each, and what it cannot read:
// the answers have their members and are the same, the refusals repeat nothing, and nothing is written.
func evaluatesOnly(t *testing.T, table terms.Table, path string, holds func(t *testing.T, answer map[string]any, pass bool)) {
	t.Helper()
	s := newHarness(t, newServiceStore(t))
	before, seen := s.Dump(t), map[bool]int{}
	for _, q := range oracle(t) {
		if !bytes.Contains(q.text, []byte(`"table":"`+table.String()+`"`)) || len(seen) == 2 && seen[true] > 5 {
			continue
		}
		first, again := s.post(t, path, Reviewer, q.text), s.post(t, path, Reviewer, q.text)
		answer := read[map[string]any](t, first, http.StatusOK)
		pass := answer["gate"] == "pass"
		var codes []string
		list, _ := answer["blockers"].([]any)
		for _, code := range list {
			codes = append(codes, code.(string))
		}
		if !bytes.Equal(first.body, again.body) || !slices.Equal(codes, strings.Fields(q.blockers)) || pass != (len(codes) == 0) {
			t.Errorf("%s: %s", q.name, first.body)
		}
		seen[pass]++
		if answer["transition"] != nil || table == terms.AppealCases {
			holds(t, answer, pass)
		}
		unknown, err := json.Marshal(map[string]any{"table": table, "at": "2026-07-01T00:00:00Z",
			"record": map[string]any{canary: canary}})
		if err != nil {
			t.Fatal(err)
		}
		for _, broken := range [][]byte{unknown, q.text[:len(q.text)-1], []byte(`"` + canary + `"`)} {
			refused := s.post(t, path, Reviewer, broken)
			refused.is(t, api.Malformed)
			silent(t, refused)
		}
	}
	if seen[true] == 0 || seen[false] == 0 {
		t.Errorf("%d pass, %d do not", seen[true], seen[false])
	}
	s.post(t, path, person{}, []byte("{}")).is(t, api.Unauthenticated)
	same(t, before, s.Dump(t))
}
