package plain

import (
	"errors"
	"strings"
	"testing"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
)

// withRecord is a workbench with one record.
func withRecord(t *testing.T) *workbenchtest.Workbench {
	t.Helper()
	workbench := workbenchtest.Sample()
	file, err := workbench.Open(t.Context(), terms.AppealCases, "AC-2041", 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = workbench.Record(t.Context(), &file.View, records.Choice{Outcome: terms.UpholdDecision, OpenedAt: workbench.Now(),
		Factors: terms.SetOf(terms.HumanReviewRequired), Statement: records.Statement{Text: "The notice does not say who was told."}}, "")
	if err != nil {
		t.Fatal(err)
	}
	return workbench
}

func TestTheFiguresOfAPeriodAreSaidLineByLine(t *testing.T) {
	out := works(t, workbenchtest.Sample(), lines("stats", "%2026-02", "stats 2026-13", "quit")...)
	says(t, out, "Period: 2026-Q1, 2026-01-01 to 2026-03-31 UTC.", "Against the advice:", "By outcome:", "By week:",
		"Type stats 2025-Q4 for the period before.", "Period: 2026-02, 2026-02-01 to 2026-02-28 UTC.", "There is no such period; use one of week")
	workbench := workbenchtest.Sample()
	workbench.Failing = errors.New("the disk is gone")
	says(t, works(t, workbench, lines("stats", "quit")...), "The decisions cannot be counted: the disk is gone")
}

func TestTheStatementOfARecordIsSaidAndWritten(t *testing.T) {
	workbench := withRecord(t)
	workbench.Written = map[string]string{"mine.md": "mine"}
	out := works(t, workbench, lines("records", "1", "statement", "write", "write out.html", "write out.pdf", "write mine.md", "quit")...)
	says(t, out, "Decision on appeal AC-2041, revision 2.", "How to check this statement.", "-Overify-time=", "To which file?",
		"Written to out.html, which only you can read.", "Nothing was written: the name has to end in one of .txt, .md, .html.",
		"Nothing was written: mine.md is there already. Type replace mine.md")
	if !strings.HasPrefix(workbench.Written["out.html"], "<!") || workbench.Written["mine.md"] != "mine" {
		t.Errorf("written: %.60q", workbench.Written)
	}
	says(t, works(t, workbench, lines("records", "1", "replace mine.md", "quit")...), "Written to mine.md")
	if !strings.HasPrefix(workbench.Written["mine.md"], "# Decision") {
		t.Errorf("written: %.60q", workbench.Written)
	}
}
