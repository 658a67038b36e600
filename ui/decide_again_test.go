package ui

import (
	"errors"
	"testing"
	"time"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/internal/desktest"
)

// lastRecord is the newest record of the log.
func lastRecord(t *testing.T, desk *desktest.Desk) *records.Members {
	t.Helper()
	log, err := desk.Records(t.Context(), 0, 1)
	if err != nil || len(log.Records) == 0 {
		t.Fatalf("there is no record: %v", err)
	}
	return log.Records[0].Record.Members()
}

func TestTheEvaluationIsThatOfTheReviewAndNotOfTheOpening(t *testing.T) {
	b, desk := sample(t, 80, 24)
	b.goTo(terms.Appeals, "AC-2041")
	opened := desk.Now()
	b.press("d")
	b.choose("correct record")
	desk.Pass(7 * time.Minute)
	b.toReview()
	atReview := desk.Now()
	desk.Pass(20 * time.Second)
	b.send(ticked{desk.Now()})
	b.recordIt()
	b.at(action.InReceipt)
	if m := lastRecord(t, desk); m.OpenedAt != opened || m.EvaluatedAt != atReview || m.RecordedAt != desk.Now() {
		t.Errorf("opened %s, evaluated %s, recorded %s", m.OpenedAt, m.EvaluatedAt, m.RecordedAt)
	}
}

func TestWhileTheReviewIsOpenThePacketIsEvaluatedEveryMinute(t *testing.T) {
	b, desk := sample(t, 100, 40)
	review(b)
	b.typeText("rec")
	for range 3 {
		desk.Pass(20 * time.Second)
		b.send(ticked{desk.Now()})
	}
	b.shows("Type record to record it: rec")
	again := desk.Now()
	desk.Pass(20 * time.Second)
	b.send(ticked{desk.Now()})
	b.typeText("ord")
	b.press("enter")
	b.at(action.InReceipt)
	if m := lastRecord(t, desk); m.EvaluatedAt != again {
		t.Errorf("evaluated %s, not %s", m.EvaluatedAt, again)
	}
}

func TestAnotherResultIsToldAndGoesBackToTheStepThatItTouches(t *testing.T) {
	b, desk := sample(t, 100, 40)
	review(b)
	b.typeText("rec")
	desk.Pass(400 * 24 * time.Hour)
	b.send(ticked{desk.Now()})
	b.at(action.InDecision)
	b.shows("[1 outcome]", "with another result", "Blocker deadline_expired applies now", "correct record may no longer be recorded: the gate is blocked")
	b.hides("●")
	b.choose("route human review")
	b.toReceipt()
	if m := lastRecord(t, desk); m.Gate != terms.Blocked || len(m.SectionsViewed) == 0 {
		t.Errorf("recorded %+v", m)
	}
}

func TestARevisionThatArrivesWhileTheReviewIsOpenIsTold(t *testing.T) {
	b, desk := sample(t, 120, 40)
	review(b)
	overtake(desk)
	desk.Pass(time.Minute)
	b.send(ticked{desk.Now()})
	b.at(action.InStale)
	b.shows("revision 3 has arrived", "Nothing was written")
}

func TestWhatIsInForceMeanwhileIsToldOnTheReview(t *testing.T) {
	b, desk := sample(t, 100, 40)
	review(b)
	desk.Decide("AC-2041", 0)
	desk.Pass(time.Minute)
	b.send(ticked{desk.Now()})
	b.at(action.InReview)
	b.shows("is in force now, and would be superseded", "supersedes      019cadc6")
	b.recordIt()
	b.at(action.InReceipt)
}

func TestThatItCannotBeEvaluatedAgainIsTold(t *testing.T) {
	b, desk := sample(t, 100, 40)
	review(b)
	desk.Failing = errors.New("the disk is on fire")
	desk.Pass(time.Minute)
	b.send(ticked{desk.Now()})
	b.at(action.InReview)
	b.shows("✗ the packet could not be evaluated again: the disk is on fire")
}
