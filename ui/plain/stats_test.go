package plain

import (
	"context"
	"errors"
	"strings"
	"testing"

	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
)

// withRecord is a workbench with one record.
func withRecord(t *testing.T) *workbenchtest.Workbench {
	t.Helper()
	workbench := workbenchtest.Sample(t)
	workbench.Decide("AC-2041", terms.UpholdDecision)
	return workbench
}

func TestTheFiguresOfAPeriodAreSaidLineByLine(t *testing.T) {
	out := works(t, workbenchtest.Sample(t).History(), lines("stats", "%2026-02", "stats 2026-13", "quit")...)
	says(t, out, "Decisions of 2026-Q1, 2026-01-01 to 2026-03-31 UTC.", "Against the advice:", "By outcome.", "By week.",
		"Type stats 2025-Q4 for the period before.", "Decisions of 2026-02, 2026-02-01 to 2026-02-28 UTC.", "There is no such period; use one of week")
	workbench := workbenchtest.Sample(t)
	workbench.Failing = errors.New("the disk is gone")
	says(t, works(t, workbench, lines("stats", "quit")...), "The decisions cannot be counted: the disk is gone")
}

func TestTheStatementOfARecordIsSaidAndWritten(t *testing.T) {
	workbench := withRecord(t)
	workbench.Written = map[string]string{"mine.md": "mine"}
	out := works(t, workbench, lines("records", "1", "statement", "write", "write out.html", "write out.pdf", "write mine.md", "", "quit")...)
	says(t, out, "Decision on appeal AC-2041, revision 2.", "How to check this statement.", "-Overify-time=", "To which file?",
		"Written to out.html, which only you can read.", "Nothing was written: the name has to end in one of .txt, .md, .html.",
		"mine.md is there already. Type replace to replace it, or Enter to keep it:", "Nothing was written.")
	if !strings.HasPrefix(workbench.Written["out.html"], "<!") || workbench.Written["mine.md"] != "mine" {
		t.Errorf("written: %.60q", workbench.Written)
	}
	says(t, works(t, workbench, lines("records", "1", "write mine.md", "replace", "quit")...), "Written to mine.md")
	if !strings.HasPrefix(workbench.Written["mine.md"], "# Decision") {
		t.Errorf("written: %.60q", workbench.Written)
	}
}

func TestTheRecordsAreReadPageByPage(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	workbench.Fill(45)
	workbench.Damage(0)
	out := works(t, workbench, lines("records", "", "", "", "45", "quit")...)
	says(t, out, "1 to 20 of 45 records in the log", "21 to 40 of 45", "41 to 45 of 45", "That was the last page", "45. Record 65 cannot be read: ")
	same(t, "pages read", workbench.Pages(), 3)
}

func TestARecordOfARevokedKeyIsNotSaidToBeInForce(t *testing.T) {
	workbench := withRecord(t)
	says(t, works(t, workbench, lines("records", "quit")...), "rev-marsh, in force, kept on this machine.")
	workbench.Revoke(0)
	says(t, works(t, workbench, lines("records", "1", "quit")...), "rev-marsh, revoked key, so not in force, kept on this machine.",
		"the key that signed it was revoked, so not in force")
}

func TestAConsoleThatNeverMetAServiceSaysNothingOfPulling(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	workbench.Decide("AC-2041", 0)
	out := works(t, workbench, "who", "quit")
	saysNot(t, out, "Offline", "pulled", "anded in")
}

func TestTheBoardIsWrittenToAFile(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	output := works(t, workbench, "appeals", "blockers notice_missing", "write", "write board.txt", "write board.csv",
		"write board.csv", "replace", "write board.json", "quit")
	says(t, output, "To which file? Type write and its name, such as board.csv.", "Written to board.csv, which only you can read.",
		"board.csv is there already. Type replace to replace it, or Enter to keep it:",
		"Written to board.json")
	if len(workbench.Written) != 2 || !strings.Contains(workbench.Written["board.csv"], "notice_missing") ||
		!strings.Contains(workbench.Written["board.json"], `"filter": "notice_missing"`) {
		t.Errorf("written: %.300q", workbench.Written)
	}
}

func TestTheLogIsExportedFromItsRecords(t *testing.T) {
	workbench, folders := withRecord(t), ""
	workbench.Exporting = func(_ context.Context, folder string) error {
		folders += folder + ";"
		if folder == "full" {
			return errors.New("the disk is full")
		}
		return nil
	}
	says(t, works(t, workbench, "records", "export", "export full", "e ~/out", "quit"), "Into which folder? Type export and its name.",
		"Nothing was exported: the disk is full.", "Exporting to ~/out.\n21 entries exported to ~/out, read back and checked.")
	h := newHarness(t, workbench, "records", "export", "quit")
	h.folder, h.locked = "usual", "the log was altered"
	says(t, h.works(), "Nothing was exported: the log was altered.")
	h = newHarness(t, workbench, "records", "export", "quit")
	h.folder = "usual"
	says(t, h.works(), "21 entries exported to usual")
	same(t, "exported to", folders, "full;~/out;usual;")
}

func TestTheRejectedCasesAreListed(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	says(t, works(t, workbench, "rejected", "quit"), "No case is rejected by the service.")
	atService(workbench)
	says(t, works(t, workbench, "amendments", "!", "1", "quit"), "The filter is:rejected matches 1 of 14.", "Case AC-2042, revision 1.")
}
