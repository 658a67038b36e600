package rules_test

import (
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/rules"
)

// check judges every row, starting from the scene.
func check(t *testing.T, from func() domaintest.Scene, rows []domaintest.Row) {
	t.Helper()
	for _, r := range rows {
		t.Run(r.Name, func(t *testing.T) {
			if got := strings.Join(domaintest.Codes(judged(t, from(), r.Edits...)), " "); got != r.Want {
				t.Errorf("blockers:\n got %q\nwant %q", got, r.Want)
			}
		})
	}
}

// judged judges a scene twice, as a question of one line and as packets that were stored in between, and makes sure
// that both ways lead to the same.
func judged(t domaintest.TB, s domaintest.Scene, edits ...domaintest.Edit) rules.Evaluation {
	t.Helper()
	input, asked := domaintest.Evaluated(t, s, edits...)
	if s["record"] == nil {
		return asked
	}
	view := s.Look(t, input.At())
	stored := view.Evaluation()
	if strings.Join(domaintest.Codes(stored), " ") != strings.Join(domaintest.Codes(asked), " ") || stored.Gate() != asked.Gate() {
		t.Fatalf("as a question %q, as stored packets %q", domaintest.Codes(asked), domaintest.Codes(stored))
	}
	return asked
}
