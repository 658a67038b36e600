package plain

import (
	"strings"
	"testing"

	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
)

// What a person added on an earlier revision is named in the queue, the packet, the board, the question for blockers and the review.
func TestABlockerOfAnEarlierRevisionIsNamedInEachPlace(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	works(t, workbench, "open AC-2043", "decide", "5", "the notice came late", "blockers", "notice_missing", "", "record", "quit")
	revised := workbenchtest.Case("AC-2043", 40)
	revised["revision"] = 2
	workbench.Add(terms.AppealCases, revised, nil)
	output := works(t, workbench, "appeals", "filter earlier:notice_missing", "blockers", "open AC-2043", "decide", "8", "it came in time", "blockers", "", "record", "quit")
	output = strings.Join(strings.Fields(output), " ")
	for _, want := range []string{
		"AC-2043, revision 2. Pass. notice missing, added on an earlier revision.",
		"1 to 1 of 1",
		"notice missing, added on an earlier revision, is not answered in 1 case.",
		"Not answered: notice missing: added on revision 1 by rev-marsh in record ",
		"add it again, or say in your statement why it no longer stands.",
		"It is required: a blocker that a person added on an earlier revision is not added again",
		"Not added again: notice missing; added on an earlier revision; your statement says why.",
	} {
		if !strings.Contains(output, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if m := lastRecord(t, workbench); m.Key.Number != 2 || m.Gate != terms.Pass || !m.StatementDigest.Present() {
		t.Errorf("recorded %+v", m)
	}
}
