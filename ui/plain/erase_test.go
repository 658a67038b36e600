package plain

import (
	"fmt"
	"testing"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
)

// eraseTexts goes to the word that erases the texts of the sample appeal.
var eraseTexts = []string{"open AC-2041", "erase", "1", "2"}

func TestErasingListsWhatStaysAndTakesTheWordLineByLine(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	output := works(t, workbench, lines(eraseTexts, "erase", "all", "quit")...)
	says(t, output, "1. To be erased: the texts of AC-2041 revision 2.", "By mistake: it should not have been written.",
		"To be erased: the texts of AC-2041 revision 2 (", "caseHash and scopeHash stay", "Bundles and backups",
		"Erased; a signed statement of the erasure is kept.", "erased on 2026-03-02, ")
	want := []records.Erasure{{What: records.ErasableTexts, Table: terms.AppealCases, Key: sampleKey, Reason: records.ErasedPrivateDetail}}
	same(t, "erased", fmt.Sprint(workbench.Erasures()), fmt.Sprint(want))
}

func TestNothingButANumberAndTheWordTypedInTimeErases(t *testing.T) {
	scripts := [][]string{{"erase", ""}, {"erase", "7"}, {"erase", "1", ""}, {"erase", "1", "0"}}
	for _, answer := range []string{"", "yes", "record", pasted + "erase", ahead + "erase", burst + "erase"} {
		scripts = append(scripts, lines(eraseTexts[1:], answer, ""))
	}
	for _, script := range scripts {
		workbench := workbenchtest.Sample(t)
		says(t, works(t, workbench, lines("open AC-2041", script, "quit")...), "Nothing is erased.")
		if got := workbench.Erasures(); len(got) > 0 {
			t.Errorf("%q: erased: %v", script, got)
		}
	}
}

func TestAReadOnlySessionErasesNothingAndSaysWhy(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	workbench.Who = records.Reviewer{}
	says(t, works(t, workbench, "open AC-2041", "erase", "quit"), "Nothing is erased: no reviewer is set up on this machine")
}

func TestAnErasedDraftDoesNotComeBack(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	output := works(t, workbench, lines("open AC-2041", "decide", "8", "leave", "erase", "2", "1", "erase", "discard", "quit")...)
	says(t, output, "To be erased: the draft on AC-2041 revision 2", "There is no draft")
	for _, e := range workbench.Erasures() {
		if e.What != records.ErasableDraft || e.Key != (packets.Key{ID: "AC-2041", Number: 2}) {
			t.Errorf("erased: %v", e)
		}
	}
}
