package ui

import (
	"errors"
	"testing"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/internal/workbenchtest"
	"docket/ui/mark"
)

// addTogether adds a blocker to the marked cases, with an outcome where one is asked for, a statement and no note.
func (b *harness) addTogether(outcome string) {
	b.t.Helper()
	b.press("B")
	b.typeText("evidence_scope_missing")
	b.press("space", "enter")
	if outcome != "" {
		b.shows("Which outcome?", "❯ choose in each case")
		b.typeText(outcome)
		b.press("enter")
	}
	b.shows("Your reasons")
	b.typeText("the scope was withdrawn")
	b.press("enter")
	b.shows("A note for yourself")
	b.press("enter")
}

func TestTheSameBlockerIsAddedToEachMarkedCaseAndEachIsReviewedAndSignedAlone(t *testing.T) {
	workbench := numberedCases(5)
	b := newHarness(t, workbench, 120, 40)
	b.press("space", "j", "space", "space")
	b.addTogether("block reliance")
	for i, id := range []string{"AC-1001", "AC-1003", "AC-1004"} {
		b.at(action.InReview)
		b.shows(id, "evidence_scope_missing", "the scope was withdrawn", "block reliance")
		if recorded := len(workbench.Choices()); recorded != i {
			t.Fatalf("%d records before the word for %s", recorded, id)
		}
		b.recordIt()
		b.at(action.InReceipt)
		if i < 2 {
			b.shows("left; ↵ opens the next one at its review")
			b.press("enter")
		}
	}
	b.shows("all cases that were begun together are recorded")
	for _, choice := range workbench.Choices() {
		if !choice.AddedBlockers.Has(terms.EvidenceScopeMissing) || choice.Outcome != terms.BlockReliance || choice.Statement.Text != "the scope was withdrawn" ||
			len(choice.SectionsViewed) > 0 && !choice.OpenedAt.Present() || !choice.OpenedAt.Present() {
			t.Errorf("%+v", choice)
		}
	}
	b.press("esc")
	b.wantMarked("")
	b.shows("3 decided")
}

func TestLeavingKeepsTheRestAsDraftsAndSaysHowManyAreLeft(t *testing.T) {
	workbench := numberedCases(4)
	b := newHarness(t, workbench, 120, 40)
	b.press("space", "space", "space")
	b.addTogether("block reliance")
	b.recordIt()
	b.press("enter")
	b.at(action.InReview)
	b.shows("AC-1002", "2 marked cases are left to review and sign, this one included")
	for range 9 {
		if b.console.stage.Top().Place() == action.InQueue {
			break
		}
		b.press("esc")
	}
	b.shows("2 marked cases are left; your choices are kept as drafts")
	b.press("k")
	b.wantMarked("AC-1002 AC-1003")
	b.shows("AC-1002 ✎", "AC-1003 ✎")
	for _, id := range []terms.ID{"AC-1002", "AC-1003"} {
		draft := workbench.Latest(terms.AppealCases, id).Draft
		if !draft.Added.Has(terms.EvidenceScopeMissing) || draft.Statement != "the scope was withdrawn" {
			t.Errorf("%s: %+v", id, draft)
		}
	}
	if len(workbench.Choices()) != 1 {
		t.Errorf("%d records", len(workbench.Choices()))
	}
	b.goTo(terms.Appeals, "AC-1003")
	b.press("d")
	b.at(action.InReview)
}

func TestTheNextCaseOfARoundIsOpenedWithoutRecordingThisOne(t *testing.T) {
	b := newHarness(t, numberedCases(6), 120, 40)
	b.press("space", "j", "j", "space")
	b.addTogether("block reliance")
	b.press("esc", "esc", "esc", "esc", "esc", "esc")
	b.at(action.InPacket)
	b.press(">")
	b.at(action.InReview)
	b.shows("AC-1004", "2 marked cases are left")
}

func TestAnExistingDraftKeepsItsChoices(t *testing.T) {
	workbench := numberedCases(2)
	key := packets.Key{ID: "AC-1001", Number: 1}
	workbench.Keep(key, records.Draft{Outcome: terms.RequestEvidence, Factors: terms.SetOf(terms.HumanReviewRequired), Added: terms.SetOf(terms.NoticeMissing),
		Statement: "my own reasons", Note: "my note", Step: "note", OpenedAt: workbench.Now()})
	opened := workbench.Now()
	b := newHarness(t, workbench, 120, 40)
	b.press("space", "space")
	b.addTogether("block reliance")
	draft := workbench.Latest(terms.AppealCases, "AC-1001").Draft
	if draft.Statement != "my own reasons" || draft.Note != "my note" || draft.OpenedAt != opened ||
		draft.Added != terms.SetOf(terms.NoticeMissing, terms.EvidenceScopeMissing) {
		t.Errorf("%+v", draft)
	}
	b.shows("AC-1001", "my own reasons", "notice_missing, evidence_scope_missing")
	if other := workbench.Latest(terms.AppealCases, "AC-1002").Draft; other.OpenedAt.Present() || other.Outcome != terms.BlockReliance {
		t.Errorf("%+v", other)
	}
}

