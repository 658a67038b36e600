package serve_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"docket/cmd/internal/api"
	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// An oracleRow is one line of the rows of domain's rule tables, which a test of domain's writes: a
// base question, or how a question differs from its base and which codes hold then.
type oracleRow struct {
	Base     string
	Question json.RawMessage
	Name     string
	Changes  []struct {
		At   string
		To   json.RawMessage
		Gone bool
	}
	Blockers string
}

// A question is an evaluation input with its route, the codes that hold, and the line with which
// `docket evaluate` answers.
type question struct {
	name, path, blockers string
	text, answer         []byte
}

// oracle reads the questions of all rows.
func oracle(t testing.TB) (questions []question) {
	t.Helper()
	file, err := os.ReadFile("../../../testdata/oracle/questions.jsonl")
	must(t, err)
	bases := map[string]json.RawMessage{}
	var reader packets.Reader
	for line := range bytes.Lines(file) {
		var row oracleRow
		must(t, json.Unmarshal(line, &row))
		if row.Question != nil {
			bases[row.Base] = row.Question
			continue
		}
		q := question{name: row.Base + ", " + row.Name, blockers: row.Blockers,
			text: row.apply(t, bases[row.Base])}
		asked, fault := rules.ReadInput(&reader, q.text)
		if fault != nil {
			t.Fatal(fault)
		}
		q.path = api.AppealEvaluatePath
		if asked.Area() == terms.Amendments {
			q.path = api.AmendmentEvaluatePath
		}
		q.answer = views.AppendAnswer(nil, &asked, rules.Evaluate(&asked))
		questions = append(questions, q)
	}
	if len(questions) < 500 {
		t.Fatalf("only %d rows", len(questions))
	}
	return questions
}

// apply makes the changes of the row to its base.
func (row *oracleRow) apply(t testing.TB, base json.RawMessage) []byte {
	t.Helper()
	document := map[string]any{}
	must(t, json.Unmarshal(base, &document))
	for _, change := range row.Changes {
		steps := strings.Split(change.At, "/")[1:]
		at, last := document, steps[len(steps)-1]
		for _, step := range steps[:len(steps)-1] {
			at = at[step].(map[string]any)
		}
		if change.Gone {
			delete(at, last)
		} else {
			at[last] = change.To
		}
	}
	text, err := json.Marshal(document)
	must(t, err)
	return text
}

func TestChallengeAppealEvaluateRouteContract(t *testing.T) {
	evaluatesOnly(t, api.AppealEvaluatePath, func(answer map[string]any, pass bool) bool {
		decision, _ := answer["decision"].(map[string]any)
		for _, name := range []string{"status", "outcome", "factorCodes", "humanReviewRequired", "stateMutation",
			"standingAccepted", "reviewScope", "requiredArtifacts", "privacyActions", "provenanceActivity",
			"traceabilityBusinessStep", "appealScopeStatement", "blockers"} {
			if _, there := decision[name]; !there {
				return false
			}
		}
		return len(decision) == 13 && decision["humanReviewRequired"] == true &&
			decision["stateMutation"] == false &&
			(decision["status"] == "ready_for_human_review") == pass
	})
}

func TestAgreementAmendmentRouteContract(t *testing.T) {
	evaluatesOnly(t, api.AmendmentEvaluatePath, func(answer map[string]any, pass bool) bool {
		blocked, _ := answer["blockedTransitions"].([]any)
		return answer["transition"] == nil || answer["protectedBoundary"] != nil &&
			(len(blocked) == 0) == pass
	})
}

// evaluatesOnly asks an evaluate route every question of its area, some of them twice, those of the
// other area, and what it cannot read: the answers are those of the rule tables, the refusals
// repeat nothing, and nothing is written.
func evaluatesOnly(t *testing.T, path string, holds func(answer map[string]any, pass bool) bool) {
	t.Helper()
	s := serving(t)
	before, seen := s.Dump(t), map[string]int{}
	for _, q := range oracle(t) {
		if q.path != path {
			if seen["other"]++; seen["other"] < 10 {
				problem := s.post(t, path, Reviewer, q.text).is(t, api.Malformed)
				if problem.Pointer != "/table" {
					t.Errorf("the pointer is %q", problem.Pointer)
				}
			}
			continue
		}
		answered := s.post(t, path, Stranger, q.text)
		answer := read[map[string]any](t, answered, http.StatusOK)
		codes, gate := texts(answer["blockers"]), "pass"
		if q.blockers != "" {
			gate = "blocked"
		}
		if answer["gate"] != gate || !slices.Equal(codes, strings.Fields(q.blockers)) ||
			!holds(answer, q.blockers == "") {
			t.Errorf("%s: %s, want %s %q", q.name, answered.body, gate, q.blockers)
		}
		if !bytes.Equal(answered.body, q.answer) {
			t.Errorf("%s: it answers\n%s\n`docket evaluate` would answer\n%s", q.name,
				answered.body, q.answer)
		}
		if seen[gate]++; seen[gate] > 5 {
			continue
		}
		if again := s.post(t, path, Reviewer, q.text); !bytes.Equal(again.body, answered.body) {
			t.Errorf("%s: then it answers %s", q.name, again.body)
		}
		unknown := `{"table":"` + answer["table"].(string) +
			`","at":"2026-07-01T00:00:00Z","record":{"` + canary + `":"` + canary + `"}}`
		for _, broken := range []string{unknown, string(q.text[:len(q.text)-1]), `"` + canary +
			`"`} {
			refused := s.post(t, path, Reviewer, []byte(broken))
			refused.is(t, api.Malformed)
			silent(t, refused)
		}
	}
	if seen["pass"] == 0 || seen["blocked"] == 0 || seen["other"] == 0 {
		t.Errorf("asked were %v", seen)
	}
	s.post(t, path, person{}, []byte("{}")).is(t, api.Unauthenticated)
	same(t, before, s.Dump(t))
}
