package serve_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"

	"docket/cmd/internal/api"
	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// oracleFile holds the rows of domain's rule tables; a test of domain's writes it.
const oracleFile = "../../../testdata/oracle/questions.jsonl"

// An oracleRow is one line: a base question, or how a question differs from its base and which codes hold then.
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

// A question is an evaluation input with the codes that hold.
type question struct {
	name     string
	text     []byte
	blockers string
}

// oracle reads the questions of all rows.
func oracle(t testing.TB) (questions []question) {
	t.Helper()
	file, err := os.ReadFile(oracleFile)
	if err != nil {
		t.Fatal(err)
	}
	bases := map[string]json.RawMessage{}
	for line := range bytes.Lines(file) {
		var row oracleRow
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		if row.Question != nil {
			bases[row.Base] = row.Question
			continue
		}
		questions = append(questions, question{row.Base + ", " + row.Name, row.apply(t, bases[row.Base]), row.Blockers})
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
	if err := json.Unmarshal(base, &document); err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// evaluatePath is the evaluate route for a question.
func evaluatePath(t testing.TB, text []byte) string {
	t.Helper()
	var asked struct{ Table string }
	if err := json.Unmarshal(text, &asked); err != nil {
		t.Fatal(err)
	}
	if asked.Table == terms.AmendmentRecords.String() {
		return api.AmendmentEvaluatePath
	}
	return api.AppealEvaluatePath
}

func TestEvaluateAnswersAsTheRuleTablesSay(t *testing.T) {
	s := serving(t)
	for _, q := range oracle(t) {
		answered := s.post(t, evaluatePath(t, q.text), Stranger, q.text)
		got := read[struct {
			Gate     string
			Blockers []string
		}](t, answered, http.StatusOK)
		gate := "pass"
		if q.blockers != "" {
			gate = "blocked"
		}
		if strings.Join(got.Blockers, " ") != q.blockers || got.Gate != gate {
			t.Errorf("%s: %s %q, want %q", q.name, got.Gate, got.Blockers, q.blockers)
		}
		if want := answerTo(t, q.text); !bytes.Equal(answered.body, want) {
			t.Errorf("%s: it answers\n%s\n`docket evaluate` would answer\n%s", q.name, answered.body, want)
		}
	}
}

// answerTo is the line with which `docket evaluate` answers.
func answerTo(t testing.TB, text []byte) []byte {
	t.Helper()
	var reader packets.Reader
	asked, fault := rules.ReadInput(&reader, text)
	if fault != nil {
		t.Fatal(fault)
	}
	return views.AppendAnswer(nil, &asked, rules.Evaluate(&asked))
}

func TestEvaluateRefusesTheQuestionOfTheOtherArea(t *testing.T) {
	s := serving(t)
	other := map[string]string{api.AppealEvaluatePath: api.AmendmentEvaluatePath,
		api.AmendmentEvaluatePath: api.AppealEvaluatePath}
	seen := map[string]bool{}
	for _, q := range oracle(t) {
		path := other[evaluatePath(t, q.text)]
		if seen[path] {
			continue
		}
		seen[path] = true
		problem := s.post(t, path, Reviewer, q.text).is(t, api.Malformed)
		if problem.Pointer != "/table" {
			t.Errorf("the pointer is %q", problem.Pointer)
		}
	}
	if len(seen) != len(other) {
		t.Errorf("only %v were asked", seen)
	}
}

func TestEvaluateWritesNothing(t *testing.T) {
	s := serving(t)
	before := s.Dump(t)
	for _, q := range oracle(t)[:50] {
		s.post(t, evaluatePath(t, q.text), Reviewer, q.text)
	}
	same(t, before, s.Dump(t))
}
