package report_test

import (
	"encoding/json"
	"errors"
	"testing"
	"unicode/utf8"

	"docket/contracts/report"
	"docket/domain/shape"
)

// FuzzExamine checks that the examination of any text never panics, refuses it with a reason or answers it completely, and passes
// it only if it differs in nothing.
func FuzzExamine(f *testing.F) {
	for _, kind := range report.Kinds() {
		r, err := report.Of(kind, checkedAt)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(r.JSON())
	}
	for _, seed := range []string{"", "[]", `{"contractVersion":1,"validation":[],"publicContract":{}}`,
		`{"contractVersion":"trade-challenge-appeal-v0.3","publicContract":{}}`,
		`{"contractVersion":"trade-challenge-appeal-v0.3","validation":{"checks":[{"id":[]}]},"publicContract":{"invariants":[[],{}],"sampleDecision":[]}}`,
		`{"validation":{"validatorName":"background-private-overlap-design"},"publicContract":{"namespaceRules":[{"key":"a"},{"key":"a"}]}}`} {
		f.Add([]byte(seed))
	}
	examiner := newExaminer(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		found, err := examiner.Examine(text, now)
		if err != nil {
			var fault *shape.Fault
			if !errors.As(err, &fault) && !errors.Is(err, report.ErrNotAReport) && !errors.Is(err, report.ErrUnknownContract) {
				t.Errorf("refused with %v", err)
			}
			return
		}
		if len(found.Checks) != len(found.Kind.CheckTitles()) || len(found.EnvelopeChecks) != len(report.EnvelopeTitles()) {
			t.Error("not every check was run")
		}
		if found.OK() && (len(found.Differences) > 0 || len(found.Private) > 0 || !found.VersionKnown) {
			t.Error("it passes in spite of differences")
		}
		said, err := json.Marshal(&found)
		if err != nil || !utf8.Valid(said) {
			t.Errorf("what was found cannot be written: %v", err)
		}
	})
}
