package plain

import (
	"errors"
	"testing"
	"time"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
)

func lastRecord(t *testing.T, workbench *workbenchtest.Workbench) *records.Members {
	t.Helper()
	log, err := workbench.Records(t.Context(), 0, 1)
	if err != nil || len(log.Records) == 0 {
		t.Fatalf("there is no record: %v", err)
	}
	return log.Records[0].Record.Members()
}

func TestTheEvaluationIsThatOfTheReviewAndOfTheLastMinute(t *testing.T) {
	for name, test := range map[string]struct{ before, within time.Duration }{
		"a slow reader":              {7 * time.Minute, 30 * time.Second},
		"a review that stays open":   {0, 7 * time.Minute},
		"a review open for a minute": {time.Hour, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			workbench := workbenchtest.Sample(t)
			script := lines("open AC-2041", toReview("8"), "no", "record", "quit")
			h := newHarness(t, workbench, script...)
			opened, count := workbench.Now(), 0
			h.keys.before = func(line string) {
				switch {
				case count == 1:
					workbench.Pass(test.before)
				case line == "record":
					workbench.Pass(test.within)
				}
				count++
			}
			says(t, h.works(), "Recorded: AC-2041")
			want := terms.InstantOf(opened.Time().Add(test.before))
			if test.within >= time.Minute {
				want = workbench.Now()
			}
			if m := lastRecord(t, workbench); m.OpenedAt != opened || m.EvaluatedAt != want || m.RecordedAt != workbench.Now() {
				t.Errorf("opened %s, evaluated %s, recorded %s", m.OpenedAt, m.EvaluatedAt, m.RecordedAt)
			}
		})
	}
}

func TestAnotherResultIsSaidAndGoesBackToTheQuestionThatItTouches(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	script := lines("open AC-2041", toReview("8"), "record", "route human review", "two receipts", "record", "quit")
	h := newHarness(t, workbench, script...)
	h.when("record", func() { workbench.Pass(400 * 24 * time.Hour) })
	text := h.works()
	says(t, text, "with another result.", "Blocker deadline expired applies now.", "Correct record may no longer be recorded: the gate is blocked.",
		"AC-2041, outcome.", "Recorded: AC-2041")
	if m := lastRecord(t, workbench); m.Outcome != terms.RouteHumanReview || m.Gate != terms.Blocked {
		t.Errorf("recorded %+v", m)
	}
}

func TestADecisionThatCannotBeEvaluatedAgainIsNotRecorded(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	h := newHarness(t, workbench, lines("open AC-2041", toReview("8"), "record", "quit")...)
	h.when("record", func() { workbench.Pass(time.Hour); workbench.Failing = errors.New("the disk is on fire") })
	says(t, h.works(), "It cannot be evaluated again, so it cannot be recorded now: the disk is on fire.")
}
