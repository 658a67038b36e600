package ui

import (
	"errors"
	"testing"

	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/internal/workbenchtest"
)

// Every line of the board, however it is grouped, leads to a queue with exactly as many rows, all of them open.
func TestTheBoardIsGroupedByTriggerAndByAssignee(t *testing.T) {
	b, _ := sample(t, 120, 40)
	b.press("b", "enter")
	b.at(action.InQueue)
	b.shows("/ blocker:neutral_review_missing", "AC-2045", "AC-2051")
	b.hides("AC-2041")
	b.press("esc", "b", "v", "j")
	b.shows("blockers of appeals, by trigger", "TRIGGER", "coercive baseline", "✗ standing_missing in 1")
	b.press("enter")
	b.at(action.InQueue)
	b.shows("gate:blocked is:open")
	b.press("esc", "b", "v", "v")
	b.shows("by assignee", "rev-marsh")
	b.press("tab", "v", "v")
	b.shows("by transition", "destination change")
	b.press("v", "v")
	b.shows("BLOCKER")
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

func TestTheTrendNamesWhatItCounts(t *testing.T) {
	b, _ := sample(t, 120, 40)
	b.press("b", "to notice_missing")
	b.shows("12 WEEKS", "found in 42 of 42 decisions recorded in the last 12 weeks, week by week")
	b.press("tab")
	b.shows("recorded in the last 12 weeks")
}

func TestATrendThatCannotBeReadLeavesTheBoard(t *testing.T) {
	b, workbench := sample(t, 120, 40)
	workbench.Failing = errors.New("the disk is gone")
	b.press("b")
	b.shows("neutral_review_missing", "cannot be counted: the disk is gone")
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
