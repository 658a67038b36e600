package ui

import (
	"testing"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/action"
	"docket/ui/internal/workbenchtest"
)

func TestBlindFirstHoldsTheAdviceBackUntilTheReviewerHasJudged(t *testing.T) {
	for _, size := range [][2]int{{80, 60}, {160, 60}} {
		b, _ := sample(t, size[0], size[1])
		b.console.scene.BlindFirst = true
		b.press("open AC-2041")
		b.shows("Held back until you have given an")
		b.hides("advises", "by default", "advised", "artifacts a reviewer needs")
		b.press("d")
		b.shows("[1 first]", "by your own judgment?")
		b.hides("advised", "advises", "artifacts")
		b.press("choose uphold decision")
		b.shows("[2 outcome]", "You said uphold decision, docket advises correct record", "advised", "your own judgment")
	}
}

func TestBlindFirstRecordsBothOutcomesAndWhenTheAdviceWasSeen(t *testing.T) {
	b, workbench := sample(t, 80, 24)
	blind(b, nil)
	b.press("choose uphold decision", "choose correct record", "review", "pgdown", "record")
	b.at(action.InReceipt)
	got := workbench.Choices()[0]
	if got.Preliminary != terms.UpholdDecision || got.Outcome != terms.CorrectRecord {
		t.Errorf("recorded %v and %v", got.Preliminary, got.Outcome)
	}
	if seen := got.SectionsViewed; len(seen) == 0 || seen[len(seen)-1] != views.SectionAdvisory {
		t.Errorf("seen %v", seen)
	}
}

func TestAJudgmentGivenBeforeTheAdviceIsNotAskedForAgain(t *testing.T) {
	b, workbench := sample(t, 80, 24)
	blind(b, nil)
	b.press("choose uphold decision", "esc")
	b.at(action.InPacket)
	b.hides("Held back")
	b.press("d", "down", "enter")
	b.shows("You said uphold decision", "[1 outcome]")
	if kept := keptOn(t, workbench); kept.Preliminary != terms.UpholdDecision || kept.Outcome.Present() {
		t.Errorf("kept %+v", kept)
	}
	again := newHarness(t, workbench, 80, 24)
	again.console.scene.BlindFirst = true
	again.press("open AC-2041")
	again.hides("Held back")
}

func TestANewRevisionIsJudgedBlindAgain(t *testing.T) {
	b, workbench := sample(t, 80, 24)
	blind(b, nil)
	b.press("choose uphold decision", "esc")
	next := workbenchtest.Case("AC-2041", 5)
	next["revision"] = 3
	workbench.Add(terms.AppealCases, next, nil)
	b.press("esc", "R", "enter")
	b.showsSomewhere("Held back")
	b.press("d", "enter")
	b.shows("[1 first]")
}

func TestBlindFirstEndsWithTheFirstRecordAndIsNotForAmendments(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("decide", "record", "esc")
	b.console.scene.BlindFirst = true
	b.press("open AC-2041")
	b.hides("Held back")
	b.press("esc", "open AM-310", "d")
	b.shows("[1 blockers]")
}

func TestADraftFromBeforeBlindFirstIsAskedForTheOwnJudgmentFirst(t *testing.T) {
	_, workbench := sample(t, 80, 24)
	workbench.Keep(sampleKey, records.Draft{Outcome: terms.CorrectRecord, Factors: terms.SetOf(terms.HumanReviewRequired), Step: "review"})
	b := newHarness(t, workbench, 80, 24)
	blind(b, nil)
	b.shows("[1 first]")
	b.hides("advised")
	b.press("choose uphold decision")
	b.shows("● correct record", "your own judgment")
}

func TestAnOutcomeUnderTheCursorIsNoJudgmentYet(t *testing.T) {
	b, workbench := sample(t, 80, 24)
	blind(b, nil)
	b.press("space", "esc")
	b.showsSomewhere("Held back")
	if kept := workbench.Draft(sampleKey); kept.Preliminary.Present() {
		t.Errorf("kept %+v", kept)
	}
	b.press("d")
	b.shows("[1 first]")
}

func TestTheContractsTextDoesNotRevealAdviceThatIsHeldBack(t *testing.T) {
	for _, size := range [][2]int{{80, 40}, {200, 60}} {
		b, _ := sample(t, size[0], size[1])
		b.console.scene.BlindFirst = true
		b.press("open AC-2041", "t")
		b.hides("advises", "departs")
		b.press("esc", "d")
		b.shows("[1 first]")
		b.hides("advises correct", "advised ")
		b.press("t")
		b.hides("advises correct", "advised ")
	}
}
