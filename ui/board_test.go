package ui

import (
	"testing"

	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
)

func TestWaysThroughTheBoard(t *testing.T) {
	walks(t, []walk{
		// Every line of the board, however it is grouped, leads to a queue with exactly as many rows, all of them open.
		{"the board is grouped by trigger and by assignee", nil, 120, 40, way{
			"b", "enter", "at queue", "shows / blocker:neutral_review_missing", "shows AC-2045",
			"shows AC-2051", "hides AC-2041", "esc", "b", "v", "j",
			"shows blockers of appeals, by trigger", "shows TRIGGER", "shows coercive baseline",
			"shows ✗ standing_missing in 1", "enter", "at queue", "shows gate:blocked is:open",
			"esc", "b", "v", "v", "shows by assignee", "shows rev-marsh", "tab", "v", "v",
			"shows by transition", "shows destination change", "v", "v", "shows BLOCKER"}},
		{"the trend names what it counts", nil, 120, 40, way{
			"b", "to notice_missing", "shows 12 WEEKS",
			"shows found in 42 of 42 decisions recorded in the last 12 weeks, week by week",
			"tab", "shows recorded in the last 12 weeks"}},
		{"a trend that cannot be read leaves the board", nil, 120, 40, way{
			"fail the disk is gone", "b", "shows neutral_review_missing",
			"shows cannot be counted: the disk is gone"}},
	})
}

func TestTheBoardSaysSoIfNothingIsBlocked(t *testing.T) {
	workbench := workbenchtest.New()
	workbench.Add(terms.AppealPolicies, workbenchtest.AppealPolicy(), nil)
	workbench.Add(terms.AppealCases, workbenchtest.Case("AC-2041", 9), nil)
	b := newHarness(t, workbench, 80, 24)
	b.press("b", "v")
	b.shows("No open case is blocked")
	b.press("enter")
	b.shows("✗ the list is empty")
}

func TestTheBoardIsCountedAgainWhenTheQueueIsReadAgain(t *testing.T) {
	b, workbench := sample(t, 120, 40)
	b.press("b")
	b.shows("12 open cases")
	blocked := workbenchtest.Case("AC-3001", 9)
	blocked.In("notice")["state"] = "queued"
	workbench.Add(terms.AppealCases, blocked, nil)
	b.press("R")
	b.shows("13 open cases")
}