func TestWhereTheOutcomeIsLeftOpenEachCaseAsksForIt(t *testing.T) {
	workbench := numberedCases(2)
	b := newHarness(t, workbench, 120, 40)
	b.press("space", "space")
	b.addTogether("choose in each")
	b.at(action.InDecision)
	b.shows("AC-1001")
	if draft := workbench.Latest(terms.AppealCases, "AC-1002").Draft; draft.Outcome.Present() || !draft.Added.Has(terms.EvidenceScopeMissing) {
		t.Errorf("%+v", draft)
	}
}

func TestInBlindFirstModeTheOwnJudgmentComesFirstInEachCase(t *testing.T) {
	workbench := numberedCases(2)
	b := newHarness(t, workbench, 120, 40)
	b.console.scene.BlindFirst = true
	b.press("space", "space")
	b.addTogether("block reliance")
	b.at(action.InDecision)
	b.shows("by your own judgment")
	if draft := workbench.Latest(terms.AppealCases, "AC-1002").Draft; draft.Outcome.Present() || draft.Preliminary.Present() {
		t.Errorf("%+v", draft)
	}
}

func TestACaseThatTheReviewerMayNotDecideIsNamedAndPassedOver(t *testing.T) {
	b, workbench := sample(t, 120, 40)
	b.press("/")
	b.typeText("AC-2045") // whose reviewer is recused
	b.press("enter", "space", "/", "ctrl+u")
	b.typeText("AC-1999") // which cannot be read
	b.press("enter", "space", "/", "ctrl+u")
	b.typeText("AC-2041")
	b.press("enter", "space")
	b.addTogether("block reliance")
	b.shows("Passed over: 2 cases", "AC-2045: ", "AC-1999: it cannot be read")
	b.press("enter")
	b.at(action.InReview)
	b.shows("AC-2041")
	if workbench.Latest(terms.AppealCases, "AC-2045").Draft.Present() {
		t.Error("AC-2045 has a draft")
	}
}

func TestAmendmentsAreAskedForNoOutcome(t *testing.T) {
	b, _ := sample(t, 120, 40)
	b.press("tab", "/")
	b.typeText("AM-312")
	b.press("enter", "space", "B")
	b.typeText("policy")
	b.press("space", "enter")
	b.shows("Your reasons")
}

func TestDraftsThatCannotBeKeptAreNamedAndNothingIsOpened(t *testing.T) {
	workbench := numberedCases(3)
	b := newHarness(t, workbench, 120, 40)
	b.press("space", "space", "B")
	b.typeText("evidence_scope_missing")
	b.press("space", "enter", "enter")
	b.typeText("reasons")
	b.press("enter")
	workbench.Failing = errors.New("the disk is full")
	b.press("enter")
	b.at(action.InQueue)
	b.shows("Not all drafts could be begun", "0 cases have their drafts: the disk is full")
}

func TestTheReasonWhyNoBlockerCanBeAddedIsShown(t *testing.T) {
	b := newHarness(t, numberedCases(2), 120, 40)
	b.press("B")
	b.shows("no case is marked; Space marks one")
	b = newHarness(t, manyCases(mark.MostDrafts+1), 120, 40)
	b.press("*", "B")
	b.shows("at most 100 decisions are begun together")
	b.press("esc", "space", "B", "enter")
	b.shows("choose at least one blocker with Space")
	b.press("esc")
	workbench := workbenchtest.New()
	workbench.Who = records.Reviewer{}
	workbench.Add(terms.AppealPolicies, workbenchtest.AppealPolicy(), nil)
	workbench.Add(terms.AppealCases, workbenchtest.Case("AC-1", 1), nil)
	b = newHarness(t, workbench, 120, 40)
	b.press("space", "B")
	b.shows("no reviewer is set up")
}

func TestAStatementWithPrivateDetailsIsNotTakenForAnyCase(t *testing.T) {
	workbench := numberedCases(2)
	b := newHarness(t, workbench, 120, 40)
	b.press("space", "B", "space", "enter", "enter", "enter")
	b.shows("a statement of reasons is required")
	b.typeText("write to jane@example.org")
	b.press("enter")
	b.shows("Your reasons")
	if workbench.Latest(terms.AppealCases, "AC-1001").Draft.Present() {
		t.Error("there is a draft")
	}
}
