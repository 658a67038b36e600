package ui

import (
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/internal/workbenchtest"
)

func TestWaysThroughADifference(t *testing.T) {
	walks(t, []walk{
		{"the first revision is compared with the next", nil, 100, 40, way{
			"overtake", "R", "open AC-2041", "[", "[", "=", "shows revision 1 → 2"}},
		{"a single revision has nothing to be compared with", nil, 80, 24, way{
			"open AC-2042", "=", "at packet", "shows ✗ only this revision is held"}},
		{"a revision that cannot be opened for comparing says why", nil, 100, 40, way{
			"overtake", "R", "open AC-2041", "fail the store is locked", "=",
			"shows ✗ Revision 2 cannot be opened: the store is locked", "fail", "[",
			"shows revision 1 → 3", "shows ~ "}},
		{"the pair that is compared is chosen", nil, 100, 40, way{
			"overtake", "R", "open AC-2041", "D", "[", "shows revision 1 → 3", "hides Opening revision",
			"]", "shows revision 2 → 3", "{", "shows revision 2 → 1", "}", "shows revision 2 → 3",
			"[", "shows revision 1 → 3", "{", "shows revision 1 → 2", "hides Opening revision",
			"[", "shows ✗ no other revision is held on that side"}},
		{"a stale page says if the packet cannot be opened", nil, 100, 40, way{"decide",
			func(b *harness) { b.over.Refusing = &records.StaleError{Changes: []string{"revision 3 has arrived"}} },
			"fail the store is locked", "record", "shows ! revision 3 has arrived",
			"shows ✗ The current packet cannot be opened: the store is locked"}},
		{"comparing shows what is advised", nil, 100, 40, way{"open AC-2041", "=", "shows advised"}},
		{"comparing does not reveal advice that is held back", nil, 100, 40, way{
			"blind first", "open AC-2041", "=", "shows revision 1 → 2", "shows remedy gap", "hides advised"}},
	})
}

// Private or masked texts must not come back by comparing: the page shows only contents of the views.
func TestComparingShowsOnlyContentsOfTheViews(t *testing.T) {
	workbench := workbenchtest.New(t)
	for revision, statement := range []string{"", "write to ana@example.org", "call +34 600 123 456"} {
		if statement == "" {
			continue
		}
		record := workbenchtest.Case("AC-1", 24*time.Hour)
		record["revision"] = revision
		record.In("evidenceScope")["statement"] = statement
		workbench.AddUnsealed(terms.AppealCases, record)
	}
	b := newHarness(t, workbench, 100, 60)
	b.press("enter", "=", "at differences", "hides ana@example.org", "hides 600 123")
}

func TestAStalePageShowsTheRecordThatCameInBetween(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	b, other := newHarness(t, workbench, 100, 40), newHarness(t, workbench, 100, 40)
	b.press("decide")
	must(t, workbench.DropDraft(t.Context(), terms.AppealCases, packets.Key{ID: "AC-2041", Number: 2}))
	other.press("decide", "record")
	b.press("record")
	b.at(action.InStale)
	b.press("shows record in force  none → #0", "shows Nothing that a packet shows has changed.")
}
