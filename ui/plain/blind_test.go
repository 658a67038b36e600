package plain

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/internal/workbenchtest"
)

// blindly is what a session in blind-first mode says.
func blindly(t *testing.T, workbench *workbenchtest.Workbench, script ...any) string {
	t.Helper()
	h := newHarness(t, workbench, lines(script...)...)
	h.blindFirst = true
	return h.works()
}

// advice is what only the rules' advice on the sample case says.
var advice = []string{"Advised:", ", advised", "docket advises correct record", "docket advises:", "policy's default for the trigger",
	"advises "}

func TestBlindFirstSaysNoAdviceBeforeTheReaderHasJudged(t *testing.T) {
	before := lines("open AC-2041", "all", "sections", "2", "7", "8", "decide", "repeat", "help", "leave", "again", "all", "older", "all", "quit")
	saysNot(t, blindly(t, workbenchtest.Sample(t), before), advice...)
	says(t, works(t, workbenchtest.Sample(t), before...), "Advised:", ", advised", "docket advises: correct record.", "policy's default for the trigger", "advises ")
}

func TestBlindFirstRecordsBothOutcomesAndWhenTheAdviceWasSaid(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	output := blindly(t, workbench, "open AC-2041", "all", "decide", "1", "8", "", "", "", "", "record", "quit")
	says(t, output, "You said uphold decision, docket advises correct record.", "Said first: uphold decision; before the advice was shown.")
	got := workbench.Choices()[0]
	if got.Preliminary != terms.UpholdDecision || got.Outcome != terms.CorrectRecord {
		t.Errorf("recorded are %v and %v", got.Preliminary, got.Outcome)
	}
	seen := got.SectionsViewed
	if seen[len(seen)-1] != views.SectionAdvisory || slices.Contains(seen, views.SectionPolicy) || !slices.Contains(seen, views.SectionGate) {
		t.Errorf("seen are %v", seen)
	}
}

func TestTheDigestOfAPacketDoesNotDependOnWhenTheAdviceWasSaid(t *testing.T) {
	var digests []terms.Hash
	for _, blind := range []bool{true, false} {
		workbenchtest.Alone(t) // the salts are the same
		workbench, script := workbenchtest.Sample(t), lines("open AC-2041", "decide", "8", "", "", "", "", "record", "quit")
		if blind {
			blindly(t, workbench, "open AC-2041", "decide", "1", script[2:])
		} else {
			works(t, workbench, script...)
		}
		page, err := workbench.Records(t.Context(), 0, 10)
		records := page.Records
		if err != nil || len(records) != 1 {
			t.Fatalf("%d records, %v", len(records), err)
		}
		digests = append(digests, records[0].Record.Members().PacketDigest)
	}
	same(t, "the digests", digests[0], digests[1])
}

func TestAJudgmentGivenBeforeTheAdviceStands(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	output := blindly(t, workbench, "open AC-2041", "decide", "1", "back", "discard", "discard", "decide", "quit")
	says(t, output, "It is discarded, except your own judgment", "AC-2041, outcome.", "You said uphold decision")
	later := blindly(t, workbench, "open AC-2041", "7", "decide", "8", "", "", "", "", "record", "quit")
	here, _, _ := strings.Cut(later, "Recorded: AC-2041") // the next case opens then
	saysNot(t, here, "held back")
	says(t, later, "Advised: correct record")
	if got := workbench.Choices()[0]; got.Preliminary != terms.UpholdDecision || got.Outcome != terms.CorrectRecord {
		t.Errorf("recorded are %v and %v", got.Preliminary, got.Outcome)
	}
}

func TestAnOwnJudgmentThatCannotBeKeptStillIsNotAskedForTwice(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	h := newHarness(t, &forgetful{Workbench: workbench}, lines("open AC-2041", "decide", "1", "leave", "again", "decide", "quit")...)
	h.blindFirst = true
	says(t, h.works(), "The draft could not be written: the disk is full.", "AC-2041, outcome.\nThis was held back until now:")
}

func TestANewRevisionIsJudgedBlindAgain(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	blindly(t, workbench, "open AC-2041", "decide", "1", "8", "quit")
	next := workbenchtest.Case("AC-2041", 5*time.Hour)
	next["revision"] = 3
	workbench.Add(terms.AppealCases, next, nil)
	output := blindly(t, workbench, "open AC-2041", "7", "decide", "quit")
	says(t, output, "The advice is held back until you have given", "This was begun on revision 2", "AC-2041, your own judgment.\nWhich outcome, by your own judgment?")
	saysNot(t, output, advice[:len(advice)-1]...)
}

func TestADraftFromBeforeBlindFirstIsAskedForTheOwnJudgmentFirst(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	works(t, workbench, lines("open AC-2041", toReview("8"), "quit")...)
	output := blindly(t, workbench, "open AC-2041", "decide", "1", "quit")
	says(t, output, "AC-2041, your own judgment.\nWhich outcome, by your own judgment?", "8. correct record, asked for:",
		"8. correct record, chosen before, advised, asked for:", "Outcome, by number or name, or Enter for correct record:")
}

func TestABlockerThatIsAddedAsksForTheFinalOutcomeAgainAndNotForTheOwnOne(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	output := blindly(t, workbench, "open AC-2041", "decide", "1", "8", "blockers", "standing_missing", "", "close unresolved", "two receipts", "record", "quit")
	says(t, output, "Choose the outcome again.\n\nAC-2041, outcome.\nYou said uphold decision")
	if got := workbench.Choices(); len(got) != 1 || got[0].Preliminary != terms.UpholdDecision || got[0].Outcome != terms.CloseUnresolved {
		t.Errorf("recorded are %+v", got)
	}
}

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
