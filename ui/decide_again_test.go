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
	"docket/ui/task"
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
	b.goTo(terms.Appeals, "AC-2041")
	opened := workbench.Now()
	b.press("d")
	b.choose("correct record")
	workbench.Pass(7 * time.Minute)
	b.toReview()
	atReview := workbench.Now()
	workbench.Pass(20 * time.Second)
	b.send(task.Ticked{Now: workbench.Now()})
	b.recordIt()
	b.at(action.InReceipt)
	if m := lastRecord(t, workbench); m.OpenedAt != opened || m.EvaluatedAt != atReview || m.RecordedAt != workbench.Now() {
		t.Errorf("opened %s, evaluated %s, recorded %s", m.OpenedAt, m.EvaluatedAt, m.RecordedAt)
	}
}

func TestWhileTheReviewIsOpenThePacketIsEvaluatedEveryMinute(t *testing.T) {
	b, workbench := sample(t, 100, 40)
	review(b)
	b.typeText("rec")
	for range 3 {
		workbench.Pass(20 * time.Second)
		b.send(task.Ticked{Now: workbench.Now()})
	}
	b.shows("Type record to record it: rec")
	again := workbench.Now()
	workbench.Pass(20 * time.Second)
	b.send(task.Ticked{Now: workbench.Now()})
	b.typeText("ord")
	b.press("enter")
	b.at(action.InReceipt)
	if m := lastRecord(t, workbench); m.EvaluatedAt != again {
		t.Errorf("evaluated %s, not %s", m.EvaluatedAt, again)
	}
}

func TestAnotherResultIsShownAndGoesBackToTheStepThatItTouches(t *testing.T) {
	b, workbench := sample(t, 100, 40)
	review(b)
	b.typeText("rec")
	workbench.Pass(400 * 24 * time.Hour)
	b.send(task.Ticked{Now: workbench.Now()})
	b.at(action.InDecision)
	b.shows("[1 outcome]", "with another result", "Blocker deadline_expired applies now", "correct record may no longer be recorded: the gate is blocked")
	b.hides("●")
	b.choose("route human review")
	b.toReceipt()
	if m := lastRecord(t, workbench); m.Gate != terms.Blocked || len(m.SectionsViewed) == 0 {
		t.Errorf("recorded %+v", m)
	}
}

func TestARevisionThatArrivesWhileTheReviewIsOpenIsShown(t *testing.T) {
	b, workbench := sample(t, 120, 40)
	review(b)
	overtake(workbench)
	workbench.Pass(time.Minute)
	b.send(task.Ticked{Now: workbench.Now()})
	b.at(action.InStale)
	b.shows("revision 3 has arrived", "Nothing was written")
}

func TestARecordThatIsInForceMeanwhileIsShownOnTheReview(t *testing.T) {
	b, workbench := sample(t, 100, 40)
	review(b)
	workbench.Decide("AC-2041", 0)
	workbench.Pass(time.Minute)
	b.send(task.Ticked{Now: workbench.Now()})
	b.at(action.InReview)
	b.shows("is in force now, and would be superseded", "supersedes      019cadc6")
	b.recordIt()
	b.at(action.InReceipt)
}

func TestAFailureToEvaluateAgainIsShown(t *testing.T) {
	b, workbench := sample(t, 100, 40)
	review(b)
	workbench.Failing = errors.New("the disk is on fire")
	workbench.Pass(time.Minute)
	b.send(task.Ticked{Now: workbench.Now()})
	b.at(action.InReview)
	b.shows("✗ the packet could not be evaluated again: the disk is on fire")
}

func TestTheOutcomeThatANewDecisionSupersedesIsMarked(t *testing.T) {
	b, workbench := sample(t, 80, 24)
	b.goTo(terms.Appeals, "AC-2041")
	b.press("d")
	b.hides("in force")
	b.press("esc", "esc")
	workbench.Decide("AC-2041", terms.RequestEvidence)
	b.goTo(terms.Appeals, "AC-2041")
	b.press("d")
	b.shows("request evidence       in force")
	if strings.Count(b.frame(), "in force") != 1 {
		t.Errorf("another outcome is marked:\n%s", b.frame())
	}
}

func TestADecidedCaseSaysWhatWasDecidedAndNotThatItIsReady(t *testing.T) {
	b, _ := sample(t, 120, 40)
	b.goTo(terms.Appeals, "AC-2041")
	b.shows("No blockers. Ready for your decision.")
	b.press("d")
	b.choose("correct record")
	b.toReceipt()
	b.press("esc", "esc")
	b.goTo(terms.Appeals, "AC-2041")
	b.shows("No blockers. Decided: correct record.", "■ decided: correct record; record 019cadc6")
	b.hides("Ready for your decision")
}
