package ui

import (
	"strings"
	"testing"
	"time"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
)

func TestBlindFirstHoldsTheAdviceBackUntilTheReviewerHasJudged(t *testing.T) {
	for _, size := range [][2]int{{80, 60}, {160, 60}} {
		b, _ := sample(t, size[0], size[1])
		b.console.scene.BlindFirst = true
		b.press("open AC-2041", "shows held back until you have given an", "hides advises",
			"hides by default", "hides advised", "hides artifacts a reviewer needs", "d", "shows [1 first]",
			"shows by your own judgment?", "hides advised", "hides advises", "hides artifacts",
			"choose uphold decision", "shows [2 outcome]",
			"shows You said uphold decision, docket advises correct record", "shows advised",
			"shows your own judgment")
	}
}

func TestAJudgmentGivenBeforeTheAdviceIsNotAskedForAgain(t *testing.T) {
	b, workbench := sample(t, 80, 24)
	b.press("blind", "choose uphold decision", "esc", "at packet", "hides The advice is held back", "d", "down",
		"enter", "shows You said uphold decision", "shows [1 outcome]")
	if kept := keptOn(t, workbench); kept.Preliminary != terms.UpholdDecision || kept.Outcome.Present() {
		t.Errorf("kept %+v", kept)
	}
	again := newHarness(t, workbench, 80, 24)
	again.console.scene.BlindFirst = true
	again.press("open AC-2041", "hides The advice is held back")
}

func TestWaysThroughADecisionMadeAgain(t *testing.T) {
	walks(t, []walk{
		{"blind first ends with the first record and is not for amendments", nil, 80, 24, way{
			"decide", "record", "esc", "blind first", "open AC-2041", "hides The advice is held back",
			"esc", "open AM-310", "d", "at review"}},
		{"a revision that arrives while the review is open is shown", nil, 120, 40, way{
			"decide", "overtake", "pass 1m", "at changed packet",
			"shows revision 3 has arrived", "shows Nothing was written"}},
		{"a record that is in force meanwhile is shown on the review", nil, 100, 40, way{"decide",
			"decided AC-2041", "pass 1m", "at review", "shows is in force now, and would be superseded",
			"shows supersedes      019cadc6", "record", "at receipt"}},
		{"a failure to evaluate again is shown", nil, 100, 40, way{
			"decide", "fail the disk is on fire", "pass 1m", "at review",
			"shows ✗ the packet could not be evaluated again: the disk is on fire"}},
		{"a decided case says what was decided and not that it is ready", nil, 120, 40, way{
			"open AC-2041", "shows No blockers. Ready for your decision.", "d",
			"choose correct record", "review", "record", "at receipt", "esc", "esc",
			"open AC-2041", "shows No blockers. Decided: correct record.",
			"shows ■ decided: correct record; record 019cadc6", "hides Ready for your decision"}},
		{"a draft from before blind first is asked for the own judgment first", keeping(sampleKey, records.Draft{Outcome: terms.CorrectRecord, Factors: terms.SetOf(terms.HumanReviewRequired), Step: "review"}), 80, 24, way{
			"blind", "shows [1 first]", "hides advised", "choose uphold decision",
			"shows ● correct record", "shows your own judgment"}},
		{"blind first records both outcomes and when the advice was seen", nil, 80, 24, way{
			"blind", "choose uphold decision", "choose correct record", "review", "pgdown",
			"record", "at receipt", "recorded first uphold decision",
			"recorded outcome correct record", "recorded last seen advisory"}},
		{"a new revision is judged blind again", nil, 80, 24, way{"blind", "choose uphold decision",
			"esc", "revise", "esc", "R", "enter", "somewhere The advice is held back", "d", "enter", "shows [1 first]"}},
		{"another result is shown and goes back to the step that it touches", nil, 100, 40, way{
			"decide", "type rec", "pass 9600h", "at decision", "shows [1 outcome]",
			"shows with another result", "shows Blocker deadline_expired applies now",
			"shows correct record may no longer be recorded: the gate is blocked", "hides ●",
			"choose route human review", "review", "record", "at receipt",
			"recorded gate blocked", "recorded outcome route human review"}},
		{"an outcome under the cursor is no judgment yet", nil, 80, 24, way{
			"blind", "space", "esc", "somewhere The advice is held back",
			func(b *harness) {
				if kept := b.over.Draft(sampleKey); kept.Preliminary.Present() {
					b.t.Errorf("kept %+v", kept)
				}
			},
			"d", "shows [1 first]"}},
		{"the outcome that a new decision supersedes is marked", nil, 80, 24, way{"open AC-2041", "d",
			"hides in force", "esc", "esc",
			func(b *harness) { b.over.Decide("AC-2041", terms.RequestEvidence) }, "open AC-2041", "d",
			"shows request evidence       in force",
			func(b *harness) {
				if strings.Count(b.frame(), "in force") != 1 {
					b.t.Errorf("another outcome is marked:\n%s", b.frame())
				}
			}}},
	})
}

func TestTheContractsTextDoesNotRevealAdviceThatIsHeldBack(t *testing.T) {
	for _, size := range [][2]int{{80, 40}, {200, 60}} {
		b, _ := sample(t, size[0], size[1])
		b.console.scene.BlindFirst = true
		b.press("open AC-2041", "t", "hides advises", "hides departs", "esc", "d", "shows [1 first]",
			"hides advises correct", "hides advised ", "t", "hides advises correct", "hides advised ")
	}
}

// lastRecord is the newest record of the log.
func lastRecord(t *testing.T, workbench *workbenchtest.Workbench) *records.Members {
	t.Helper()
	log, err := workbench.Records(t.Context(), 0, 1)
	if err != nil || len(log.Records) == 0 {
		t.Fatalf("there is no record: %v", err)
	}
	return log.Records[0].Record.Members()
}

func TestTheEvaluationIsThatOfTheReviewAndNotOfTheOpening(t *testing.T) {
	b, workbench := sample(t, 80, 24)
	b.press("open AC-2041")
	opened := workbench.Now()
	b.press("d")
	workbench.Pass(7 * time.Minute)
	b.press("choose correct record")
	atReview := workbench.Now()
	b.press("pass 20s", "record", "at receipt")
	if m := lastRecord(t, workbench); m.OpenedAt != opened || m.EvaluatedAt != atReview || m.RecordedAt != workbench.Now() {
		t.Errorf("opened %s, evaluated %s, recorded %s", m.OpenedAt, m.EvaluatedAt, m.RecordedAt)
	}
}

func TestWhileTheReviewIsOpenThePacketIsEvaluatedEveryMinute(t *testing.T) {
	b, workbench := sample(t, 100, 40)
	b.press("decide", "type rec", "3 pass 20s", "shows Type record to record it: rec")
	again := workbench.Now()
	b.press("pass 20s", "type ord", "enter", "at receipt")
	same(t, "evaluated", lastRecord(t, workbench).EvaluatedAt, again)
}
