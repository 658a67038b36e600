package ui

import (
	"strings"
	"testing"
	"time"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
)

func TestWaysThroughTheBoard(t *testing.T) {
	walks(t, []walk{
		// Every line of the board, however it is grouped, leads to a queue with exactly as many rows, all of them open.
		{"the board is grouped by trigger and by assignee", nil, 120, 40, way{"b", "enter", "at queue",
			"shows / blocker:neutral_review_missing", "shows AC-2045", "shows AC-2051", "hides AC-2041",
			"esc", "b", "v", "j", "shows blockers of appeals, by trigger", "shows TRIGGER",
			"shows coercive baseline", "shows ✗ standing_missing in 1", "enter", "at queue",
			"shows gate:blocked is:open", "esc", "b", "v", "v", "shows by assignee", "shows rev-marsh",
			"tab", "v", "v", "shows by transition", "shows destination change", "v", "v", "shows BLOCKER"}},
		{"a line says in words what it counts", nil, 120, 40, way{
			"b", "to notice_missing", "shows 1 of 1 by it alone; the oldest came 5 days ago",
			"shows 1 came with it in the last 12 weeks", "tab", "shows in the last 12 weeks"}},
		{"the largest count has the whole bar", nil, 120, 40, way{
			"b", "shows 2  " + strings.Repeat("█", 24) + "  2", "shows 1  " + strings.Repeat("█", 12) + "·"}},
		{"the board is sorted by each column", nil, 120, 40, way{
			"b", "on neutral_review_missing", "o", "shows sorted by alone", "o", "shows sorted by oldest", "7 o", "shows sorted by held",
			"8 o", "o", "shows sorted by held"}},
		{"a filter narrows both boards, and esc drops it", nil, 120, 40, way{
			"b", "/", "type assigned:rev-adeyemi", "enter", "shows / assigned:rev-adeyemi", "shows 1 open case, 0 blocked", "tab", "shows / assigned:rev-adeyemi", "shows 0 open cases",
			"tab", "esc", "at blockers", "shows 12 open cases", "esc", "at queue"}},
		{"a filter of texts is answered", nil, 120, 40, way{
			"b", "/", "type text:receipt", "enter", "shows / text:receipt", "shows 10 open cases"}},
		{"a wrong filter of the board is refused where it is typed", nil, 120, 40, way{
			"b", "/", "type blocker:notice_misisng", "enter", "shows nearest are notice_missing", "esc", "shows 12 open cases"}},
		{"enter shows the cases, the oldest first, within the filter", nil, 120, 40, way{
			"b", "/", "type -id:AC-2045", "enter", "to neutral_review_missing", "enter", "at queue",
			"shows / blocker:neutral_review_missing is:open -id:AC-2045", "shows 1 of 14", "shows AC-2051", "shows the oldest first"}},
		{"the board is written in a form that its file names", nil, 120, 40, way{
			"b", "w", "20 backspace", "type board.txt", "enter", "shows must end in .csv, .json or .html", "4 backspace", "type .csv", "enter",
			"shows written to",
			func(b *harness) {
				if text := b.over.Written["board.csv"]; !strings.Contains(text, "docket,blocker,held") || !strings.Contains(text, "appeals,notice_missing,1,1,") {
					b.t.Errorf("%s", text)
				}
			}}},
		{"the board says so if nothing is blocked", numbered(1), 80, 24, way{
			"b", "v", "shows No open case is blocked", "enter", "shows ✗ the list is empty"}},
	})
}

func TestTheBoardIsCountedAgainWhenTheQueueIsReadAgain(t *testing.T) {
	b, workbench := sample(t, 120, 40)
	b.press("b", "shows 12 open cases")
	blocked := workbenchtest.Case("AC-3001", 9)
	blocked.In("notice")["state"] = "queued"
	workbench.Add(terms.AppealCases, blocked, nil)
	b.press("R", "shows 13 open cases")
}

func TestABlockerOfAnEarlierRevisionIsNamedInTheFullConsole(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	on, err := workbench.Open(t.Context(), terms.AppealCases, "AC-2043", 0)
	must(t, err)
	choice := records.Choice{Outcome: terms.BlockReliance, Factors: terms.SetOf(terms.HumanReviewRequired, terms.ProvenanceActivityRequired),
		AddedBlockers: terms.SetOf(terms.NoticeMissing), OpenedAt: on.View.EvaluatedAt(), Statement: records.Statement{Text: "the notice came late"}}
	for _, reason := range records.FactorsFor(&on.View, choice.Outcome, choice.AddedBlockers) {
		if reason.Always {
			choice.Factors = choice.Factors.With(reason.Code)
		}
	}
	if _, err := workbench.Record(t.Context(), &on.View, choice, ""); err != nil {
		t.Fatal(err)
	}
	revise(workbench, "AC-2043", 2, 40*time.Hour)
	b := newHarness(t, workbench, 120, 40)
	b.press("shows ! notice_missing", "open AC-2043",
		"shows ! notice_missing: added on revision 1 by rev-marsh in record",
		"shows say in your statement why it no", "d", "choose correct record", "blockers",
		"shows [ ] notice_missing  added on an earlier revision", "ctrl+c")
	b = newHarness(t, workbench, 120, 40)
	b.press("b", "25 j", "shows notice_missing (added on an earlier revision)")
}
