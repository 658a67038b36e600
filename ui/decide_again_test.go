package ui

import (
	"errors"
	"strings"
	"testing"
	"time"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/internal/workbenchtest"
)

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
	b.press("d", "choose correct record")
	workbench.Pass(7 * time.Minute)
	b.press("review")
	atReview := workbench.Now()
	b.pass(workbench, 20*time.Second)
	b.press("record")
	b.at(action.InReceipt)
	if m := lastRecord(t, workbench); m.OpenedAt != opened || m.EvaluatedAt != atReview || m.RecordedAt != workbench.Now() {
		t.Errorf("opened %s, evaluated %s, recorded %s", m.OpenedAt, m.EvaluatedAt, m.RecordedAt)
	}
}

func TestWhileTheReviewIsOpenThePacketIsEvaluatedEveryMinute(t *testing.T) {
	b, workbench := sample(t, 100, 40)
	b.press("decide", "type rec")
	for range 3 {
		b.pass(workbench, 20*time.Second)
	}
	b.shows("Type record to record it: rec")
	again := workbench.Now()
	b.pass(workbench, 20*time.Second)
	b.press("type ord", "enter")
	b.at(action.InReceipt)
	if m := lastRecord(t, workbench); m.EvaluatedAt != again {
		t.Errorf("evaluated %s, not %s", m.EvaluatedAt, again)
	}
}

func TestAnotherResultIsShownAndGoesBackToTheStepThatItTouches(t *testing.T) {
	b, workbench := sample(t, 100, 40)
	b.press("decide", "type rec")
	b.pass(workbench, 400*24*time.Hour)
	b.at(action.InDecision)
	b.shows("[1 outcome]", "with another result", "Blocker deadline_expired applies now", "correct record may no longer be recorded: the gate is blocked")
	b.hides("●")
	b.press("choose route human review")
	b.toReceipt()
	if m := lastRecord(t, workbench); m.Gate != terms.Blocked || len(m.SectionsViewed) == 0 {
		t.Errorf("recorded %+v", m)
	}
}

func TestARevisionThatArrivesWhileTheReviewIsOpenIsShown(t *testing.T) {
	b, workbench := sample(t, 120, 40)
	b.press("decide")
	overtake(workbench)
	b.pass(workbench, time.Minute)
	b.at(action.InStale)
	b.shows("revision 3 has arrived", "Nothing was written")
}

func TestARecordThatIsInForceMeanwhileIsShownOnTheReview(t *testing.T) {
	b, workbench := sample(t, 100, 40)
	b.press("decide")
	workbench.Decide("AC-2041", 0)
	b.pass(workbench, time.Minute)
	b.at(action.InReview)
	b.shows("is in force now, and would be superseded", "supersedes      019cadc6")
	b.press("record")
	b.at(action.InReceipt)
}

func TestAFailureToEvaluateAgainIsShown(t *testing.T) {
	b, workbench := sample(t, 100, 40)
	b.press("decide")
	workbench.Failing = errors.New("the disk is on fire")
	b.pass(workbench, time.Minute)
	b.at(action.InReview)
	b.shows("✗ the packet could not be evaluated again: the disk is on fire")
}

func TestTheOutcomeThatANewDecisionSupersedesIsMarked(t *testing.T) {
	b, workbench := sample(t, 80, 24)
	b.press("open AC-2041", "d")
	b.hides("in force")
	b.press("esc", "esc")
	workbench.Decide("AC-2041", terms.RequestEvidence)
	b.press("open AC-2041", "d")
	b.shows("request evidence       in force")
	if strings.Count(b.frame(), "in force") != 1 {
		t.Errorf("another outcome is marked:\n%s", b.frame())
	}
}

func TestADecidedCaseSaysWhatWasDecidedAndNotThatItIsReady(t *testing.T) {
	b, _ := sample(t, 120, 40)
	b.press("open AC-2041")
	b.shows("No blockers. Ready for your decision.")
	b.press("d", "choose correct record")
	b.toReceipt()
	b.press("esc", "esc", "open AC-2041")
	b.shows("No blockers. Decided: correct record.", "■ decided: correct record; record 019cadc6")
	b.hides("Ready for your decision")
}
