package ui

import (
	"errors"
	"strings"
	"testing"

	"docket/domain"
	"docket/ui/internal/desktest"
)

// Every line of the board, however it is grouped, leads to a queue with exactly as many rows, all of them open.
func TestEachLineOfTheBoardFiltersExactlyItsCases(t *testing.T) {
	desk := desktest.Sample()
	unassigned := desktest.Case("AC-3001", 9)
	delete(unassigned.In("neutralReview"), "reviewerId")
	delete(unassigned, "trigger")
	desk.Add(domain.AppealCases, unassigned, nil)
	scope := desktest.Case("AC-3002", 9)
	delete(scope, "subjectId")
	desk.Add(domain.AppealCases, scope, nil)
	b := newBench(t, desk, 120, 60)
	review(b)
	b.recordIt()
	b.press("esc")
	lines := 0
	for _, area := range domain.Areas.All() {
		board := newBoardScreen(area, b.console.queue.queueOf)
		for board.grouping = range groupings {
			counted, _ := board.count()
			for _, h := range counted.list {
				b.console.queue.show(area, h.filter, &b.console.scene)
				b.run(b.console.sift())
				d := b.console.queue.docket()
				if d.complaint != "" || len(d.shown) != h.count {
					t.Errorf("%q counts %d and shows %d: %s", h.filter, h.count, len(d.shown), d.complaint)
				}
				for i := range d.shown {
					if row := d.row(i); !row.Workable() {
						t.Errorf("%q shows %s", h.filter, row.ID)
					}
				}
				lines += h.count
			}
		}
	}
	if lines < 20 {
		t.Errorf("only %d rows were looked at", lines)
	}
}

func TestTheBoardIsGroupedByWhatStartedACaseAndByAssignee(t *testing.T) {
	b, _ := sample(t, 120, 40)
	b.press("b", "v", "j")
	b.shows("blockers of appeals, by trigger", "TRIGGER", "coercive baseline", "✗ standing_missing in 1")
	b.press("enter")
	b.at(inQueue)
	b.shows("gate:blocked -is:decided -is:skipped")
	b.press("esc", "b", "v", "v")
	b.shows("by assignee", "rev-marsh")
	b.press("tab", "v", "v")
	b.shows("by transition", "destination change")
	b.press("v", "v")
	b.shows("BLOCKER")
}

func TestWhereNothingIsBlockedTheBoardSaysSo(t *testing.T) {
	desk := desktest.New()
	desk.Add(domain.AppealPolicies, desktest.AppealPolicy(), nil)
	desk.Add(domain.AppealCases, desktest.Case("AC-2041", 9), nil)
	b := newBench(t, desk, 80, 24)
	b.press("b", "v")
	b.shows("No open case is blocked")
	b.press("enter")
	b.shows("✗ there is nothing here to show the cases of")
}

func TestTheTrendSaysWhatItCounts(t *testing.T) {
	b, _ := sample(t, 120, 40)
	b.press("b")
	for range 20 {
		if strings.Contains(b.cursor(), "notice_missing") {
			break
		}
		b.press("j")
	}
	b.shows("12 WEEKS", "found in 42 of 42 decisions recorded in the last 12 weeks, week by week")
	b.press("tab")
	b.shows("recorded in the last 12 weeks")
}

func TestATrendThatCannotBeReadLeavesTheBoard(t *testing.T) {
	b, desk := sample(t, 120, 40)
	desk.Failing = errors.New("the disk is gone")
	b.press("b")
	b.shows("neutral_review_missing", "cannot be counted: the disk is gone")
}

func TestASparklineStandsOnItsHighestWeek(t *testing.T) {
	for want, weeks := range map[string][domain.TrendWeeks]int{
		"············": {},
		"···········█": {11: 7},
		"▁▂▃▄▅▆▇█····": {0: 1, 1: 2, 2: 3, 3: 4, 4: 5, 5: 6, 6: 7, 7: 8},
		"█·▄·········": {0: 1000, 2: 500},
		"▁·█·········": {0: 1, 2: 1000},
	} {
		if got := sparkline(weeks).String(); got != want {
			t.Errorf("%v is drawn %s, not %s", weeks, got, want)
		}
	}
}

func TestTheBoardIsCountedAgainOnlyWhenTheQueueIsReadAgain(t *testing.T) {
	b, desk := sample(t, 120, 40)
	b.press("b")
	board := b.console.top().(*boardScreen)
	before := board.counted
	b.press("j", "k")
	if board.counted != before {
		t.Error("moving counts anew")
	}
	blocked := desktest.Case("AC-3001", 9)
	blocked.In("notice")["state"] = "queued"
	desk.Add(domain.AppealCases, blocked, nil)
	b.press("R")
	if board.counted == before || board.counted.open != before.open+1 {
		t.Errorf("%d open cases, then %d", before.open, board.counted.open)
	}
}
